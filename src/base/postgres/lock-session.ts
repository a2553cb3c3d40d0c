// One connection that holds session-level locks, and how lately the server was heard on it. Which locks are taken is the caller's.
import { type Clock, type MonotonicMs, msSince } from '#base/clock.ts';
import { withTimeout } from '#base/waiting/async.ts';
import { explainPostgres, refusedPooler } from './failures.ts';
import { type Postgres, type PostgresSession, type Queryable, refuseUnfitServer } from './postgres.ts';

/** So long after the server was last heard nothing counts as held any more, in milliseconds. */
export const silenceMs = 5_000;
/** A process that stood still gives the server at least so long to answer, in milliseconds; nothing is sent meanwhile. */
const leastMs = 1_000;
/** The pause between two questions, in milliseconds. */
export const beatMs = 1_000;
/**
 * After so long without a question the server ends the session itself, in milliseconds, which sets its locks free: of a process that stands
 * still, or is cut off. It is longer than `silenceMs` by what a call to a platform may take that was begun just before.
 */
const idleMs = 8_000;
/** As `idleMs`, for what the server has sent and the other side does not acknowledge. */
const unacknowledgedMs = 8_000;

/** Its statements reject as `Postgres.transaction` does, without another attempt. */
export interface LockSession extends Queryable {
  /** Whether the server was heard within `silenceMs`, by the monotonic clock and, for a machine that slept, by the wall clock too. */
  isFresh(): boolean;
  /**
   * Asks the server with a statement that locks are taken by; resolves with its rows, and counts as heard from the moment at which it was
   * asked. Rejects once nothing has been heard for `silenceMs`, and when the connection is lost.
   */
  beat<Row extends object>(sql: string, values: readonly unknown[]): Promise<Row[]>;
  /** Called once when the session is lost. */
  onEnd: PostgresSession['onEnd'];
  end(): void;
}

/**
 * Opens the connection and has the server end it when it is silent. Rejects with a ParleyError `database_pooler` where a pooler lends
 * connections for single transactions, since a lock would stay with another one; else as `refuseUnfitServer` and `Postgres.session`.
 */
export async function openLockSession(
  postgres: Pick<Postgres, 'session' | 'place'>,
  { clock }: { clock: Clock },
): Promise<LockSession> {
  const session = await postgres.session();
  try {
    const pid = await pidOf(session);
    if (pid !== session.announcedPid) await refusePooler(postgres, session);
    await refuseUnfitServer(session, postgres.place);
    await session.query(
      `SET idle_session_timeout = ${idleMs}; SET statement_timeout = ${silenceMs}; SET tcp_user_timeout = ${unacknowledgedMs};
       SET tcp_keepalives_idle = 2; SET tcp_keepalives_interval = 2; SET tcp_keepalives_count = 3`,
    );
    return watched(postgres, { session, pid, clock });
  } catch (error) {
    session.end();
    throw explainPostgres(error, postgres.place);
  }
}

function watched(
  postgres: Pick<Postgres, 'place'>,
  { session, pid, clock }: { session: PostgresSession; pid: number; clock: Clock },
): LockSession {
  let heard: { at: MonotonicMs; wall: number } = { at: clock.monotonic(), wall: clock.now() };
  const silentMs = (): number => Math.max(msSince(clock, heard.at), clock.now() - heard.wall);
  return {
    query: <Row extends object>(sql: string, values?: readonly unknown[]) =>
      session.query<Row>(sql, values).catch((error: unknown) => {
        throw explainPostgres(error, postgres.place);
      }),
    isFresh: () => silentMs() <= silenceMs,
    async beat<Row extends object>(sql: string, values: readonly unknown[]) {
      const asked = { at: clock.monotonic(), wall: clock.now() };
      const ms = Math.max(silenceMs - msSince(clock, heard.at), leastMs);
      const rows = await withTimeout({ clock, ms, what: `An answer of ${postgres.place}` }, async () => {
        const [now, found] = await Promise.all([pidOf(session), session.query<Row>(sql, values)]);
        if (now !== pid) throw refusedPooler(postgres.place);
        return found;
      });
      heard = asked;
      return rows;
    },
    onEnd: session.onEnd,
    end: session.end,
  };
}

async function pidOf(session: Queryable): Promise<number> {
  const [row] = await session.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  return row?.pid ?? 0;
}

/** Something stands between: it is refused where it gives the connection that was ours a moment ago to someone else meanwhile. */
async function refusePooler(
  postgres: Pick<Postgres, 'session' | 'place'>,
  session: PostgresSession,
): Promise<void> {
  const other = await postgres.session();
  try {
    const ours = await pidOf(session);
    await other.query('BEGIN');
    const theirs = await pidOf(other);
    await other.query('ROLLBACK');
    if (theirs === ours) throw refusedPooler(postgres.place);
  } finally {
    other.end();
  }
}
