// Files that a run made: after the text, one message each; what cannot be sent is named, and nothing is lost with it.
import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileIn } from '#adapters/gateway/terms/file-part.ts';
import type { MessagePart } from '#adapters/text/part.ts';
import { ParleyError } from '#base/errors.ts';
import { png } from '../uploads/samples.ts';
import { startHarness } from './harness.ts';
import { createScriptedChannel, message, ScriptedFailure } from './scripted-channel.ts';

async function answered(t: TestContext, files: readonly { name: string; bytes?: Uint8Array }[]) {
  const channel = createScriptedChannel({ caps: { files: { limitBytes: 1_000 } } });
  const sent: MessagePart[] = [];
  const { send } = channel;
  channel.send = (address, part, options) => {
    sent.push(part);
    return send(address, part, options);
  };
  const harness = await startHarness(t, { channel });
  const folder = join(dirname(harness.path), 'made');
  mkdirSync(folder);
  const made = files.map(({ name, bytes }) => {
    if (bytes !== undefined) writeFileSync(join(folder, name), bytes);
    const size = bytes?.length ?? 0;
    return { id: name, runID: 'run_1', name, mediaType: 'a/b', size, path: join(folder, name) };
  });
  await channel.sink.accept(message('1', 'make it'));
  await harness.seen('the run', () => harness.engine.runs[0]);
  return {
    ...harness,
    channel,
    sent,
    folder,
    complete: () => harness.engine.complete('run_1', 'Here.', made),
  };
}

const texts = (channel: { messages: { text: string }[] }) => channel.messages.map(({ text }) => text);

test('files follow the text, each as one message, and the run counts as delivered with all of them', async (t) => {
  const { channel, engine, sent, complete, seen } = await answered(t, [{ name: 'plot.png', bytes: png() }]);
  complete();
  await seen('the delivery', () => engine.deliveries[0]);
  assert.deepEqual(texts(channel), ['Here.', '[plot.png]']);
  const file = sent.map(fileIn).find((one) => one !== undefined);
  assert.deepEqual([file?.name, file?.mime, file?.bytes], ['plot.png', 'image/png', png().length]);
  assert.deepEqual(engine.deliveries[0]?.nativeIDs, ['m1', 'm2']);
});

test('what is too large, empty or gone is never tried, and said with its reason (K3)', async (t) => {
  const { channel, sent, complete, seen } = await answered(t, [
    { name: 'big.bin', bytes: new Uint8Array(2_000) },
    { name: 'empty.txt', bytes: new Uint8Array(0) },
    { name: 'never.txt' },
  ]);
  complete();
  await seen('the last words', () =>
    texts(channel).join('').includes('no longer exists') ? true : undefined,
  );
  const all = texts(channel).join('');
  assert.match(
    all,
    /big\.bin`, but could not send it: it has 2 KiB, and at most 1,000 bytes can be sent here\./,
  );
  assert.match(all, /empty\.txt`, but could not send it: it is empty\./);
  assert.match(all, /never\.txt`, but could not send it: it no longer exists\./);
  assert.ok(sent.every((part) => fileIn(part) === undefined));
});

test('a file that the platform refuses is replaced by words, and the answer counts as delivered', async (t) => {
  const { channel, engine, complete, seen } = await answered(t, [{ name: 'a.png', bytes: png() }]);
  channel.failing.send.push(undefined, new ScriptedFailure({ kind: 'permission', words: 'No files here.' }));
  complete();
  await seen('the delivery', () => engine.deliveries[0]);
  assert.deepEqual(texts(channel), ['Here.', '⚠️ I made `a.png`, but could not send it: No files here.']);
});

test('a file whose sending has no known outcome is sent again with a mark, never in silence (C1)', async (t) => {
  const { channel, sent, complete, seen } = await answered(t, [{ name: 'a.png', bytes: png() }]);
  channel.failing.send.push(undefined, new ScriptedFailure({ kind: 'transient' }, 'effective'));
  complete();
  await seen('the repeat', () => channel.messages[2]);
  const [first, second] = sent.map(fileIn).filter((file) => file !== undefined);
  assert.equal(first?.caption, undefined);
  assert.equal(second?.caption, '(This may be a repeat.)');
});

test('files that were not sent when the process died are sent by the next one, as long as they are there (C5)', async (t) => {
  const one = await answered(t, [
    { name: 'a.png', bytes: png(1) },
    { name: 'b.png', bytes: png(2) },
  ]);
  const stuck = new ScriptedFailure({ kind: 'rate_limit', retryAfterMs: 3_600_000 });
  one.channel.failing.send.push(undefined, undefined, stuck);
  one.complete();
  await one.seen('the first file', () => one.channel.messages[1]);
  await one.clock.advance(10);
  const waiting = ['a.png', 'b.png'].map((name) => join(one.folder, name));
  assert.deepEqual(one.gateway.filesToSend(), waiting, 'nobody may remove them yet');
  await one.kill();
  await one.seen('the second file', () => one.channel.messages[2]);
  assert.deepEqual(texts(one.channel), ['Here.', '[a.png]', '[b.png]']);
  rmSync(one.folder, { recursive: true });
});

test('a file that takes too long to come is reported, and one that is waited for ends the wait with /stop: the chat continues', async (t) => {
  const { channel, engine, complete, seen, pass } = await answered(t, [
    { name: 'slow.csv', bytes: png() },
    { name: 'stuck.csv', bytes: png() },
  ]);
  engine.artifactFile = ({ name }, signal) =>
    new Promise((_, reject) => {
      if (name === 'slow.csv') reject(new ParleyError('file_not_brought', 'It did not come.'));
      else signal?.addEventListener('abort', () => reject(signal.reason));
    });
  complete();
  await pass();
  assert.deepEqual(texts(channel), []);
  await channel.sink.accept(message('2', 'and then?'));
  await channel.sink.accept(message('3', '/stop'));
  await seen('the words about the files', () =>
    /stuck\.csv/.test(texts(channel).join()) ? true : undefined,
  );
  const all = texts(channel).join('\n');
  assert.match(all, /^Here\.$/m);
  assert.match(all, /slow\.csv`, but could not send it: it did not arrive here in time\./);
  assert.match(all, /stuck\.csv`, but could not send it: you stopped me before it arrived here\./);
  await seen('the next run', () => engine.runs[1]);
});

test('a file that came and is on its way to the engine for ever ends its wait with /stop', async (t) => {
  const { channel, engine, seen } = await startHarness(t);
  channel.contents.set('a', [png()]);
  let isSending = false;
  engine.keepUpload = (_, signal) => {
    isSending = true;
    return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
  };
  const files = [{ id: 'a', name: 'a.png', mime: 'image/png' }];
  await channel.sink.accept(message('1', 'look', { files }));
  await seen('the upload', () => (isSending ? true : undefined));
  assert.equal(engine.runs.length, 0);
  await channel.sink.accept(message('2', '/stop'));
  await seen('the run that is stopped at once', () => engine.runs[0]);
  await seen('the words', () => (/Stopped/.test(texts(channel).join()) ? true : undefined));
});
