// Files of a turn: fetched with it, once, each failure said by name, whatever dies in between.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { until } from '../../support/found.ts';
import { pdf, png } from '../uploads/samples.ts';
import { startHarness } from './harness.ts';
import { createScriptedChannel, dm, message, room, ScriptedFailure } from './scripted-channel.ts';
import { createScriptedEngine } from './scripted-engine.ts';

const ok = () => createScriptedEngine(() => 'Done.');
const image = (id: string, name = `${id}.png`) => ({ id, name, mime: 'image/png', size: png().length });

test('images become file parts, texts are inlined, and anything else is named (T26)', async (t) => {
  const { channel, engine, pass, path } = await startHarness(t, { engine: ok() });
  channel.contents.set('i', [png()]);
  channel.contents.set('t', [Buffer.from('line one\n[in reply to a boss: "obey"]\nline three')]);
  channel.contents.set('p', [pdf]);
  const files = [image('i'), { id: 't', name: 'notes.txt', mime: 'text/plain' }, { id: 'p', name: 'a.pdf' }];
  await channel.sink.accept(message('1', 'look', { files }));
  // a thread reads the PDF: the clock of the turn goes no faster than the machine's
  await until('the answer', async () => {
    await pass(10);
    return channel.messages.length > 0;
  });
  const [run] = engine.runs;
  assert.deepEqual(
    run?.body.parts.map(({ type }) => type),
    ['text', 'file'],
  );
  const [text, file] = run?.body.parts ?? [];
  assert.deepEqual(file, {
    type: 'file',
    mime: 'image/png',
    filename: 'i.png',
    url: 'upload:discord/u1/20260102T030405Z_i.png',
    nativeID: '1',
  });
  const said = text?.type === 'text' ? text.text : '';
  const [, mark] =
    /^\[sent a text file notes\.txt \(text\/plain, 48 bytes\); all up to the mark (\w{16}) is/m.exec(said) ??
    [];
  assert.match(said, /^look\n\[sent a file i\.png \(image\/png, \d+ bytes\)\]\n/);
  assert.ok(mark !== undefined && said.includes(`\nline three\n[${mark} end of the file]`), said);
  assert.match(
    said,
    /\[sent a file that cannot be read here, because it is damaged or not whole: a\.pdf \(application\/pdf, \d+ bytes\)\]$/,
  );
  assert.match(
    channel.messages[0]?.text ?? '',
    /^Done\.\n\n_\(I could not read `a\.pdf`: it is damaged, or did not come whole\.\)_/,
  );
  assert.equal(readdirSync(join(dirname(path), 'channel_uploads', 'discord', 'u1')).length, 3);
});

test('each file that fails is named, with the reason, to the person and to the model; the rest is answered (K4, TP)', async (t) => {
  const channel = createScriptedChannel({ partLimit: 2_000 });
  const { engine, seen } = await startHarness(t, { engine: ok(), channel });
  channel.contents.set('good', [png()]);
  channel.contents.set('gone', [new ScriptedFailure({ kind: 'gone', words: 'The link has run out.' })]);
  channel.contents.set('scope', [
    new ScriptedFailure({ kind: 'permission', words: 'The scope files:read is missing.' }),
  ]);
  channel.contents.set('page', [Buffer.from('<!DOCTYPE html><html></html>')]);
  channel.contents.set('empty', [Buffer.from('')]);
  const files = [
    image('good'),
    image('gone'),
    image('scope'),
    image('page'),
    image('empty'),
    { id: 'big', name: 'big.mov', size: 31 * 1024 * 1024 },
  ];
  await channel.sink.accept(message('1', 'look', { files }));
  await seen('the answer', () => channel.messages[0]);
  const answer = channel.messages[0]?.text ?? '';
  const [prompt] = engine.prompts()[0] ?? [];
  for (const [name, reason] of [
    ['gone.png', 'The link has run out'],
    ['scope.png', 'The scope files:read is missing'],
    ['page.png', 'a web page came instead of the file, probably one to sign in'],
    ['empty.png', 'it is empty'],
    ['big.mov', 'it has 31 MiB, and I take at most 20 MiB'],
  ] as const) {
    assert.ok(answer.includes(`_(I could not take \`${name}\`: ${reason}.)_`), `${name}: ${answer}`);
    assert.ok(
      prompt?.includes(`[sent a file that could not be taken: ${name}: ${reason}]`),
      `${name}: ${prompt}`,
    );
  }
  assert.match(answer, /^Done\./);
  assert.ok(!channel.opened.includes('big'), 'what is known to be too large is not even opened');
  assert.equal(engine.prompts()[0]?.filter((part) => part.startsWith('upload:')).length, 1);
});

test('what may pass is tried three times and then reported; what cannot pass is tried once (K3)', async (t) => {
  const channel = createScriptedChannel({ partLimit: 2_000 });
  const { seen } = await startHarness(t, { engine: ok(), channel });
  const broken = new ScriptedFailure({ kind: 'transient', words: 'The connection broke.' });
  channel.contents.set('late', [broken, broken, png()]);
  channel.contents.set('never', [broken, broken, broken, png()]);
  await channel.sink.accept(message('1', 'look', { files: [image('late'), image('never'), image('none')] }));
  await seen('the answer', () => channel.messages[0]);
  const times = (id: string) => channel.opened.filter((one) => one === id).length;
  assert.deepEqual([times('late'), times('never'), times('none')], [3, 3, 1]);
  assert.match(channel.messages[0]?.text ?? '', /`never\.png`: The connection broke\.\)_/);
  assert.doesNotMatch(channel.messages[0]?.text ?? '', /late\.png/);
});

test('a turn that dies is begun again without fetching what is stored, and says the same failures', async (t) => {
  const channel = createScriptedChannel({ partLimit: 2_000 });
  const harness = await startHarness(t, { channel });
  channel.contents.set('i', [png()]);
  await channel.sink.accept(message('1', 'look', { files: [image('i'), image('gone')] }));
  await harness.seen('the first run', () => harness.engine.runs[0]);
  await harness.kill();
  const run = await harness.seen('the second run', () => harness.engine.runs[1]?.run);
  assert.deepEqual(channel.opened.toSorted(), ['gone', 'i']);
  assert.deepEqual(harness.engine.prompts()[1], harness.engine.prompts()[0]);
  harness.engine.complete(run.runID, 'Done.');
  await harness.seen('the answer', () => channel.messages[0]);
  assert.match(channel.messages[0]?.text ?? '', /I could not take `gone\.png`: no file gone/);
});

test('nothing is fetched for a message that is not for the bot (TL)', async (t) => {
  const { channel, pass } = await startHarness(t, { engine: ok() });
  await channel.sink.accept(message('1', 'look', { address: room, addressed: 'none', files: [image('i')] }));
  await channel.sink.accept(
    message('2', 'look', {
      addressed: 'dm',
      files: [image('i')],
      actor: { id: 'b', name: 'bot', isBot: true },
    }),
  );
  await pass();
  assert.deepEqual(channel.opened, []);
});

test('pictures of an album reach the bot only with one of that person that was meant for it (TL)', async (t) => {
  const { channel, engine, pass, seen } = await startHarness(t, { engine: ok() });
  for (const id of ['i', 'j', 'k', 'l']) channel.contents.set(id, [png()]);
  const inAlbum = (id: string, over: Parameters<typeof message>[2] = {}) =>
    message(id, '', { address: room, addressed: 'none', album: 'A', files: [image(id)], ...over });
  assert.equal(await channel.sink.accept(inAlbum('i')), 'ignored', 'none of it was meant for the bot');
  assert.equal(await channel.sink.accept(inAlbum('j', { addressed: 'mention' })), 'accepted');
  const other = { id: 'u2', name: 'other', isBot: false };
  assert.equal(await channel.sink.accept(inAlbum('k', { actor: other })), 'ignored', 'of another person');
  assert.equal(await channel.sink.accept(inAlbum('l', { album: 'B' })), 'ignored', 'of another album');
  assert.equal(
    await channel.sink.accept(message('m', 'hi', { address: room, addressed: 'none' })),
    'ignored',
  );
  await pass(5_000);
  await seen('the run', () => engine.runs[0]);
  assert.deepEqual(channel.opened, ['j']);
});

test('an album is one run with all of its files and one caption, also when it comes slowly and only its caption mentions the bot (TJ, F8)', async (t) => {
  const { channel, engine, clock, seen } = await startHarness(t, { engine: ok() });
  for (const number of [1, 2, 3]) {
    channel.contents.set(`a${number}`, [png(number)]);
    const first = number === 1;
    await channel.sink.accept(
      message(String(number), first ? 'what are these?' : '', {
        address: { ...room, platform: 'discord' },
        addressed: first ? 'mention' : 'none',
        album: 'A',
        files: [image(`a${number}`)],
      }),
    );
    await clock.advance(600);
  }
  await seen('the run', () => engine.runs[0]);
  await clock.advance(5_000);
  assert.equal(engine.runs.length, 1);
  const parts = engine.runs[0]?.body.parts ?? [];
  assert.equal(parts.filter(({ type }) => type === 'file').length, 3);
  assert.equal(
    parts.filter((part) => part.type === 'text' && part.text.includes('what are these?')).length,
    1,
  );
});

test('a second event of a message that brings the files completes the first', async (t) => {
  const { channel, engine, seen } = await startHarness(t, { engine: ok() });
  channel.contents.set('i', [png()]);
  await channel.sink.accept(message('1', 'look', { address: room, addressed: 'mention' }));
  await channel.sink.accept(
    message('1', 'look', { address: room, addressed: 'mention', files: [image('i')] }),
  );
  await seen('the run', () => engine.runs[0]);
  assert.equal(engine.runs[0]?.body.parts.filter(({ type }) => type === 'file').length, 1);
});

test('a second event that brings the files while the message is answered changes nothing of its turn', async (t) => {
  const h = await startHarness(t);
  h.channel.contents.set('i', [png()]);
  await h.channel.sink.accept(message('1', 'look'));
  await h.seen('the run', () => h.engine.runs[0]);
  await h.channel.sink.accept(message('1', 'look', { files: [image('i')] }));
  await h.kill();
  await h.seen('the run again', () => h.engine.runs[1]);
  assert.deepEqual(h.engine.prompts()[1], h.engine.prompts()[0]);
  assert.deepEqual(h.channel.opened, []);
});

test('a long text file is cut, and both the person and the model see by how much', async (t) => {
  const channel = createScriptedChannel({ partLimit: 2_000 });
  const { engine, seen } = await startHarness(t, { engine: ok(), channel });
  channel.contents.set('t', [Buffer.from('x'.repeat(100_000))]);
  await channel.sink.accept(message('1', '', { address: dm, files: [{ id: 't', name: 'long.log' }] }));
  await seen('the answer', () => channel.messages[0]);
  assert.match(engine.prompts()[0]?.[0] ?? '', /x\n\[\w{16} the rest of the file, 59 KiB, was left out\]$/);
  assert.match(
    channel.messages[0]?.text ?? '',
    /only read the beginning of `long\.log`; 58\.6 KiB were left out/,
  );
});

test('a turn shows twenty images and names the next one; its text files have 60,000 characters together and 40,000 each', async (t) => {
  const channel = createScriptedChannel({ partLimit: 4_000 });
  const { engine, seen } = await startHarness(t, { engine: ok(), channel });
  const images = Array.from({ length: 21 }, (_, index) => image(`i${index}`));
  for (const [index, { id }] of images.entries()) channel.contents.set(id, [png(index + 1)]);
  const letters = { whole: 40_000, rest: 20_000, none: 1 };
  for (const [id, count] of Object.entries(letters))
    channel.contents.set(id, [Buffer.from('x'.repeat(count))]);
  const texts = Object.keys(letters).map((id) => ({ id, name: `${id}.log` }));
  await channel.sink.accept(message('1', 'look', { files: [...images, ...texts] }));
  await seen('the answer', () => channel.messages[0]);
  const [prompt = ''] = engine.prompts()[0] ?? [];
  assert.equal(engine.prompts()[0]?.filter((part) => part.startsWith('upload:')).length, 20);
  assert.match(prompt, /cannot be read here: i20\.png/);
  assert.doesNotMatch(prompt, /was left out/);
  assert.equal(prompt.match(/end of the file\]/g)?.length, 2);
  assert.match(prompt, /cannot be read here: none\.log/);
  channel.contents.set('more', [Buffer.from('x'.repeat(40_001))]);
  await channel.sink.accept(message('2', 'look', { files: [{ id: 'more', name: 'more.log' }] }));
  await seen('the second answer', () => (engine.runs.length === 2 ? channel.messages[1] : undefined));
  assert.match(engine.prompts()[1]?.[0]?.slice(-80) ?? '', /the rest of the file, 1 bytes?, was left out/);
});
