// A full-text index that is damaged or gone, as the owner of a memory meets it: nothing is lost, and no backup is needed.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import Database from 'better-sqlite3';
import { openTerminal } from './terminal.ts';

async function openWard(t: TestContext) {
  const terminal = openTerminal(t);
  for (const text of ['The greenhouse key hangs behind the xylophone', 'My bicycle is green'])
    assert.equal((await terminal.call('memory', 'put', text)).code, 0);
  return {
    ...terminal,
    run: (...words: string[]) => terminal.call('memory', ...words),
    /** Runs SQL that SQLite refuses to programs that are not out to do harm. */
    harm(sql: string): void {
      const file = new Database(join(terminal.home, 'memory.sqlite'));
      file.unsafeMode(true);
      file.exec(sql);
      file.close();
    },
  };
}

const spoilt = "UPDATE global_memory_fts_data SET block = x'0102030405' WHERE id > 10";
const recordsSpoilt = "UPDATE memory_records_fts_data SET block = x'0102030405' WHERE id > 10";

test('a search that meets a damaged full-text index finds by LIKE and says so, and the next one finds as before', async (t) => {
  const { run, harm } = await openWard(t);
  harm(spoilt);
  const first = await run('search', 'xylophone');
  assert.match(first.out, /The greenhouse key hangs/);
  assert.match(first.out, /^Not everything was searched: full text damaged: searched with LIKE/m);
  const next = await run('search', 'xylophone');
  assert.match(next.out, /The greenhouse key hangs/);
  assert.doesNotMatch(next.out, /Not everything/);
  assert.equal((await run('verify')).out, 'All fits together, and no trace was found.\n');
});

test('a damaged full-text index stops neither writing nor forgetting nor a search in records', async (t) => {
  const { run, harm } = await openWard(t);
  harm(spoilt);
  harm(recordsSpoilt);
  assert.match((await run('search', 'xylophone', '--records')).out, /The greenhouse key hangs/);
  harm(spoilt);
  assert.equal((await run('put', 'The boat is red')).code, 0);
  harm(spoilt);
  assert.match((await run('forget', '--contains', 'xylophone', '--apply')).out, /^1 entry is forgotten\.$/m);
  assert.match((await run('search', 'boat')).out, /The boat is red/);
  assert.equal((await run('verify', 'xylophone')).out, 'All fits together, and no trace was found.\n');
});

test('a full-text table that is gone is made again by the next program that opens the memory', async (t) => {
  for (const sql of [
    'DROP TABLE global_memory_fts',
    'DROP TABLE global_memory_fts_data',
    'DROP TABLE global_memory_words',
    'DROP TABLE memory_records_fts',
  ]) {
    const { run, harm } = await openWard(t);
    harm(sql);
    assert.match((await run('search', 'xylophone')).out, /The greenhouse key hangs/, sql);
    assert.match((await run('search', 'xylophone', '--records')).out, /The greenhouse key hangs/, sql);
    assert.equal((await run('verify')).out, 'All fits together, and no trace was found.\n', sql);
  }
});

test('the doctor names the command that heals a damaged full-text index, and it does', async (t) => {
  const { run, harm, call } = await openWard(t);
  harm(spoilt);
  const { code, out } = await call('doctor');
  assert.equal(code, 1);
  assert.match(
    out.replace(/\s+/g, ' '),
    /the full text does not fit the chunks.*Run "parley memory reindex"/,
  );
  assert.doesNotMatch(out.replace(/\s+/g, ' '), /memory\.sqlite is damaged|start empty/);
  assert.equal((await run('reindex')).code, 0);
  assert.doesNotMatch((await call('doctor')).out, /full text/);
});
