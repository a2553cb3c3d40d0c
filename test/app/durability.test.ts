// The docs' table of what survives, checked against the databases and the system calls of the program itself.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { systemClock } from '#base/clock.ts';
import { openSqlite } from '#base/sqlite/sqlite.ts';
import { tempFolder } from '../support/temp-folder.ts';

const root = join(import.meta.dirname, '..', '..');
const writer = join(import.meta.dirname, 'committer.ts');
const commits = 20;

test('a database is in WAL mode and does not stand still for the disk at every commit', (t) => {
  const path = join(tempFolder(t), 'a.sqlite');
  const database = openSqlite({ path, migrations: [], clock: systemClock });
  t.after(() => database.close());
  assert.equal(database.pragma('journal_mode', { simple: true }), 'wal');
  assert.equal(database.pragma('synchronous', { simple: true }), 1);
});

for (const name of ['gateway', 'engine', 'memory'] as const) {
  test(`${name}.sqlite asks the disk for its log as often as the docs say`, (t) => {
    const readme = readFileSync(join(root, 'docs', 'running.md'), 'utf8');
    const row = new RegExp(`^\\| \`${name}\\.sqlite\` .*\`synchronous = NORMAL\`.*`, 'm').exec(readme);
    assert.ok(row !== null, `docs/running.md has no row of ${name}.sqlite`);
    const trace = join(tempFolder(t), 'trace');
    // only the calls that are counted stop the program, not every one
    const call = [
      '-f',
      '--seccomp-bpf',
      '-y',
      '-e',
      'trace=fsync,fdatasync',
      '-o',
      trace,
      process.execPath,
      writer,
      name,
    ];
    const run = spawnSync('strace', [...call, tempFolder(t), String(commits)], { encoding: 'utf8' });
    if (run.error !== undefined) return t.skip('no strace is installed here to count the calls');
    assert.equal(run.status, 0, run.stderr);
    const ofLog = new RegExp(`\\b(fsync|fdatasync)\\(\\d+<[^>]*/${name}\\.sqlite-wal>`, 'g');
    const synced = readFileSync(trace, 'utf8').match(ofLog)?.length ?? 0;
    if (row[0].includes('`fdatasync` of the log'))
      assert.ok(synced >= commits, `${synced} waits for ${commits} commits`);
    else assert.ok(synced < commits, `${synced} waits for ${commits} commits`);
  });
}
