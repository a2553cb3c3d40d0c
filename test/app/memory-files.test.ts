// Memory as files, from a platform event to what is shown: edited by hand, injected, found, noted, forgotten.
import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { test } from 'node:test';
import { createClient } from '#engine/client/client.ts';
import { found } from '../support/found.ts';
import { type House, openHouse, type Talk } from './house.ts';
import { openModelHouse } from './model-house.ts';

const talk: Talk = { platform: 'telegram', chat: 'dm', user: 'you' };
const inRoom: Talk = { platform: 'slack', chat: 'room', user: 'you' };

/** The folder whose audience begins so, once something was written for it. */
function folderOf(house: House, kind: 'person' | 'room'): string {
  const root = join(house.home, 'memory');
  const name = readdirSync(root).find((each) => each.startsWith(kind));
  assert.ok(name, `no folder of a ${kind} in ${readdirSync(root).join()}`);
  return join(root, name);
}

function put(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

const promptOf = (model: { getRequests(): { body: unknown }[] }): string =>
  JSON.stringify(model.getRequests().at(-1)?.body);

test('a note of the chat is a file of that audience only, which no other user of the machine reads', async (t) => {
  const house = await openHouse(t);
  await house.ready('telegram', 'slack');
  assert.match(
    await house.ask(talk, '/memory note The boat is laid up until May.'),
    /^Written down, in line/,
  );
  const folder = folderOf(house, 'person');
  const [note = ''] = readdirSync(join(folder, 'memory'));
  assert.match(note, /^\d{4}-\d{2}-\d{2}\.md$/);
  assert.match(readFileSync(join(folder, 'memory', note), 'utf8'), /- The boat is laid up until May\.\n$/);
  assert.equal(statSync(join(folder, 'memory', note)).mode & 0o777, 0o600);
  assert.equal(statSync(folder).mode & 0o777, 0o700);
  assert.match(JSON.parse(readFileSync(join(folder, 'audience.json'), 'utf8')).audience, /^person:per_/);
  const audience = JSON.parse(readFileSync(join(folder, 'audience.json'), 'utf8')).audience;
  const { url: baseUrl, tokenFile = '' } = house.parley;
  const { memory } = createClient({ baseUrl, token: readFileSync(tokenFile, 'utf8').trim() });
  const { artifacts } = await memory.artifacts({ audience });
  assert.deepEqual(
    artifacts.map((each) => [each.kind, each.path]),
    [['daily-note', `${basename(folder)}/memory/${note}`]],
  );
  assert.deepEqual((await memory.artifacts()).artifacts, []);
  assert.match(await house.ask(talk, '/memory file'), /The boat is laid up until May/);
  assert.doesNotMatch(await house.ask(inRoom, '/memory file'), /boat/);
});

test('a file that is edited by hand is in the next answer, in the chat of its audience only', async (t) => {
  const house = await openHouse(t);
  await house.ready('telegram', 'slack');
  await house.ask(talk, '/memory note First.');
  const path = join(folderOf(house, 'person'), 'MEMORY.md');
  put(path, '# House\n\nThe cellar key hangs behind the clock.\n');
  assert.match(await house.ask(talk, 'Where does the cellar key hang?'), /behind the clock/);
  assert.doesNotMatch(await house.ask(inRoom, 'Where does the cellar key hang?'), /behind the clock/);
  put(path, '# House\n\nThe cellar key hangs under the stairs.\n');
  const answer = await house.ask(talk, 'Where does the cellar key hang now?');
  assert.match(answer, /under the stairs/);
});

test('MEMORY.md and the notes of two days are in the prompt once, and the prompt says what is cut', async (t) => {
  const { house, model } = await openModelHouse(t, ['telegram'], {
    memory: { files: { characters: { file: 200, total: 300 } } },
  });
  await house.ask(talk, '/memory note The tide is at six.');
  const folder = folderOf(house, 'person');
  const lines = Array.from({ length: 30 }, (_, index) => `- Fact ${index} is about the pier.`).join('\n');
  put(join(folder, 'MEMORY.md'), `${lines}\n`);
  const yesterday = new Date(Date.now() - 24 * 3600 * 1000).toISOString().slice(0, 10);
  put(join(folder, 'memory', `${yesterday}.md`), '- The fog was thick.\n');
  put(join(folder, 'memory', '2020-01-01.md'), '- The year began.\n');
  await house.ask(talk, 'What is fact 2 about?');
  const prompt = promptOf(model);
  assert.match(prompt, /<memory_files>.*Fact 0 is.*The tide is at six.*The fog was thick/s);
  assert.doesNotMatch(prompt, /The year began/);
  assert.match(prompt, /more characters of this file are not shown here; memory_get reads/);
  assert.equal(prompt.split('Fact 2 is about').length, 2, 'a passage that is injected is not recalled again');
});

test('a MEMORY.md that cannot be read stops no answer, and status says why', async (t) => {
  const { house, model } = await openModelHouse(t, ['telegram']);
  await house.ask(talk, '/memory note First.');
  const path = join(folderOf(house, 'person'), 'MEMORY.md');
  writeFileSync(path, Buffer.alloc(50 * 1024 * 1024, 'a'));
  assert.match(await house.ask(talk, 'Hello, who are you?'), /Seen/);
  assert.match(promptOf(model), /MEMORY\.md has 52428800 bytes, and at most 4194304 are read/);
  writeFileSync(path, 'One\u0000two');
  assert.match(await house.ask(talk, 'And now?'), /Seen/);
  assert.match(promptOf(model), /NUL bytes/);
});

test('what a person forgets goes from the files, the index and the export', async (t) => {
  const house = await openHouse(t);
  await house.ready('telegram');
  await house.ask(talk, '/memory note The narwhal swims at noon.');
  const folder = folderOf(house, 'person');
  put(join(folder, 'MEMORY.md'), '# Whales\n\n- The narwhal is grey.\n');
  assert.match(await house.ask(talk, 'Which colour is the narwhal?'), /grey/);
  await house.ask(talk, '/forget me');
  const done = await house.ask(talk, '/forget me yes');
  assert.match(done, /checked again and found nothing left/);
  await found('empty files', () =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.md'))
      .every((name) => !/narwhal/.test(readFileSync(join(folder, name), 'utf8')))
      ? true
      : undefined,
  );
  assert.doesNotMatch(await house.ask(talk, 'Which colour is the narwhal?'), /grey/);
});
