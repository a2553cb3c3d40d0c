// Looks at a platform for who may read what: how long they hold, what drops them, and how many are made at once.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLooks, lookMs } from '#adapters/gateway/readers/looks.ts';
import { createManualClock, settle } from '../../../support/manual-clock.ts';
import { quietLog } from '../../../support/quiet-log.ts';
import { createScriptedChannel, room, ScriptedFailure } from '../scripted-channel.ts';

function open() {
  const clock = createManualClock();
  const channel = createScriptedChannel();
  const asked: string[] = [];
  channel.rights.ofRoom = async ({ chat }, actorID) => {
    asked.push(`${chat} ${actorID}`);
    return 'everything';
  };
  const ended = new AbortController();
  const looks = createLooks({ channel, clock, log: quietLog().log, signal: ended.signal });
  return { clock, channel, asked, looks };
}

test('a look holds for five minutes and no longer, for one account in one room', async () => {
  const { clock, asked, looks } = open();
  await looks.ofRoom(room, 'u1');
  await clock.advance(lookMs - 1);
  await looks.ofRoom(room, 'u1');
  assert.deepEqual(asked, ['C1 u1']);
  await looks.ofRoom(room, 'u2');
  await looks.ofRoom({ ...room, chat: 'C2' }, 'u1');
  assert.deepEqual(asked.splice(0), ['C1 u1', 'C1 u2', 'C2 u1']);
  await clock.advance(1);
  await looks.ofRoom(room, 'u1');
  assert.deepEqual(asked, ['C1 u1']);
});

test('what could not be looked at is asked again after fifteen seconds, or when the platform says', async () => {
  for (const [retryAfterMs, ms] of [
    [undefined, 15_000],
    [60_000, 60_000],
  ] as const) {
    const { clock, channel, looks } = open();
    let times = 0;
    channel.rights.ofRoom = async () => {
      times += 1;
      throw new ScriptedFailure({ kind: 'transient', retryAfterMs });
    };
    assert.equal(await looks.ofRoom(room, 'u1'), undefined);
    await clock.advance(ms - 1);
    await looks.ofRoom(room, 'u1');
    assert.equal(times, 1);
    await clock.advance(1);
    await looks.ofRoom(room, 'u1');
    assert.equal(times, 2);
  }
});

test('a change that concerns one account, a room or a space drops those looks alone', async () => {
  const somewhereElse = { ...room, space: 'G2', chat: 'C9' };
  const all = [
    [room, 'u1'],
    [room, 'u2'],
    [{ ...room, chat: 'C2' }, 'u1'],
    [somewhereElse, 'u1'],
  ] as const;
  for (const [drop, again] of [
    ['one', ['C1 u1', 'C2 u1']],
    ['all', ['C1 u1', 'C1 u2', 'C2 u1']],
    ['room', ['C1 u1', 'C1 u2']],
  ] as const) {
    const { asked, looks } = open();
    for (const [at, actorID] of all) await looks.ofRoom(at, actorID);
    asked.length = 0;
    if (drop === 'room') looks.dropRoom(room);
    else looks.drop(room, drop === 'one' ? 'u1' : undefined);
    for (const [at, actorID] of all) await looks.ofRoom(at, actorID);
    assert.deepEqual(asked, again, drop);
  }
});

test('eight looks are made at once, and one that takes ten seconds is given up for the next', async () => {
  const { clock, channel, looks } = open();
  let begun = 0;
  channel.rights.ofRoom = (_, __, signal) => {
    begun += 1;
    return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  };
  const made = Array.from({ length: 9 }, (_, index) => looks.ofRoom(room, `u${index}`));
  await settle();
  assert.equal(begun, 8);
  await clock.advance(10_000);
  assert.equal(begun, 9);
  await clock.advance(10_000);
  assert.deepEqual(new Set(await Promise.all(made)), new Set([undefined]));
});
