// The OpenAPI document, made of the schemas by which the routes read and answer. Not a second description of them.
import { type ZodType, z } from 'zod';
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiPathsObject } from 'zod-openapi';
import type { DocumentedAnswer, Route } from '#engine/http/routing/route.ts';
import { defineRoute } from '#engine/http/routing/route.ts';
import type { DescribedRoute } from '#engine/wire/described-route.ts';

const envelope = z
  .object({ error: z.string(), code: z.string(), hint: z.string().optional(), retryable: z.boolean() })
  .loose()
  .meta({
    id: 'Error',
    description: 'Every refusal: words, a stable code, what to do, and whether asking again helps.',
  });

const health: Pick<Route, 'method' | 'path' | 'tag' | 'summary' | 'answers'> = {
  method: 'GET',
  path: '/global/health',
  tag: 'service',
  summary: 'Alive, and ready; needs no token, and says more with it',
  answers: {
    200: {
      about: 'the status',
      schema: z.object({ healthy: z.boolean(), ready: z.boolean(), version: z.string() }).loose(),
    },
  },
};

const idempotencyKey = z
  .string()
  .regex(/^[\x21-\x7e]{1,200}$/)
  .optional()
  .describe('The same key gives the same work, once; also as `x-tandem-idempotency-key`.');

/** The document of these routes, as OpenAPI 3.1. */
export function openApiOf(routes: readonly (Route | DescribedRoute)[], version: string): object {
  const paths: ZodOpenApiPathsObject = {};
  for (const route of [...routes, { ...health, open: true }]) {
    const at = route.path.replace(/:(\w+)/g, '{$1}');
    paths[at] = { ...paths[at], [route.method.toLowerCase()]: operationOf({ startsWork: false, ...route }) };
  }
  return createDocument({
    openapi: '3.1.0',
    info: { title: 'Parley', version, description: 'The engine: sessions, runs, events, and what runs ask.' },
    security: [{ token: [] }],
    components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
    paths,
  });
}

/** `GET /openapi.json`: the document of all routes, this one included. */
export function openApiRoute(others: readonly (Route | DescribedRoute)[], version: string): Route {
  const route: Route = defineRoute({
    method: 'GET',
    path: '/openapi.json',
    tag: 'service',
    summary: 'This document',
    answers: { 200: { about: 'OpenAPI 3.1', schema: z.record(z.string(), z.unknown()) } },
    handle: (c) => c.json(openApiOf([...others, route], version)),
  });
  return route;
}

type Described = Pick<Route, 'method' | 'path' | 'tag' | 'summary' | 'answers' | 'startsWork'> & {
  query?: ZodType | undefined;
  body?: ZodType | undefined;
  bodyType?: Route['bodyType'];
  open?: boolean;
};

function operationOf(route: Described): ZodOpenApiOperationObject {
  const { tag, summary, query, body, bodyType, startsWork } = route;
  const names = [...route.path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
  const parameters = {
    ...(names.length === 0
      ? {}
      : { path: z.object(Object.fromEntries(names.map((name) => [name, z.string()]))) }),
    ...(query instanceof z.ZodObject ? { query } : {}),
    ...(startsWork ? { header: z.object({ 'idempotency-key': idempotencyKey }) } : {}),
  };
  return {
    tags: [tag],
    summary,
    ...(route.open === true ? { security: [] } : {}),
    requestParams: parameters,
    ...(body === undefined ? {} : { requestBody: { content: { 'application/json': { schema: body } } } }),
    ...(bodyType === undefined ? {} : { requestBody: { content: { [bodyType]: { schema: z.string() } } } }),
    responses: {
      ...Object.fromEntries(
        Object.entries(route.answers).map(([status, answer]) => [status, answerOf(answer)]),
      ),
      default: { description: 'Refused', content: { 'application/json': { schema: envelope } } },
    },
  };
}

function answerOf({ about, schema, type }: DocumentedAnswer) {
  const content =
    schema === undefined
      ? type === undefined
        ? undefined
        : { [type]: { schema: z.string() } }
      : { 'application/json': { schema } };
  return { description: about, ...(content === undefined ? {} : { content }) };
}
