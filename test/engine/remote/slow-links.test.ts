// Files over links that are slow, cut or dead: gone on with, waited for up to a bound, and reported in the meantime.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { codeOf } from '#base/errors.ts';
import { until } from '../../support/found.ts';
import { createManualClock, settle } from '../../support/manual-clock.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { content, openApart } from './apart.ts';

/** The same on a clock that the test moves, reached through `link`. */
async function apart(t: TestContext, link: (given: { fetch: typeof fetch; clock: Clock }) => typeof fetch) {
  const clock = createManualClock();
  return { ...(await openApart(t, { clock, fetch: link({ fetch, clock }) })), clock };
}

type Clock = ReturnType<typeof createManualClock>;

/** Lets a promise come to its end while the clock goes on, second by second. */
async function inTime<T>(clock: Clock, work: Promise<T>, each: () => void = () => {}): Promise<T> {
  let over = false;
  const done = work.finally(() => {
    over = true;
  });
  done.catch(() => undefined); // told below
  for (let second = 0; second < 600 && !over; second += 1) {
    each();
    await clock.advance(1_000);
  }
  return done;
}

const isFile = (input: unknown): boolean => /\/artifact\//.test(String(input));

/** The body of a response, cut with an error after so many bytes. */
function cutting(response: Response, bytes: number): Response {
  let left = bytes;
  const cut = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      controller.enqueue(chunk.subarray(0, left));
      left -= chunk.length;
      if (left <= 0) controller.error(new TypeError('terminated', { cause: new Error('the link was cut') }));
    },
  });
  return new Response(response.body?.pipeThrough(cut), response);
}

test('a file over a link that is cut again and again continues with where it ended, and comes whole', async (t) => {
  const ranges: (string | null)[] = [];
  const { engine, clock, artifact } = await apart(t, ({ fetch }) => async (input, init) => {
    const response = await fetch(input, init);
    if (!isFile(input)) return response;
    ranges.push(new Headers(init?.headers).get('range'));
    return cutting(response, 400_000);
  });
  const path = await inTime(clock, engine.artifactFile(artifact));
  assert.equal(readFileSync(path, 'utf8'), content);
  const starts = ranges.map((range) => Number(/^bytes=(\d+)-$/.exec(range ?? 'bytes=0-')?.[1]));
  assert.ok(starts.length >= 8 && starts.length < 20, `${starts}`);
  assert.deepEqual(
    starts,
    starts.toSorted((a, b) => a - b),
  );
  assert.equal(new Set(starts).size, starts.length, 'no byte is fetched twice');
});

test('a file whose connection is cut after the last byte is whole, and not asked for again', async (t) => {
  let asked = 0;
  const { engine, clock, artifact } = await apart(t, ({ fetch }) => async (input, init) => {
    const response = await fetch(input, init);
    if (!isFile(input)) return response;
    asked += 1;
    return cutting(response, content.length);
  });
  const path = await inTime(clock, engine.artifactFile(artifact));
  assert.equal(readFileSync(path, 'utf8'), content);
  assert.equal(asked, 1);
});

test('a file that is another one after a cut is fetched from its beginning', async (t) => {
  let change = (): void => {};
  let asked = 0;
  const { engine, kit, clock, artifact } = await apart(t, ({ fetch }) => async (input, init) => {
    if (!isFile(input)) return fetch(input, init);
    asked += 1;
    if (asked === 2) change();
    const response = await fetch(input, init);
    return asked === 1 ? cutting(response, 400_000) : response;
  });
  const masked = content.replaceAll('1', '*');
  const onDisk = await kit.engine.artifactFile(artifact);
  change = () => writeFileSync(onDisk, masked);
  const path = await inTime(clock, engine.artifactFile(artifact));
  assert.equal(readFileSync(path, 'utf8'), masked);
});

test('a file that comes slowly and steadily is waited for longer than any call, and is announced in the meantime', async (t) => {
  const { engine, clock, problems, artifact } = await apart(t, ({ fetch, clock }) => async (input, init) => {
    const response = await fetch(input, init);
    if (!isFile(input)) return response;
    const bytes = new Uint8Array(await response.arrayBuffer());
    let at = 0;
    const slow = new ReadableStream<Uint8Array>({
      async pull(controller) {
        await clock.sleep(1_000);
        controller.enqueue(bytes.slice(at, at + 50_000));
        at += 50_000;
        if (at >= bytes.length) controller.close();
      },
    });
    return new Response(slow, response);
  });
  const told = new Set<string>();
  const path = await inTime(clock, engine.artifactFile(artifact), () => {
    for (const { message: words } of problems.list()) told.add(words);
  });
  assert.equal(readFileSync(path, 'utf8'), content);
  assert.match([...told].join('\n'), /The file numbers\.txt of an answer takes long .*: 4\d % so far/);
  assert.deepEqual(problems.list(), []);
});

test('a file that does not come is given up after three minutes, as are others of its run at once; status tells of it until then', async (t) => {
  let asked = 0;
  const { engine, clock, problems, artifact } = await apart(t, ({ fetch }) => (input, init) => {
    if (!isFile(input)) return fetch(input, init);
    asked += 1;
    return new Promise((_, reject) =>
      init?.signal?.addEventListener('abort', () => reject(init.signal?.reason)),
    );
  });
  const bringing = engine.artifactFile(artifact);
  await until('the request', () => asked === 1);
  await clock.advance(15_000);
  const [problem] = problems.list();
  assert.match(problem?.message ?? '', /numbers\.txt of an answer takes long .*: 0 % so far/);
  assert.match(problem?.hint ?? '', /the stop command there ends the wait/);
  const late = (error: unknown): boolean => codeOf(error) === 'file_not_brought';
  await assert.rejects(inTime(clock, bringing), late);
  assert.ok(asked > 5, 'a dead connection is not waited for that long');
  assert.deepEqual(problems.list(), []);
  await assert.rejects(engine.artifactFile(artifact), late);
});

test('the wait for a file ends with its signal', async (t) => {
  const { engine, artifact } = await apart(t, ({ fetch }) => (input, init) => {
    if (!isFile(input)) return fetch(input, init);
    return new Promise((_, reject) =>
      init?.signal?.addEventListener('abort', () => reject(init.signal?.reason)),
    );
  });
  const stopped = new AbortController();
  const bringing = engine.artifactFile(artifact, stopped.signal);
  await settle();
  stopped.abort();
  await assert.rejects(bringing, { name: 'AbortError' });
});

test('an upload that goes on slowly is waited for; one that stands still is tried again and given up, and the message goes on', async (t) => {
  let puts = 0;
  let dead = false;
  const { engine, clock } = await apart(t, ({ fetch, clock }) => async (input, init) => {
    if (init?.method !== 'PUT' || !/\/upload\//.test(String(input))) return fetch(input, init);
    puts += 1;
    if (dead)
      return new Promise((_, reject) =>
        init.signal?.addEventListener('abort', () => reject(init.signal?.reason)),
      );
    const pieces: Uint8Array[] = [];
    for await (const piece of init.body as ReadableStream<Uint8Array>) {
      // it is sent as a stream
      await clock.sleep(2_000);
      init.signal?.throwIfAborted();
      pieces.push(piece);
    }
    return fetch(input, { ...init, body: Buffer.concat(pieces) });
  });
  const file = join(tempFolder(t), 'a.txt');
  writeFileSync(file, content);
  const path = 'discord/p1/20260102T030405Z_a.txt';
  assert.ok((await inTime(clock, engine.keepUpload({ path, file }))) !== undefined);
  assert.equal(puts, 1);
  dead = true;
  const other = 'discord/p1/20260102T030405Z_b.txt';
  writeFileSync(file, `${content}!`);
  assert.equal(await inTime(clock, engine.keepUpload({ path: other, file })), undefined);
  assert.ok(puts > 2, `${puts} attempts`);
});
