// `parley mcp`: the work journal and memory for a program that speaks MCP over standard input and output.
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { ErrorCode } from '@modelcontextprotocol/sdk/types.js';
import { createMcpConversation } from '#adapters/mcp/conversation.ts';
import type { CommandInput } from '#app/commands/parts/input.ts';
import type { Environment } from '#app/config/environment.ts';
import { loadConfig } from '#app/config/load.ts';
import { createMcpLink, type McpLink } from '#app/running/mcp-link.ts';
import { systemClock } from '#base/clock.ts';
import { errorMessage, ParleyError } from '#base/errors.ts';
import { createIds } from '#base/ids.ts';
import { tryJson } from '#base/json.ts';

/** `parley mcp`: answers MCP requests on standard input, a line each, until it ends; resolves with 0. */
export async function mcp(input: CommandInput): Promise<number> {
  const loaded = loadConfig(input);
  const link = createMcpLink({ loaded, secret: await secretOf(input, loaded.environment) });
  const ended = new AbortController();
  const conversation = createMcpConversation({
    answer: (text) => answer(text, link),
    send: (text) => void process.stdout.write(`${text}\n`),
    newId: createIds(systemClock),
    clock: systemClock,
    signal: ended.signal,
  });
  const answering = new Set<Promise<void>>();
  for await (const line of createInterface({ input: process.stdin })) {
    if (line.trim() === '') continue;
    const done = conversation.receive(line).finally(() => answering.delete(done));
    answering.add(done);
  }
  ended.abort();
  await Promise.all(answering);
  return 0;
}

async function answer(text: string, link: McpLink): Promise<string | undefined> {
  try {
    return await link.answer(text);
  } catch (error) {
    const { id, method } = Object(tryJson(text)) as { id?: unknown; method?: unknown };
    if (id === undefined || method === undefined) return undefined; // nobody waits for an answer
    const hint = error instanceof ParleyError && error.hint !== undefined ? ` ${error.hint}` : '';
    const message = `${errorMessage(error)}${hint}`;
    return JSON.stringify({ jsonrpc: '2.0', id, error: { code: ErrorCode.InternalError, message } });
  }
}

async function secretOf({ values }: CommandInput, environment: Environment): Promise<string> {
  const file = values['token-file'];
  const given = typeof file === 'string' ? await readSecret(file) : environment.PARLEY_MCP_TOKEN;
  const secret = given?.trim() ?? '';
  if (/^[\x21-\x7e]+$/.test(secret)) return secret;
  throw new ParleyError(
    'invalid_usage',
    secret === '' ? 'Expected a token, got none.' : 'Expected a token of printable letters without spaces.',
    { hint: 'Set PARLEY_MCP_TOKEN, or name --token-file FILE. "parley token create" makes a token.' },
  );
}

async function readSecret(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    throw new ParleyError(
      'invalid_usage',
      `The token file ${file} cannot be read (${errorMessage(cause)}).`,
      {
        hint: 'Name a file with the token in it.',
        cause,
      },
    );
  }
}
