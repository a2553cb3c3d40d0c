// An MCP server that lists its tools page by page, two of them with names that are nearly one, and answers as largely as it is asked to.
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';

const pages = [['a.b', 'large'], ['a_b']];

/** The server; the transport is the caller's. */
export function createOddServer(): Server {
  const server = new Server({ name: 'odd', version: '1' }, { capabilities: { tools: {} } });
  server.setRequestHandler(ListToolsRequestSchema, ({ params }) => {
    const page = Number(params?.cursor ?? 0);
    const tools = (pages[page] ?? []).map((name) => ({ name, inputSchema: { type: 'object' as const } }));
    return { tools, ...(page + 1 < pages.length ? { nextCursor: String(page + 1) } : {}) };
  });
  server.setRequestHandler(CallToolRequestSchema, ({ params: { name, arguments: args } }) => ({
    content: [{ type: 'text', text: name === 'large' ? 'x'.repeat(Number(args?.bytes)) : name }],
  }));
  return server;
}

if (process.argv[1] === import.meta.filename) await createOddServer().connect(new StdioServerTransport());
