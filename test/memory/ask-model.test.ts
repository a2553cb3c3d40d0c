// Whose fault a failed call of the embedding model is, and what the queue of texts makes of it: tried again, made smaller, passed over.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { type Clock, systemClock } from '#base/clock.ts';
import { ParleyError } from '#base/errors.ts';
import { createIds } from '#base/ids.ts';
import { askModel } from '#memory/maintenance/ask-model.ts';
import { createEmbeddingQueue } from '#memory/maintenance/embedding-queue.ts';
import { openStore } from '#memory/store/store.ts';
import { until } from '../support/found.ts';
import { testEmbedder } from './embedder.ts';
import { exchange, freshPath, openMemory } from './open-memory.ts';

const harmless = 'parley';
const never = new AbortController().signal;

/** A model that fails for texts with these words in them. */
function failing(fails: (text: string) => Error | undefined) {
  const embedder = testEmbedder();
  const { embed } = embedder;
  embedder.embed = async (texts, options) => {
    const made = await embed(texts, options);
    for (const text of texts) {
      const error = fails(text);
      if (error !== undefined) throw error;
    }
    return made;
  };
  return embedder;
}

test('a failure is the fault of the texts where the model embeds a harmless one, and of the model where it does not', async () => {
  const odd = new Error('too odd');
  const away = new Error('away');
  const gone = new ParleyError('embedding_unavailable', 'no model is here');
  for (const [since, fails, expected, calls] of [
    ['success', () => undefined, 'made', 1],
    ['failure', () => undefined, 'made', 2],
    ['success', (text: string) => (text === harmless ? undefined : odd), 'refused too odd', 2],
    ['failure', (text: string) => (text === harmless ? undefined : odd), 'refused too odd', 3],
    ['success', () => away, 'model failed away', 2],
    ['failure', () => away, 'model failed away', 1],
    ['success', () => gone, 'model failed no model is here', 1],
  ] as const) {
    const embedder = failing(fails);
    const asked = await askModel(embedder, ['a boat', 'a cat'], { since, ending: never });
    const words = 'words' in asked ? ` ${asked.words}` : '';
    assert.equal(`${asked.status}${words}`, expected);
    assert.equal(embedder.calls.length, calls, expected);
    if (since === 'failure')
      assert.deepEqual(embedder.calls[0], [harmless], 'the texts may be what it dies of');
    if (asked.status === 'made') assert.equal(asked.outcomes.length, 2);
  }
});

test('a model that worked right before the texts and does not after them was lost over them', async () => {
  let calls = 0;
  const embedder = failing(() => (++calls === 1 ? undefined : new Error(`dead ${calls}`)));
  const asked = await askModel(embedder, ['a boat'], { since: 'failure', ending: never });
  assert.deepEqual(asked, { status: 'lost', words: 'dead 2' });
});

test('as many vectors as texts are expected, and a call that ends with the program is no failure', async () => {
  const short = testEmbedder();
  const { embed } = short;
  short.embed = async (texts, options) => (await embed(texts, options)).slice(texts.length > 1 ? 1 : 0);
  const asked = await askModel(short, ['a boat', 'a cat'], { since: 'success', ending: never });
  assert.deepEqual(asked, { status: 'refused', words: 'expected 2 vectors, got 1', isNoVector: false });
  const ending = new AbortController();
  for (const since of ['success', 'failure'] as const) {
    const embedder = failing(() => {
      ending.abort();
      return new Error('ended');
    });
    assert.deepEqual(await askModel(embedder, ['a boat'], { since, ending: ending.signal }), {
      status: 'ended',
    });
  }
});

/** A queue over a memory with these texts; `sleeps` are its waits, in milliseconds, each over at once. */
async function queued(t: TestContext, texts: readonly string[], embedder: ReturnType<typeof testEmbedder>) {
  const path = freshPath(t);
  const memory = openMemory(t, { path });
  for (const text of texts) await memory.archive(exchange(text));
  await memory.close();
  let at = 1_000;
  const sleeps: number[] = [];
  const clock: Clock = {
    ...systemClock,
    now: () => at,
    async sleep(ms) {
      sleeps.push(ms);
      at += ms;
    },
  };
  const { identity } = embedder;
  const newId = createIds(systemClock);
  const store = openStore({ path, clock, newId, identity });
  t.after(() => store.close());
  const { embeddings, retryWhileLocked } = store;
  if (embeddings === undefined) return assert.fail('expected the vectors of a model');
  const parts = { embeddings, embedder, clock, retryWhileLocked, logSettled: async () => {} };
  const queue = createEmbeddingQueue(parts);
  await until('no text without a vector', async () => embeddings.behind() === 0);
  await queue.end();
  return { embeddings, sleeps, calls: embedder.calls };
}

const boats = Array.from({ length: 7 }, (_, n) => `boat number ${n}`);

test('a text that the model refuses three times on its own is passed over with its reason, and every other text gets its vector', async (t) => {
  const embedder = failing((text) => (text.includes('poison') ? new Error('too odd') : undefined));
  embedder.atOnce = 8;
  const texts = boats.with(3, 'poison');
  const { embeddings, calls, sleeps } = await queued(t, texts, embedder);
  assert.equal(embeddings.count(), texts.length - 1);
  assert.deepEqual(embeddings.refused(), [{ words: 'too odd', texts: 1 }]);
  const single = calls.filter((call) => call.length === 1 && call[0]?.includes('poison'));
  assert.equal(single.length, 3);
  assert.deepEqual(sleeps, [], 'the model works: nothing waits for it');
  const sizes = calls.filter((call) => call[0] !== harmless).map((call) => call.length);
  assert.deepEqual(
    sizes,
    [7, 3, 3, 1, 1, 1, 3],
    'smaller and smaller, and a whole call once the odd one is passed over',
  );
});

test('a model that took single texts only gets larger calls again after 64 of them', async (t) => {
  const embedder = testEmbedder();
  const { embed } = embedder;
  let singles = 0;
  embedder.embed = async (texts, options) => {
    if (texts.length > 1 && singles < 64) throw new Error('one text a call');
    if (texts[0] !== harmless) singles += 1;
    return embed(texts, options);
  };
  const texts = Array.from({ length: 80 }, (_, n) => `boat number ${n}`);
  const { embeddings, calls } = await queued(t, texts, embedder);
  assert.equal(embeddings.count(), texts.length);
  const sizes = calls.filter((call) => call[0] !== harmless).map((call) => call.length);
  assert.deepEqual([sizes.slice(0, 64).every((size) => size === 1), Math.max(...sizes)], [true, 2]);
});

test('two texts that are refused are each tried three times, and each has its reason', async (t) => {
  const embedder = failing((text) =>
    text.includes('poison') ? new Error(`${text.slice(-1)} is odd`) : undefined,
  );
  embedder.atOnce = 2;
  const { embeddings, calls } = await queued(t, ['poison 1', 'poison 2', 'a boat'], embedder);
  for (const word of ['poison 1', 'poison 2'])
    assert.equal(calls.filter((call) => call.length === 1 && call[0]?.includes(word)).length, 3, word);
  assert.deepEqual([embeddings.count(), embeddings.refused().length], [1, 2]);
});

test('a text that the model dies of each time is passed over, after waits that do not grow, since the model comes back', async (t) => {
  let isDead = false;
  const embedder = testEmbedder();
  const { embed } = embedder;
  embedder.embed = async (texts, options) => {
    const vectors = await embed(texts, options);
    const poison = texts.some((text) => text.includes('poison'));
    if (poison) isDead = true;
    else if (texts[0] === harmless && embedder.calls.at(-2)?.[0] !== harmless && isDead) {
      isDead = false; // it is started again after it was found dead once
      throw new Error('connection refused');
    }
    if (poison) throw new Error('connection reset');
    return vectors;
  };
  embedder.atOnce = 2;
  const { embeddings, sleeps } = await queued(t, ['a cat', 'poison', 'a boat'], embedder);
  assert.equal(embeddings.count(), 2);
  const [refused] = embeddings.refused();
  assert.match(refused?.words ?? '', /^the model breaks off over it each time \(connection reset\)$/);
  assert.ok(sleeps.length >= 3);
  assert.ok(
    sleeps.slice(1).every((ms) => ms === 2_000),
    `it is left alone for two seconds each time, not longer and longer: ${sleeps.join()}`,
  );
});

test('a model that is away is asked again, twice as late each time, and what waited then gets its vectors', async (t) => {
  let failures = 4;
  const embedder = failing(() => (failures-- > 0 ? new Error('away') : undefined));
  const { embeddings, sleeps } = await queued(t, ['a cat', 'a boat'], embedder);
  assert.deepEqual(
    sleeps,
    [2_000, 4_000, 8_000],
    'the first failure is of the texts and of the harmless one',
  );
  assert.deepEqual([embeddings.count(), embeddings.refused()], [2, []]);
});
