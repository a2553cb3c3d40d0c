// The tools of configured MCP servers, through the official SDK: connected in the background, again when lost. Not leave to use them.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { getDefaultEnvironment, StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { backoffMs, isAbort } from '#base/async.ts';
import type { Clock } from '#base/clock.ts';
import { ParleyError, wordsOf } from '#base/errors.ts';
import type { Log } from '#base/log.ts';
import { truncate } from '#base/text.ts';
import { type AnyTool, foreignTool } from '#engine/tools/registry.ts';

/** How one server is reached. */
export type McpServer =
  | { command: string; args: readonly string[]; env: Readonly<Record<string, string>> }
  | { url: string; headers: Readonly<Record<string, string>> };

export interface McpServers {
  /** The tools of the servers that are connected now. */
  tools(): readonly AnyTool[];
  status(): { name: string; state: 'connecting' | 'ready'; tools: number; trouble?: string | undefined }[];
  /** Resolves when each server was connected, or was found out of reach, once. */
  tried: Promise<void>;
  close(): Promise<void>;
}

const retry = { firstMs: 1_000, capMs: 60_000 };
const connectMs = 15_000;
/** For one call of a tool. */
const callMs = 120_000;
/** More than a model can choose from; the rest of a server's tools is left out. */
const mostTools = 64;
/** What every provider takes. */
const longestName = 64;

interface Server {
  name: string;
  tools: AnyTool[];
  state: 'connecting' | 'ready';
  trouble?: string | undefined;
}

/** Connects to the servers and stays connected until `close`; nothing waits for a server that is down. */
export function connectMcpServers(options: {
  servers: Readonly<Record<string, McpServer>>;
  version: string;
  clock: Clock;
  log: Log;
}): McpServers {
  const { clock, log, version } = options;
  const closing = new AbortController();
  const open = new Set<Client>();
  const servers: Server[] = [];

  const stay = async (server: Server, how: McpServer, tried: () => void): Promise<void> => {
    for (let attempt = 1; !closing.signal.aborted; attempt += 1) {
      const client = new Client({ name: 'parley', version });
      open.add(client);
      try {
        const lost = new Promise<void>((resolve) => {
          client.onclose = () => resolve();
        });
        await client.connect(transportOf(how), { timeout: connectMs, signal: closing.signal });
        const refresh = async (): Promise<void> => {
          server.tools = await toolsOf(client, server.name);
        };
        client.setNotificationHandler(ToolListChangedNotificationSchema, refresh);
        await refresh();
        server.state = 'ready';
        server.trouble = undefined;
        attempt = 0;
        tried();
        await lost;
        server.trouble = 'The server ended the connection.';
      } catch (error) {
        if (isAbort(error, closing.signal)) return;
        server.trouble = wordsOf(error);
        log.warn({ mcp: server.name, error: server.trouble }, 'an MCP server cannot be used');
      } finally {
        tried();
        server.state = 'connecting';
        server.tools = [];
        open.delete(client);
        await client.close().catch(() => undefined); // it is lost already
      }
      await clock.sleep(backoffMs(attempt + 1, retry), closing.signal).catch(() => undefined); // closed meanwhile
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
    tools: () => servers.flatMap((server) => server.tools),
    status: () =>
      servers.map(({ name, state, tools, trouble }) => ({ name, state, tools: tools.length, trouble })),
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
    return new StdioClientTransport({ command: how.command, args: [...how.args], env, stderr: 'ignore' });
  }
  const transport = new StreamableHTTPClientTransport(new URL(how.url), {
    requestInit: { headers: { ...how.headers } },
  });
  return transport as Transport; // its optional fields are typed without exactOptionalPropertyTypes
}

async function toolsOf(client: Client, server: string): Promise<AnyTool[]> {
  const { tools } = await client.listTools();
  return tools.slice(0, mostTools).map(({ name, description, inputSchema }) =>
    foreignTool({
      name: toolName(server, name),
      description: truncate(description ?? `The tool ${name} of ${server}.`, 2_000),
      schema: { ...inputSchema },
      async run(args, signal) {
        const called = await client.callTool({ name, arguments: args }, undefined, {
          signal,
          timeout: callMs,
        });
        if (called.isError === true) throw new ParleyError('mcp_failed', textOf(called.content));
        return called.structuredContent ?? { content: called.content };
      },
    }),
  );
}

/** `mcp_server_tool`, of letters that every provider takes. */
export function toolName(server: string, tool: string): string {
  return `mcp_${server}_${tool}`.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, longestName);
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
