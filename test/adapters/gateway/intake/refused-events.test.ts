// Events that cannot be stored: they hold up nothing for ever, and what the disk refuses is waited for.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startHarness } from '../harness.ts';
import { message } from '../scripted-channel.ts';

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
