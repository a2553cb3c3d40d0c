// `parley mcp`: the work journal and memory for a program that speaks MCP over standard input and output.
import { readFile } from 'node:fs/promises';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { ErrorCode, isJSONRPCRequest, type JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import type { CommandInput } from '#app/commands/parts/input.ts';
import type { Environment } from '#app/config/environment.ts';
import { loadConfig } from '#app/config/load.ts';
import { createMcpLink, type McpLink } from '#app/running/mcp-link.ts';
import { errorMessage, ParleyError } from '#base/errors.ts';

/** `parley mcp`: answers MCP requests on standard input until it ends; resolves with 0. */
export async function mcp(input: CommandInput): Promise<number> {
  const loaded = loadConfig(input);
  const link = createMcpLink({ loaded, secret: await secretOf(input, loaded.environment) });
  const transport = new StdioServerTransport();
  const ended = new Promise<void>((resolve) => {
    transport.onclose = resolve;
    process.stdin.once('end', resolve);
    process.stdin.once('close', resolve);
  });
  const answering = new Set<Promise<void>>();
  transport.onmessage = (message) => {
    const done = answer(message, { link, transport }).finally(() => answering.delete(done));
    answering.add(done);
  };
  await transport.start();
  await ended;
  await Promise.all(answering);
  await transport.close();
  return 0;
}

async function answer(
  message: JSONRPCMessage,
  { link, transport }: { link: McpLink; transport: StdioServerTransport },
): Promise<void> {
  try {
    const text = await link.answer(JSON.stringify(message));
    if (text !== undefined) await transport.send(JSON.parse(text) as JSONRPCMessage); // Parley's own answer
  } catch (error) {
    if (!isJSONRPCRequest(message)) return; // nobody waits for an answer
    const hint = error instanceof ParleyError && error.hint !== undefined ? ` ${error.hint}` : '';
    await transport.send({
      jsonrpc: '2.0',
      id: message.id,
      error: { code: ErrorCode.InternalError, message: `${errorMessage(error)}${hint}` },
    });
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
