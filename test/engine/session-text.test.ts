// How conversations are found by a text in them: as a comparison with every part would find them, without making it.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type Database from 'better-sqlite3';
import { openEngineDatabase } from '#engine/database.ts';
import { createPartRows } from '#engine/sessions/part-rows.ts';
import { createPartWords } from '#engine/sessions/part-words.ts';
import { createSessionRows } from '#engine/sessions/session-rows.ts';
import { clockOf } from '../support/clock-of.ts';
import { heardStatements, planOf } from '../support/plans.ts';
import { tempFolder } from '../support/temp-folder.ts';

const clock = clockOf(() => 1);
const file = 'engine.sqlite';

/** A session `ses_N` of one message `msg_N` for each text, which is the part `prt_N`. */
function write(path: string, texts: readonly string[]): void {
  const database = openEngineDatabase(path, clock);
  insert(database, texts);
  indexAll(database);
  database.close();
}

function insert(database: Database.Database, texts: readonly string[]): void {
  const session = database.prepare(
    'INSERT INTO sessions (id, created_at_ms, updated_at_ms) VALUES (?, 1, 1)',
  );
  const message = database.prepare(
    "INSERT INTO messages (id, session_id, role, created_at_ms) VALUES (?, ?, 'user', 1)",
  );
  const parts = createPartRows(database);
  database.transaction(() => {
    for (const [at, text] of texts.entries()) {
      session.run(`ses_${at}`);
      message.run(`msg_${at}`, `ses_${at}`);
      parts.insert(`msg_${at}`, { id: `prt_${at}`, type: 'text', text });
      if (at === 0) parts.insert('msg_0', { id: 'prt_thought', type: 'reasoning', text: 'a zeppelin' });
    }
  })();
}

function indexAll(database: Database.Database): void {
  const words = createPartWords(database);
  while (database.transaction(words.indexSome)());
}

const texts = [
  'The Boat is called Tern.',
  'the boat is CALLED tern, 100% of it_all',
  'She said "boat" \\ and left; it\'s NEAR (x AND y) OR z*',
  'Größe und GRÖSSE, Straße',
  '日本語の文章',
  'a👩‍👩‍👧b',
  'a\u0000boat',
  'xy',
  '',
];

test('a search finds the conversations that a comparison with each text finds, in any case of ASCII letters', (t) => {
  const path = join(tempFolder(t), file);
  write(path, texts);
  const database = openEngineDatabase(path, clock);
  t.after(() => database.close());
  const rows = createSessionRows(database);
  const like = database
    .prepare<[string], string>(
      `SELECT m.session_id FROM parts p JOIN messages m ON m.id = p.message_id
       WHERE p.type = 'text' AND p.text LIKE '%' || ? || '%' ESCAPE '\\' ORDER BY m.session_id`,
    )
    .pluck();
  let found = 0;
  for (const part of [
    ...[
      'boat',
      'BOAT',
      'tern.',
      'ern,',
      '100%',
      '0% o',
      't_a',
      'tXa',
      '"boat"',
      '" \\ a',
      "it's",
      'x AND y',
      'z*',
    ],
    ...[
      'größe',
      'GRÖSSE',
      'grösse',
      'straße',
      '日本語',
      '語の',
      '👩‍👩',
      '👧b',
      'x',
      'xy',
      'xyz',
      'a\u0000boat',
      'a',
      ' ',
      '',
    ],
    ...['zeppelin', 'called tern, 100% of it_all', 'the boat is called tern', 'boat'.repeat(3_000)],
  ]) {
    const expected = like.all(part.replace(/[\\%_]/g, '\\$&'));
    const filter = { text: part };
    const ids = rows.page(filter, { limit: 50, offset: 0 }).map(({ id }) => id);
    assert.deepEqual(ids.toSorted(), expected, part);
    assert.equal(rows.count(filter), expected.length, part);
    found += expected.length;
  }
  assert.ok(found > 20);
  assert.equal(rows.count({ text: 'zeppelin' }), 0, 'what a model thought is not searched');
});

test('a text that is replaced or removed leaves the index, and no bytes of it are in the file', (t) => {
  const folder = tempFolder(t);
  const path = join(folder, file);
  // FTS5 stores three characters as a term: of these no other term shares a byte after the first
  const secrets = ['ᚠᛇᚻ', '☃♞⚓'];
  const bytesOf = (secret: string): number =>
    readdirSync(folder).filter((each) =>
      readFileSync(join(folder, each)).includes(Buffer.from(secret).subarray(1)),
    ).length;
  write(path, [...secrets, ...Array.from({ length: 500 }, (_, at) => `Message ${at} of many.`)]);
  assert.deepEqual(secrets.map(bytesOf), [1, 1]);
  const database = openEngineDatabase(path, clock);
  const parts = createPartRows(database);
  parts.setText('prt_0', 'Gone.');
  parts.remove('prt_1');
  for (const id of ['prt_new', 'prt_newer'])
    parts.insert('msg_0', { id, type: 'text', text: 'Not indexed yet' });
  parts.setText('prt_new', 'Changed before that');
  parts.remove('prt_newer');
  indexAll(database);
  const rows = createSessionRows(database);
  assert.deepEqual(
    [...secrets, 'Gone.', 'of many', 'Not indexed', 'Changed before'].map((text) => rows.count({ text })),
    [0, 0, 1, 500, 0, 1],
  );
  database.exec("INSERT INTO part_words (part_words) VALUES ('integrity-check')");
  database.close();
  assert.deepEqual(secrets.map(bytesOf), [0, 0]);
});

test('a search in 100,000 parts reads those that may hold the text, and is much faster than a comparison with all', (t) => {
  const path = join(tempFolder(t), file);
  write(
    path,
    Array.from(
      { length: 100_000 },
      (_, at) => `Message ${at} speaks of boats.${at === 70_000 ? ' A walrus!' : ''}`,
    ),
  );
  const database = openEngineDatabase(path, clock);
  t.after(() => database.close());
  const rows = createSessionRows(database);
  const received = heardStatements(t);
  const tookMs = (text: string): number => {
    const started = performance.now();
    assert.deepEqual(
      [rows.page({ text }, { limit: 50, offset: 0 }).map(({ id }) => id), rows.count({ text })],
      [['ses_70000'], 1],
    );
    return performance.now() - started;
  };
  const [indexed, compared] = [tookMs('WALRUS'), tookMs('s!')];
  t.mock.restoreAll();
  const plans = [...(received.get(file) ?? [])]
    .filter((source) => source.includes('part_words'))
    .map((source) => planOf(database, source).join('\n'));
  assert.equal(plans.length, 2);
  for (const plan of plans) {
    assert.match(plan, /w VIRTUAL TABLE INDEX 0:M/);
    assert.match(plan, /SEARCH p USING INTEGER PRIMARY KEY/);
    assert.doesNotMatch(plan, /SCAN (p|m|messages|parts|sessions)\b/);
  }
  t.diagnostic(`${indexed.toFixed(1)} ms by the index, ${compared.toFixed(1)} ms by comparing`);
  assert.ok(indexed * 5 < compared, `${indexed} ms against ${compared} ms`);
});
