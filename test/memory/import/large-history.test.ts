// A history that is larger than any file that is read whole, in chats of which some are known already.

import assert from 'node:assert/strict';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { test } from 'node:test';
import { largestBytes } from '#memory/import/items/item.ts';
import { until } from '../../support/found.ts';
import { zipOf } from '../../support/zip.ts';
import { discordFile, discordMessage, stage, telegramMessage } from '../history-kit.ts';

const padding = 'x'.repeat(1024 * 1024);

/** Two chats of Telegram, a megabyte for each message; what is not read of a message fills it. */
function* exportOf(messages: number): Generator<string> {
  yield '{"chats": {"list": [';
  for (const [at, name] of ['Ann', 'Rowers'].entries()) {
    yield `${at === 0 ? '' : ','}{"name": "${name}", "type": "personal_chat", "id": ${at + 1}, "messages": [`;
    for (let id = 1; id <= messages / 2; id += 1)
      yield (id === 1 ? '' : ',') +
        JSON.stringify(telegramMessage(id, `Entry ${id}.`, { reactions: padding }));
    yield ']}';
  }
  yield ']}}';
}

test('a result.json of more than 256 MiB is imported', async (t) => {
  const { root, put, run } = stage(t, 'telegram', {});
  put('css/style.css', '');
  const messages = 2 * Math.ceil(largestBytes / padding.length / 2) + 2;
  await pipeline(exportOf(messages), createWriteStream(join(root, 'result.json')));
  const report = await run();
  assert.deepEqual([report.complete, report.files.stored, report.entries.stored], [true, 2, messages]);
});

test('chats that follow each other are read in one go, and those before a changed one are passed', async (t) => {
  const chat = (id: number, ...texts: string[]) => ({
    id,
    type: 'personal_chat',
    name: 'Ann',
    messages: texts.map((text, at) => telegramMessage(at + 1, text)),
  });
  const chats = [chat(1, 'One.'), chat(2), chat(3, 'Three.', 'And four.'), chat(4, 'Five.')];
  const { put, run, list } = stage(t, 'telegram', { 'result.json': { chats: { list: chats } } });
  const first = await run();
  assert.deepEqual(first.files, { stored: 3, unchanged: 0, empty: 1, failed: 0 });
  chats[2] = chat(3, 'Three.', 'And four.', 'New.');
  put('result.json', { chats: { list: chats } });
  const second = await run();
  assert.deepEqual(second.files, { stored: 1, unchanged: 3, empty: 0, failed: 0 });
  assert.deepEqual(second.entries, { read: 5, stored: 1, known: 4, skipped: {} });
  assert.deepEqual(
    (await list()).map(({ text }) => text).sort(),
    ['Five.', 'New.', 'One.', 'Three.', 'And four.'].map((text) => `Ann said: ${text}`).sort(),
  );
});

test('what was forgotten does not come back with another export, and the table says so', async (t) => {
  const messages = [telegramMessage(1, 'The kayak is packed.'), telegramMessage(2, 'The paddle is not.')];
  const chat = { id: 1, type: 'personal_chat', name: 'Ann', messages };
  const { memory, put, run, all } = stage(t, 'telegram', { 'result.json': chat });
  await run();
  await memory.forget({ scope: all('person:per_1'), selection: { words: 'paddle' }, mode: 'forget' });
  put('result.json', { ...chat, messages: [...messages, telegramMessage(3, 'Now it is.')] });
  const { entries } = await run();
  assert.deepEqual(entries, { read: 3, stored: 1, known: 1, skipped: { forgotten: 1 } });
});

test('a channel whose file was cut off is reported and keeps what was known of it, next to one that is whole', async (t) => {
  const { root, put, run, list } = stage(t, 'discord', {});
  const whole = JSON.stringify(discordFile({}, [discordMessage('1', 'The kayak is packed.')]));
  put('../a.zip', zipOf({ 'general.json': whole }));
  const path = join(root, '..', 'a.zip');
  await run({ path });
  const longer = JSON.stringify(
    discordFile({}, [discordMessage('1', 'The kayak is packed.'), discordMessage('2', 'And gone.')]),
  );
  const other = discordFile({ id: '902' }, [discordMessage('3', 'The lock is open.')]);
  put('../a.zip', zipOf({ 'general.json': longer.slice(0, -5), 'other.json': other }));
  const report = await run({ path });
  assert.deepEqual(report.files, { stored: 1, unchanged: 0, empty: 0, failed: 1 });
  assert.match(
    report.failures[0]?.words ?? '',
    /a\.zip\/general\.json cannot be read as JSON: it ends before/,
  );
  assert.deepEqual((await list()).map(({ text }) => text).sort(), [
    'Ann said: The kayak is packed.',
    'Ann said: The lock is open.',
  ]);
});

test('an import that is stopped in the middle of a chat is finished by the same call', async (t) => {
  const messages = Array.from({ length: 5_000 }, (_, at) => telegramMessage(at + 1, `Entry ${at + 1}.`));
  const chats = [1, 2].map((id) => ({ id, type: 'personal_chat', name: 'Ann', messages }));
  const { run, memory } = stage(t, 'telegram', { 'result.json': { chats: { list: chats } } });
  const stop = new AbortController();
  const stopped = run({ signal: stop.signal });
  await until('the first entry', async () => (await memory.status()).chunks > 0);
  stop.abort();
  const first = await stopped;
  assert.equal(first.complete, false);
  assert.deepEqual([first.files.failed, first.failures], [0, []]);
  const second = await run();
  assert.deepEqual([second.complete, second.entries.stored + second.entries.known], [true, 10_000]);
  assert.equal((await memory.status()).chunks, 10_000);
});
