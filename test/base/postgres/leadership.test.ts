// An account is led by one instance: who leads, how the number grows, and what is left of a term when the way to the database is gone.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { type Clock, momentAfter, systemClock } from '#base/clock.ts';
import { codeOf } from '#base/errors.ts';
import {
  createLeadership,
  type LeadershipTerm,
  leadershipSchema,
  leadersOf,
} from '#base/postgres/leadership.ts';
import { migratePostgres } from '#base/postgres/migrations.ts';
import { openPostgres } from '#base/postgres/postgres.ts';
import { isAbort } from '#base/waiting/async.ts';
import { until } from '../../support/found.ts';
import { noPostgres, postgresServer } from '../../support/postgres.ts';
import { quietLog } from '../../support/quiet-log.ts';
import { openTcpLink } from '../../support/tcp-link.ts';

const account = 'telegram:100';
const isNotLeading = (error: unknown): boolean => codeOf(error) === 'not_leading';

interface Options {
  url: string;
  clock?: Clock;
}

/** An instance on that database. */
async function open(t: Pick<TestContext, 'after'>, instance: string, { url, clock = systemClock }: Options) {
  const postgres = await openPostgres({ url, poolSize: 2, statementTimeoutMs: 5_000 }, { clock });
  const problems: (string | undefined)[] = [];
  const { log, lines } = quietLog();
  const leadership = createLeadership({
    ...{ postgres, instance, clock, log },
    prepare: (signal) => migratePostgres(postgres, [leadershipSchema], signal),
    problem: (error) => void problems.push(codeOf(error)),
  });
  const ending = new AbortController();
  t.after(async () => {
    ending.abort();
    await leadership.close();
    await postgres.close();
  });
  return {
    problems,
    lines,
    leaders: () => postgres.transaction((database) => leadersOf(database, [account])),
    /** Waits for the account, and leads it until the term ends or it stops. */
    lead() {
      const got = Promise.withResolvers<LeadershipTerm>();
      const stop = new AbortController();
      const signal = AbortSignal.any([ending.signal, stop.signal]);
      let waits = 0;
      const work = (term: LeadershipTerm): Promise<void> => {
        got.resolve(term);
        const over = AbortSignal.any([signal, term.signal]);
        return new Promise((resolve) => over.addEventListener('abort', () => resolve()));
      };
      const waiting = (): void => {
        waits += 1;
      };
      const ended = leadership.lead(account, { signal, waiting }, work).catch((error: unknown) => {
        if (!isAbort(error, signal)) throw error;
      });
      return {
        term: got.promise,
        waits: () => waits,
        ended,
        stop: async () => {
          stop.abort();
          await ended;
        },
      };
    },
  };
}

/** Two instances on one database, of which the first asks to lead. */
async function openPair(t: Pick<TestContext, 'after'>) {
  const server = await postgresServer();
  const url = await server.database();
  const a = await open(t, 'a', { url });
  const b = await open(t, 'b', { url });
  return { server, a, b, first: a.lead() };
}

test('a second instance waits, and leads under a higher number when the first lets go', {
  skip: noPostgres,
}, async (t) => {
  const { b, first } = await openPair(t);
  const term = await first.term;
  assert.equal(term.fence, 1);
  await term.confirm();
  const second = b.lead();
  await until('it waits', () => second.waits() > 1);
  const who = async () =>
    (await b.leaders()).map(({ instance, fence, isHeld }) => ({ instance, fence, isHeld }));
  assert.deepEqual(await who(), [{ instance: 'a', fence: 1, isHeld: true }]);
  await first.stop();
  assert.equal((await second.term).fence, 2);
  assert.equal(term.signal.aborted, true);
  await assert.rejects(term.confirm(), isNotLeading);
  await second.stop();
  assert.deepEqual(await who(), [{ instance: 'b', fence: 2, isHeld: false }]);
});

test('a connection that is cut ends the term at once, and the account is led again under a higher number', {
  skip: noPostgres,
}, async (t) => {
  const server = await postgresServer();
  const direct = await server.database();
  const link = await openTcpLink(t, server.port);
  const a = await open(t, 'a', { url: direct.replace(`:${server.port}`, `:${link.port}`) });
  const first = a.lead();
  const term = await first.term;
  link.cut();
  await first.ended;
  await assert.rejects(term.confirm(), isNotLeading);
  await assert.rejects(term.query('SELECT 1'));
  assert.ok(a.problems.includes('database_unreachable'));
  assert.match(a.lines.join('\n'), /does not lead any more/);
  const again = await a.lead().term;
  assert.equal(again.fence, 2);
  assert.equal(a.problems.at(-1), undefined);
});

test('a link that carries nothing any more ends the term within 5 s; the server frees the lock, and another leads', {
  skip: noPostgres,
}, async (t) => {
  const server = await postgresServer();
  const direct = await server.database();
  const link = await openTcpLink(t, server.port);
  const a = await open(t, 'a', { url: direct.replace(`:${server.port}`, `:${link.port}`) });
  const b = await open(t, 'b', { url: direct });
  const first = a.lead();
  await first.term;
  const second = b.lead();
  await until('it waits', () => second.waits() > 0);
  const stalled = performance.now();
  link.stall();
  await first.ended;
  const noticed = performance.now() - stalled;
  const next = await second.term;
  const taken = performance.now() - stalled;
  t.diagnostic(`noticed after ${Math.round(noticed)} ms, taken over after ${Math.round(taken)} ms`);
  assert.ok(noticed < 5_500, `${noticed} ms`);
  assert.ok(noticed < taken, 'the old leader stopped before the new one began');
  assert.ok(taken < 15_000, `${taken} ms`);
  assert.equal(next.fence, 2);
});

test('after a silence nothing is confirmed before the database was asked, whichever clock shows the silence', {
  skip: noPostgres,
}, async (t) => {
  const server = await postgresServer();
  const url = await server.database();
  for (const shows of ['monotonic', 'wall'] as const) {
    let aheadMs = 0;
    const clock: Clock = {
      now: () => systemClock.now() + (shows === 'wall' ? aheadMs : 0),
      monotonic: () => momentAfter(systemClock.monotonic(), shows === 'monotonic' ? aheadMs : 0),
      sleep: systemClock.sleep,
    };
    const a = await open(t, 'a', { url, clock });
    const first = a.lead();
    const term = await first.term;
    await term.confirm();
    // the process stands still: its session is ended, and nothing of that is read before somebody wants to send
    aheadMs = 30_000;
    server.runStandingStill(
      "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND granted",
    );
    assert.equal(term.signal.aborted, false);
    await assert.rejects(term.confirm(), isNotLeading);
    await first.ended;
  }
});

test('a silence after which the lock is still held is asked about, and the term goes on', {
  skip: noPostgres,
}, async (t) => {
  const server = await postgresServer();
  const url = await server.database();
  let aheadMs = 0;
  const clock: Clock = { ...systemClock, now: () => systemClock.now() + aheadMs };
  const a = await open(t, 'a', { url, clock });
  const led = a.lead();
  const term = await led.term;
  aheadMs = 60_000;
  await term.confirm();
  assert.equal(term.signal.aborted, false);
  assert.equal((await a.leaders())[0]?.fence, 1);
});

test('a server that crashes ends all terms, and both instances wait until it is back: one leads', {
  skip: noPostgres,
}, async (t) => {
  const { server, a, b, first } = await openPair(t);
  await first.term;
  await server.kill();
  await first.ended;
  await server.start();
  const [again, other] = [a.lead(), b.lead()];
  const term = await Promise.race([again.term, other.term]);
  assert.equal(term.fence, 2);
  await until('the other waits', () => again.waits() > 1 || other.waits() > 1);
  assert.equal((await a.leaders()).length, 1);
});
