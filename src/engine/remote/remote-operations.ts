// Operations of an engine in another process: each is the call that the client has for it.
import { randomUUID } from 'node:crypto';
import type { CallsOf } from '#engine/client/operation-calls.ts';
import type { CallOptions, Operation, Operations, ServiceOf } from '#engine/operations/operation.ts';
import type { RemoteCalls } from './remote-calls.ts';

/** How a call is made: again until the engine has answered, or given up soon. */
export type Via = <T>(
  signal: AbortSignal | undefined,
  work: (within: { signal?: AbortSignal }) => Promise<T>,
) => Promise<T>;

/** A call for which someone waits: it is given up while the engine is out of reach. */
export const soon =
  (atOnce: RemoteCalls['atOnce']): Via =>
  (_, work) =>
    atOnce(() => work({}));

/** The operations of the table with these names, as the engine in one process has them. One that starts work has a key, so that `via` may repeat it. */
export function remoteOperations<Table extends Operations, Name extends keyof Table & string>(
  table: Table,
  names: readonly Name[],
  { calls, via }: { calls: Pick<CallsOf<Table>, Table[Name]['call']>; via: Via },
): Pick<ServiceOf<Table>, Name> {
  const asked = names.map((name) => {
    const { call, first, startsWork }: Operation = table[name] as Operation; // a table has each of its names
    const ask = Reflect.get(calls, call) as (...all: object[]) => Promise<unknown>; // a function under each `call`
    const remote = (input: object, { signal, idempotencyKey }: CallOptions = {}) => {
      const key = startsWork && { idempotencyKey: idempotencyKey ?? randomUUID() }; // the same for each attempt
      return via(signal, (within) => {
        const how = { ...within, ...key };
        return first === undefined ? ask(input, how) : ask(input, {}, how);
      });
    };
    return [name, remote] as const;
  });
  return Object.fromEntries(asked) as unknown as Pick<ServiceOf<Table>, Name>; // under the same names
}
