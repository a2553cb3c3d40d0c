// The page of the tables of memory.sqlite, and other programs that open the file: Debian's sqlite3 and Python.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import Database from 'better-sqlite3';
import { systemClock } from '#base/clock.ts';
import { createIds } from '#base/ids.ts';
import { openSignIns } from '#console/sign-ins.ts';
import { exchange, mine, openMemory } from './memory/open-memory.ts';
import { engineDatabase, gatewayDatabase, memoryDatabase, putEmpty } from './support/empty-database.ts';
import { tempFolder } from './support/temp-folder.ts';

const page = readFileSync(join(import.meta.dirname, '..', 'docs', 'data.md'), 'utf8');

/** The tables and views that the page names. */
function named(): string[] {
  const cells = [...page.matchAll(/^\| (`.*?) \|/gm)].flatMap(([, cell = '']) => cell.split(', '));
  return [...cells.map((name) => name.replaceAll('`', '')), 'schema_migrations'].sort();
}

/** A closed memory with a passage and what forgetting another one left. */
async function written(t: TestContext): Promise<string> {
  const memory = openMemory(t);
  await memory.archive(exchange('My bike is green'));
  await memory.archive(exchange('My boat is red'));
  await memory.forget({ scope: mine, selection: { words: 'boat' }, mode: 'forget', proof: 'none' });
  await memory.put({
    ...{ kind: 'note', text: 'The bike is in the shed', at: 0, tier: 'project', projectID: 'prj_1' },
    ...{ speaker: { person: 'per_1', name: 'you' }, where: { audience: 'person:per_1', restricted: true } },
    ...{ platform: 'api', chat: 'api', sessionID: '', runID: '', messageIDs: [] },
  });
  await memory.close();
  const database = new Database(memory.path);
  database.exec(
    `INSERT INTO memory_file_lines (folder, hash, person, session_id, run_id) VALUES ('f', 'h', 'per_1', 'ses_1', 'run_1')`,
  );
  database.close();
  return memory.path;
}

test('the page of the tables names every table and view of memory.sqlite, and no other', async (t) => {
  const database = new Database(await written(t), { readonly: true });
  t.after(() => database.close());
  const names = database
    .prepare<[], string>(
      `SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite_%'
         AND name NOT GLOB '*_fts_*' AND name NOT GLOB 'journal_words_*' ORDER BY name`,
    )
    .pluck()
    .all();
  assert.deepEqual(named(), names);
});

test('each table without rowids begins with the columns of its primary key, in their order: SQLite 3.40 finds a NULL in others where there is none', (t) => {
  const folder = tempFolder(t);
  let tables = 0;
  const consoleDatabase = (path: string) =>
    openSignIns({ path, clock: systemClock, newId: createIds(systemClock) }).close();
  const all = { engineDatabase, gatewayDatabase, memoryDatabase, consoleDatabase };
  for (const [name, make] of Object.entries(all)) {
    const path = join(folder, `${name}.sqlite`);
    putEmpty(make, path);
    const database = new Database(path, { readonly: true });
    const without = database
      .prepare<[], string>("SELECT name FROM pragma_table_list WHERE wr = 1 AND schema = 'main'")
      .pluck()
      .all();
    for (const table of without) {
      const columns = database
        .prepare<[string], number>('SELECT pk FROM pragma_table_info(?) ORDER BY cid')
        .pluck()
        .all(table);
      const keys = columns.filter((pk) => pk > 0);
      assert.deepEqual(
        columns.slice(0, keys.length),
        keys.toSorted((a, b) => a - b),
        table,
      );
      tables += 1;
    }
    database.close();
  }
  assert.ok(tables > 20, `${tables} tables`);
});

const python = `import sqlite3, sys
open = sqlite3.connect(sys.argv[1])
for sql in sys.argv[2:]: print(*[row[0] for row in open.execute(sql)], sep="\\n")`;

const programs = {
  sqlite3: (path: string, sql: readonly string[]) => ['sqlite3', path, ...sql],
  python3: (path: string, sql: readonly string[]) => ['python3', '-c', python, path, ...sql],
};

for (const [name, call] of Object.entries(programs)) {
  const isMissing = spawnSync(name, ['--version']).status !== 0;
  const skip = isMissing ? `${name} is not installed: apt-get install ${name}` : false;
  test(`an outsider opens memory.sqlite with ${name}`, { skip }, async (t) => {
    const path = await written(t);
    const asked = (file: string, ...sql: string[]): string[] => {
      const [program = '', ...words] = call(file, sql);
      const { stdout, stderr } = spawnSync(program, words, { encoding: 'utf8' });
      assert.equal(stderr, '');
      return stdout.trim().split('\n');
    };
    assert.deepEqual(
      asked(
        path,
        'PRAGMA integrity_check',
        'SELECT count(*) FROM global_memory_chunks',
        "SELECT content FROM global_memory_chunks WHERE tier = 'global' AND content LIKE '%bike%'",
        'SELECT content FROM project_memory_chunks',
        'SELECT count(*) FROM session_memory_chunks',
        'SELECT count(*) FROM global_memory_vectors',
      ),
      ['ok', '2', 'you said: My bike is green', 'The bike is in the shed', '0', '0'],
    );
    const [, fullTexts = ''] = /the full texts \(([^)]+)\) need/.exec(page) ?? [];
    const readable = named().filter((name) => !fullTexts.includes(`\`${name}\``));
    assert.equal(named().length - readable.length, 4);
    const counts = readable.map((name) => `SELECT count(*) FROM ${name}`);
    assert.equal(asked(path, ...counts).length, readable.length);
    const copy = `${path}.copy`;
    const database = new Database(path);
    database.exec(`VACUUM INTO '${copy}'`);
    database.close();
    const shown = [...page.matchAll(/^\$ sqlite3 copy\.sqlite "(.*)"$/gm)].map(([, sql = '']) => sql);
    assert.equal(shown.length, 3);
    // each statement in one connection, as a program would
    const answers = asked(copy, ...shown).filter((line) => line !== '');
    assert.deepEqual(answers.sort(), ['The bike is in the shed', 'you said: My bike is green']);
  });
}
