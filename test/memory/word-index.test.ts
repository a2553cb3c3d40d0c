// Rows and words found by the index are those that full text finds, whatever was stored, changed, removed or taken back in between.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import Database from 'better-sqlite3';
import fc from 'fast-check';
import { systemClock } from '#base/clock.ts';
import { createIds } from '#base/ids.ts';
import { createWordIndex } from '#memory/chunks/word-index.ts';
import { openStore } from '#memory/store/store.ts';
import { matchOf, type WordQuery } from '#memory/tables/word-query.ts';
import { freshPath } from './open-memory.ts';

const vocabulary =
  'run running runner relational relate oper operator keller kellertür 12:30 7 café bäcker das ist 東京 о_о'.split(
    ' ',
  );
const word = fc.constantFrom(...vocabulary);
const text = fc.array(word, { minLength: 1, maxLength: 6 }).map((words) => words.join(' '));
const leaf: fc.Arbitrary<WordQuery> = fc.oneof(
  fc.record({
    type: fc.constant('word' as const),
    in: fc.constantFrom('text' as const, 'about' as const, 'scope' as const),
    word,
  }),
  fc.record({ type: fc.constant('opening' as const), letters: fc.constantFrom('kell', 'r', 'oper', 'run') }),
);
const query: fc.Arbitrary<WordQuery> = fc.letrec<{ query: WordQuery }>((tie) => ({
  query: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    leaf,
    fc.record({
      type: fc.constantFrom('any' as const, 'all' as const),
      of: fc.array(tie('query'), { minLength: 1, maxLength: 3 }),
    }),
    fc.record({ type: fc.constant('not' as const), is: tie('query'), but: tie('query') }),
  ),
})).query;
const step = fc.oneof(
  fc.record({
    do: fc.constantFrom('insert' as const, 'insert elsewhere' as const, 'take back' as const),
    said: text,
    about: text,
    scope: text,
  }),
  fc.record({ do: fc.constantFrom('remove' as const, 'remove elsewhere' as const), at: fc.nat(20) }),
  fc.record({
    do: fc.constantFrom('change' as const, 'change and take back' as const, 'change many' as const),
    at: fc.nat(20),
    said: text,
  }),
  fc.record({ do: fc.constant('ask' as const), query }),
);

function insert(database: Database.Database, row: { said: string; about: string; scope: string }): void {
  const { lastInsertRowid } = database
    .prepare(
      `INSERT INTO global_memory_chunks (id, audience, restricted, source, source_key, source_hash, content_hash, ordinal, at_ms,
         last_said_at_ms, created_at_ms, speaker, person, platform, chat, session_id, run_id, message_ids, token_count, analyzer,
         content, user_text, assistant_text, said_terms, answered_terms, about_terms, scope_terms, metadata)
       SELECT hex(randomblob(8)), 'person:1', 1, 'exchange', 'k', hex(randomblob(8)), hex(randomblob(8)), 0, 0, 0, 0, '', '', '', '', '', '',
         '[]', 0, 3, '', '', '', @said, '', @about, @scope, '{}'`,
    )
    .run(row);
  database
    .prepare(
      'INSERT INTO global_memory_fts (rowid, said_terms, answered_terms, about_terms, scope_terms) VALUES (?, ?, ?, ?, ?)',
    )
    .run(lastInsertRowid, row.said, '', row.about, row.scope);
}

test('the index finds the rows and words that full text finds, whatever was written in between and by whom', async (t) => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 25 }), async (steps) => {
      const path = freshPath(t);
      const store = openStore({ path, clock: systemClock, newId: createIds(systemClock) });
      const other = new Database(path);
      try {
        const index = createWordIndex(store.database);
        const change = ({ said, at }: { said: string; at: number }): void =>
          void store.database
            .prepare('UPDATE global_memory_chunks SET said_terms = ? WHERE row = ?')
            .run(said, at);
        for (const one of steps) {
          switch (one.do) {
            case 'insert':
              store.database.transaction(() => insert(store.database, one))();
              index.added();
              break;
            case 'insert elsewhere':
              insert(other, one);
              await undefined;
              break;
            case 'take back':
              assert.throws(
                store.database.transaction(() => {
                  insert(store.database, one);
                  assert.equal(index.now(), undefined);
                  throw new Error('taken back');
                }),
                /taken back/,
              );
              break;
            case 'remove':
              index.changes(one.at);
              store.database.prepare('DELETE FROM global_memory_chunks WHERE row = ?').run(one.at);
              break;
            case 'remove elsewhere':
              other.prepare('DELETE FROM global_memory_chunks WHERE row = ?').run(one.at);
              await undefined;
              break;
            case 'change':
              index.changes(one.at);
              change(one);
              break;
            case 'change and take back':
              assert.throws(
                store.database.transaction(() => {
                  index.changes(one.at);
                  change(one);
                  throw new Error('taken back');
                }),
                /taken back/,
              );
              break;
            case 'change many':
              change(one);
              index.changed();
              break;
            case 'ask': {
              const sql =
                'SELECT rowid FROM global_memory_fts WHERE global_memory_fts MATCH ? ORDER BY rowid DESC LIMIT 9';
              assert.deepEqual(
                index.now()?.rows(one.query, 9),
                store.database.prepare(sql).pluck().all(matchOf(one.query)),
              );
              const begun = "SELECT term FROM global_memory_words WHERE term >= ? AND term < ? || '~'";
              for (const opening of ['r', 'ru', 'op', 'ca'])
                assert.deepEqual(
                  index.now()?.wordsWith(opening).sort(),
                  store.database.prepare(begun).pluck().all(opening, opening),
                );
            }
          }
        }
      } finally {
        other.close();
        store.close();
      }
    }),
    { numRuns: 60 },
  );
});

test('a row that another connection removed is found no more', async (t) => {
  const path = freshPath(t);
  const store = openStore({ path, clock: systemClock, newId: createIds(systemClock) });
  t.after(() => store.close());
  const other = new Database(path);
  t.after(() => other.close());
  const index = createWordIndex(store.database);
  for (const said of ['run', 'run 7']) insert(store.database, { said, about: '', scope: '' });
  const runs: WordQuery = { type: 'word', in: 'text', word: 'run' };
  assert.deepEqual(index.now()?.rows(runs, 9), [2, 1]);
  other.prepare('DELETE FROM global_memory_chunks WHERE row = 1').run();
  await undefined;
  assert.deepEqual(index.now()?.rows(runs, 9), [2]);
});
