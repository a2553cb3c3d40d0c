// MCP over HTTP: `POST /mcp`, a server for each request, so that no call depends on an earlier one.
import { Hono } from 'hono';
import { z } from 'zod';
import type { CheckToken } from '#adapters/gateway/admission/tokens.ts';
import { errorMessage } from '#base/errors.ts';
import { noQuery, parseQuery } from '#base/json.ts';
import type { DescribedRoute } from '#engine/wire/described-route.ts';
import type { McpParts } from './server.ts';

export const mcpPath = '/mcp';

interface McpRoutes extends Omit<McpParts, 'engine' | 'onFailure'> {
  /** Undefined until the gateway is there. */
  check: () => CheckToken | undefined;
  engine: () => McpParts['engine'] | undefined;
  counts?: McpCounts | undefined;
}

/** What was asked since the start. */
interface McpCounts {
  requests: number;
  refused: number;
  failed: number;
}

/** Counters of MCP requests since the start, all 0. */
export function createMcpCounts(): McpCounts {
  return { requests: 0, refused: 0, failed: 0 };
}

/** The route, for the document. */
export const mcpDocument: readonly DescribedRoute[] = [
  {
    ...{ method: 'POST', path: mcpPath, tag: 'memory' },
    summary:
      'The Model Context Protocol (streamable HTTP, without sessions), with a token of a person or an agent in the place of that of this server',
    body: z
      .looseObject({
        jsonrpc: z.literal('2.0'),
        method: z.string(),
        id: z.union([z.string(), z.number()]).optional(),
      })
      .describe('A message of JSON-RPC'),
    answers: {
      200: {
        about: 'The answer to a request, as JSON-RPC',
        schema: z.looseObject({ jsonrpc: z.literal('2.0') }),
      },
      202: { about: 'A notification has no answer' },
    },
  },
];

/** The `/mcp` route. A request without the token of a person or an agent gets 401 and `{error, code, retryable}`. */
export function mcpRoutes(options: McpRoutes): Hono {
  const { check: findCheck, engine: findEngine, counts = createMcpCounts(), ...rest } = options;
  const app = new Hono();
  const onFailure = (): void => {
    counts.failed += 1;
  };
  app.post(mcpPath, async (c) => {
    parseQuery(c.req.url, noQuery);
    const [check, engine] = [findCheck(), findEngine()];
    if (check === undefined || engine === undefined)
      return refuse(503, 'NOT_READY', 'The channels are starting or stopping; try again in a moment.');
    const [, secret] = /^Bearer +([\x21-\x7e]+) *$/i.exec(c.req.header('authorization') ?? '') ?? [];
    const holder =
      secret === undefined
        ? { refusal: 'Expected the header "Authorization: Bearer <token>", received none of this form.' }
        : await check(secret).catch((error: unknown) => {
            rest.log.warn({ words: errorMessage(error) }, 'a token could not be checked');
            return undefined;
          });
    if (holder === undefined)
      return refuse(503, 'NOT_READY', 'Memory does not have all yet that changed in chats; try again soon.');
    if ('refusal' in holder) {
      counts.refused += 1;
      return refuse(401, 'UNAUTHORIZED', `${holder.refusal} "parley token create" makes a token.`);
    }
    counts.requests += 1;
    // the protocol's library is loaded by the first who speaks it
    const { answerMcp } = await import('./answer-mcp.ts');
    return answerMcp(c.req.raw, holder, { ...rest, engine, onFailure });
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
