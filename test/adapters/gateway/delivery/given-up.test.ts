// A part that the platform refuses again and again: bounded, said, and in the way of nothing. An outage is not that.
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileIn } from '#adapters/gateway/terms/file-part.ts';
import type { MessagePart } from '#adapters/text/part.ts';
import { png } from '../../uploads/samples.ts';
import { startHarness } from '../harness.ts';
import { createScriptedChannel, message, ScriptedFailure } from '../scripted-channel.ts';

const minute = 60_000;

/** A run that answers with a file, on a platform that refuses what `isRefused` says with a server error. */
async function refusing(t: TestContext, isRefused: (part: MessagePart, nowMs: number) => boolean) {
  const channel = createScriptedChannel({ caps: { files: { limitBytes: 1_000 } } });
  const people = { robin: { role: 'owner' as const, accounts: ['discord:u1'] } };
  const harness = await startHarness(t, { channel, people });
  const began = harness.clock.now();
  const tries: string[] = [];
  const { send } = channel;
  channel.send = async (address, part, options) => {
    tries.push(fileIn(part)?.name ?? part.text);
    if (isRefused(part, harness.clock.now() - began))
      throw new ScriptedFailure({ kind: 'transient', words: 'Internal Server Error' });
    return send(address, part, options);
  };
  const path = join(dirname(harness.path), 'report.pdf');
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, png());
  const file = { id: 'f', runID: 'run_1', name: 'report.pdf', mediaType: 'a/b', size: png().length, path };
  await channel.sink.accept(message('1', 'make it'));
  await harness.seen('the run', () => harness.engine.runs[0]);
  harness.engine.complete('run_1', 'Here.', [file]);
  const texts = (): string[] => channel.messages.map(({ text }) => text);
  /** Lets time pass, and in each half minute of it what waits for the disk happen. */
  const pass = async (minutes: number): Promise<void> => {
    for (let left = minutes * 2; left > 0; left -= 1) {
      const [before, shown] = [tries.length, channel.messages.length];
      await harness.clock.advance(minute / 2);
      for (
        let turns = 0;
        turns < 5_000 && tries.length === before && channel.messages.length === shown;
        turns += 1
      )
        await new Promise((resolve) => setImmediate(resolve));
    }
  };
  const next = async (): Promise<void> => {
    await channel.sink.accept(message('2', 'and now?'));
    await harness.seen('the next run', () => harness.engine.runs[1]);

    harness.engine.complete('run_2', 'All is well.');
  };
  return { harness, channel, texts, pass, next };
}

test('a file that the platform keeps refusing is given up after ten minutes, also over a restart: the chat reads it, and the next answers follow', async (t) => {
  const { harness, pass, texts, next, channel } = await refusing(t, (part) => fileIn(part) !== undefined);
  await pass(6);
  await harness.restart();
  await pass(3);
  assert.deepEqual(texts(), ['Here.'], 'it is tried for ten minutes');
  await pass(2);
  await harness.seen('the words in its place', () => (texts().length > 1 ? true : undefined));
  assert.equal(texts()[1], '⚠️ I made `report.pdf`, but could not send it: Internal Server Error.');
  await next();
  await harness.seen('the next answer', () => (/All is well/.test(texts().join()) ? true : undefined));
  const told = channel.messages.filter(({ text }) => text.includes('gave up sending'));
  assert.equal(told.length, 1, 'the owner is told once');
  assert.match(told[0]?.text ?? '', /the file `report\.pdf` on \w+, which refused it again and again/);
  assert.match(harness.gateway.status()[0]?.refused.join() ?? '', /report\.pdf: Internal Server Error/);
});

test('a text that the platform keeps refusing is given up too, and what is behind it arrives', async (t) => {
  const { harness, pass, texts, next } = await refusing(t, ({ text }) => text === 'Here.');
  await pass(11);
  await harness.seen('the file', () => (texts().length > 1 ? true : undefined));
  assert.deepEqual(texts().slice(0, 2), [
    '⚠️ I could not send a part of my answer here: Internal Server Error.',
    '[report.pdf]',
  ]);
  await next();
  await harness.seen('the next answer', () => (/All is well/.test(texts().join()) ? true : undefined));
});

test('nothing is given up while the platform takes nothing at all, however long that lasts', async (t) => {
  const { harness, pass, texts } = await refusing(t, (_, ms) => ms < 60 * minute);
  await pass(59);
  assert.deepEqual(texts(), []);
  await pass(3);
  await harness.seen('the file', () => (texts().length > 1 ? true : undefined));
  assert.deepEqual(texts(), ['Here.', '[report.pdf]']);
});
