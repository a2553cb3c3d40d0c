// A home folder that was made before 0.1: every command that would open it refuses, says what to do, and leaves it as it is.
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { systemClock } from '#base/clock.ts';
import { openSqlite } from '#base/sqlite/sqlite.ts';
import { addReadingFunctions } from '#memory/tables/audience.ts';
import { migrations } from '#memory/tables/schema.ts';
import { openTerminal } from './terminal.ts';

const databases = ['engine', 'gateway', 'memory'].map((name) => `${name}.sqlite`);

test('a home folder from before 0.1 is refused by start and by what reads it, with what to do, and stays as it is', async (t) => {
  const { call, home } = openTerminal(t, { engine: { port: 0 } });
  mkdirSync(home, { recursive: true });
  for (const name of databases)
    writeFileSync(
      join(home, name),
      gunzipSync(readFileSync(join(import.meta.dirname, 'earlier-home', `${name}.gz`))),
    );
  const content = () => databases.map((name) => readFileSync(join(home, name)));
  const before = content();
  for (const words of [['start'], ['memory', 'list'], ['sessions', 'list'], ['people', 'list']]) {
    const { code, err } = await call(...words);
    assert.equal(code, 1, words.join(' '));
    assert.match(err, /\.sqlite was made by a version of Parley before 0\.1/, words.join(' '));
    assert.match(err, /Nothing was changed\. Run `parley export DIR` with the version that made it/);
  }
  assert.deepEqual(content(), before);
});

test('a home folder whose tables another build before 0.1 made is refused in the same words, and not where a column is missed', async (t) => {
  const { call, home } = openTerminal(t, { engine: { port: 0 } });
  mkdirSync(home, { recursive: true });
  const path = join(home, 'memory.sqlite');
  const [tables] = migrations;
  assert.ok(typeof tables?.up === 'string');
  const up = tables.up.replace(/^ {2}side INTEGER NOT NULL,\n/m, '');
  assert.notEqual(up, tables.up);
  const made = { path, migrations: [{ name: 'the tables of 0.1', up }], clock: systemClock };
  openSqlite({ ...made, prepare: (opened) => addReadingFunctions(opened, () => 0) }).close();
  const before = readFileSync(path);
  for (const words of [['start'], ['memory', 'list']]) {
    const { code, err } = await call(...words);
    assert.equal(code, 1, words.join(' '));
    assert.match(err, /memory\.sqlite was made by a version of Parley before 0\.1/, words.join(' '));
  }
  assert.deepEqual(readFileSync(path), before);
});
