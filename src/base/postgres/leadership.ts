// Who leads what: one advisory lock of PostgreSQL for each name, held by the session of one instance, and a number that only grows.
import { createHash } from 'node:crypto';
import type { Clock } from '#base/clock.ts';
import { errorMessage, ParleyError } from '#base/errors.ts';
import type { Log } from '#base/log/log.ts';
import { anySignal, createWaker, isAbort, type Waker } from '#base/waiting/async.ts';
import { retry } from '#base/waiting/retry.ts';
import { withAbort } from '#base/waiting/with-abort.ts';
import { explainPostgres } from './failures.ts';
import { beatMs, type LockSession, openLockSession } from './lock-session.ts';
import type { PostgresSchema } from './migrations.ts';
import type { Postgres, Queryable } from './postgres.ts';

/** The table of who led what last, which the lock alone decides. */
export const leadershipSchema: PostgresSchema = {
  part: 'leadership',
  migrations: [
    `CREATE TABLE parley_leadership (
       account text PRIMARY KEY,
       fence bigint NOT NULL,
       instance text NOT NULL,
       since timestamptz NOT NULL
     )`,
  ],
};

/** Who led an account last. */
export interface Leader {
  account: string;
  instance: string;
  fence: number;
  /** By the database's clock, in milliseconds since the epoch. */
  sinceMs: number;
  /** Whether it holds the lock at this moment. */
  isHeld: boolean;
}

/** The time in which this instance leads an account. Its statements run on the connection that holds the lock, and fail with it. */
export interface LeadershipTerm extends Queryable, Pick<Leader, 'account' | 'fence' | 'sinceMs'> {
  /** Aborts as soon as the lock may be another's: when the connection is lost, or 5 s after the server was last heard. */
  signal: AbortSignal;
  /**
   * Resolves while the lock is held, and at once where the server was heard within 5 s: after a longer silence it is asked first. Rejects
   * with the ParleyError `not_leading` that the signal has.
   */
  confirm(): Promise<void>;
}

export interface Leadership {
  /** As the table names this instance. */
  readonly instance: string;
  /**
   * Waits until the account's lock is free, runs `work` as its leader, and lets it go. `waiting` is called again and again while the lock is
   * another's, or the database cannot be asked. `work` ends when the term's signal aborts. Rejects as `work` does, and when the signal aborts.
   */
  lead<T>(
    account: string,
    options: { signal: AbortSignal; waiting: () => void },
    work: (term: LeadershipTerm) => Promise<T>,
  ): Promise<T>;
  /** Lets all go. */
  close(): Promise<void>;
}

interface LeadershipOptions {
  postgres: Postgres;
  /** Done before each connection: checks and makes the tables. */
  prepare: (signal: AbortSignal) => Promise<void>;
  instance: string;
  clock: Clock;
  log: Log;
  /** Told what stands in the way, also of the statements of a term, and undefined once nothing does. */
  problem: (error: unknown) => void;
}

interface Candidate {
  account: string;
  waiting: () => void;
  got: PromiseWithResolvers<LeadershipTerm>;
  /** Ends the term, where there is one. */
  held: AbortController | undefined;
}

const pauses = { firstMs: 250, capMs: 2_000 };

/** The key of an account's lock: 64 bits, of which locks of other programs take none by accident. */
function keyOf(account: string): string {
  return createHash('sha256').update(`parley leads ${account}`).digest().readBigInt64BE().toString();
}

/** Begins nothing before the first `lead`. Time is the database's; silence is measured here. */
export function createLeadership(options: LeadershipOptions): Leadership {
  const { instance, log, problem } = options;
  const candidates = new Map<string, Candidate>();
  const ending = new AbortController();
  const waker = createWaker();
  let session: LockSession | undefined;
  const refusals = createRefusals(problem);
  let beaten = Promise.withResolvers<void>();
  let running: Promise<void> | undefined;

  /** Those who wait for an answer of the server look again. */
  const asked = (): void => {
    beaten.resolve();
    beaten = Promise.withResolvers();
  };

  const lost = (error: unknown): void => {
    const ended = session;
    session = undefined;
    refusals.clear();
    ended?.end();
    for (const { account, held } of [...candidates.values()]) {
      if (held === undefined) continue;
      candidates.delete(account);
      log.error({ account, words: errorMessage(error) }, 'does not lead any more');
      held.abort(notLeading(account, error));
    }
    asked();
  };

  const begin = async (candidate: Candidate, holder: LockSession): Promise<void> => {
    const { account } = candidate;
    const begun = await nextFence(holder, { account, instance });
    if (session !== holder) return;
    if (candidates.get(account) !== candidate) return unlock(holder, account); // nobody waits for it any more
    const held = new AbortController();
    candidate.held = held;
    log.info({ account, fence: begun.fence }, 'leads');
    const next = (): Promise<void> => {
      waker.wake();
      return beaten.promise;
    };
    candidate.got.resolve({
      ...{ account, ...begun, query: refusals.watching(holder, () => session === holder) },
      ...confirmedBy(holder, { signal: held.signal, next }),
    });
  };

  const beat = async (holder: LockSession): Promise<void> => {
    const open = [...candidates.values()].filter(({ held }) => held === undefined);
    const accounts = open.map(({ account }) => account);
    const rows = await holder.beat<{ account: string; got: boolean }>(
      'SELECT account, pg_try_advisory_lock(key) AS got FROM unnest($1::text[], $2::bigint[]) AS wanted (account, key)',
      [accounts, accounts.map(keyOf)],
    );
    problem(refusals.last());
    for (const row of rows) {
      const candidate = candidates.get(row.account);
      if (candidate === undefined || candidate.held !== undefined) {
        if (row.got) await unlock(holder, row.account); // nobody waits for it any more
      } else if (row.got) await begin(candidate, holder);
      else candidate.waiting();
    }
    asked();
  };

  const opened = (holder: LockSession): void => {
    session = holder;
    holder.onEnd((error) => {
      if (session === holder) lost(error);
      waker.wake();
    });
  };

  const failed = (error: unknown): void => {
    lost(error);
    problem(error);
    for (const { waiting } of candidates.values()) waiting();
    log.warn({ words: errorMessage(error) }, 'the database does not say who leads');
  };

  const run = (): Promise<never> =>
    keepAsking(options, { signal: ending.signal, waker, opened, beat, failed });

  const release = async (candidate: Candidate): Promise<void> => {
    const { account, held } = candidate;
    if (candidates.get(account) !== candidate) return; // lost
    candidates.delete(account);
    const holder = session;
    if (held === undefined || holder === undefined) return;
    held.abort(notLeading(account, undefined));
    await unlock(holder, account).catch(lost);
  };

  return {
    instance,
    async lead(account, { signal, waiting }, work) {
      if (candidates.has(account)) throw new Error(`${account} is led, or waited for, already`);
      const candidate: Candidate = { account, waiting, got: Promise.withResolvers(), held: undefined };
      candidates.set(account, candidate);
      running ??= run().catch((error: unknown) => {
        if (!isAbort(error, ending.signal)) throw error;
      });
      waker.wake();
      using given = anySignal(signal, ending.signal);
      try {
        return await work(await withAbort(candidate.got.promise, given.signal));
      } finally {
        await release(candidate);
      }
    },
    async close() {
      ending.abort(new DOMException('Parley is closing.', 'AbortError'));
      await running;
      lost(ending.signal.reason);
    },
  };
}

interface Refusals {
  /** The statements of a term, of which those count that come while `isCurrent`. */
  watching(holder: Queryable, isCurrent: () => boolean): Queryable['query'];
  /** Why the statement that was refused last is refused, until it is taken again. */
  last(): unknown;
  clear(): void;
}

function createRefusals(problem: LeadershipOptions['problem']): Refusals {
  let refused: { sql: string; error: unknown } | undefined;
  const set = (next: typeof refused): void => {
    refused = next;
    problem(next?.error);
  };
  return {
    watching:
      (holder, isCurrent) =>
      async <Row extends object>(sql: string, values?: readonly unknown[]) => {
        try {
          const rows = await holder.query<Row>(sql, values);
          if (refused?.sql === sql) set(undefined);
          return rows;
        } catch (error) {
          if (isCurrent()) set({ sql, error });
          throw error;
        }
      },
    last: () => refused?.error,
    clear() {
      refused = undefined;
    },
  };
}

interface Asking {
  signal: AbortSignal;
  waker: Waker;
  opened(holder: LockSession): void;
  /** Asks once. */
  beat(holder: LockSession): Promise<void>;
  /** Told each time that a session cannot be opened, or is lost. */
  failed(error: unknown): void;
}

/** Asks on one session every second, and on another one where that is lost; rejects when the signal aborts. */
function keepAsking(
  { postgres, prepare, clock }: Pick<LeadershipOptions, 'postgres' | 'prepare' | 'clock'>,
  { signal, waker, opened, beat, failed }: Asking,
): Promise<never> {
  return retry(
    { clock, pauses, signal },
    async () => {
      await prepare(signal);
      const holder = await openLockSession(postgres, { clock });
      const ended = new AbortController();
      holder.onEnd((error) => ended.abort(error));
      opened(holder);
      for (;;) {
        await beat(holder);
        ended.signal.throwIfAborted();
        await waker.wait(clock, beatMs, signal);
      }
    },
    (error) => {
      failed(explainPostgres(error, postgres.place));
      return undefined;
    },
  );
}

/** The lock is ours: the number grows in the same session, and whoever reads it knows that an earlier one is over. */
async function nextFence(
  holder: Queryable,
  { account, instance }: Pick<Leader, 'account' | 'instance'>,
): Promise<Pick<Leader, 'fence' | 'sinceMs'>> {
  const [row] = await holder.query<{ fence: string; since: Date }>(
    `INSERT INTO parley_leadership (account, fence, instance, since) VALUES ($1, 1, $2, now())
     ON CONFLICT (account) DO UPDATE SET fence = parley_leadership.fence + 1, instance = excluded.instance, since = excluded.since
     RETURNING fence, since`,
    [account, instance],
  );
  if (row === undefined) throw new Error(`no row of ${account} came back`);
  return { fence: Number(row.fence), sinceMs: row.since.getTime() };
}

/** The part of a term that asks: `next` resolves with the next answer of the server, or with the end of the session. */
function confirmedBy(
  holder: LockSession,
  { signal, next }: { signal: AbortSignal; next: () => Promise<void> },
): Pick<LeadershipTerm, 'signal' | 'confirm'> {
  return {
    signal,
    async confirm() {
      signal.throwIfAborted();
      while (!holder.isFresh()) {
        await next();
        signal.throwIfAborted();
      }
    },
  };
}

/** Who leads these accounts, in the order of their names; those that nobody led yet are missing. */
export async function leadersOf(database: Queryable, accounts: readonly string[]): Promise<Leader[]> {
  const rows = await database.query<{
    account: string;
    instance: string;
    fence: string;
    since: Date;
    held: boolean;
  }>(
    `SELECT asked.account, instance, fence, since,
            EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory' AND granted AND objsubid = 1
                      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
                      AND (classid::bigint << 32) | objid::bigint = asked.key) AS held
     FROM unnest($1::text[], $2::bigint[]) AS asked (account, key) JOIN parley_leadership USING (account) ORDER BY asked.account`,
    [accounts, accounts.map(keyOf)],
  );
  return rows.map(({ account, instance, fence, since, held }) => ({
    ...{ account, instance, fence: Number(fence) },
    ...{ sinceMs: since.getTime(), isHeld: held },
  }));
}

async function unlock(holder: Queryable, account: string): Promise<void> {
  await holder.query('SELECT pg_advisory_unlock($1)', [keyOf(account)]);
}

function notLeading(account: string, cause: unknown): ParleyError {
  return new ParleyError('not_leading', `This instance does not lead ${account} any more.`, {
    hint: 'It sends nothing there until it leads again; "parley status" shows who does.',
    cause,
  });
}
