// A real MCP server over stdio, for the tests to connect to: adds, fails, reports its environment, and dies when told.
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { z } from 'zod';

/** The server with its tools; the transport is the caller's. */
export function createTestServer(): McpServer {
  const server = new McpServer({ name: 'test', version: '1' });
  const text = (said: string) => ({ content: [{ type: 'text' as const, text: said }] });
  server.registerTool(
    'add',
    { description: 'Adds.', inputSchema: { a: z.number(), b: z.number() } },
    ({ a, b }) => text(String(a + b)),
  );
  server.registerTool('fail', { description: 'Fails.' }, () => ({ ...text('It is broken.'), isError: true }));
  server.registerTool('variables', { description: 'Names its variables.' }, () =>
    text(Object.keys(process.env).join(' ')),
  );
  server.registerTool('die', { description: 'Ends the server.' }, () => process.exit(1));
  return server;
}

if (process.argv[1] === import.meta.filename) await createTestServer().connect(new StdioServerTransport());
