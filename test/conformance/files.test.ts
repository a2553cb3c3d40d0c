// Files in both directions, asked of each channel through its real client library and a server on loopback.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { filePart, type OutgoingFile } from '#adapters/gateway/terms/file-part.ts';
import { systemClock } from '#base/clock.ts';
import { codeOf } from '#base/errors.ts';
import { createTelegramSandbox } from '#sandbox/telegram/server.ts';
import { pdf, png } from '../adapters/uploads/samples.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { type Connected, connect, type Platform, platforms } from './platforms.ts';

const never = new AbortController().signal;
const telegram = platforms.find(({ name }) => name === 'telegram') as Platform; // it is in the list

async function connected(t: TestContext, platform: Platform): Promise<Connected> {
  const server = await platform.sandbox();
  t.after(() => server.close());
  const one = await connect(platform, server);
  t.after(() => one.disconnect());
  return one;
}

function fileOf(t: TestContext, name: string, bytes: Uint8Array, mime: string): OutgoingFile {
  const path = join(tempFolder(t), name);
  writeFileSync(path, bytes);
  return { path, name, mime, bytes: bytes.length };
}

for (const platform of platforms) {
  test(`${platform.name}: every file of a message opens with the platform's own authorization, up to the limit (K5)`, async (t) => {
    const one = await connected(t, platform);
    const files = [
      { name: 'a.png', mime: 'image/png', bytes: png() },
      { name: 'b.pdf', mime: 'application/pdf', bytes: pdf },
    ];
    const { id } = await one.server.say({ chat: 'dm', user: 'you', text: 'look', files });
    await one.received(id);
    if (platform.name === 'telegram') await one.received(String(Number(id) + 1));
    const refs = one.messages.flatMap((message) => message.files);
    assert.equal(refs.length, 2);
    assert.equal(one.messages[0]?.text, 'look');
    for (const [index, ref] of refs.entries()) {
      const bytes = files[index]?.bytes ?? new Uint8Array();
      const stream = await one.channel.open?.(ref, 1_000, never);
      assert.deepEqual(new Uint8Array(await new Response(stream).arrayBuffer()), new Uint8Array(bytes));
      const tooSmall = async () => new Response(await one.channel.open?.(ref, 10, never)).arrayBuffer();
      const error: unknown = await tooSmall().catch((reason) => reason);
      assert.equal(codeOf(error), 'file_too_large');
      assert.equal(one.channel.explain(error).kind, 'too_long');
      assert.ok(!JSON.stringify(ref).includes(one.server.tokens.bot), 'no token in the reference');
    }
  });

  test(`${platform.name}: a file is sent as a native attachment, into the thread that was asked in (F2)`, async (t) => {
    const one = await connected(t, platform);
    const server = one.server;
    const root = await server.say({ chat: 'room', user: 'you', text: 'hello', mention: true });
    const thread =
      'createTopic' in server && typeof server.createTopic === 'function'
        ? server.createTopic('Plans')
        : root.id;
    const { id } = await server.say({ chat: 'room', user: 'you', text: 'draw', mention: true, thread });
    const { address } = await one.received(id);
    const image = fileOf(t, 'plot.png', png(), 'image/png');
    const { nativeID } = await one.channel.send(address, filePart(image), { key: 'k1' });
    assert.ok(nativeID !== '');
    const [posted, ...more] = server.shown('room', 'you').filter(({ author }) => author === 'bot');
    assert.deepEqual([posted?.thread, more.length], [thread, 0]);
    const [file] = posted?.files ?? [];
    assert.deepEqual(new Uint8Array(file?.bytes ?? []), new Uint8Array(png()));
    assert.equal(server.shown('dm', 'you').length, 0, 'and nowhere else');
  });

  test(`${platform.name}: a file that is gone, or that the platform refuses, fails permanently and posts nothing`, async (t) => {
    const one = await connected(t, platform);
    const { id } = await one.server.say({ chat: 'dm', user: 'you', text: 'hello' });
    const { address } = await one.received(id);
    const gone = { path: '/nowhere/at/all.png', name: 'all.png', mime: 'image/png', bytes: 12 };
    const error: unknown = await one.channel
      .send(address, filePart(gone), { key: 'k1' })
      .catch((reason) => reason);
    const failure = one.channel.explain(error);
    assert.deepEqual([failure.kind, failure.maybeDelivered], ['invalid', false]);
    assert.match(failure.words, /all\.png is not there any more/);
    assert.doesNotMatch(failure.words, /nowhere/, 'no path of this machine');
    assert.equal(one.server.shown('dm', 'you').filter(({ author }) => author === 'bot').length, 0);
  });
}

test('discord: a file above its limit is refused with a message', async (t) => {
  const discord = platforms.find(({ name }) => name === 'discord') as Platform; // it is in the list
  const one = await connected(t, discord);
  const { id } = await one.server.say({ chat: 'dm', user: 'you', text: 'hello' });
  const { address } = await one.received(id);
  const big = fileOf(t, 'big.bin', new Uint8Array(10 * 1024 * 1024 + 1), 'application/octet-stream');
  assert.ok(big.bytes > (one.channel.caps.files?.limitBytes ?? Infinity), 'the preflight stops it before');
  const error: unknown = await one.channel
    .send(address, filePart(big), { key: 'k1' })
    .catch((reason) => reason);
  const { kind, maybeDelivered } = one.channel.explain(error);
  assert.deepEqual([kind, maybeDelivered], ['too_long', false]);
});

test('on Telegram a picture above 10 MB, or one that is no photo, goes as a document (K2)', async (t) => {
  const one = await connected(t, telegram);
  const { id } = await one.server.say({ chat: 'dm', user: 'you', text: 'hello' });
  const { address } = await one.received(id);
  const padded = Buffer.concat([png(), Buffer.alloc(11_000_000)]);
  await one.channel.send(address, filePart(fileOf(t, 'large.png', padded, 'image/png')), { key: 'k1' });
  const broken = Buffer.concat([Buffer.from('RIFF'), Buffer.alloc(40)]);
  await one.channel.send(address, filePart(fileOf(t, 'odd.webp', broken, 'image/webp')), { key: 'k2' });
  const names = one.server
    .calls()
    .flatMap(({ name, status }) => (name.startsWith('send') ? [`${name} ${status}`] : []));
  assert.deepEqual(names, ['sendDocument 200', 'sendPhoto 400', 'sendDocument 200']);
  const shown = one.server.shown('dm', 'you').filter(({ author }) => author === 'bot');
  assert.deepEqual(
    shown.map(({ files }) => files?.[0]?.bytes.length),
    [padded.length, broken.length],
  );
});

test('what Telegram does not hand out to bots is reported, without the link or the token (K3)', async (t) => {
  const server = await createTelegramSandbox({ clock: systemClock });
  t.after(() => server.close());
  const one = await connect(telegram, server);
  t.after(() => one.disconnect());
  const bytes = new Uint8Array(20 * 1024 * 1024 + 1);
  const { id } = await server.sayFile({
    chat: 'dm',
    user: 'you',
    name: 'film.mov',
    mime: 'video/quicktime',
    bytes,
  });
  const { files } = await one.received(id);
  assert.ok(files[0]);
  const error: unknown = await one.channel.open?.(files[0], 1e9, never).catch((reason) => reason);
  const { kind, words } = one.channel.explain(error);
  assert.equal(kind, 'too_long');
  assert.equal(words, 'Telegram hands out files of at most 20 MB to bots.');
});

test('telegram: photos, voice, round video, stickers and animations come as files with a telling name', async (t) => {
  const server = await createTelegramSandbox({ clock: systemClock });
  t.after(() => server.close());
  const one = await connect(telegram, server);
  t.after(() => one.disconnect());
  const names: (string | undefined)[] = [];
  for (const as of [
    'photo',
    'voice',
    'video_note',
    'sticker',
    'animation',
    'audio',
    'video',
    'document',
  ] as const) {
    const { id } = await server.sayFile({
      chat: 'dm',
      user: 'you',
      name: 'x.bin',
      mime: 'a/b',
      bytes: png(),
      as,
    });
    const { files } = await one.received(id);
    assert.equal(files.length, 1, as);
    names.push(files[0]?.name);
    if (files[0])
      assert.equal(
        (await new Response(await one.channel.open?.(files[0], 1_000, never)).arrayBuffer()).byteLength,
        png().length,
        as,
      );
  }
  assert.deepEqual(names, [
    'photo.jpg',
    'voice message.ogg',
    'video message.mp4',
    'sticker 👍.webp',
    'x.bin',
    'x.bin',
    'x.bin',
    'x.bin',
  ]);
});
