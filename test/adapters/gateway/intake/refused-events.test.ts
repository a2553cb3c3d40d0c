// Events that cannot be stored: they hold up nothing for ever, and what the disk refuses is waited for.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startHarness } from '../harness.ts';
import { message, ScriptedFailure } from '../scripted-channel.ts';

const minuteMs = 60_000;

test('an event that cannot be stored is passed by after ten minutes with its cursor, and not before; others are taken in meanwhile', async (t) => {
  const { channel, clock, engine, seen, lines } = await startHarness(t);
  // no row can hold it
  const broken = { ...message('1', 'hello'), at: 1n as unknown as number };
  const cursor = { name: 'updates', value: '7' };
  const began = clock.now();
  let refusals = 0;
  let outcome: string | undefined;
  while (outcome === undefined && refusals < 100) {
    outcome = await channel.sink.accept(broken, cursor).catch(() => undefined);
    if (outcome === undefined) refusals += 1;
    await clock.advance(minuteMs);
    assert.ok(outcome !== undefined || (await channel.sink.cursor('updates')) === undefined);
  }
  assert.equal(outcome, 'ignored');
  assert.ok(clock.now() - began >= 10 * minuteMs, `${refusals} refusals`);
  assert.equal(await channel.sink.cursor('updates'), '7');
  assert.match(lines.join(), /an event cannot be taken in, and was passed by/);
  await channel.sink.accept(message('2', 'and now?', { at: clock.now() }));
  await seen('the run', () => engine.runs[0]);
});

test('an event that is refused a few times is taken in once that works, however late', async (t) => {
  const { channel, clock, engine, seen } = await startHarness(t);
  const broken = { ...message('1', 'hello'), at: 1n as unknown as number };
  for (let time = 0; time < 5; time += 1) await assert.rejects(channel.sink.accept(broken));
  await clock.advance(11 * minuteMs);
  await channel.sink.accept(message('1', 'hello', { at: clock.now() }));
  await seen('the run', () => engine.runs[0]);
});

test('what fails outside of the ledger is passed by too: its cursor is committed, the status names it, and owners are told once in a day', async (t) => {
  const people = { robin: { role: 'owner' as const, accounts: ['discord:u1'] } };
  const { channel, clock, gateway, seen, lines } = await startHarness(t, { people });
  await channel.sink.accept(message('1', 'hello', { at: clock.now() })); // the owner has a direct message
  const notices = (): string[] =>
    channel.messages.flatMap(({ text }) => (text.includes('could not be taken in') ? [text] : []));
  /** Fails as long as it is tried; how long that was, in milliseconds. */
  const tried = async (key: string, value: string): Promise<number> => {
    const began = clock.now();
    for (let isOver = false; !isOver; ) {
      const work = async (): Promise<void> => {
        throw new TypeError(`${key} has no place`);
      };
      isOver = await channel.sink.take({ key, cursor: { name: 'chat', value } }, work).then(
        () => true,
        () => false,
      );
      if (!isOver) await clock.advance(minuteMs);
      assert.ok(clock.now() - began < 60 * minuteMs, 'it is tried without end');
    }
    return clock.now() - began;
  };
  assert.ok((await tried('update 7', '7')) >= 10 * minuteMs);
  await clock.advance(minuteMs);
  assert.equal(await channel.sink.cursor('chat'), '7');
  assert.match(lines.join(), /an event cannot be taken in, and was passed by/);
  const [notice = ''] = await seen('the notice', () => (notices().length > 0 ? notices() : undefined));
  assert.match(notice, /on Discord could not be taken in, again and again: TypeError: update 7 /);
  assert.match(gateway.status()[0]?.refused.join() ?? '', /was passed by: TypeError: update 7 has no place/);
  await tried('update 8', '8');
  assert.match(gateway.status()[0]?.refused.join() ?? '', /was passed by: TypeError: update 8 has no place/);
  assert.equal(notices().length, 1);
  await clock.advance(25 * 60 * minuteMs);
  assert.deepEqual(gateway.status()[0]?.refused, []);
  await tried('update 9', '9');
  await seen('the second notice', () => (notices().length === 2 ? true : undefined));
});

for (const [what, error] of [
  ['the platform cannot be reached', new ScriptedFailure({ kind: 'transient' })],
  ['the platform asks to wait', new ScriptedFailure({ kind: 'rate_limit' })],
  ['the disk is full', Object.assign(new Error('no space'), { code: 'ENOSPC' })],
] as const)
  test(`nothing is passed by while ${what}, however long that takes`, async (t) => {
    const { channel, clock, seen, engine } = await startHarness(t);
    const work = () => channel.sink.take({ key: 'update 7' }, async () => Promise.reject(error));
    for (let hour = 0; hour < 12; hour += 1) {
      await assert.rejects(work);
      await clock.advance(60 * minuteMs);
    }
    await channel.sink.take({ key: 'update 7' }, async () => {
      await channel.sink.accept(message('7', 'hello', { at: clock.now() }));
    });
    await seen('the run', () => engine.runs[0]);
  });
