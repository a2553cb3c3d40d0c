// The tools of configured MCP servers, through the official SDK: connected in the background, again when lost. Not approval to use them.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { getDefaultEnvironment, StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { ErrorCode, McpError, ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import type { ActiveProblems } from '#base/active-problems.ts';
import type { Clock } from '#base/clock.ts';
import { errorMessage, ParleyError } from '#base/errors.ts';
import type { Log } from '#base/log/log.ts';
import { truncate } from '#base/text.ts';
import { backoffMs, createWaker, isAbort, type Waker, waitAbandoned } from '#base/waiting/async.ts';
import { type AnyTool, foreignTool } from '#engine/tools/definition/registry.ts';
import { toolName, unofferedHint, unofferedTools } from '#engine/wire/runs/tool-names.ts';
import { boundedFetch, createLineBuffer } from './bounds.ts';
import { withOwnNames } from './names.ts';

/** How one server is reached. */
export type McpServer =
  | { command: string; args: readonly string[]; env: Readonly<Record<string, string>> }
  | { url: string; headers: Readonly<Record<string, string>> };

interface McpStatus {
  name: string;
  state: 'connecting' | 'ready';
  tools: number;
  problem?: string | undefined;
  /** Which tools of it the config names and it does not offer, as text. */
  unoffered?: string | undefined;
}

export interface McpServers {
  /** The tools of the servers that are connected now. */
  tools(): readonly AnyTool[];
  status(): McpStatus[];
  /** Resolves when each server was connected, or was found out of reach, once. */
  tried: Promise<void>;
  close(): Promise<void>;
}

const retry = { firstMs: 1_000, capMs: 60_000 };
const connectMs = 15_000;
/** For one call of a tool. */
const callMs = 120_000;
/** More than a model can choose from; the rest of a server's tools is left out. */
const maxTools = 64;
/** Pages of a list of tools: one that never ends is not read on. */
const maxPages = 50;
/** Milliseconds between pings of a server: over HTTP nothing else shows that it is down. */
const pingMs = 60_000;
const pingLimitMs = 15_000;

interface ServerTool {
  server: string;
  /** As the server calls it. */
  tool: string;
  of: AnyTool;
}

interface Server {
  name: string;
  tools: ServerTool[];
  state: 'connecting' | 'ready';
  problem?: string | undefined;
  /** Which tools of it the config names and it does not offer, as text. */
  unoffered?: string | undefined;
}

/** Connects to the servers and stays connected until `close`; nothing waits for a server that is down. */
export function connectMcpServers(options: {
  servers: Readonly<Record<string, McpServer>>;
  /** Names and patterns of tools that the config uses: what fits nothing that its server offers is noted. None when absent. */
  named?: (() => readonly string[]) | undefined;
  version: string;
  clock: Clock;
  log: Log;
  /** Where is noted which servers cannot be used. */
  problems?: ActiveProblems | undefined;
}): McpServers {
  const { clock, log, version, problems, named = () => [] } = options;
  const closing = new AbortController();
  const open = new Set<Client>();
  const servers: Server[] = [];

  const stay = async (server: Server, how: McpServer, tried: () => void): Promise<void> => {
    for (let attempt = 1; !closing.signal.aborted; attempt += 1) {
      const client = new Client({ name: 'parley', version });
      const ended = new AbortController();
      const doubt = createWaker();
      open.add(client);
      try {
        client.onclose = () => ended.abort(waitAbandoned);
        await client.connect(transportOf(how), { timeout: connectMs, signal: closing.signal });
        const refresh = async (): Promise<void> => {
          server.tools = await toolsOf(client, server.name, doubt);
          const place = `tools of MCP server ${server.name}`;
          const words = notOfferedNotice(named(), server);
          server.unoffered = words;
          if (words === undefined) return problems?.clear(place);
          log.warn({ mcp: server.name, words }, 'the config names tools that the server does not offer');
          problems?.note(place, new ParleyError('mcp_tool_unknown', words, { hint: unofferedHint }));
        };
        client.setNotificationHandler(ToolListChangedNotificationSchema, refresh);
        await refresh();
        server.state = 'ready';
        server.problem = undefined;
        problems?.clear(placeOf(server));
        attempt = 0;
        tried();
        await lossOf(client, { clock, doubt, ended: ended.signal });
        throw new ParleyError('mcp_lost', 'The server ended the connection.');
      } catch (error) {
        if (closing.signal.aborted || isAbort(error, closing.signal)) return;
        server.problem = truncate(errorMessage(error), 300);
        log.warn({ mcp: server.name, error: server.problem }, 'an MCP server cannot be used');
        problems?.note(placeOf(server), unusable(server.name, server.problem));
      } finally {
        ended.abort(waitAbandoned);
        tried();
        server.state = 'connecting';
        server.tools = [];
        open.delete(client);
        await client.close().catch(() => undefined); // it is lost already
      }
      await clock.sleep(backoffMs(attempt + 1, retry), closing.signal).catch(() => undefined); // closed in the meantime
    }
  };
  const staying: Promise<void>[] = [];
  const trying = Object.entries(options.servers).map(([name, how]) => {
    const server: Server = { name, tools: [], state: 'connecting' };
    servers.push(server);
    return new Promise<void>((resolve) => {
      staying.push(stay(server, how, resolve));
    });
  });
  return {
    tools: () => withOwnNames(servers.flatMap((server) => server.tools)),
    status: () =>
      servers.map(({ name, state, tools, problem, unoffered }) => ({
        name,
        state,
        tools: tools.length,
        problem,
        unoffered,
      })),
    tried: Promise.all(trying).then(() => undefined),
    async close() {
      closing.abort();
      await Promise.all([...open].map((client) => client.close().catch(() => undefined)));
      await Promise.all(staying);
    },
  };
}

function transportOf(how: McpServer): Transport {
  if ('command' in how) {
    // The server sees the variables that it was given and the harmless ones, none of our keys.
    const env = { ...getDefaultEnvironment(), ...how.env };
    const stdio = new StdioClientTransport({
      command: how.command,
      args: [...how.args],
      env,
      stderr: 'ignore',
    });
    // the SDK's own buffer ends the server for an answer that is too large; a test shows that this one is in its place
    Reflect.set(stdio, '_readBuffer', createLineBuffer());
    return stdio;
  }
  const transport = new StreamableHTTPClientTransport(new URL(how.url), {
    requestInit: { headers: { ...how.headers } },
    fetch: boundedFetch(),
  });
  return transport as Transport; // its optional fields are typed without exactOptionalPropertyTypes
}

/** Resolves when the connection has ended; throws when the server does not say that it is there. `doubt` makes it be asked at once. */
async function lossOf(
  client: Client,
  { clock, doubt, ended }: { clock: Clock; doubt: Waker; ended: AbortSignal },
): Promise<void> {
  while (!ended.aborted) {
    try {
      await doubt.wait(clock, pingMs, ended);
      await client.ping({ timeout: pingLimitMs, signal: ended });
    } catch (error) {
      if (ended.aborted) return;
      // one that does not know the question is there
      if (!(error instanceof McpError) || error.code === ErrorCode.RequestTimeout) throw error;
    }
  }
}

function notOfferedNotice(named: readonly string[], { name, tools }: Server): string | undefined {
  const offered = withOwnNames(tools).map((tool) => tool.name);
  const wrong = unofferedTools(named, { server: name, offered });
  if (wrong.length === 0) return undefined;
  const each = wrong.map(({ name: tool, nearest }) =>
    nearest === undefined ? `"${tool}"` : `"${tool}" (the nearest is "${nearest}")`,
  );
  return `The config names tools that the MCP server ${name} does not offer: ${each.join(', ')}.`;
}

const placeOf = ({ name }: Server): string => `MCP server ${name}`;

function unusable(name: string, words: string): ParleyError {
  return new ParleyError('mcp_unusable', `The MCP server ${name} cannot be used: ${words}`, {
    hint: `Look whether it runs, and at \`mcp.${name}\` in the config; it is tried again on its own.`,
  });
}

async function toolsOf(client: Client, server: string, doubt: Waker): Promise<ServerTool[]> {
  return (await listed(client)).map(({ name: tool, description, inputSchema, annotations }) => ({
    server,
    tool,
    of: foreignTool({
      name: toolName(server, tool),
      description: truncate(description ?? `The tool ${tool} of ${server}.`, 2_000),
      schema: { ...inputSchema },
      // a hint, as its name says: it decides only whether a call is made again that may have been carried out
      idempotent: annotations?.idempotentHint === true || annotations?.readOnlyHint === true,
      async run(args, signal) {
        const limits = { signal, timeout: callMs };
        const called = await client
          .callTool({ name: tool, arguments: args }, undefined, limits)
          .catch((error) => {
            if (!signal.aborted) doubt.wake();
            throw error;
          });
        if (called.isError === true) throw new ParleyError('mcp_failed', textOf(called.content));
        return called.structuredContent ?? { content: called.content };
      },
    }),
  }));
}

/** What a server lists on all of its pages, as far as it is used. */
async function listed(client: Client) {
  const { tools, nextCursor } = await client.listTools();
  const all = [...tools];
  let cursor = nextCursor;
  for (let page = 1; cursor !== undefined && page < maxPages && all.length < maxTools; page += 1) {
    const next = await client.listTools({ cursor });
    all.push(...next.tools);
    cursor = next.nextCursor;
  }
  return all.slice(0, maxTools);
}

function textOf(content: unknown): string {
  const texts = Array.isArray(content)
    ? content.flatMap((part: unknown) =>
        typeof part === 'object' && part !== null && 'text' in part && typeof part.text === 'string'
          ? [part.text]
          : [],
      )
    : [];
  return texts.length === 0 ? 'The tool failed without saying why.' : texts.join('\n');
}
