// What is kept of a scope's words is at every moment what the index itself says, whoever writes and whatever is taken back.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import Database from 'better-sqlite3';
import fc from 'fast-check';
import { createMemory } from '#memory/memory.ts';
import { readableBy } from '#memory/store/audience.ts';
import { createChanges } from '#memory/store/changes.ts';
import { createPostings } from '#memory/store/postings.ts';
import { fullTextForm, isPlain } from '#memory/store/recent-rows.ts';
import { indexText } from '#memory/store/tokens.ts';
import type { Scope } from '#memory/terms/scope.ts';
import { clockOf } from '../../support/clock-of.ts';
import { exchange, found, freshPath, mine, openMemory } from '../open-memory.ts';

const word = fc.constantFrom(
  ...'boat boats boating universal universe generalization agreement agreed flies flying 2026 naïve straße 東京 東京都 running x1 c++ ใจดี हिन्दी'.split(
    ' ',
  ),
);
const sentence = fc.array(word, { minLength: 1, maxLength: 6 }).map((words) => `${words.join(' ')}.`);
const place = fc.constantFrom('person:per_1', 'person:per_2', 'room:slack:room:T:-:C:-');
const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ say: sentence, audience: place, by: fc.constantFrom('me', 'another') }),
  },
  { weight: 1, arbitrary: fc.record({ forget: word, by: fc.constantFrom('me', 'another') }) },
  { weight: 4, arbitrary: fc.record({ ask: sentence }) },
);
const scope: Scope = { audiences: ['person:per_1', 'room:slack:room:T:-:C:-'], spaces: [], everyone: false };

test('M36: searches through what is kept find what a fresh look finds, after writes and removals of this process and of others', async (t) => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), async (steps) => {
      const memory = openMemory(t);
      const another = openMemory(t, { path: memory.path });
      for (const [index, act] of steps.entries()) {
        if ('say' in act) {
          const where = { audience: act.audience, restricted: true };
          const writer = act.by === 'me' ? memory : another;
          await writer.archive(exchange(act.say, { key: `run_${index}`, where }));
        } else if ('forget' in act) {
          const remover = act.by === 'me' ? memory : another;
          await remover.forget({ selection: { words: act.forget }, scope, mode: 'forget' });
        } else {
          const fresh = openMemory(t, { path: memory.path });
          const query = { text: act.ask, scope, limit: 50 };
          assert.deepEqual(await memory.search(query), await fresh.search(query));
          await fresh.close();
        }
      }
      await Promise.all([memory.close(), another.close()]);
    }),
    { numRuns: 6 },
  );
});

test('a misspelt word finds what it meant also when another process said it after the words were looked up', async (t) => {
  const memory = openMemory(t);
  const another = openMemory(t, { path: memory.path });
  await memory.archive(exchange('The bicycle is in the shed', { key: 'run_1' }));
  assert.equal((await found(memory, 'bycicle')).length, 1);
  assert.equal((await found(memory, 'biscit')).length, 0);
  await another.archive(exchange('We had a biscuit', { key: 'run_2' }));
  assert.equal((await found(memory, 'biscit')).length, 1);
});

test('a row of a transaction that was taken back is never found, and neither hides nor lends its words to the next one', async (t) => {
  const path = freshPath(t);
  const memory = openMemory(t, { path });
  await memory.archive(exchange('My boat is green'));
  await memory.close();
  const database = new Database(path);
  t.after(() => database.close());
  const postings = createPostings(database, createChanges(database));
  const readable = readableBy(mine);
  assert.deepEqual([...postings.in(readable).rowsOf('boat').rows], [1]);
  postings.added(2, { words: ['boat red'], scope: readable.words.join(' ') });
  assert.deepEqual([...postings.in(readable).rowsOf('boat').rows], [1]);
  const again = createMemory({ path, clock: clockOf(() => 1), newId: () => 'mem_2' });
  await again.archive(exchange('My bicycle is blue', { key: 'run_2' }));
  await again.close();
  assert.deepEqual([...postings.in(readable).rowsOf('boat').rows], [1]);
  assert.deepEqual([...postings.in(readable).rowsOf('red').rows], []);
  assert.deepEqual([...postings.in(readable).rowsOf('blue').rows], [2]);
  assert.equal(postings.in(readable).total, 2);
});

test('a plain word has the form that the index gives it', (t) => {
  const memory = openMemory(t);
  const database = new Database(memory.path);
  t.after(() => database.close());
  const text =
    'universal universities generalizations hopefully agreeing conditional sensibilities nationalised skies dying lying replies ' +
    'happily electricity operators possibly adjustment controlling 1st 22nd x2y 2026 running easily feed oed bled';
  const put = database.prepare('INSERT INTO global_memory_fts (rowid, said_terms) VALUES (1, ?)');
  const forms = indexText(text).split(/\s+/).filter(isPlain);
  put.run(forms.join(' '));
  const indexed = database.prepare<[], string>('SELECT term FROM global_memory_words').pluck().all();
  assert.deepEqual([...new Set(forms.map(fullTextForm))].sort(), indexed.sort());
});
