// Tokens of a house, and the SDK's own client with one. Not a test.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { ElicitRequestSchema, type ElicitResult } from '@modelcontextprotocol/sdk/types.js';
import { main } from '#app/main.ts';
import { type House, openTelegramHouse } from './house.ts';

export type Answer = Record<string, unknown>;

const bin = join(import.meta.dirname, '..', '..', 'bin', 'parley.js');

/** `parley ...` for the home folder of the house, in this process. */
export async function parley(
  house: Pick<House, 'folder' | 'home'>,
  ...words: string[]
): Promise<{ code: number; out: string; err: string }> {
  const lines = { out: [] as string[], err: [] as string[] };
  const code = await main(
    [...words, '--config', join(house.folder, 'parley.config.json')],
    { PARLEY_HOME: house.home },
    { out: (line) => lines.out.push(line), err: (line) => lines.err.push(line) },
  );
  return { code, out: lines.out.join('\n'), err: lines.err.join('\n') };
}

/** Makes a token, as an operator does. */
export async function tokenFor(
  house: Pick<House, 'folder' | 'home'>,
  ...words: string[]
): Promise<{ id: string; secret: string }> {
  const { code, out, err } = await parley(house, 'token', 'create', ...words, '--json');
  assert.equal(code, 0, err);
  const { token, secret } = JSON.parse(out) as { token: { id: string }; secret: string };
  return { id: token.id, secret };
}

/** A connected client over HTTP. */
export function overHttp(url: string, secret: string): Promise<Client> {
  const requestInit = { headers: { authorization: `Bearer ${secret}` } };
  return connected(new StreamableHTTPClientTransport(new URL('/mcp', url), { requestInit }));
}

/** What a person does with a form that a server shows. */
export type Elicited = (params: {
  message: string;
  requestedSchema: Answer;
}) => Promise<ElicitResult> | ElicitResult;

/** A connected client of `parley mcp`, which is another process; with `elicited` one that can ask its person. */
export function overStdio(
  house: Pick<House, 'folder' | 'home'>,
  secret: string,
  program = bin,
  elicited?: Elicited,
): Promise<Client> {
  return connected(
    new StdioClientTransport({
      command: process.execPath,
      args: [program, 'mcp'],
      cwd: house.folder,
      env: { PATH: process.env.PATH ?? '', PARLEY_HOME: house.home, PARLEY_MCP_TOKEN: secret },
    }),
    elicited,
  );
}

/** The client of a person's token over HTTP, of a house of its own. */
export async function personClient(t: TestContext): Promise<Client> {
  const house = await openTelegramHouse(t);
  const client = await overHttp(house.parley.url, (await tokenFor(house, '--person', 'Robin')).secret);
  t.after(() => client.close());
  return client;
}

async function connected(transport: unknown, elicited?: Elicited): Promise<Client> {
  const capabilities = elicited === undefined ? {} : { elicitation: {} };
  const client = new Client({ name: 'test', version: '1.0.0' }, { capabilities });
  if (elicited !== undefined)
    client.setRequestHandler(ElicitRequestSchema, ({ params }) =>
      elicited(params as Parameters<Elicited>[0]),
    );
  // the SDK's transports have optional fields that may be undefined, and its interface has not
  await client.connect(transport as Transport);
  return client;
}

/** The result of a tool, which is there once, as text; fails with the words of its error. */
export async function call(client: Client, name: string, args: Answer = {}): Promise<Answer> {
  const result = await client.callTool({ name, arguments: args });
  assert.ok(result.isError !== true, `${name}: ${textOf(result)}`);
  assert.deepEqual([(result.content as unknown[]).length, result.structuredContent], [1, undefined]);
  return JSON.parse(textOf(result)) as Answer; // every operation gives an object
}

/** The words of a refused call. */
export async function refusal(client: Client, name: string, args: Answer = {}): Promise<string> {
  const result = await client.callTool({ name, arguments: args });
  assert.equal(result.isError, true, `${name} was expected to be refused: ${textOf(result)}`);
  return textOf(result);
}

function textOf(result: Awaited<ReturnType<Client['callTool']>>): string {
  const [first] = result.content as { type: string; text?: string }[];
  return first?.text ?? '';
}

/** A session to close. */
export function session(key: string, more: Answer = {}): Answer {
  return {
    key,
    title: `Session ${key}`,
    summary: 'The parser was written again.',
    decisions: [{ title: 'Use a table', body: 'It is easier to read.' }],
    threads: [{ title: `Thread of ${key}`, body: 'The lexer is slow.' }],
    steps: [{ title: `Step of ${key}`, body: 'Measure the lexer.' }],
    context: [{ title: 'Where it is', body: 'src/parse' }],
    ...more,
  };
}
