import assert from 'node:assert/strict';
import { test } from 'node:test';
import { codeOf } from '#base/errors.ts';
import { until } from '../../support/found.ts';
import { connected, type Fixture, fixture } from './fixture.ts';
import { countingLog, manualClock } from './harness.ts';

/** Said right before the pause between two attempts (the first attempt comes without one). */
const pausing = 'the Slack connection ended';

function opens({ sandbox }: Fixture): number {
  return sandbox.calls().filter((call) => call.name === 'apps.connections.open').length;
}

function texts({ sink }: Fixture): string[] {
  return sink.messages.map((message) => message.text);
}

for (const kind of ['drop_socket', 'invalid_session'] as const) {
  test(`after ${kind}, what was written in the meantime comes once, in order, threads included`, async (t) => {
    const clock = manualClock();
    const { log, count } = countingLog();
    const made = await connected(t, { channel: { clock, log } });
    const { sandbox, sink } = made;
    const { id } = await sandbox.say({ chat: 'room', user: 'you', text: 'opened', mention: true });
    await sandbox.say({ chat: 'dm', user: 'you', text: 'before' });
    await until('both', () => sink.messages.length === 2);
    sandbox.inject({ kind: 'server_error', target: 'receive', times: 1 });
    sandbox.inject({ kind });
    await until('a pause', () => count(pausing) === 2);
    for (const text of ['one', 'two', 'three']) await sandbox.say({ chat: 'dm', user: 'you', text });
    await sandbox.say({ chat: 'room', user: 'guest', text: 'in the thread', thread: id });
    await sandbox.say({ chat: 'room', user: 'guest', text: 'elsewhere', mention: true });
    clock.advance(1000);
    await until('what was missed', () => sink.messages.length === 7);
    assert.deepEqual(
      sink.messages.filter((one) => one.addressed === 'dm').map((one) => one.text),
      ['before', 'one', 'two', 'three'],
    );
    assert.ok(texts(made).includes('in the thread') && texts(made).includes('elsewhere'));
    await sandbox.say({ chat: 'dm', user: 'you', text: 'live again' });
    await until('the next', () => texts(made).at(-1) === 'live again');
    assert.equal(sandbox.connections(), 1);
  });
}

test('trap 2: failed reconnects are never unhandled, wait at most 30 s, and end in a connection', async (t) => {
  const unhandled: unknown[] = [];
  const onUnhandled = (reason: unknown) => unhandled.push(reason);
  process.on('unhandledRejection', onUnhandled);
  t.after(() => process.off('unhandledRejection', onUnhandled));
  const clock = manualClock();
  const { log, count } = countingLog();
  const made = await connected(t, { channel: { clock, log } });
  made.sandbox.inject({ kind: 'server_error', target: 'receive', times: 9 });
  made.sandbox.inject({ kind: 'drop_socket' });
  for (let failed = 1; failed <= 9; failed += 1) {
    await until(`failure ${failed}`, () => count(pausing) === 1 + failed);
    clock.advance(30_000);
  }
  await until(
    'a connection',
    () => made.sandbox.connections() === 1 && made.sink.states.at(-1)?.state === 'ready',
  );
  assert.deepEqual(unhandled, []);
  assert.match(made.sink.states.at(-2)?.detail ?? '', /HTTP status 500/);
});

test('while it waits to connect again it says so, and short connections lengthen no wait beyond 4 s (H4)', async (t) => {
  const clock = manualClock();
  const { log, count } = countingLog();
  const made = await connected(t, { channel: { clock, log } });
  for (let ended = 1; ended <= 8; ended += 1) {
    const ready = made.sink.states.filter(({ state }) => state === 'ready').length;
    made.sandbox.inject({ kind: 'drop_socket' });
    await until(`end ${ended}`, () => count(pausing) === ended);
    if (ended > 1) assert.equal(made.sink.states.at(-1)?.state, 'reconnecting');
    clock.advance(4000);
    await until(
      'another connection',
      () => made.sink.states.filter(({ state }) => state === 'ready').length > ready,
    );
  }
});

test('the pause that Slack asks for before another connection is stored (D4)', async (t) => {
  const clock = manualClock();
  const { log, count } = countingLog();
  const made = await connected(t, { channel: { clock, log } });
  made.sandbox.inject({ kind: 'rate_limit', target: 'receive', times: 1, retryAfterMs: 9000 });
  made.sandbox.inject({ kind: 'drop_socket' });
  await until('the pause', () => count(pausing) === 2);
  const before = opens(made);
  clock.advance(8000);
  await new Promise((resolve) => setTimeout(resolve, 20));
  assert.equal(opens(made), before);
  clock.advance(1000);
  await until('a connection', () => made.sink.states.at(-1)?.state === 'ready');
});

test('a connection without pings for 60 s is rebuilt (H2)', async (t) => {
  const clock = manualClock();
  const made = await connected(t, { channel: { clock }, sandbox: { pingMs: 0 } });
  clock.advance(59_000);
  assert.equal(opens(made), 1);
  clock.advance(1000);
  await until('another connection', () => opens(made) === 2 && made.sandbox.connections() === 1);
  const again = made.sink.states.find(({ state }) => state === 'reconnecting');
  assert.match(again?.detail ?? '', /nothing was received from Slack for 60 s/);
});

test('a silent connection is rebuilt in its time when the clock is set back', async (t) => {
  const clock = manualClock();
  const made = await connected(t, { channel: { clock }, sandbox: { pingMs: 0 } });
  clock.jump(-3_600_000);
  clock.advance(60_000);
  await until('another connection', () => opens(made) === 2 && made.sandbox.connections() === 1);
});

test('pings hold a quiet connection open, and each is a sign of life (H2, H4)', async (t) => {
  const clock = manualClock();
  const made = await connected(t, { channel: { clock }, sandbox: { pingMs: 10 } });
  for (let round = 0; round < 3; round += 1) {
    const { lives } = made.sink;
    await until('a ping', () => made.sink.lives > lives && clock.sleepers() === 1);
    clock.advance(40_000);
  }
  assert.equal(opens(made), 1);
});

for (const [what, tokens, words] of [
  ['bot', { botToken: 'xoxb-wrong' }, /invalid_auth/],
  ['app', { appToken: 'xapp-wrong' }, /invalid_auth/],
  ['swapped', { appToken: 'xoxb-0-sandbox-bot' }, /not_allowed_token_type.*swapped/],
] as const) {
  test(`a ${what} token that Slack refuses ends the connection with a message, without the token (H7)`, async (t) => {
    const { channel, sink } = await fixture(t, { channel: tokens });
    const error = await channel.run(sink, new AbortController().signal).then(
      () => assert.fail('it ran'),
      (reason: unknown) => reason,
    );
    assert.ok(error instanceof Error);
    assert.equal(codeOf(error), 'slack_token_refused');
    assert.match(error.message, words);
    assert.doesNotMatch(error.message, /wrong|sandbox-bot/);
    assert.equal(sink.states.at(-1)?.state, 'failed');
    assert.equal(channel.explain(error).kind, 'auth');
  });
}

test('an auth.test that fails once is asked again (TO)', async (t) => {
  const clock = manualClock();
  const made = await fixture(t, { channel: { clock } });
  made.sandbox.inject({ kind: 'server_error', target: 'any', times: 1 });
  const started = made.start();
  await until('the pause', () => clock.sleepers() === 1);
  clock.advance(1000);
  await started;
  await made.sandbox.say({ chat: 'dm', user: 'you', text: 'hello' });
  await until('the message', () => made.sink.messages.length === 1);
});

test('what was written before the first start is never handed in (T1)', async (t) => {
  const made = await fixture(t);
  await made.sandbox.say({ chat: 'dm', user: 'you', text: 'old' });
  await made.sandbox.say({ chat: 'room', user: 'you', text: 'old', mention: true });
  await made.start();
  await made.sandbox.say({ chat: 'dm', user: 'you', text: 'new' });
  await until('the new one', () => made.sink.messages.length === 1);
  assert.deepEqual(texts(made), ['new']);
});

test('what was written while the program was down is handed in, oldest first, and once (A4)', async (t) => {
  const made = await connected(t);
  await made.stop();
  for (let n = 1; n <= 130; n += 1) await made.sandbox.say({ chat: 'dm', user: 'you', text: `${n}` });
  await made.start();
  await until('all', () => made.sink.messages.length === 130);
  assert.deepEqual(
    texts(made),
    Array.from({ length: 130 }, (_, index) => `${index + 1}`),
  );
  await made.stop();
  const { length } = made.sink.received;
  await made.start();
  await made.sandbox.say({ chat: 'dm', user: 'you', text: 'last' });
  await until('the last', () => made.sink.messages.length === 131);
  // live, and perhaps in the page that is read as well; nothing older
  const again = made.sink.received.slice(length).map((event) => event.type === 'message' && event.text);
  assert.deepEqual([...new Set(again)], ['last']);
});

test('the first message of a chat that began while the program was down is handed in (A4)', async (t) => {
  const made = await connected(t);
  await made.stop();
  made.sink.cursors.delete('channel:D0GUEST00');
  await made.sandbox.say({ chat: 'dm', user: 'guest', text: 'hello, I am new' });
  await made.start();
  await until('it', () => made.sink.messages.length === 1);
});

test('while Slack pauses the catching up, live messages come, and none of the missed is skipped (F9)', async (t) => {
  const clock = manualClock();
  const made = await connected(t, { channel: { clock } });
  const { sandbox, sink } = made;
  await made.stop();
  await sandbox.say({ chat: 'dm', user: 'you', text: 'missed' });
  const report = sink.report;
  sink.report = (state, detail) => {
    if (state === 'ready')
      sandbox.inject({ kind: 'rate_limit', target: 'receive', times: 1, retryAfterMs: 7000 });
    report(state, detail);
  };
  const before = sink.cursors.get('channel:D0YOU0000');
  await made.start();
  await until('the pause', () => sandbox.calls().some((call) => call.status === 429));
  const { id } = await sandbox.say({ chat: 'dm', user: 'you', text: 'live' });
  await until('the live one', () => sink.messages.length === 1);
  assert.equal(sink.cursors.get('channel:D0YOU0000'), before);
  clock.advance(7000);
  await until('the missed one', () => sink.messages.length === 2);
  assert.deepEqual(texts(made), ['live', 'missed']);
  await until('the cursor', () => sink.cursors.get('channel:D0YOU0000') === id);
});

test('a pause that Slack asks for before the list of chats does not hold up the connection (F9)', async (t) => {
  const clock = manualClock();
  const made = await connected(t, { channel: { clock } });
  const { sandbox, sink } = made;
  await made.stop();
  const { cursor } = sink;
  sink.cursor = (name) => {
    if (name === 'listed')
      sandbox.inject({ kind: 'rate_limit', target: 'any', times: 1, retryAfterMs: 60_000 });
    return cursor(name);
  };
  await made.start();
  assert.deepEqual(
    sandbox
      .calls()
      .filter((call) => call.status === 429)
      .map((call) => call.name),
    ['users.conversations'],
  );
  await sandbox.say({ chat: 'dm', user: 'you', text: 'hello' });
  await until('the message', () => sink.messages.length === 1);
});

test('stopping while a connection is being opened leaves nothing open', async (t) => {
  const made = await fixture(t);
  made.sandbox.inject({ kind: 'slow', target: 'receive', times: 1, delayMs: 60_000 });
  const stop = new AbortController();
  const done = made.channel.run(made.sink, stop.signal);
  await until('users.conversations', () =>
    made.sandbox.calls().some((call) => call.name === 'users.conversations'),
  );
  stop.abort();
  await done;
  assert.equal(made.sandbox.connections(), 0);
  assert.equal(made.sink.states.at(-1)?.state, 'stopped');
});

test('while what was missed is read, its chats are named, and each is released when it is read (A4)', async (t) => {
  const made = await connected(t);
  const { sandbox, sink } = made;
  await until('the end of the first reading', () => sink.behinds.at(-1)?.length === 0);
  await made.stop();
  await sandbox.say({ chat: 'dm', user: 'you', text: 'missed' });
  const leftAtArrival: unknown[] = [];
  sink.before = async () => void leftAtArrival.push(sink.behinds.at(-1));
  sink.behinds.length = 0;
  await made.start();
  await until('the missed one', () => sink.messages.length === 1);
  await until('the end', () => sink.behinds.at(-1)?.length === 0);
  assert.equal(sink.behinds[0], 'all');
  assert.ok(String(leftAtArrival[0]).split(',').includes('D0YOU0000'), `left: ${leftAtArrival[0]}`);
});

test('a long pause of the reading lets live messages go first (F9)', async (t) => {
  const clock = manualClock();
  const made = await connected(t, { channel: { clock } });
  const { sandbox, sink } = made;
  await made.stop();
  const { report } = sink;
  sink.report = (state, detail) => {
    if (state === 'ready')
      sandbox.inject({ kind: 'rate_limit', target: 'receive', times: 1, retryAfterMs: 30_000 });
    report(state, detail);
  };
  await made.start();
  await until('the pause', () => sandbox.calls().some((call) => call.status === 429));
  await until('the release', () => sink.behinds.at(-1)?.length === 0);
});
