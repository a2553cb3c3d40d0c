// A restore and whatever else works with the databases of the same home folder: one waits for the other, or is refused with a reason.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import Database from 'better-sqlite3';
import { restoreBackup } from '#app/backup/restore.ts';
import { loadConfig } from '#app/config/load.ts';
import { lockHome } from '#app/home/home-lock.ts';
import { keepHome, shareHome } from '#app/home/home-share.ts';
import { clockOf } from '../../support/clock-of.ts';
import { found } from '../../support/found.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { openStage } from '../stage.ts';

async function filled(t: TestContext) {
  const channelSet = await openStage(t, { platforms: [] });
  const run = async (...words: string[]): Promise<{ code: unknown; said: string }> => {
    const program = channelSet.run(...words);
    return { code: await program.ended, said: program.said() };
  };
  const backup = join(channelSet.folder, 'backup');
  assert.equal((await run('memory', 'put', 'What was written before the backup.')).code, 0);
  assert.equal((await run('backup', backup)).code, 0);
  assert.equal((await run('memory', 'put', 'What was written after the backup.')).code, 0);
  return { ...channelSet, run, backup };
}

test('a home folder that does not exist is shared without being made', (t) => {
  const home = join(tempFolder(t), 'home');
  shareHome(home).release();
  assert.ok(!existsSync(home));
});

test('the file by which a home folder is shared can be read by nobody else', (t) => {
  const home = tempFolder(t);
  shareHome(home).release();
  for (const name of readdirSync(home)) assert.equal(statSync(join(home, name)).mode & 0o077, 0, name);
  assert.equal(readdirSync(home).length, 1);
});

test('many share a home folder at once, nobody while it is held, and nobody one whose restore was cut off', (t) => {
  const home = tempFolder(t);
  const [one, two] = [shareHome(home, 0), shareHome(home, 0)];
  one.release();
  assert.throws(() => keepHome(home, 0), { code: 'home_in_use' });
  two.release();
  const saved = keepHome(home, 0);
  assert.throws(() => shareHome(home, 0), { code: 'home_in_use' });
  assert.throws(() => keepHome(home, 0), { code: 'home_in_use' });
  saved.release();
  writeFileSync(join(home, 'restore.unfinished'), '/backup\n');
  assert.throws(() => shareHome(home, 0), { code: 'restore_unfinished' });
  keepHome(home, 0).release();
});

test('a restore exchanges nothing while another command works with the databases, says so and leaves all as it is', async (t) => {
  const { home, run, backup } = await filled(t);
  const shared = shareHome(home);
  const refused = await run('restore', backup, '--replace');
  assert.equal(refused.code, 1);
  assert.match(
    refused.said,
    /Another command of Parley works in the home folder .*\nWait until it has ended/,
  );
  assert.doesNotMatch(refused.said, /\d of \d+/, 'before the backup is read');
  assert.deepEqual(
    readdirSync(home).filter((name) => !name.endsWith('lock.sqlite')),
    ['memory.sqlite'],
  );
  shared.release();
  assert.equal((await run('restore', backup, '--replace')).code, 0);
  const { said } = await run('memory', 'list');
  assert.match(said, /written before/);
  assert.doesNotMatch(said, /said after/);
});

test('a restore that waits for another command moves what is there when that has ended', async (t) => {
  const { home, run, backup } = await filled(t);
  const shared = shareHome(home);
  const database = new Database(join(home, 'engine.sqlite'));
  t.after(() => database.close());
  database.exec('PRAGMA journal_mode = WAL; CREATE TABLE sessions (id)'); // from this moment there is a log next to it
  const restored = run('restore', backup, '--replace');
  await found('the restore', () => {
    try {
      lockHome(home, 'engine').release();
      return undefined;
    } catch {
      return true; // it has the home folder
    }
  });
  database.close(); // and from this moment there is none
  shared.release();
  const { code, said } = await restored;
  assert.equal(code, 0, said);
  assert.match((await run('memory', 'list')).said, /written before/);
});

test('two restores one after the other within a second both end well, and keep what they replace', async (t) => {
  const { folder, home, run, backup } = await filled(t);
  await run('memory', 'put', 'What the first one replaces.');
  const config = loadConfig({ folder, variables: {} });
  const clock = clockOf(() => Date.UTC(2026, 10, 23));
  const restored = () => restoreBackup({ home: config.home, folder: backup, over: 'replace', clock });
  const one = await restored();
  const two = await restored();
  assert.notEqual(one.replaced, two.replaced);
  for (const { replaced } of [one, two]) assert.ok(existsSync(join(replaced ?? '', 'memory.sqlite')));
  assert.ok(!existsSync(join(home, 'restore.unfinished')));
});

test('while a restore exchanges the databases, memory, backup and doctor open none of them, and say so', async (t) => {
  const { folder, home, run } = await filled(t);
  const saved = keepHome(home);
  const calls = [
    ['memory', 'put', 'Too early.'],
    ['memory', 'status'],
    ['backup', join(folder, 'b')],
    ['doctor'],
  ];
  for (const { code, said } of await Promise.all(calls.map((words) => run(...words)))) {
    assert.equal(code, 1, said);
    assert.match(said, /A restore works in\s+the home folder/);
  }
  saved.release();
  assert.equal((await run('memory', 'put', 'In time.')).code, 0);
});
