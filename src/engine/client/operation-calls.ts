// Calls of the typed client, derived from the operations that they are. The engine checks what they are given.
import type { ZodPipe, z } from 'zod';
import { hasBody, type Operation, type Operations, pathFields } from '#engine/operations/operation.ts';
import type { RequestOptions, Verbs } from './request.ts';

type Sent<One extends Operation> = One['input'] extends ZodPipe<infer All> ? All : One['input'];
type In<One extends Operation> = z.input<Sent<One>>;
type Out<One extends Operation> = z.output<Sent<One>>;

/** A value may be of the type that is read from it, such as the number in a query; the engine checks the form of an audience. */
type Given<One extends Operation> = {
  [Field in keyof In<One>]: Field extends 'audience'
    ? string | undefined
    : In<One>[Field] | Out<One>[Field & keyof Out<One>];
};

/** What is denied is thrown. */
type Answer<One extends Operation> = Promise<
  [NonNullable<One['counted']>] extends [never]
    ? Exclude<z.output<One['output']>, { ok: false }>
    : z.output<One['output']>[NonNullable<One['counted']> & keyof z.output<One['output']>]
>;

type Call<One extends Operation> = [NonNullable<One['first']>] extends [never]
  ? Record<never, never> extends Given<One>
    ? (input?: Given<One>, options?: RequestOptions) => Answer<One>
    : (input: Given<One>, options?: RequestOptions) => Answer<One>
  : (
      first: string | Given<One>,
      more?: Omit<Given<One>, NonNullable<One['first']>>,
      options?: RequestOptions,
    ) => Answer<One>;

/** One call for each operation, under the name that it has for clients. */
export type CallsOf<Table extends Operations> = {
  [Name in keyof Table as Table[Name]['call']]: Call<Table[Name]>;
};

/**
 * The calls of these operations. One that has a `first` field takes it alone, and the others after it, or all in one object; each takes
 * how it is sent as its last argument, and throws a ParleyClientError where the engine refuses.
 */
export function operationCalls<Table extends Operations>(
  table: Table,
  { json }: Pick<Verbs, 'json'>,
): CallsOf<Table> {
  const calls = Object.values<Operation>(table).map((operation) => [operation.call, callOf(operation, json)]);
  return Object.fromEntries(calls) as CallsOf<Table>; // one under each name
}

function callOf(operation: Operation, json: Verbs['json']) {
  const { method, path, first, under, takesLong, waits } = operation;
  const inPath = pathFields(path);
  return async (given: string | object = {}, ...rest: object[]): Promise<unknown> => {
    const [more, options = {}] = first === undefined ? [{}, rest[0]] : rest;
    const input: Record<string, unknown> = {
      ...(typeof given === 'string' ? { [first ?? '']: given } : given),
      ...more,
    };
    const at = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(input[name])));
    const fields = Object.fromEntries(Object.entries(input).filter(([name]) => !inPath.includes(name)));
    const answer = await json<Record<string, unknown>>(at, {
      method,
      ...(hasBody(operation) ? { body: fields } : { query: fields as RequestOptions['query'] }), // flat, as its schema is
      ...((takesLong || waits) && { timedOut: true }),
      ...options,
    });
    return under === undefined ? answer : answer[under];
  };
}
