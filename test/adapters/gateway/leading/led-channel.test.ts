// A channel of an account that instances take turns to lead: connected and heard only while this one does, and what waits is sent then.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { ledChannel } from '#adapters/gateway/leading/led-channel.ts';
import { openPositions, positionsSchema } from '#adapters/gateway/leading/positions.ts';
import type { Channel, StreamingOptions, StreamingSurface } from '#adapters/gateway/terms/channel.ts';
import type { Sink } from '#adapters/gateway/terms/inbound.ts';
import { systemClock } from '#base/clock.ts';
import { codeOf, ParleyError } from '#base/errors.ts';
import { explainPostgres } from '#base/postgres/failures.ts';
import type { Leadership, LeadershipTerm } from '#base/postgres/leadership.ts';
import { migratePostgres } from '#base/postgres/migrations.ts';
import { openPostgres } from '#base/postgres/postgres.ts';
import { noPostgres, postgresServer } from '../../../support/postgres.ts';
import { startHarness } from '../harness.ts';
import { createScriptedChannel, dm, message, room } from '../scripted-channel.ts';

const account = 'discord:1';

/** Gives and takes the leadership as the test says; what is written down lasts over all terms. */
function createScriptedLeadership() {
  const stored = new Map<string, { kind: string; name: string; value: string }>();
  /** The instance by the message that it took in. */
  const taken = new Map<string, string>();
  /** Whether what is taken in is written down. */
  const record = { isKept: true };
  let got = Promise.withResolvers<LeadershipTerm>();
  let held: AbortController | undefined;
  let fence = 0;
  /** Whether the database would answer that the lock is still held. */
  const knows = { itLeads: true };
  const lost = (): ParleyError => new ParleyError('not_leading', 'It does not lead any more.');
  const query = async (sql: string, values: readonly unknown[] = []): Promise<never[]> => {
    if (!knows.itLeads) throw lost();
    if (sql.startsWith('INSERT INTO parley_accepted')) {
      for (const key of values[1] as string[]) if (!taken.has(key)) taken.set(key, String(values[2]));
      return [];
    }
    if (sql.includes('AND instance <> $3'))
      return (values[1] as string[]).flatMap((message) =>
        taken.get(message) === values[2] ? [] : [{ message }],
      ) as never[];
    if (sql.includes('FROM parley_accepted WHERE account = $1 AND message'))
      return (taken.has(String(values[1])) ? [{}] : []) as never[];
    if (sql.startsWith('SELECT')) return [...stored.values()] as never[];
    const [, kinds, names, texts, one, by] = values as [
      string,
      string[],
      string[],
      string[],
      string | null,
      string,
    ];
    if (!record.isKept) throw lost();
    if (one !== null && !taken.has(one)) taken.set(one, by);
    names.forEach((name, at) => {
      const [kind = '', value = ''] = [kinds[at], texts[at]];
      stored.set(`${kind} ${name}`, { kind, name, value });
    });
    return [];
  };
  const leadership: Pick<Leadership, 'lead'> = {
    async lead(_, { signal, waiting }, work) {
      waiting();
      const ended = new Promise<never>((_resolve, reject) =>
        signal.addEventListener('abort', () => reject(signal.reason)),
      );
      ended.catch(() => undefined);
      return work(await Promise.race([got.promise, ended]));
    },
  };
  return {
    leadership,
    stored,
    knows,
    record,
    taken,
    give() {
      held = new AbortController();
      const { signal } = held;
      fence += 1;
      const said = async (): Promise<void> => {
        signal.throwIfAborted();
        if (!knows.itLeads) throw lost();
      };
      knows.itLeads = true;
      got.resolve({
        ...{ account, fence, sinceMs: 0, signal, query },
        confirm: said,
      });
    },
    take() {
      got = Promise.withResolvers();
      held?.abort(lost());
    },
  };
}

test('nothing is connected before the account is led; a term that ends in the middle of an answer ends the sending, and the answer is sent once in the next', async (t) => {
  const inner = createScriptedChannel();
  const leader = createScriptedLeadership();
  const { engine, gateway, seen, pass } = await startHarness(t, {
    channel: { ...inner, ...ledChannel(inner, { account, leadership: leader.leadership }) },
  });
  const stateOf = () => gateway.status()[0]?.state;
  await pass();
  assert.equal(stateOf(), 'standby');
  const sinkNow = (): Sink | undefined => inner.sink;
  assert.equal(sinkNow(), undefined);
  assert.equal(gateway.status()[0]?.problem, undefined);
  leader.give();
  await seen('the connection', () => stateOf() === 'ready' || undefined);
  const { sink } = inner;
  await sink.accept(message('1', 'hello'));
  await seen('the run', () => engine.runs[0]);
  // the database would say no: the answer finds that out, and nothing else has yet
  leader.knows.itLeads = false;
  engine.complete('run_1', 'An answer.');
  await pass(3_000);
  assert.deepEqual(inner.messages, []);
  await assert.rejects(sink.accept(message('2', 'nobody takes this in')), { code: 'not_leading' });
  leader.take();
  await seen('the end of the term', () => stateOf() === 'standby' || undefined);
  await pass(60_000);
  assert.deepEqual(inner.calls, []);
  leader.give();
  await seen('the answer', () => inner.messages[0]);
  await pass(60_000);
  assert.deepEqual(
    inner.messages.map(({ text }) => text),
    ['An answer.'],
  );
});

test('what the database refuses for the moment passes, so that no event is passed by for it; what is set wrong does not', () => {
  const inner = createScriptedChannel();
  const { explain } = ledChannel(inner, { account, leadership: createScriptedLeadership().leadership });
  const place = 'the database';
  const refused = (code: string): unknown =>
    explainPostgres(Object.assign(new Error('could not extend file'), { code }), place);
  for (const code of ['53100', '25006', '57P01', '53300']) {
    const { kind, unexpected, words } = explain(refused(code));
    assert.deepEqual([kind, unexpected], ['transient', undefined]);
    assert.match(words, /PostgreSQL/);
  }
  const wrong = refused('42501');
  assert.deepEqual(explain(wrong), inner.explain(wrong));
});

test('no call that people see reaches the platform without the leadership, and each failure is one that passes', async () => {
  const surface: StreamingSurface = {
    renewAt: () => undefined,
    update: async () => assert.fail('update'),
    finish: async () => assert.fail('finish'),
  };
  const reached = (name: string) => async (): Promise<never> => assert.fail(name);
  const inner: Channel = {
    ...createScriptedChannel({ live: () => surface }),
    send: reached('send'),
    edit: reached('edit'),
    remove: reached('remove'),
    presence: reached('presence'),
    react: reached('react'),
    retitle: reached('retitle'),
    direct: reached('direct'),
  };
  const leader = createScriptedLeadership();
  const channel = ledChannel(inner, { account, leadership: leader.leadership });
  const part = { text: 'x', body: {} };
  const calls: (() => Promise<unknown> | undefined)[] = [
    () => channel.send(dm, part, { key: 'k' }),
    () => channel.edit(dm, '1', part),
    () => channel.remove(dm, '1'),
    () => channel.presence(dm, 'typing'),
    () => channel.react(dm, '1', 'x'),
    () => channel.retitle?.(dm, 'x'),
    () => channel.direct?.(dm, 'u1'),
    () => channel.live?.({} as StreamingOptions)?.update('x'),
    () => channel.live?.({} as StreamingOptions)?.finish?.('x'),
  ];
  for (const call of calls)
    await assert.rejects(call() ?? Promise.resolve(), (error) => {
      assert.equal(codeOf(error), 'not_leading');
      const { kind, maybeDelivered } = channel.explain(error);
      assert.deepEqual({ kind, maybeDelivered }, { kind: 'transient', maybeDelivered: false });
      return true;
    });
});

test('a platform that refuses the account for good ends the term, so that another instance may lead', async () => {
  const leader = createScriptedLeadership();
  let isHeld = false;
  const leadership: Pick<Leadership, 'lead'> = {
    async lead(name, how, work) {
      isHeld = true;
      try {
        return await leader.leadership.lead(name, how, work);
      } finally {
        isHeld = false;
      }
    },
  };
  const inner = createScriptedChannel();
  const refused = { ...inner, run: () => Promise.reject(new Error('a refused token')) };
  const sink = {
    report() {},
    cursor: async () => 'one',
    unanswered: async () => [],
    disown: async () => undefined,
  };
  leader.give();
  const channel = ledChannel(refused, { account, leadership });
  await assert.rejects(channel.run(sink as never, new AbortController().signal), /a refused token/);
  assert.equal(isHeld, false);
});

/** An instance that leads the account now; resolves with the sink of its channel. */
async function leadingInstance(t: TestContext, leader: ReturnType<typeof createScriptedLeadership>) {
  const inner = createScriptedChannel();
  const { gateway, seen } = await startHarness(t, {
    channel: { ...inner, ...ledChannel(inner, { account, leadership: leader.leadership }) },
  });
  leader.give();
  await seen('the connection', () => gateway.status()[0]?.state === 'ready' || undefined);
  return inner.sink;
}

test('what one leader took in the next one begins after: cursors, and chats in which people wrote', async (t) => {
  const leader = createScriptedLeadership();
  const instance = () => leadingInstance(t, leader);
  const first = await instance();
  await first.accept(message('1', 'hello'), { name: 'updates', value: '7' });
  await first.accept(message('2', 'hello', { address: room, addressed: 'mention' }));
  await first.advance({ name: 'session:0', value: 'one' });
  first.pass({ name: 'channel:D1', value: '12' });
  await first.advance({ name: 'channel:C1', value: '9' });
  leader.take();
  const second = await instance();
  assert.equal(await second.accept(message('1', 'hello'), { name: 'updates', value: '7' }), 'duplicate');
  assert.equal(
    await second.accept(message('1', 'hello', { address: room, addressed: 'mention' })),
    'accepted',
    'an id of another chat',
  );
  assert.deepEqual(
    await Promise.all(
      ['updates', 'session:0', 'channel:D1', 'channel:C1'].map((name) => second.cursor(name)),
    ),
    ['7', 'one', '12', '9'],
  );
  assert.equal(await second.cursor('unknown'), undefined);
  await second.advance({ name: 'updates', value: '5' });
  assert.equal(leader.stored.get('cursor updates')?.value, '7', 'a cursor never goes back');
});

test('a message that its leader could not write down is answered by the next leader alone, and one that nobody else took in by the first', async (t) => {
  const leader = createScriptedLeadership();
  const instance = async () => {
    const inner = createScriptedChannel();
    const harness = await startHarness(t, {
      channel: { ...inner, ...ledChannel(inner, { account, leadership: leader.leadership }) },
    });
    const isIn = (state: string) =>
      harness.seen(state, () => harness.gateway.status()[0]?.state === state || undefined);
    return { inner, ...harness, isIn };
  };
  const first = await instance();
  leader.give();
  await first.isIn('ready');
  leader.record.isKept = false;
  // both are in its ledger, and a run is under way for each
  await assert.rejects(first.inner.sink.accept(message('1', 'hello')));
  await assert.rejects(
    first.inner.sink.accept(message('2', 'hello', { address: room, addressed: 'mention' })),
  );
  await first.seen('both runs', () => first.engine.runs[1]);
  leader.take();
  await first.isIn('standby');
  leader.record.isKept = true;
  // what another instance has on record, who answers it
  leader.taken.set('discord:dm:bot:-:D1:- 1', 'another');
  leader.give();
  await first.isIn('ready');
  first.engine.complete('run_1', 'Twice.');
  first.engine.complete('run_2', 'Once.');
  await first.seen('the answer', () => first.inner.messages[0]);
  await first.pass(60_000);
  assert.deepEqual(
    first.inner.messages.map(({ text }) => text),
    ['Once.'],
  );
  assert.equal(leader.taken.size, 2, 'it is on record now');
});

test('a thread that the bot takes part in under one leader it takes part in under the next: with one person it answers without its name, with several it does not', async (t) => {
  const leader = createScriptedLeadership();
  const instance = () => leadingInstance(t, leader);
  const [alone, shared, foreign] = ['T1', 'T2', 'T3'].map((thread) => ({ address: { ...room, thread } }));
  const other = { id: 'u2', name: 'guest', isBot: false };
  const first = await instance();
  await first.accept(message('1', 'hello', { ...alone, addressed: 'mention' }));
  await first.accept(message('2', 'hello', { ...shared, addressed: 'mention' }));
  await first.accept(message('3', 'I disagree', { ...shared, addressed: 'none', actor: other }));
  await first.accept(message('4', 'what people say to each other', { ...foreign, addressed: 'none' }));
  leader.take();
  const second = await instance();
  const takes = (id: string, over: Parameters<typeof message>[2]) =>
    second.accept(message(id, 'and then?', { addressed: 'none', ...over }));
  assert.equal(await takes('5', { ...alone }), 'accepted');
  assert.equal(await takes('6', { ...shared }), 'ignored');
  assert.equal(await takes('7', { ...foreign }), 'ignored');
  assert.equal(await takes('8', { ...alone, actor: other }), 'ignored');
  assert.equal(await takes('9', { ...alone }), 'ignored', 'someone else has spoken there');
});

test('positions are in the database for the next leader, and what could not be written is written with the next', {
  skip: noPostgres,
}, async (t) => {
  const server = await postgresServer();
  const url = await server.database();
  const postgres = await openPostgres(
    { url, poolSize: 1, statementTimeoutMs: 5_000 },
    { clock: systemClock },
  );
  t.after(() => postgres.close());
  await migratePostgres(postgres, [positionsSchema]);
  const session = await postgres.session();
  t.after(() => session.end());
  let fails = false;
  const positions = await openPositions(
    { query: (sql, values) => (fails ? Promise.reject(new Error('lost')) : session.query(sql, values)) },
    { account, instance: 'one' },
  );
  await positions.save({ cursor: { name: 'updates', value: '9' }, message: { address: dm, nativeID: '1' } });
  fails = true;
  await assert.rejects(
    positions.save({ cursor: { name: 'updates', value: '10' }, message: { address: room, nativeID: '2' } }),
    /lost/,
  );
  fails = false;
  await positions.save({});
  const next = await openPositions(session, { account, instance: 'two' });
  assert.equal(next.cursor('updates'), '10');
  assert.equal(await next.isAccepted({ address: { ...dm, thread: 'T' }, nativeID: '1' }), true);
  assert.equal(await next.isAccepted({ address: dm, nativeID: '2' }), false);
  await server.run("UPDATE parley_accepted SET at = at - interval '3 days'", url);
  await next.save({ message: { address: dm, nativeID: '3' } });
  assert.deepEqual(await server.run('SELECT count(*)::int AS n FROM parley_accepted', url), [{ n: 1 }]);
  assert.deepEqual(
    next.chats().sort((a, b) => (a.chat < b.chat ? -1 : 1)),
    [room, dm],
  );
  assert.deepEqual((await openPositions(session, { account: 'discord:2', instance: 'two' })).chats(), []);
});
