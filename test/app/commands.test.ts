// Commands as people give them on each platform: native where it has them, as text everywhere, answered by the real engine.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import type { DiscordSandbox } from '#sandbox/discord/server.ts';
import type { SlackSandbox } from '#sandbox/slack/server.ts';
import { found } from '../support/found.ts';
import { type House, openHouse } from './house.ts';
import { callWith } from './terminal.ts';

const all = ['discord', 'telegram', 'slack'] as const;
const dm = (platform: (typeof all)[number]) => ({ platform, chat: 'dm', user: 'you' }) as const;

/** What the bot says next in a direct message after something was done. */
async function after(
  house: House,
  platform: (typeof all)[number],
  act: () => void,
  wanted: RegExp,
): Promise<string> {
  const before = house.answers(dm(platform)).length;
  act();
  return found(`${platform}: ${wanted}`, () =>
    house
      .answers(dm(platform))
      .slice(before)
      .map(({ text }) => text)
      .find((text) => wanted.test(text)),
  );
}

test('native commands reach the same table: Discord options, Telegram menu, Slack slash commands (I4)', async (t) => {
  const house = await openHouse(t);
  await house.ready(...all);
  const discord = house.sandbox.discord as DiscordSandbox;
  const slack = house.sandbox.slack as SlackSandbox;
  await found('the commands', () => (discord.commands().includes('rename') ? true : undefined));
  await house.ask(dm('discord'), 'hello');
  await after(
    house,
    'discord',
    () => void discord.slash({ chat: 'dm', user: 'you', name: 'rename', text: 'Trip  to Rome' }),
    /now called Trip to Rome/,
  );
  assert.match(await house.ask(dm('discord'), '/sessions'), /Trip {2}to Rome|Trip to Rome/);
  await found(
    'the menu',
    () =>
      house.sandbox.telegram.calls().some(({ name, status }) => name === 'setMyCommands' && status === 200) ||
      undefined,
  );
  assert.match(await house.ask(dm('telegram'), '/whoami'), /I know you as Robin, an owner/);
  const slash = (command: string, text: string) => () =>
    slack.slash({ chat: 'dm', user: 'you', command, text });
  await after(house, 'slack', slash('/parley', ''), /I am Parley/);
  await after(house, 'slack', slash('/parley', 'status'), /Parley \S+: everything works/);
  await after(house, 'slack', slash('/parley', '!whoami'), /I know you as Robin/);
  await after(house, 'slack', slash('/retry', ''), /sent no message here/);
  await after(house, 'slack', slash('/parley', 'my locker is number 12'), /locker|offline/i);
});

test('a search of memory shows what was said, and neither the question nor that it was noted', async (t) => {
  const house = await openHouse(t, {
    config: { channels: { discord: { enabled: false }, slack: { enabled: false } } },
  });
  await house.ready('telegram');
  const ask = (text: string) => house.ask(dm('telegram'), text);
  await ask('What is my boat called?');
  await ask('My boat is called Tern.');
  await ask('What is my boat called?');
  const found = await ask('/memory search boat');
  const [first = ''] = found.split('\n');
  assert.match(first, /^(?:• |- )?\w{6} Robin: My boat is called Tern\. \(/);
  assert.doesNotMatch(found, /What is my boat called|Noted/);
  assert.doesNotMatch(await ask('/memory recent'), /Noted/);
  const printed = await callWith(join(house.folder, 'parley.config.json'), ['memory', 'search', 'boat']);
  assert.match(printed.out, /My boat is called Tern/);
  assert.doesNotMatch(printed.out, /Noted/);
});

test('what was saved is corrected by a new version that goes with its message, and what was said is not corrected', async (t) => {
  const house = await openHouse(t, {
    config: { channels: { discord: { enabled: false }, slack: { enabled: false } } },
  });
  await house.ready('telegram');
  const ask = (text: string) => house.ask(dm('telegram'), text);
  await ask('The kite is red.');
  const [, id = ''] = /\((\w{6})\)/.exec(await ask('/memory save The gate code is blue.')) ?? [];
  assert.match(await ask('/memory correct'), /Which memory, and what holds now\?/);
  const done = await ask(`/memory correct ${id} The gate code is green.`);
  const [, newID = ''] = /Corrected: version 2 holds now \((\w{6})\)/.exec(done) ?? [];
  const found = await ask('/memory search gate code');
  assert.match(found, /The gate code is green/);
  assert.doesNotMatch(found, /The gate code is blue/);
  const [, said = ''] = /(\w{6}) Robin: The kite is red/.exec(await ask('/memory recent')) ?? [];
  assert.match(
    await ask(`/memory correct ${said} The kite is blue.`),
    /Only what was saved can be corrected/,
  );
  assert.match(await ask(`/memory correct ${newID} The gate code is green.`), /I already remember that/);
  const call = (...words: string[]) => callWith(join(house.folder, 'parley.config.json'), words);
  const { entries } = JSON.parse((await call('memory', 'list', '--json')).out) as {
    entries: { id: string; text: string }[];
  };
  const whole = entries.find(({ text }) => text.includes('gate code'))?.id ?? '';
  assert.match(
    (await call('memory', 'show', whole)).out,
    /The gate code is blue/,
    'the former version is read',
  );
  const room = { platform: 'telegram', chat: 'room', user: 'guest' } as const;
  assert.match(await house.ask(room, `/memory correct ${newID} No.`), /only owners can correct it/);
});

test('in a room a command is given after a mention (TN)', async (t) => {
  const house = await openHouse(t);
  await house.ready(...all);
  for (const platform of all)
    assert.match(
      await house.ask({ platform, chat: 'room', user: 'guest' }, '/whoami'),
      /I know you as .*, a guest/,
      platform,
    );
});

test('memory, sessions, tools, usage and export answer from the real engine', async (t) => {
  const house = await openHouse(t, {
    config: { channels: { telegram: { enabled: false }, slack: { enabled: false } } },
  });
  await house.ready('discord');
  const ask = (text: string) => house.ask(dm('discord'), text);
  await ask('my bike is red');
  const [, shown = ''] =
    /I will remember that \((\w{6})\)/.exec(await ask('/memory save the shed code is 12')) ?? [];
  assert.match(await ask(`/memory forget ${shown}`), /Permanently deleted: the shed code is 12/, 'TY');
  assert.match(await ask('/memory save the gate code is 4711'), /I will remember that/);
  const [, id = ''] = /(\w{6}) the gate code is 4711/.exec(await ask('/memory search gate code')) ?? [];
  assert.match(await ask(`/memory forget ${id}`), /Permanently deleted: the gate code is 4711/);
  assert.match(await ask('/tools'), /memory_search: /);
  assert.match(await ask('/model'), /answers/);
  assert.match(await ask('/assistant'), /Parley answers here/);
  assert.match(await ask('/usage'), /this conversation: 1 answer/);
  assert.match(await ask('/retry'), /I am answering that again/);
  await found('the second answer', () => {
    const offline = house.answers(dm('discord')).filter(({ text }) => /red|noted|remember/i.test(text));
    return offline.length >= 2 ? true : undefined;
  });
  await ask('/export');
  const file = await found(
    'the file',
    () => house.answers(dm('discord')).flatMap(({ files }) => files ?? [])[0],
  );
  assert.match(Buffer.from(file.bytes).toString(), /my bike is red/);
});
