// A file that is cut on its way continues from where it stopped: what is left of an attempt, who may continue it, and what ends it.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { type Arrived, createFileArrivals } from '#adapters/uploads/arrivals.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const whole = Buffer.from('the first half|the second half');
const half = whole.subarray(0, 15);
const sha256 = createHash('sha256').update(whole).digest('hex');
const forever = new AbortController().signal;

/** A stream that gives these pieces, and then ends or fails. */
function streamOf(pieces: readonly Uint8Array[], failure?: Error): ReadableStream<Uint8Array> {
  const left = [...pieces];
  return new ReadableStream({
    pull(controller) {
      const next = left.shift();
      if (next !== undefined) controller.enqueue(new Uint8Array(next));
      else if (failure === undefined) controller.close();
      else controller.error(failure);
    },
  });
}

function opened(t: TestContext) {
  const folder = tempFolder(t);
  const arrivals = createFileArrivals(folder);
  const arrive = (stream: ReadableStream<Uint8Array>, from: number, how: object = {}) =>
    arrivals.arrive(
      stream,
      { limitBytes: 1_000, signal: forever, expected: { sha256, from }, ...how },
      async (arrived: Arrived) => ({
        ...arrived,
        text: readFileSync(arrived.path, 'utf8'),
        mode: statSync(arrived.path).mode & 0o777,
      }),
    );
  const cut = (pieces: readonly Uint8Array[], from = 0) =>
    assert.rejects(arrive(streamOf(pieces, new Error('cut')), from), { message: 'cut' });
  return { folder, arrivals, arrive, cut, names: () => readdirSync(folder) };
}

test('what came before a cut is there, the rest is added to it, and nothing is left then', async (t) => {
  const { arrivals, arrive, cut, names } = opened(t);
  assert.equal(await arrivals.begun(sha256), 0);
  await cut([half]);
  assert.equal(await arrivals.begun(sha256), half.length);
  assert.deepEqual(names(), [`${sha256}.part`]);
  assert.equal(await arrivals.begun('another'), 0);
  const done = await arrive(streamOf([whole.subarray(half.length)]), half.length);
  assert.deepEqual(
    [done.text, done.hash, done.bytes, done.mode],
    [whole.toString(), sha256, whole.length, 0o400],
  );
  assert.deepEqual(names(), []);
  assert.equal(await arrivals.begun(sha256), 0);
});

test('a rest that begins earlier than the cut takes the place of what came after its beginning', async (t) => {
  const { arrive, cut } = opened(t);
  for (const from of [1, 10]) {
    await cut([Buffer.from('the first HALF|THE SECOND')]);
    const done = await arrive(streamOf([whole.subarray(from)]), from);
    assert.deepEqual([done.text, done.hash], [whole.toString(), sha256]);
  }
});

test('a rest without enough before it is refused, and what came before it stays', async (t) => {
  const { arrivals, arrive, cut } = opened(t);
  await assert.rejects(arrive(streamOf([whole]), 1), { code: 'file_range' });
  await cut([half]);
  await assert.rejects(arrive(streamOf([whole]), half.length + 1), { code: 'file_range' });
  assert.equal(await arrivals.begun(sha256), half.length);
});

test('a cut leaves the longest beginning, and a file that is refused, or that nobody expects, leaves none', async (t) => {
  const { folder, arrivals, arrive, cut, names } = opened(t);
  await cut([half]);
  await cut([half.subarray(0, 4)]);
  assert.equal(await arrivals.begun(sha256), half.length);
  await cut([whole.subarray(0, 20)]);
  assert.equal(await arrivals.begun(sha256), 20);
  await cut([Buffer.from('x')], 20);
  assert.equal(await arrivals.begun(sha256), 21);
  await assert.rejects(arrive(streamOf([Buffer.from('y'.repeat(12))]), 20, { limitBytes: 31 }), {
    code: 'file_too_large',
  });
  assert.deepEqual(names(), []);
  await assert.rejects(arrive(streamOf([]), 0), { code: 'file_empty' });
  await assert.rejects(arrive(streamOf([half], new Error('cut')), 0, { expected: undefined }), {
    message: 'cut',
  });
  assert.deepEqual(names(), []);
  const exact = await arrive(streamOf([whole]), 0, { limitBytes: whole.length });
  assert.equal(exact.bytes, whole.length);
  writeFileSync(join(folder, 'old'), 'x');
  const old = Date.now() / 1000 - 3_700;
  utimesSync(join(folder, 'old'), old, old);
  await cut([half]);
  assert.deepEqual(names(), [`${sha256}.part`], 'a cut sweeps what nobody continues with');
});

test('who asks after a file that still comes waits for its end, and ends an attempt that has gone silent', async (t) => {
  const { arrivals, arrive } = opened(t);
  let enqueue = (_piece: Uint8Array): void => {};
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      enqueue = (piece) => controller.enqueue(new Uint8Array(piece));
    },
  });
  const silent = arrive(stream, 0);
  const rejected = assert.rejects(silent, { name: 'AbortError' });
  enqueue(half);
  const started = performance.now();
  assert.equal(await arrivals.begun('another'), 0);
  assert.ok(performance.now() - started < 900, 'another file is not waited for');
  assert.equal(await arrivals.begun(sha256), half.length);
  const waited = performance.now() - started;
  assert.ok(waited >= 700 && waited < 5_000, `${waited} ms`);
  await rejected;
  let finish = (): void => {};
  const ending = arrive(
    new ReadableStream({
      start(controller) {
        controller.enqueue(new Uint8Array(whole));
        finish = () => controller.close();
      },
    }),
    0,
  );
  setTimeout(() => finish(), 50);
  assert.equal(await arrivals.begun(sha256), half.length, 'what the attempt before left');
  assert.equal((await ending).text, whole.toString());
});

test('an attempt that brought something within the last second is not ended by who asks after its file', async (t) => {
  const { arrivals, arrive } = opened(t);
  let at = performance.now();
  t.mock.method(performance, 'now', () => at);
  const read = Promise.withResolvers<void>();
  const finish = Promise.withResolvers<void>();
  const pieces = [half, whole.subarray(half.length)];
  const stream = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const next = pieces.shift();
        if (pieces.length === 1) at += 900; // before the first piece
        if (pieces.length === 0) {
          read.resolve();
          await finish.promise;
        }
        if (next === undefined) controller.close();
        else controller.enqueue(new Uint8Array(next));
      },
    },
    { highWaterMark: 0 },
  );
  const arrived = arrive(stream, 0);
  await read.promise;
  at += 200;
  const begun = arrivals.begun(sha256);
  setTimeout(finish.resolve, 50);
  assert.equal((await arrived).text, whole.toString());
  assert.equal(await begun, 0);
});

test('on a disk that cuts a file off slowly, nothing behind the cut counts', async (t) => {
  const { folder, arrive, cut } = opened(t);
  await cut([Buffer.from('the first HALF|THE SECOND')]);
  const handle = await open(join(folder, `${sha256}.part`));
  await handle.close();
  const kind = Object.getPrototypeOf(handle) as typeof handle; // of every open file
  const { truncate } = kind;
  t.mock.method(kind, 'truncate', async function (this: typeof handle, length: number) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    return truncate.call(this, length);
  });
  const done = await arrive(streamOf([whole.subarray(10)]), 10);
  assert.deepEqual([done.text, done.hash], [whole.toString(), sha256]);
});
