// One request of the Model Context Protocol, answered by a server that exists for it.
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import type { TokenHolder } from '#adapters/gateway/access/tokens.ts';
import { createMcpServer, type McpParts } from './server.ts';

/** Of one request, in bytes: the largest close fits. */
const maxRequestBodySize = 8 * 1024 * 1024;

/** The response to one HTTP request of the holder of a token, as JSON. */
export async function answerMcp(request: Request, holder: TokenHolder, parts: McpParts): Promise<Response> {
  const server = createMcpServer(holder, parts);
  const transport = new WebStandardStreamableHTTPServerTransport({
    enableJsonResponse: true,
    maxRequestBodySize,
  });
  await server.connect(transport);
  try {
    return await transport.handleRequest(request);
  } finally {
    await server.close();
  }
}
