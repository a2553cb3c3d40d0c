// One message through the log: from the platform's id to those of its answer, and not a word of either.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { parseJson } from '#base/json.ts';
import { startHarness } from './harness.ts';
import { message } from './scripted-channel.ts';

const line = z.looseObject({ msg: z.string() });

test('a message can be followed through the log by ids, to its run and to the messages that answer it', async (t) => {
  const { channel, engine, pass, lines } = await startHarness(t);
  await channel.sink.accept(message('m-77', 'where is the harbour?'));
  await pass();
  engine.complete('run_1', 'behind the station');
  await pass();
  const find = (msg: string) =>
    lines.map((text) => parseJson(text, line, 'log line')).find((each) => each.msg === msg) ??
    assert.fail(msg);
  const taken = find('message accepted');
  const begun = find('turn is answered by a run');
  const exists = find('answer exists');
  assert.equal(taken.message, 'm-77');
  assert.deepEqual(begun.inbox, [taken.inbox]);
  assert.equal(begun.runID, 'run_1');
  assert.deepEqual([exists.turn, exists.runID], [begun.turn, 'run_1']);
  assert.deepEqual(exists.messages, [channel.messages.at(-1)?.id]);
  assert.doesNotMatch(lines.join('\n'), /harbour|station/);
});
