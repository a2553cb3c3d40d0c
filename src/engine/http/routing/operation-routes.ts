// Routes of operations: the place, the check of the input, the call and the answer of each follow from its declaration.
import { type ZodType, z } from 'zod';
import { ParleyError } from '#base/errors.ts';
import { anySignal } from '#base/waiting/async.ts';
import { nothing, okAnswer } from '#engine/operations/fields.ts';
import {
  type CallOptions,
  fieldsOf,
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
  const { method, path, summary, about, input, named, denied, startsWork, waits, bodyLimitBytes } = operation;
  const { status = 200, errors = {}, counted } = operation;
  const names = pathFields(path);
  const inPath: Record<string, true> = Object.fromEntries(names.map((name) => [name, true]));
  const fields = fieldsOf(operation);
  const rest = names.length === 0 ? fields : fields.omit(inPath);
  return defineRoute<object, object>({
    ...{ method, path, summary, tag, bodyLimitBytes, startsWork },
    ...(hasBody(operation) ? { body: rest } : { query: rest }),
    answers: {
      [status]: { about, schema: answerSchema(operation) },
      ...(denied !== undefined && { 403: denied }),
    },
    async handle(c, { query, body }) {
      const at = c.req.param();
      if (named !== undefined && !names.every((name) => idPattern.test(at[name] ?? '')))
        throw new ApiError({
          ...{ status: 404, code: `${named.toUpperCase()}_NOT_FOUND` },
          message: `No ${named} has such an id.`,
        });
      const sent = { ...at, ...query, ...body };
      const given = 'shape' in input ? sent : (input.out.parse(sent) as object); // as the transform says
      using within = anySignal(c.req.raw.signal, waits ? c.env?.closing : undefined);
      const how = { signal: within.signal, ...(startsWork && { idempotencyKey: idempotencyKeyOf(c) }) };
      const output = await answered(() => call(given, how), errors);
      const isDenied = denied !== undefined && 'ok' in output && output.ok === false;
      if (isDenied) return c.json(output, 403);
      if (counted !== undefined && 'total' in output && output.total !== undefined)
        c.header('x-total-count', String(output.total));
      return c.json(answerOf(operation, output), status);
    },
  });
}

async function answered(
  call: () => Promise<unknown>,
  errors: NonNullable<Operation['errors']>,
): Promise<object> {
  try {
    return (await call()) as object; // as its schema says
  } catch (error) {
    throw refusedAs(error, errors);
  }
}

/** What the operation itself refuses, with its status; anything else unchanged. */
function refusedAs(error: unknown, errors: NonNullable<Operation['errors']>): unknown {
  const status = error instanceof ParleyError ? errors[error.code] : undefined;
  if (status === undefined || !(error instanceof ParleyError)) return error;
  const { code, message, hint } = error;
  return new ApiError({ status, code: code.toUpperCase(), message, hint });
}

function answerOf({ under, counted, shown, output: schema }: Operation, output: object): unknown {
  if (schema === nothing) return { ok: true };
  const answer: object = shown === undefined ? output : (shown(output) as object); // of the same shape
  if (counted !== undefined) return Reflect.get(answer, counted);
  if (under === undefined) return answer;
  return Array.isArray(answer) ? { [under]: answer, count: answer.length } : { ok: true, [under]: answer };
}

function answerSchema({ under, counted, output }: Operation): ZodType {
  if (output === nothing) return okAnswer;
  if (counted !== undefined && output instanceof z.ZodObject) return output.shape[counted] as ZodType; // it has each of its fields
  if (under === undefined) return output;
  return output instanceof z.ZodArray
    ? z.object({ [under]: output, count: z.number() })
    : z.object({ ok: z.literal(true), [under]: output });
}
