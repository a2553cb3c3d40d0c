// Routes of operations: the place, the check of the input, the call and the answer of each follow from its declaration.
import {
  hasBody,
  type Operation,
  type Operations,
  pathFields,
  type ServiceOf,
} from '#engine/operations/operation.ts';
import { idPattern } from './lookup.ts';
import { ApiError } from './refusal.ts';
import { defineRoute, type Route } from './route.ts';

/** A route for each operation; a path without fields comes before one that would take its word for a field. */
export function operationRoutes<Table extends Operations>(
  table: Table,
  service: ServiceOf<Table>,
  tag: Route['tag'],
): Route[] {
  return Object.entries<Operation>(table)
    .sort(([, a], [, b]) => pathFields(a.path).length - pathFields(b.path).length)
    .map(([name, operation]) => routeOf(operation, service[name as keyof Table] as Call, tag)); // of this name
}

type Call = (input: object, signal: AbortSignal) => Promise<unknown>;

function routeOf(operation: Operation, call: Call, tag: Route['tag']): Route {
  const { method, path, summary, about, input, output, named, bodyLimitBytes } = operation;
  const names = pathFields(path);
  const inPath: Record<string, true> = Object.fromEntries(names.map((name) => [name, true]));
  const rest = names.length === 0 ? input : input.omit(inPath);
  return defineRoute<object, object>({
    ...{ method, path, summary, tag, bodyLimitBytes },
    ...(hasBody(operation) ? { body: rest } : { query: rest }),
    answers: { 200: { about, schema: output } },
    async handle(c, { query, body }) {
      const fields = c.req.param();
      if (named !== undefined && !names.every((name) => idPattern.test(fields[name] ?? '')))
        throw new ApiError({
          ...{ status: 404, code: `${named.toUpperCase()}_NOT_FOUND` },
          message: `No ${named} has such an id.`,
        });
      const given = { ...fields, ...query, ...body };
      return c.json((await call(given, c.req.raw.signal)) as object);
    },
  });
}
