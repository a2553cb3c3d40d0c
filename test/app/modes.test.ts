// Who may read what the program writes: only its owner, whatever the system would allow and whatever was there before.
import assert from 'node:assert/strict';
import { chmodSync, lstatSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { type TestContext, test } from 'node:test';
import { writeBackup } from '#app/backup/write.ts';
import { systemClock } from '#base/clock.ts';
import { found } from '../support/found.ts';
import { openHouse } from './house.ts';
import { openTerminal } from './terminal.ts';

const you = { platform: 'discord', chat: 'dm', user: 'you' } as const;

/** Until the test ends, what is made without a mode is open to everyone. */
function allowEverything(t: TestContext): void {
  const before = process.umask(0);
  t.after(() => process.umask(before));
}

/** The folder and all in it that another user may read, as `name mode`. */
function openIn(folder: string): string[] {
  const all = ['', ...readdirSync(folder, { recursive: true, encoding: 'utf8' })];
  return all
    .map((name) => join(folder, name))
    .filter((path) => (lstatSync(path).mode & 0o077) !== 0)
    .map((path) => `${relative(folder, path)} ${(lstatSync(path).mode & 0o777).toString(8)}`);
}

test('all that a running program has in its home folder is its owner\u2019s alone, also where home and databases were open before', async (t) => {
  allowEverything(t);
  const house = await openHouse(t);
  await house.ready('discord');
  await house.ask(you, 'My bicycle is green.');
  await house.ask(you, 'What is this?', [
    { name: 'note.txt', mime: 'text/plain', bytes: Buffer.from('A note.') },
  ]);
  await found('files of a run', () =>
    readdirSync(house.home, { recursive: true, encoding: 'utf8' }).find((name) =>
      name.endsWith('events.jsonl'),
    ),
  );
  const names = readdirSync(house.home, { recursive: true, encoding: 'utf8' });
  for (const name of ['engine.sqlite', 'gateway.sqlite-wal', 'memory.sqlite-shm', 'lock.sqlite', 'token'])
    assert.ok(names.includes(name), name);
  assert.deepEqual(openIn(house.home), []);
  for (const name of ['', 'engine.sqlite', 'engine.sqlite-wal', 'lock.sqlite'])
    chmodSync(join(house.home, name), 0o777);
  await house.restart();
  assert.deepEqual(openIn(house.home), []);
  const folder = join(house.folder, 'backup');
  await writeBackup({ home: house.home, folder, clock: systemClock });
  assert.deepEqual(openIn(folder), []);
});

test('a command makes the home folder and its databases for the owner alone', async (t) => {
  const before = process.umask();
  const terminal = openTerminal(t);
  assert.equal((await terminal.call('memory', 'put', 'My bicycle is green.')).code, 0);
  await terminal.call('sessions', 'list');
  assert.ok(readdirSync(terminal.home).includes('memory.sqlite'));
  assert.deepEqual(openIn(terminal.home), []);
  assert.equal(process.umask(), before);
});
