// What was missed is read also when the process that was to read it ends before it does.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../support/found.ts';
import { fixture } from './fixture.ts';
import { manualClock } from './harness.ts';

test('what a process that was killed did not come to read is read by the next one, however late that is (A4)', async (t) => {
  const clock = manualClock();
  const { channel, sink, sandbox } = await fixture(t, { channel: { clock } });
  const { advance, accept } = sink;
  let isKilled = true;
  let lists = 0;
  sink.advance = async (cursor) => {
    // it ends before the first chat is read
    if (isKilled && cursor.name.startsWith('channel:')) throw new Error('killed');
    if (cursor.name === 'listed') lists += 1;
    await advance(cursor);
  };
  sink.accept = async (event, cursor) => {
    if (isKilled) throw new Error('killed');
    return accept(event, cursor);
  };
  const run = async (what: string, condition: () => boolean): Promise<void> => {
    const stop = new AbortController();
    const done = channel.run(sink, stop.signal);
    await until(what, condition);
    stop.abort();
    await done;
    clock.advance(10 * 60_000);
  };
  const once = async (): Promise<void> => {
    const ready = () => sink.states.filter(({ state }) => state === 'ready').length;
    const before = ready();
    await run('ready', () => ready() > before);
  };
  await once();
  await sandbox.say({ chat: 'dm', user: 'guest', text: 'the first words' });
  await once();
  await once();
  assert.equal(lists, 1, 'a chat that is new is read from the first list on');
  isKilled = false;
  await run('the message', () => sink.messages.length === 1);
  assert.deepEqual(
    sink.messages.map(({ text }) => text),
    ['the first words'],
  );
});
