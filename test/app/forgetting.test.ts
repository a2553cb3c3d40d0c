// Forgetting a person, as an operator and as the person does it: in memory, conversations, inbox, outbox and files, proven in the bytes of the home folder.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { z } from 'zod';
import { main } from '#app/main.ts';
import { parseJson } from '#base/json.ts';
import { openHouse } from './house.ts';

const discord = { platform: 'discord', chat: 'dm', user: 'you' } as const;

/** Calls the command line next to the house. */
function commandsOf({ folder }: { folder: string }) {
  return async (...words: string[]) => {
    let out = '';
    const line = (text: string): void => {
      out += `${text}\n`;
    };
    const code = await main(
      [...words, '--config', `${folder}/parley.config.json`],
      {},
      { out: line, err: line },
    );
    return { code, out };
  };
}

test('what was saved in a chat is forgotten with its person and its chat, however they are named', async (t) => {
  const house = await openHouse(t);
  await house.ready('discord', 'telegram');
  const call = commandsOf(house);
  await house.ask(discord, 'My bicycle is green.');
  await house.ask(discord, '/memory save The shed code is twelve.');
  await house.ask({ platform: 'telegram', chat: 'dm', user: 'you' }, '/memory save The gate is closed.');
  await house.ask(
    { platform: 'discord', chat: 'room', user: 'you' },
    '/memory save The meeting is on Monday.',
  );
  await house.ask({ platform: 'discord', chat: 'dm', user: 'guest' }, '/memory save The guest likes tea.');
  const { entries } = parseJson(
    (await call('memory', 'list', '--json')).out,
    z.object({
      entries: z.array(
        z.object({ text: z.string(), chat: z.string(), audience: z.string(), sessionID: z.string() }),
      ),
    }),
    'list',
  );
  const shed = entries.find(({ text }) => text.includes('shed'));
  const meeting = entries.find(({ text }) => text.includes('Monday'));
  const person = shed?.audience ?? '';
  assert.match(shed?.sessionID ?? '', /^ses_/);
  const who = await house.ask(discord, '/whoami');
  const account = /(discord:\d+)/.exec(who)?.[1] ?? who;
  const name = /I know you as (\S+), /.exec(who)?.[1] ?? who;
  const count = async (...words: string[]): Promise<number> =>
    Number.parseInt((await call('memory', 'forget', ...words)).out, 10);
  for (const form of [person, person.slice('person:'.length), account])
    assert.equal(await count('--person', form), 3, form);
  assert.equal(await count('--person', name), 4, 'a name means all accounts');
  assert.equal(await count('--chat', shed?.chat ?? ''), 2);
  for (const form of [meeting?.chat ?? '', meeting?.audience ?? ''])
    assert.equal(await count('--chat', form), 1, form);
  assert.equal(await count('--chat', shed?.sessionID ?? ''), 2, 'a session may stand in the place of a chat');
  const applied = await call('memory', 'forget', '--person', name, '--apply');
  assert.equal(applied.code, 0, applied.out);
  assert.match((await call('memory', 'list')).out, /guest likes tea/);
  assert.doesNotMatch((await call('memory', 'list')).out, /bicycle|shed|gate is|Monday/);
});

/** The files of the home folder in which the word stands, read by another process. */
function filesWith(home: string, word: string): string[] {
  try {
    return execFileSync('grep', ['-rliaF', word, home], { encoding: 'utf8' }).trim().split('\n');
  } catch {
    return []; // grep found none
  }
}

const room = { platform: 'discord', chat: 'room', user: 'you' } as const;
const guest = { platform: 'discord', chat: 'dm', user: 'guest' } as const;
const note = (text: string) => [{ name: 'diary.txt', mime: 'text/plain', bytes: Buffer.from(text) }];

test('verify names every file of the home folder in which a word stands, and what it is', async (t) => {
  const house = await openHouse(t);
  await house.ready('discord');
  const call = commandsOf(house);
  await house.ask(discord, 'My xylophone is in the attic.', note('The zeppelin is in the shed.'));
  mkdirSync(join(house.home, 'backup-1'));
  writeFileSync(join(house.home, 'backup-1', 'engine.sqlite'), 'an old zeppelin');
  writeFileSync(join(house.home, 'parley.log'), 'the XYLOPHONE was logged');
  const forgotten = await call('memory', 'forget', '--contains', 'xylophone', '--apply');
  assert.equal(forgotten.code, 0, forgotten.out);
  const { code, out } = await call('memory', 'verify', 'xylophone', 'zeppelin');
  assert.equal(code, 1);
  for (const line of [
    /"xylophone" is in engine\.sqlite\S* \(conversations\)/,
    /"xylophone" is in gateway\.sqlite\S* \(inbox and outbox\)/,
    /"xylophone" is in parley\.log \(a log\)/,
    /"zeppelin" is in channel_uploads\/[\S\n]+\s\(files that people sent\)/,
    /"zeppelin" is in backup-1\/engine\.sqlite \(a backup\)/,
  ])
    assert.match(out, line);
  assert.doesNotMatch(out, /"xylophone" is in memory\.sqlite/);
  assert.deepEqual(
    out.split('\n').filter((line) => line.length > 80),
    [],
  );
});

for (const state of ['runs', 'is stopped'] as const)
  test(`forgetting a person everywhere leaves none of their words in the home folder while Parley ${state}`, async (t) => {
    const house = await openHouse(t);
    await house.ready('discord');
    const call = commandsOf(house);
    await house.ask(guest, 'The harbour is closed.');
    await house.ask({ ...room, user: 'guest' }, 'The lighthouse is red.');
    await house.ask(discord, 'My xylophone is in the attic.', note('The zeppelin is in the shed.'));
    await house.ask(discord, '/memory save The mountaineer waits.');
    await house.ask(room, 'The submarine is yellow.');
    const name = /I know you as (\S+), /.exec(await house.ask(discord, '/whoami'))?.[1] ?? '';
    if (state === 'is stopped') await house.parley.close();
    const words = ['xylophone', 'zeppelin', 'mountaineer', 'submarine'];
    const preview = await call('memory', 'forget', '--person', name, '--everywhere');
    assert.equal(preview.code, 0, preview.out);
    assert.match(preview.out, /^ {2}memory {9}3 entries$/m);
    assert.match(preview.out, /^ {2}conversations {2}4 messages, 1 of them whole$/m);
    assert.match(preview.out, /^ {2}inbox {10}\d messages?, 1 file$/m);
    for (const word of words) assert.ok(filesWith(house.home, word).length > 0, word);
    const done = await call(
      'memory',
      'forget',
      '--person',
      name,
      '--everywhere',
      '--apply',
      '--reason',
      'asked by letter',
    );
    assert.equal(done.code, 0, done.out);
    for (const word of words) assert.deepEqual(filesWith(house.home, word), [], word);
    assert.equal((await call('memory', 'verify', ...words)).code, 0);
    for (const word of ['harbour', 'lighthouse']) assert.ok(filesWith(house.home, word).length > 0, word);
    const again = await call('memory', 'forget', '--person', name, '--everywhere');
    assert.deepEqual([again.code, again.out.split('\n')[0]], [1, `Nothing stored matches --person ${name}.`]);
    if (state === 'is stopped') return;
    assert.match(await house.ask(discord, 'Where is my bicycle?'), /\w/);
    assert.doesNotMatch(house.answers(discord).at(-1)?.text ?? '', /no longer have our earlier conversation/);
  });

test('a wrong call of --everywhere says what was expected', async (t) => {
  const house = await openHouse(t);
  const call = commandsOf(house);
  for (const wrong of [
    [],
    ['--contains', 'x'],
    ['--person', 'a', '--chat', 'b'],
    ['--person', 'a', '--id', 'mem_1'],
  ])
    assert.equal((await call('memory', 'forget', '--everywhere', ...wrong)).code, 2, wrong.join(' '));
  assert.equal((await call('memory', 'forget', '--everywhere', '--person', 'nobody')).code, 1);
});

test('a guest is given all that is stored about them, and forgets all of it with one confirmation, in private alone', async (t) => {
  const house = await openHouse(t);
  await house.ready('discord');
  const ask = (text: string) => house.ask(guest, text);
  await ask('My xylophone is in the attic.');
  await ask('/memory save The mountaineer waits.');
  await ask('/memory note The rowboat leaks.');
  await house.ask({ ...room, user: 'guest' }, 'The submarine is yellow.');
  await house.ask(room, 'The lighthouse is red.');
  for (const command of ['/forget me', '/export me'])
    assert.match(await house.ask({ ...room, user: 'guest' }, command), /between you and me/, command);
  assert.match(await ask('/forget everything'), /`?\/forget me`? deletes everything I store about you/);
  await ask('/export me');
  const file = house
    .answers(guest)
    .flatMap(({ files }) => files ?? [])
    .at(-1);
  const given = Buffer.from(file?.bytes ?? []).toString();
  for (const word of ['xylophone', 'mountaineer', 'submarine', 'rowboat'])
    assert.match(given, new RegExp(word));
  assert.doesNotMatch(given, /lighthouse/);
  assert.match(given, /"account": "discord:\d+"/);
  const told = await ask('/forget me');
  assert.match(
    told,
    /permanently deletes what I store about you: 4 memories, 4 messages in conversations \(1 of them entirely\)/,
  );
  assert.match(told, /write `?\/forget me yes`?/);
  assert.ok(filesWith(house.home, 'xylophone').length > 0, 'nothing was changed');
  assert.match(
    await ask('/forget me yes'),
    /I permanently deleted 4 memories.* I checked again and found nothing left\./s,
  );
  for (const word of ['xylophone', 'mountaineer', 'submarine', 'rowboat'])
    assert.deepEqual(filesWith(house.home, word), [], word);
  assert.ok(filesWith(house.home, 'lighthouse').length > 0);
  await ask('My bicycle is green.');
  assert.match(await ask('What colour is my bicycle?'), /green/, 'the talk continues');
});

test('/forget me means all linked accounts', async (t) => {
  const house = await openHouse(t);
  await house.ready('discord', 'telegram');
  const telegram = { platform: 'telegram', chat: 'dm', user: 'you' } as const;
  await house.ask(telegram, 'My xylophone is in the attic.');
  await house.ask(discord, 'My zeppelin is in the shed.');
  assert.match(await house.ask(discord, '/forget me'), /on all \d of your accounts/);
  assert.match(await house.ask(discord, '/forget me yes'), /found nothing left/);
  for (const word of ['xylophone', 'zeppelin']) assert.deepEqual(filesWith(house.home, word), [], word);
});
