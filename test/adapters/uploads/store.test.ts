// Files on a real disk: under names that cannot leave the folder, each content once, nothing half.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { basename, join, sep } from 'node:path';
import { type TestContext, test } from 'node:test';
import fc from 'fast-check';
import { folderName, safeName } from '#adapters/uploads/safe-name.ts';
import { createUploadStore, type Incoming } from '#adapters/uploads/store.ts';
import { codeOf } from '#base/errors.ts';
import { decodeText } from '#base/files/decode-text.ts';
import { anyCharacter } from '../../support/any-character.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { loginPage, ogg, pdf, png } from './samples.ts';

const at = Date.UTC(2026, 0, 2, 3, 4, 5);
const never = new AbortController().signal;

function openStore(t: TestContext, limitBytes = 1_000_000) {
  const folder = join(tempFolder(t), 'channel_uploads');
  const store = createUploadStore({ folder, limitBytes });
  const save = (bytes: Uint8Array | string, about: Partial<Incoming> = {}) => {
    const incoming = { channel: 'discord', place: 'C1', at, ...about };
    return store.save(new Blob([new Uint8Array(Buffer.from(bytes))]).stream(), incoming, never);
  };
  const visible = () =>
    existsSync(folder)
      ? readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
          (name) => !name.startsWith('.') && statSync(join(folder, name)).isFile(),
        )
      : [];
  return { folder, store, save, visible };
}

test('a file lies under its channel, chat, time and name, and is read back whole', async (t) => {
  const { folder, store, save } = openStore(t);
  const stored = await save(png(), { name: 'my photo.png', mime: 'image/png' });
  assert.equal(stored.path, 'discord/C1/20260102T030405Z_my_photo.png');
  assert.deepEqual([stored.mime, stored.form, stored.bytes], ['image/png', 'other', png().length]);
  assert.deepEqual(readFileSync(join(folder, stored.path)), png());
  assert.deepEqual(Buffer.from((await store.read(stored.path, 1_000)) ?? []), png());
  assert.equal(await store.read(stored.path, 3), undefined, 'larger than wanted');
});

test('no name, chat or path leads out of the folder, to a folder next to it, or into the store itself (T27)', async (t) => {
  const { folder, store, save } = openStore(t);
  const stored = await save('text', { name: '../../../etc/passwd', place: '../../x', channel: '..' });
  assert.equal(basename(stored.path), '20260102T030405Z_passwd.txt');
  assert.equal(readFileSync(join(folder, stored.path), 'utf8'), 'text');
  assert.ok(realpathSync(join(folder, stored.path)).startsWith(realpathSync(folder) + sep), stored.path);
  // files that exist, each of which a path could lead to
  const neighbour = `${folder}-of-others`;
  mkdirSync(neighbour);
  const outside = [join(folder, '..', 'secret'), join(neighbour, 'secret')];
  const [content = ''] = readdirSync(join(folder, '.content'));
  const hidden = [
    join(folder, '.arriving', 'half'),
    join(folder, '.hidden'),
    join(folder, 'discord', '.hidden'),
  ];
  mkdirSync(join(folder, 'discord'));
  for (const path of [...outside, ...hidden]) writeFileSync(path, 'secret');
  const paths = [
    '../secret',
    'discord/../../secret',
    'discord/C1/../../../secret',
    join(folder, '..', 'secret'),
    `../${basename(neighbour)}/secret`,
    join(neighbour, 'secret'),
    `.content/${content}`,
    `discord/../.content/${content}`,
    '.arriving/half',
    '.hidden',
    'discord/.hidden',
    '.content',
    '',
  ];
  for (const path of paths) {
    assert.equal(await store.read(path, 1_000_000), undefined, path);
    assert.equal(await store.find(path), undefined, path);
    assert.equal(await store.holds(path, createHash('sha256').update('secret').digest('hex')), false, path);
  }
  const sha256 = createHash('sha256').update('new').digest('hex');
  for (const path of [
    '../x/y',
    `../${basename(neighbour)}/y`,
    '.content/x/y',
    'a/.b/c',
    'a/b/.c',
    'a/../../y',
    'a/b',
    'a/b/c/d',
  ])
    await assert.rejects(store.take(path, { stream: new Blob(['new']).stream(), sha256 }, never), {
      code: 'path_invalid',
    });
  assert.deepEqual(readdirSync(neighbour), ['secret']);
});

test('every name becomes one plain, bounded segment that keeps its extension (T27, TP)', () => {
  const names = fc.oneof(fc.string({ unit: anyCharacter, maxLength: 400 }), fc.string({ maxLength: 400 }));
  fc.assert(
    fc.property(names, fc.option(fc.string(), { nil: undefined }), (name, extension) => {
      const safe = safeName(name, extension);
      assert.ok(Buffer.byteLength(safe) >= 1 && Buffer.byteLength(safe) <= 121, safe);
      assert.doesNotMatch(safe, /[\s/\\:*?"<>|'`$;&]|\p{C}|^[.-]/u);
      assert.ok(safe.isWellFormed());
      assert.doesNotMatch(folderName(name), /[^A-Za-z0-9_-]/);
    }),
    { numRuns: 2_000 },
  );
  assert.equal(safeName(`${'長'.repeat(200)}.pdf`).slice(-5), '長.pdf');
  assert.equal(safeName('CON.txt'), '_CON.txt');
  assert.equal(safeName('a\u202egnp.exe'), 'a_gnp.exe');
  assert.equal(safeName('photo', 'png'), 'photo.png');
  assert.equal(safeName(undefined), 'file');
});

test('a name without an extension gets that of its type, sixteen letters and digits of it, and a longer ending is no extension', () => {
  for (const [name, extension, made] of [
    ['report', 'pdf', 'report.pdf'],
    ['report', 'x'.repeat(16), `report.${'x'.repeat(16)}`],
    ['report', 'x'.repeat(17), `report.${'x'.repeat(16)}`],
    ['report', 'a-b.c', 'report.abc'],
    ['report', undefined, 'report'],
    [undefined, 'pdf', 'file.pdf'],
    ['report.txt', 'pdf', 'report.txt'],
    [`a.${'x'.repeat(16)}`, 'pdf', `a.${'x'.repeat(16)}`],
    [`a.${'x'.repeat(17)}`, 'pdf', `a.${'x'.repeat(17)}.pdf`],
  ] as const)
    assert.equal(safeName(name, extension), made);
});

test('the same content is stored once, whoever sends it and under whatever name', async (t) => {
  const { folder, save, visible } = openStore(t);
  const first = await save(pdf, { name: 'a.pdf' });
  const again = await save(pdf, { name: 'a.pdf' });
  const somewhereElse = await save(pdf, { name: 'b.pdf', place: 'C2' });
  assert.equal(again.path, first.path, 'the same file again is no second one');
  assert.equal(statSync(join(folder, first.path)).ino, statSync(join(folder, somewhereElse.path)).ino);
  assert.equal(readdirSync(join(folder, '.content')).length, 1);
  const other = await save(Buffer.concat([pdf, pdf]), { name: 'a.pdf' });
  assert.equal(other.path, 'discord/C1/20260102T030405Z_a-2.pdf', 'another content never replaces it');
  assert.equal(visible().length, 3);
});

test('what is larger than the limit is cut off while it streams, and nothing of it stays (K5)', async (t) => {
  const { folder, store, visible } = openStore(t, 100_000);
  let pulled = 0;
  const endless = new ReadableStream<Uint8Array>({
    pull(controller) {
      pulled += 10_000;
      controller.enqueue(new Uint8Array(10_000));
      if (pulled >= 2_000_000) controller.close(); // far beyond the limit, and no danger to the disk
    },
  });
  const error = await store
    .save(endless, { channel: 'slack', place: 'C1', at }, never)
    .catch((reason) => reason);
  assert.equal(codeOf(error), 'file_too_large');
  assert.match(error.message, /larger than the 98 KiB that I take/);
  assert.ok(pulled <= 150_000, `${pulled} bytes were read`);
  assert.deepEqual(visible(), []);
  assert.deepEqual(readdirSync(join(folder, '.arriving')), []);
});

test('a sign-in page is never taken for an image, whatever the sender calls it (K1)', async (t) => {
  const { save, visible } = openStore(t);
  for (const about of [
    { name: 'a.png', mime: 'image/png' },
    { name: 'a.png' },
    { mime: 'application/pdf' },
    { name: 'data.zip', mime: 'application/octet-stream' },
  ])
    assert.equal(codeOf(await save(loginPage, about).catch((reason) => reason)), 'file_is_page', about.name);
  assert.deepEqual(visible(), []);
  const page = await save(loginPage, { name: 'page.html', mime: 'text/html' });
  assert.deepEqual([page.form, page.mime], ['text', 'text/html'], 'a page that was meant as one is text');
  const whole = { name: 'budget.docx', mime: 'application/msword', size: loginPage.length };
  const named = await save(loginPage, whole);
  assert.deepEqual([named.form, named.mime], ['text', 'text/html'], 'as long as the platform says: the file');
  assert.equal(
    codeOf(await save(loginPage, { ...whole, size: 7 }).catch((reason) => reason)),
    'file_is_page',
  );
});

test('what a file is, its bytes say: a claim decides only between kinds of text', async (t) => {
  const { save } = openStore(t);
  const kind = async (bytes: Uint8Array | string, about: Partial<Incoming>) => {
    const { mime, form } = await save(bytes, about);
    return [mime, form];
  };
  assert.deepEqual(await kind(png(), { name: 'a.txt', mime: 'text/plain' }), ['image/png', 'other']);
  assert.deepEqual(await kind(Buffer.from([1, 0, 2, 255]), { name: 'a.png', mime: 'image/png' }), [
    'application/octet-stream',
    'other',
  ]);
  assert.deepEqual(await kind(ogg, { name: 'voice message.ogg' }), ['audio/ogg', 'other']);
  assert.deepEqual(await kind('{"a":1}', { mime: 'application/json' }), ['application/json', 'text']);
  assert.deepEqual(await kind('let a = 1;', { name: 'a.ts', mime: 'video/mp2t' }), ['text/plain', 'text']);
  assert.deepEqual(await kind('<?xml version="1.0"?><a/>', { name: 'a.xml' }), ['text/plain', 'text']);
});

test('text is read in the encodings that people send, and nothing else is text', () => {
  const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('naïve 😀', 'utf16le')]);
  assert.equal(decodeText(utf16, 'unknown'), 'naïve 😀');
  assert.equal(decodeText(Buffer.from(utf16).swap16(), 'unknown'), 'naïve 😀', 'the other order of bytes');
  assert.equal(decodeText(Buffer.from('naïve 😀'), 'unknown'), 'naïve 😀');
  assert.equal(decodeText(Buffer.from('naïve 😀').subarray(0, -2), 'unknown'), 'naïve ', 'a torn end');
  assert.equal(decodeText(Buffer.from('na\xefve', 'latin1'), 'said to be text'), 'naïve');
  assert.equal(decodeText(Buffer.from('na\xefve', 'latin1'), 'unknown'), undefined);
  assert.equal(decodeText(Buffer.from([104, 0, 105]), 'said to be text'), undefined);
});

test('a file whose name the disk cannot write down is refused with what the disk said', async (t) => {
  const { save } = openStore(t);
  const folder = await open(tempFolder(t), 'r');
  await folder.close();
  const kind = Object.getPrototypeOf(folder) as typeof folder; // of every open file
  const before = kind.sync;
  t.mock.method(kind, 'sync', async function (this: typeof folder) {
    if ((await this.stat()).isDirectory()) throw Object.assign(new Error('EIO: i/o error'), { code: 'EIO' });
    return before.call(this);
  });
  await assert.rejects(save('one', { name: 'one.txt' }), { code: 'EIO' });
  t.mock.restoreAll();
  assert.match((await save('one', { name: 'one.txt' })).path, /one\.txt$/);
});
