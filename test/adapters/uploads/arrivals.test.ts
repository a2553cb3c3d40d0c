// How files arrive: what is damaged, given up or left by a dead process, and file systems without links. On a real disk.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { formatBytes } from '#adapters/uploads/format-bytes.ts';
import { createUploadStore, type Incoming, type UploadStore } from '#adapters/uploads/store.ts';
import { smallDisk } from '../../support/disk.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const never = new AbortController().signal;
const incoming: Incoming = { channel: 'discord', place: 'C1', at: 0, name: 'a.txt' };
const streamOf = (text: string): ReadableStream<Uint8Array> => new Blob([text]).stream();
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

const openIn = (folder: string): UploadStore => createUploadStore({ folder, limitBytes: 1_000_000 });
const open = (t: TestContext): UploadStore => openIn(join(tempFolder(t), 'channel_uploads'));
const halves = ({ folder }: UploadStore): string[] => readdirSync(join(folder, '.arriving'));

test('a file of another process is taken in under its path when it arrived as it was sent, and refused when not', async (t) => {
  const store = open(t);
  const path = 'discord/C1/20260102T030405Z_a.txt';
  const taken = (text: string): Promise<string> =>
    store.take(path, { stream: streamOf(text), sha256: sha256('as it was sent') }, never);
  await assert.rejects(taken('as it was se'), { code: 'file_damaged' });
  assert.equal(await store.find(path), undefined);
  assert.deepEqual(halves(store), []);
  assert.equal(await taken('as it was sent'), path);
  assert.equal(readFileSync(join(store.folder, path), 'utf8'), 'as it was sent');
  assert.equal(await taken('as it was sent'), path, 'the same again is no second one');
  assert.equal(await store.holds(path, sha256('as it was sent')), true);
  assert.equal(await store.holds(path, sha256('as it was se')), false);
});

test('a file that is given up while it arrives leaves nothing, and is not read on', async (t) => {
  const store = open(t);
  const given = new AbortController();
  let pulled = 0;
  const slow = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        pulled += 1;
        controller.enqueue(Buffer.from('piece'));
        if (pulled === 3) given.abort(new Error('stopped'));
        if (pulled === 50) controller.close();
      },
    },
    { highWaterMark: 0 },
  );
  await assert.rejects(store.save(slow, incoming, given.signal), /stopped/);
  assert.ok(pulled <= 4, `${pulled} pieces were read`);
  assert.deepEqual(halves(store), []);
  assert.equal(existsSync(join(store.folder, 'discord')), false);
});

test('half a file of a process that died goes after an hour; what another process writes now stays', async (t) => {
  const store = open(t);
  const arriving = join(store.folder, '.arriving');
  mkdirSync(arriving, { recursive: true });
  for (const [name, minutes] of [
    ['dead', 61],
    ['alive', 59],
  ] as const) {
    writeFileSync(join(arriving, name), 'half');
    const then = Date.now() / 1000 - minutes * 60;
    utimesSync(join(arriving, name), then, then);
  }
  await store.save(streamOf('words'), incoming, never);
  assert.deepEqual(halves(store), ['alive']);
  mkdirSync(join(arriving, 'folder'));
  utimesSync(join(arriving, 'folder'), 1, 1);
  const later = openIn(store.folder);
  await assert.rejects(
    later.save(streamOf('words'), incoming, never),
    { code: /EISDIR/ },
    'it cannot be removed',
  );
});

test('where a folder is on a file system that cannot be linked to, a file is a whole copy there and replaces no other', async (t) => {
  const disk = smallDisk(t, 4);
  if (disk === undefined) return;
  const store = open(t);
  mkdirSync(store.folder, { recursive: true });
  symlinkSync(disk.path, join(store.folder, 'discord'));
  const paths: string[] = [];
  for (const text of ['first', 'second', 'first'])
    paths.push((await store.save(streamOf(text), incoming, never)).path);
  const [first = '', second = '', again] = paths;
  assert.equal(readFileSync(join(store.folder, first), 'utf8'), 'first');
  assert.equal(readFileSync(join(store.folder, second), 'utf8'), 'second');
  assert.deepEqual([again, first === second], [first, false]);
  assert.deepEqual(halves(store), []);
});

test('sizes are given with two digits where they say something, and in the next unit before they have four', () => {
  const words: [number, string][] = [
    [0, '0 bytes'],
    [1023, '1023 bytes'],
    [1024, '1 KiB'],
    [1536, '1.5 KiB'],
    [9.5 * 1024, '9.5 KiB'],
    [10.4 * 1024, '10 KiB'],
    [1023 * 1024, '1023 KiB'],
    [1023.5 * 1024, '1 MiB'],
    [1.25 * 1024 ** 2, '1.3 MiB'],
    [20 * 1024 ** 2, '20 MiB'],
  ];
  for (const [bytes, expected] of words) assert.equal(formatBytes(bytes), expected);
});
