// The shared database of an instance: its tables, and the leadership of the accounts that this instance is configured for.
import { hostname } from 'node:os';
import { ledChannel } from '#adapters/gateway/leading/led-channel.ts';
import { positionsSchema } from '#adapters/gateway/leading/positions.ts';
import type { Channel } from '#adapters/gateway/terms/channel.ts';
import { codeOf, errorMessage } from '#base/errors.ts';
import type { PostgresSettings } from '#base/postgres/address.ts';
import { endsConnection, passes } from '#base/postgres/failures.ts';
import { createLeadership, leadershipSchema, leadersOf } from '#base/postgres/leadership.ts';
import { migratePostgres } from '#base/postgres/migrations.ts';
import { openPostgres } from '#base/postgres/postgres.ts';
import { withTimeout } from '#base/waiting/async.ts';
import type { StorageStanding } from '#engine/wire/operator/storage-standing.ts';
import type { ProcessContext } from './process-context.ts';

/** Every part's tables, in the order in which they are made. */
export const postgresSchemas = [leadershipSchema, positionsSchema];

/** A start does not wait longer for it, in milliseconds: what never works is refused by then, and the rest is waited for behind it. */
const startMs = 2_000;
/** A status does not wait longer for the database, in milliseconds. */
const statusMs = 2_000;
/** What the board of problems calls it. */
const component = 'PostgreSQL';

export interface Storage {
  /** The channel of an account, which connects while this instance leads the account; `name` as the status has it. */
  led(channel: Channel, account: { name: string; key: string }): Channel;
  standing(): Promise<StorageStanding>;
}

/**
 * Opens the database and makes the tables that are missing; closes it with the context. Rejects with a ParleyError where it can never work
 * as it is set. One that cannot be reached yet is waited for: until then no channel connects, and the status says why.
 */
export async function openStorage(
  { loaded, clock, log, problems, stack, ending }: ProcessContext,
  settings: PostgresSettings,
): Promise<Storage> {
  const postgres = await openPostgres(settings, { clock });
  stack.defer(() => postgres.close());
  const prepare = (signal: AbortSignal): Promise<void> => migratePostgres(postgres, postgresSchemas, signal);
  let isAway = false;
  const problem = (error: unknown): void => {
    isAway = endsConnection(error) || codeOf(error) === 'timeout';
    if (error === undefined) problems.clear(component);
    else problems.note(component, error);
  };
  const limit = { clock, ms: startMs, what: postgres.place, signal: ending.signal };
  await withTimeout(limit, prepare).catch((error: unknown) => {
    if (codeOf(error) !== 'timeout' && !passes(error)) throw error;
    problem(error);
    log.error({ words: errorMessage(error) }, 'starting without the database');
  });
  const instance = `${hostname()}:${loaded.home}`;
  const leadership = createLeadership({ postgres, prepare, instance, clock, log, problem });
  stack.defer(() => leadership.close());
  const accounts: { name: string; key: string }[] = [];

  /** How long the question took, and its answer; undefined while the database gives none. */
  const ask = async () => {
    if (isAway) return undefined;
    const begun = performance.now();
    const keys = accounts.map(({ key }) => key);
    const limit = { clock, ms: statusMs, what: 'PostgreSQL' };
    const found = await withTimeout(limit, () =>
      postgres.transaction((database) => leadersOf(database, keys)),
    );
    return { latencyMs: performance.now() - begun, leaders: found };
  };
  return {
    led(channel, account) {
      accounts.push(account);
      return ledChannel(channel, { account: account.key, leadership });
    },
    async standing() {
      const answer = await ask().catch(() => undefined); // the board of problems says why
      return {
        kind: 'postgres',
        place: postgres.place,
        instance,
        latencyMs: answer?.latencyMs ?? null,
        accounts: accounts.map(({ name, key }) => {
          const last = answer?.leaders.find(({ account }) => account === key);
          return {
            channel: name,
            leads: last?.isHeld === true && last.instance === instance,
            leader: last?.instance ?? null,
            isHeld: last?.isHeld ?? false,
            fence: last?.fence ?? null,
            sinceMs: last?.sinceMs ?? null,
          };
        }),
      };
    },
  };
}
