// MCP over HTTP: `POST /mcp`, a server for each request, so that no call depends on an earlier one.
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import { Hono } from 'hono';
import type { CheckToken } from '#adapters/gateway/access/tokens.ts';
import { createMcpServer, type McpParts } from './server.ts';

export const mcpPath = '/mcp';

/** Of one request, in bytes: the largest close fits. */
const maxRequestBodySize = 8 * 1024 * 1024;

export interface McpRoutes extends Omit<McpParts, 'engine'> {
  /** Undefined until the gateway is there. */
  check: () => CheckToken | undefined;
  engine: () => McpParts['engine'] | undefined;
}

/** The route; what has no token of a person or an agent is refused with 401 and the envelope `{error, code, retryable}`. */
export function mcpRoutes({ check: findCheck, engine: findEngine, ...rest }: McpRoutes): Hono {
  const app = new Hono();
  app.post(mcpPath, async (c) => {
    const [check, engine] = [findCheck(), findEngine()];
    if (check === undefined || engine === undefined)
      return refuse(503, 'NOT_READY', 'The channels are starting or stopping; try again in a moment.');
    const [, secret] = /^Bearer +([\x21-\x7e]+) *$/i.exec(c.req.header('authorization') ?? '') ?? [];
    const holder =
      secret === undefined
        ? { refusal: 'Expected the header "Authorization: Bearer <token>", received none of this form.' }
        : await check(secret);
    if ('refusal' in holder)
      return refuse(401, 'UNAUTHORIZED', `${holder.refusal} "parley token create" makes a token.`);
    const server = createMcpServer(holder, { ...rest, engine });
    const transport = new WebStandardStreamableHTTPServerTransport({
      enableJsonResponse: true,
      maxRequestBodySize,
    });
    await server.connect(transport);
    try {
      return await transport.handleRequest(c.req.raw);
    } finally {
      await server.close();
    }
  });
  app.all(mcpPath, () => {
    const response = refuse(
      405,
      'METHOD_NOT_ALLOWED',
      'This route answers POST only: it has no sessions and no stream.',
    );
    response.headers.set('allow', 'POST');
    return response;
  });
  return app;
}

function refuse(status: number, code: string, error: string): Response {
  const headers: Record<string, string> = status === 401 ? { 'www-authenticate': 'Bearer' } : {};
  return Response.json({ error, code, retryable: status === 503 }, { status, headers });
}
