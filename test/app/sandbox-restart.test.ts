// The sandbox started again: the simulated platforms are as they were, and nothing that is written then is taken for something known.

import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { SandboxFile } from '#sandbox/contract.ts';
import { snapshot } from '#sandbox/control-state.ts';
import { until } from '../support/found.ts';
import { type House, openHouse, type Talk } from './house.ts';

const platforms = ['discord', 'telegram', 'slack'] as const;
const dm = { chat: 'dm', user: 'you' } as const;
const chats = [
  dm,
  { chat: 'room', user: 'you' },
  { chat: 'private', user: 'you' },
  { chat: 'dm', user: 'guest' },
] as const;
const note: SandboxFile = {
  name: 'note.txt',
  mime: 'text/plain',
  bytes: Buffer.from('The gate opens at seven.'),
};

/** All that people see, files by their names and sizes. */
const shown = ({ sandbox }: House) =>
  snapshot([sandbox.discord, sandbox.telegram, sandbox.slack], { revision: 0, model: '', you: '' });

const ready = (house: House): Promise<void> => house.ready(...platforms);

test('after a restart of the sandbox every chat shows the conversation as it was', async (t) => {
  const house = await openHouse(t, { sandbox: 'stored' });
  await ready(house);
  for (const platform of platforms)
    for (const talk of chats) {
      const files = talk.chat === 'dm' ? [note] : undefined;
      await house.ask({ platform, ...talk }, `My boat on ${platform} is called Tern.`, files);
    }
  const [first] = house.sandbox.discord.shown('dm', 'you');
  const edited = await house.sandbox.discord.say({ ...dm, text: 'My bike is gren.' });
  await house.sandbox.discord.editMessage(edited.id, 'My bike is green.');
  await house.sandbox.discord.deleteMessage(first?.id ?? '');
  await house.ask({ platform: 'telegram', ...dm }, 'My hat is blue.');
  const before = shown(house);
  assert.match(JSON.stringify(before), /note\.txt/);
  await house.restart();
  assert.deepEqual(shown(house), before);
});

test('what is written after a restart of the sandbox is answered on every platform, also in the thread of before', async (t) => {
  const house = await openHouse(t, { sandbox: 'stored' });
  await ready(house);
  const everywhere: Talk[] = platforms.flatMap((platform) => [
    { platform, ...dm },
    { platform, chat: 'room', user: 'you' },
  ]);
  for (const talk of everywhere) await house.ask(talk, `My boat in the ${talk.chat} is called Tern.`);
  for (let restarts = 0; restarts < 2; restarts += 1) {
    await house.restart();
    await ready(house);
    for (const talk of everywhere)
      assert.match(await house.ask(talk, 'What is my boat called?'), /Tern/, JSON.stringify(talk));
  }
  const { slack } = house.sandbox;
  const thread = slack.shown('room', 'you').find((message) => message.thread !== undefined)?.thread;
  assert.ok(thread !== undefined);
  await house.restart();
  await ready(house);
  const talk = { platform: 'slack', chat: 'room', user: 'you' } as const;
  const before = house.answers(talk).length;
  await house.sandbox.slack.say({ ...talk, thread, text: 'And what is it called again?' });
  await until('the answer', () => house.answers(talk).length > before);
  assert.equal(house.answers(talk).at(-1)?.thread, thread);
});

test('a message that nobody had taken in when the program ended is answered after the restart', async (t) => {
  const house = await openHouse(t, { sandbox: 'stored' });
  await ready(house);
  for (const platform of platforms) await house.ask({ platform, ...dm }, 'My boat is called Tern.');
  await house.parley.close();
  for (const platform of platforms) await house.sandbox[platform].say({ ...dm, text: 'Hello' });
  await house.restart();
  await ready(house);
  for (const platform of platforms)
    await until('both answers', () => house.answers({ platform, ...dm }).length === 2);
});

test('platforms that start over beside a gateway that knows an earlier world are answered too', async (t) => {
  const house = await openHouse(t, { sandbox: 'stored' });
  await ready(house);
  for (const platform of ['telegram', 'slack'] as const)
    await house.ask({ platform, ...dm }, 'My boat is called Tern.');
  for (const ending of ['', '-wal', '-shm'])
    rmSync(join(house.home, `sandbox.sqlite${ending}`), { force: true });
  // the message ids of a new world begin by the second, and must be later than those of the world before
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  await house.restart();
  await ready(house);
  for (const platform of ['telegram', 'slack'] as const) {
    assert.deepEqual(house.sandbox[platform].shown('dm', 'you'), []);
    assert.match(await house.ask({ platform, ...dm }, 'What is my boat called?'), /Tern/, platform);
  }
});
