// A backup and an import that run out of space: said with a hint, nothing half made is left, and the next try ends well.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { smallDisk } from '../support/disk.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { openTerminal } from './terminal.ts';

/** Documents of about 10 KB each, no two with the same words. */
function documents(folder: string, count: number): string {
  const path = join(folder, 'documents');
  mkdirSync(path);
  for (let number = 0; number < count; number += 1) {
    const lines = Array.from(
      { length: 40 },
      (_, line) =>
        `Shelf ${number * 40 + line} has ${'book '.repeat(40)} and key ${(number * 7919 + line).toString(36)}.`,
    );
    writeFileSync(join(path, `${number}.md`), `# Room ${number}\n\n${lines.join('\n\n')}\n`);
  }
  return path;
}

const importing = (path: string): string[] => [
  ...['memory', 'import', path, '--format', 'directory'],
  ...['--audience', 'person:operator', '--json'],
];

test('a backup that runs out of space says so, leaves nothing there, and is made somewhere else', async (t) => {
  const disk = smallDisk(t, 1);
  if (disk === undefined) return;
  const { folder, call } = openTerminal(t);
  assert.equal((await call(...importing(documents(folder, 60)))).code, 0);
  const full = join(disk.path, 'backup');
  const { code, err } = await call('backup', full);
  assert.equal(code, 1);
  assert.match(err, /^parley: .+(full|space).*\n.*[Ff]ree some space/);
  assert.deepEqual(existsSync(full) ? readdirSync(full) : [], []);
  assert.equal((await call('backup', join(folder, 'backup'))).code, 0);
  assert.equal((await call('memory', 'verify')).code, 0);
});

test('an import that runs out of space says so and damages nothing, and the same call continues when there is space', async (t) => {
  const disk = smallDisk(t, 12);
  if (disk === undefined) return;
  const folder = tempFolder(t);
  const { call } = openTerminal(t, { home: disk.path });
  const path = documents(folder, 60);
  assert.equal((await call('memory', 'put', 'What was there before.')).code, 0);
  const room = join(disk.path, 'room');
  writeFileSync(room, Buffer.alloc(1.5 * 1024 * 1024));
  disk.fill();
  rmSync(room); // so it opens the memory and stores some of them
  const refused = await call(...importing(path));
  assert.equal(refused.code, 1);
  assert.match(refused.err, /^parley: .+(full|space).*\n.*[Ff]ree some space/);
  disk.free();
  assert.equal((await call('memory', 'verify')).out, 'All fits together, and no trace was found.\n');
  const { code, out } = await call(...importing(path));
  assert.equal(code, 0, out);
  assert.equal((await call(...importing(path))).code, 0);
  assert.match((await call('memory', 'search', 'there', 'before')).out, /What was there before/);
  assert.equal((await call('memory', 'verify')).out, 'All fits together, and no trace was found.\n');
  assert.match((await call('doctor')).out, /memory\.sqlite is whole/);
});
