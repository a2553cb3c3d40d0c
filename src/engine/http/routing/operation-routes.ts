// Routes of operations: the place, the check of the input, the call and the answer of each follow from its declaration.
import { type ZodType, z } from 'zod';
import { ParleyError } from '#base/errors.ts';
import { anySignal } from '#base/waiting/async.ts';
import { nothing, okAnswer } from '#engine/operations/fields.ts';
import {
  type CallOptions,
  hasBody,
  type Operation,
  type Operations,
  pathFields,
  type ServiceOf,
} from '#engine/operations/operation.ts';
import { idPattern } from './lookup.ts';
import { ApiError } from './refusal.ts';
import { defineRoute, type Route } from './route.ts';
import { idempotencyKeyOf } from './start-run.ts';

/** A route for each operation; a path without fields comes before one that would take its word for a field. */
export function operationRoutes<Table extends Operations>(
  table: Table,
  service: ServiceOf<Table>,
  tag: Route['tag'],
): Route[] {
  const calls: Record<string, unknown> = service;
  return Object.entries<Operation>(table)
    .sort(([, a], [, b]) => pathFields(a.path).length - pathFields(b.path).length)
    .map(([name, operation]) => routeOf(operation, calls[name] as Call, tag)); // of this name
}

type Call = (input: object, how: CallOptions) => Promise<unknown>;

function routeOf(operation: Operation, call: Call, tag: Route['tag']): Route {
  const { method, path, summary, about, input, output, named, denied, startsWork, waits, bodyLimitBytes } =
    operation;
  const { status = 200, errors = {} } = operation;
  const names = pathFields(path);
  const inPath: Record<string, true> = Object.fromEntries(names.map((name) => [name, true]));
  const rest = names.length === 0 ? input : input.omit(inPath);
  return defineRoute<object, object>({
    ...{ method, path, summary, tag, bodyLimitBytes, startsWork },
    ...(hasBody(operation) ? { body: rest } : { query: rest }),
    answers: {
      [status]: { about, schema: answerSchema(operation, output) },
      ...(denied !== undefined && { 403: denied }),
    },
    async handle(c, { query, body }) {
      const fields = c.req.param();
      if (named !== undefined && !names.every((name) => idPattern.test(fields[name] ?? '')))
        throw new ApiError({
          ...{ status: 404, code: `${named.toUpperCase()}_NOT_FOUND` },
          message: `No ${named} has such an id.`,
        });
      const given = { ...fields, ...query, ...body };
      using within = anySignal(c.req.raw.signal, waits ? c.env?.closing : undefined);
      const how = { signal: within.signal, ...(startsWork && { idempotencyKey: idempotencyKeyOf(c) }) };
      const output = (await call(given, how).catch((error: unknown) => {
        throw refusedAs(error, errors);
      })) as object; // as its schema says
      const isDenied = denied !== undefined && 'ok' in output && output.ok === false;
      return isDenied ? c.json(output, 403) : c.json(answerOf(operation, output), status);
    },
  });
}

/** What the operation itself refuses, with its status; anything else unchanged. */
function refusedAs(error: unknown, errors: NonNullable<Operation['errors']>): unknown {
  const status = error instanceof ParleyError ? errors[error.code] : undefined;
  if (status === undefined || !(error instanceof ParleyError)) return error;
  const { code, message, hint } = error;
  return new ApiError({ status, code: code.toUpperCase(), message, hint });
}

function answerOf({ under, output: schema }: Operation, output: object): object {
  if (schema === nothing) return { ok: true };
  if (under === undefined) return output;
  return Array.isArray(output) ? { [under]: output, count: output.length } : { ok: true, [under]: output };
}

function answerSchema({ under }: Operation, output: ZodType): ZodType {
  if (output === nothing) return okAnswer;
  if (under === undefined) return output;
  return output instanceof z.ZodArray
    ? z.object({ [under]: output, count: z.number() })
    : z.object({ ok: z.literal(true), [under]: output });
}
