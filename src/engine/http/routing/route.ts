// What a route is: its place, what it takes and answers as schemas, and its handler behind the token.
import type { Context, Hono, MiddlewareHandler } from 'hono';
import { type ZodType, z } from 'zod';
import { ParleyError } from '#base/errors.ts';
import { fieldNames, withFieldNames } from '#base/field-names.ts';
import { noQuery, parseQuery } from '#base/json.ts';
import { noFields } from '#engine/operations/fields.ts';
import type { SignIn } from '#engine/wire/operator/sign-in.ts';
import { readBody } from './body.ts';
import { ApiError } from './refusal.ts';
import { strict } from './strict.ts';

/** What the server hands to every request; absent when the app is called without a server. */
export interface HttpEnv {
  Bindings: {
    /** Aborts when the server begins to close: streams end themselves then. */
    closing?: AbortSignal | undefined;
    /** From now on the connection ends once its reader takes nothing of what waits for it, in place of a wait without end. */
    endWhenStalled?: (() => void) | undefined;
    /** The viewer that a request is answered for. */
    signIn?: SignIn | undefined;
  };
  Variables: {
    /** The owner whose browser sent the request with a cookie. */
    signIn?: SignIn | undefined;
  };
}

type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** What one status says, for the document. */
export interface DocumentedAnswer {
  about: string;
  /** Of a JSON body; absent where there is none, or one of another type. */
  schema?: ZodType | undefined;
  /** Where the body is not JSON. */
  type?: 'text/event-stream' | 'application/octet-stream' | 'text/html' | 'text/plain' | undefined;
}

/** A route as the router and the document see it. */
export interface Route {
  method: HttpMethod;
  /** With `:name` for what a request fills in. */
  path: string;
  /** The chapter of the document. */
  tag:
    | 'sessions'
    | 'runs'
    | 'events'
    | 'requests'
    | 'teams'
    | 'artifacts'
    | 'memory'
    | 'schedules'
    | 'service';
  summary: string;
  query?: ZodType | undefined;
  body?: ZodType | undefined;
  /** Where the body is not JSON. */
  bodyType?: 'application/octet-stream' | undefined;
  /** Behind no token: it has a guard of another kind. */
  open?: true;
  /** True where `Idempotency-Key` makes a repeated request safe. */
  startsWork: boolean;
  answers: Readonly<Record<number, DocumentedAnswer>>;
  handle: (c: Context<HttpEnv>) => Response | Promise<Response>;
}

interface RouteDefinition<Query, Body> extends Omit<Route, 'query' | 'body' | 'handle' | 'startsWork'> {
  query?: ZodType<Query> | undefined;
  body?: ZodType<Body> | undefined;
  /** Of a body that may be larger than others, in bytes. */
  bodyLimitBytes?: number | undefined;
  startsWork?: boolean | undefined;
  handle: (c: Context<HttpEnv>, given: { query: Query; body: Body }) => Response | Promise<Response>;
}

/** Query of a route with a guard of another kind, which is called by programs that add what they like. */
const anyQuery = z.unknown();

/**
 * A route that reads its query, then its body, by the schemas that the document shows, before it is handled. What these do not name is
 * refused.
 */
export function defineRoute<Query, Body>(definition: RouteDefinition<Query, Body>): Route {
  const { query, body, bodyLimitBytes, startsWork = false, handle, ...rest } = definition;
  const queryRead = query === undefined ? (rest.open ? anyQuery : noQuery) : strict(query);
  const bodyRead = body === undefined ? noBodyOf(rest) : strict(body);
  return {
    ...rest,
    query,
    body,
    startsWork,
    async handle(c) {
      const asked = parseQuery(c.req.url, queryRead) as Query; // without a schema the handler's type has no fields to read
      const read = bodyRead === undefined ? undefined : await readBody(c, bodyRead, bodyLimitBytes);
      try {
        return await handle(c, { query: asked, body: read?.value as Body }); // as above
      } catch (error) {
        const sent = [...new URL(c.req.url).searchParams.keys(), ...(read?.names() ?? [])];
        throw withNames(error, [...sent, ...fieldsOf(query), ...fieldsOf(body)]);
      }
    },
  };
}

/** An expected error with the fields in its message called as they were sent, or as the route has them. */
function withNames(error: unknown, names: readonly string[]): unknown {
  if (!(error instanceof ParleyError)) return error;
  const known = fieldNames(names);
  const message = withFieldNames(error.message, known);
  const hint = error.hint && withFieldNames(error.hint, known);
  if (message === error.message && hint === error.hint) return error;
  return new ParleyError(error.code, message, { hint, details: error.details, cause: error });
}

/** The names of the fields of an object; none of anything else. */
function fieldsOf(schema: z.core.$ZodType | undefined): string[] {
  if (schema instanceof z.ZodPipe) return fieldsOf(schema.def.in);
  return schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
}

/** What is sent to a route that takes no body says nothing that it would pass over; files, and what programs send with guards of another kind, are read by it. */
function noBodyOf({
  method,
  bodyType,
  open,
}: Pick<Route, 'method' | 'bodyType' | 'open'>): ZodType | undefined {
  return method === 'GET' || bodyType !== undefined || open === true ? undefined : strict(noFields);
}

/** Adds the routes, each behind `guard`; another method on a known path is refused with 405 and the allowed ones. */
export function addRoutes(app: Hono<HttpEnv>, routes: readonly Route[], guard: MiddlewareHandler): void {
  for (const { method, path, handle } of routes) app.on(method, path, guard, handle);
  const byPath = Map.groupBy(routes, ({ path }) => path);
  for (const [path, known] of byPath) {
    const allow = known.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(', ');
    app.all(path, guard, () => {
      throw new ApiError({
        status: 405,
        code: 'METHOD_NOT_ALLOWED',
        message: `This route answers ${allow} only.`,
        headers: { allow },
      });
    });
  }
}
