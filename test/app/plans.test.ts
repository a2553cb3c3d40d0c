// How SQLite finds what an exchange asks of the three databases once they are large: by an index, never by reading a whole table.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import Database from 'better-sqlite3';
import { chat } from '#app/commands/chat.ts';
import { addReadingFunctions } from '#memory/tables/audience.ts';
import { heardStatements, planOf } from '../support/plans.ts';
import { inputOf, openTerminal, type Terminal } from './terminal.ts';

const files = ['gateway.sqlite', 'engine.sqlite', 'memory.sqlite'];

/**
 * What may be read whole: one that is read only as far as its first row, or the list
 * of files that a look at the folder compares with every file there is.
 */
const small = new Set(['memory_tombstones', 'memory_files']);

async function talk(terminal: Terminal, ...lines: string[]): Promise<void> {
  const input = Readable.from(lines.map((line) => `${line}\n`));
  assert.equal(await chat(inputOf(terminal), { input, write: () => {} }), 0);
}

/** Tells SQLite that each table has ten thousand times its rows, of the same kinds. */
function growStatistics(path: string): void {
  const database = new Database(path);
  database.exec('ANALYZE');
  const rows = database.prepare<[], { id: number; stat: string; isUnique: number | null }>(
    'SELECT rowid AS id, stat, (SELECT "unique" FROM pragma_index_list(tbl) WHERE name = idx) AS isUnique FROM sqlite_stat1',
  );
  const set = database.prepare('UPDATE sqlite_stat1 SET stat = ? WHERE rowid = ?');
  for (const { id, stat, isUnique } of rows.all()) {
    const [all = '0', ...perKey] = stat.split(' ');
    const isKey = (place: number): boolean => isUnique === 1 && place === perKey.length - 1;
    const grown = perKey.map((each, place) => (each === all && !isKey(place) ? `${each}0000` : each));
    set.run([`${all}0000`, ...grown].join(' '), id);
  }
  database.exec('DROP TABLE IF EXISTS sqlite_stat4');
  database.close();
}

/** The tables that the statement reads whole. */
function readWhole(database: Database.Database, source: string): string[] {
  return planOf(database, source).flatMap((detail) => {
    const [, table] = /^SCAN (?!CONSTANT ROW)(\w+)\b(?! VIRTUAL TABLE)/.exec(detail) ?? [];
    const isPartial = /USING (?:COVERING )?INDEX/.test(detail) && / WHERE /.test(indexOf(database, detail));
    return table === undefined || small.has(table) || isPartial ? [] : [`${detail}: ${source}`];
  });
}

/** How the index of a plan's line was made. */
function indexOf(database: Database.Database, detail: string): string {
  const [, name = ''] = /INDEX (\w+)/.exec(detail) ?? [];
  const sql = database
    .prepare<[string], string | null>('SELECT sql FROM sqlite_schema WHERE name = ?')
    .pluck();
  return sql.get(name) ?? '';
}

test('no statement of an exchange reads a whole table, however large it has become', async (t) => {
  const terminal = openTerminal(t, { gateway: { debounceMs: 0, shutdownSeconds: 1 } });
  await talk(terminal, 'My bicycle is green.', 'My car is red.');
  for (const file of files) growStatistics(join(terminal.home, file));
  await terminal.start(); // which may read more
  const received = heardStatements(t);
  await talk(terminal, 'What colour is my bicycle?', 'My boat is blue.');
  t.mock.restoreAll();
  for (const file of files) {
    const sources = received.get(file) ?? new Set<string>();
    assert.ok(sources.size > 10, `${file} was asked`);
    const database = new Database(join(terminal.home, file), { readonly: true });
    addReadingFunctions(database, () => 0);
    const whole = [...sources].flatMap((source) => readWhole(database, source));
    database.close();
    assert.deepEqual(whole, [], file);
  }
});

/** Without statistics SQLite takes each table for one of a million rows. */
function dropStatistics(path: string): void {
  const database = new Database(path);
  for (const table of ['sqlite_stat1', 'sqlite_stat4']) database.exec(`DROP TABLE IF EXISTS ${table}`);
  database.close();
}

/** The tables of a list that are read past its page: a walk in the order of an index ends with the page, and a count reads an index only. */
function readPast(database: Database.Database, source: string): string[] {
  const isPage = /ORDER BY .*LIMIT/s.test(source);
  if (isPage && !planOf(database, source).some((detail) => detail.includes('TEMP B-TREE FOR ORDER BY')))
    return [];
  const isCount = /^SELECT count\(\*\)/.test(source);
  return readWhole(database, source).filter(
    (line) =>
      !(isCount && /^SCAN (?!global_memory_chunks).* USING COVERING INDEX/.test(line)) &&
      !/^SCAN each:/.test(line),
  );
}

test('no list of the console reads more of a memory or of conversations than its page (W3)', async (t) => {
  const budgets = { audience: { characters: 1_000_000, items: { fact: 9 } } };
  const terminal = openTerminal(t, { gateway: { debounceMs: 0, shutdownSeconds: 1 }, memory: { budgets } });
  await talk(terminal, 'My bicycle is green.', 'My car is red.');
  for (const file of files) dropStatistics(join(terminal.home, file));
  const { url } = await terminal.start();
  const headers = { authorization: `Bearer ${readFileSync(join(terminal.home, 'token'), 'utf8').trim()}` };
  const ask = async (path: string): Promise<unknown> => {
    const response = await fetch(url + path, { headers });
    assert.equal(response.status, 200, path);
    return response.json();
  };
  const { audiences } = (await ask('/memory/audiences')) as { audiences: { audience: string }[] };
  const audience = encodeURIComponent(audiences[0]?.audience ?? '');
  const sessions = '/session?order=updated&page=1&page_size=50';
  const wrong: string[] = [];
  for (const path of [
    ...['/memory/audiences', `/memory/budgets?audience=${audience}`, `/memory/audit?audience=${audience}`],
    ...[`/memory?audience=${audience}`, `/memory?audience=${audience}&q=bicycle`],
    `/memory/journal?audience=${audience}`,
    ...[`${sessions}&archived=false`, `${sessions}&archived=all`, `${sessions}&platform=terminal`],
    ...[
      `${sessions}&chat=terminal`,
      `${sessions}&person=you`,
      `${sessions}&text=car`,
      '/runs?page=1&page_size=50',
      '/schedule',
      '/status',
    ],
  ]) {
    const received = heardStatements(t);
    await ask(path);
    t.mock.restoreAll();
    assert.ok(received.size > 0, `${path} asks no database`);
    for (const [file, sources] of received) {
      const database = new Database(join(terminal.home, file), { readonly: true });
      addReadingFunctions(database, () => 0);
      for (const source of sources)
        wrong.push(
          ...readPast(database, source)
            // of the status only what grows with the memory is looked at: it is read again and again
            .filter((line) => path !== '/status' || line.includes('global_memory_chunks'))
            .map((line) => `${path} ${line}`),
        );
      database.close();
    }
  }
  assert.deepEqual(wrong, []);
});
