// An MCP server whose tools leave a mark: each call is a line in the file that LEDGER names. Not tests.
import { appendFileSync, readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { z } from 'zod';

const ledger = process.env.LEDGER ?? '';
const server = new McpServer({ name: 'bank', version: '1' });
const text = (said: string) => ({ content: [{ type: 'text' as const, text: said }] });
const inputSchema = { what: z.string() };
/** Writes the line of the call; how many of this call there are now. */
const book = (tool: string, what: string): number => {
  const line = `${tool} ${what}`;
  appendFileSync(ledger, `${line}\n`);
  return readFileSync(ledger, 'utf8')
    .split('\n')
    .filter((each) => each === line).length;
};
/** How long a call takes after its line is written, in milliseconds at most. */
const delayMs = Number(process.env.DELAY_MS ?? 0);
const never = new Promise<never>(() => {});

server.registerTool('pay', { description: 'Pays.', inputSchema }, async ({ what }) => {
  book('pay', what);
  await setTimeout(Math.random() * delayMs);
  return text(`paid ${what}`);
});
server.registerTool('ship', { description: 'Ships.', inputSchema }, async ({ what }) => {
  book('ship', what);
  await setTimeout(Math.random() * delayMs);
  return text(`shipped ${what}`);
});
server.registerTool(
  'wire',
  { description: 'Transfers; its first answer never comes.', inputSchema },
  ({ what }) => (book('wire', what) === 1 ? never : text(`transferred ${what}`)),
);
server.registerTool(
  'set',
  {
    description: 'Sets; its first answer never comes.',
    inputSchema,
    annotations: { idempotentHint: true, readOnlyHint: false },
  },
  ({ what }) => (book('set', what) === 1 ? never : text(`set ${what}`)),
);
await server.connect(new StdioServerTransport());
