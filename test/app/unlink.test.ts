// Two accounts that were one person, and are one no longer: neither is given what the other says from then on. Through the platforms, with a model
// that answers with everything that it was given.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { LLMock } from '@copilotkit/aimock';
import { main } from '#app/main.ts';
import { found } from '../support/found.ts';
import { type House, openHouse } from './house.ts';

const ann = { platform: 'discord', chat: 'dm', user: 'guest' } as const;
const ben = { platform: 'telegram', chat: 'dm', user: 'guest' } as const;

/** Every word `canary...` that a prompt holds. */
async function openEcho(
  t: TestContext,
  people: (house: House) => object = () => ({}),
  channels: object = {},
): Promise<House> {
  const model = new LLMock({ port: 0 });
  await model.start();
  t.after(() => model.stop());
  model.addFixture({
    match: { userMessage: /.*/ },
    response: ({ messages }) => {
      const given = JSON.stringify(messages).match(/canary\w+/g) ?? [];
      return { content: `I was given: ${[...new Set(given)].sort().join(' ')}.` };
    },
  });
  const house = await openHouse(t, {
    config: { model: { name: 'any' } },
    variables: { OPENAI_BASE_URL: `${model.url}/v1`, OPENAI_API_KEY: 'k'.repeat(20) },
  });
  await house.restart({ ...configOf(people(house)), channels });
  await house.ready('discord', 'telegram');
  return house;
}

const configOf = (people: object): object => ({
  engine: { port: 0 },
  gateway: { debounceMs: 0, shutdownSeconds: 1 },
  log: { level: 'silent' },
  model: { name: 'any' },
  people,
});

async function people(house: House, ...words: string[]): Promise<string> {
  const lines: string[] = [];
  const print = (line: string): void => void lines.push(line);
  const config = join(house.folder, 'parley.config.json');
  const code = await main(
    ['people', ...words, '--config', config],
    { PARLEY_HOME: house.home },
    { out: print, err: print },
  );
  assert.equal(code, 0, lines.join('\n'));
  return lines.join('\n');
}

/** The short id of the conversation that was begun on that platform. */
const fromThere = (listed: string, platform: string): string => {
  const line = listed.split('\n').find((each) => each.includes(`from ${platform}`));
  return /^\W*(\w+)/.exec(line ?? '')?.[1] ?? 'none';
};

/** Ann has said something, and Ben has resumed her conversation and said something in it. */
async function sharing(house: House): Promise<void> {
  await house.ask(ann, 'canaryBefore');
  const id = fromThere(await house.ask(ben, '/sessions'), 'discord');
  assert.match(await house.ask(ben, `/resume ${id}`), /We are back in/);
  assert.match(await house.ask(ben, 'canaryShared'), /canaryBefore canaryShared/);
}

/** All that the bot has shown someone in private, with the content of files. */
const shownTo = (house: House, talk: typeof ann | typeof ben): string[] =>
  house
    .answers(talk)
    .flatMap(({ text, files = [] }) => [text, ...files.map(({ bytes }) => Buffer.from(bytes).toString())]);

/** What each of them writes after this stays with them. */
async function apart(house: House): Promise<{ toAnn: string; toBen: string }> {
  const before = { ann: shownTo(house, ann).length, ben: shownTo(house, ben).length };
  await house.ask(ann, 'canaryOfAnn');
  assert.doesNotMatch(await house.ask(ben, 'canaryOfBen'), /canaryOfAnn|canaryBefore/);
  assert.doesNotMatch(await house.ask(ann, 'and now?'), /canaryOfBen|canaryShared/);
  for (const command of ['/sessions', '/export', '/status', '/memory recent'])
    for (const reader of [ann, ben]) await house.ask(reader, command);
  const [toAnn, toBen] = [
    shownTo(house, ann).slice(before.ann).join('\n'),
    shownTo(house, ben).slice(before.ben).join('\n'),
  ];
  assert.doesNotMatch(toAnn, /canaryOfBen|canaryShared/);
  assert.doesNotMatch(toBen, /canaryOfAnn|canaryBefore/);
  return { toAnn, toBen };
}

const accountsOf = (house: House) => ({
  discord: `discord:${house.sandbox.discord.userID('guest')}`,
  telegram: `telegram:${house.sandbox.telegram.userID('guest')}`,
});

test('accounts that were joined by a code and are removed by the operator read nothing more of each other', async (t) => {
  const house = await openEcho(t);
  const code = /\/link (\w{8})/.exec(await house.ask(ann, '/link'))?.[1] ?? '';
  assert.match(await house.ask(ben, `/link ${code} yes`), /Done/);
  await sharing(house);
  const all = JSON.parse(await people(house, 'list', '--json')).people as { name: string }[];
  const named = all.find(({ name }) => name.startsWith('unnamed:'));
  await people(house, 'remove', named?.name ?? '');
  await apart(house);
});

test('accounts that the config ceases to name as one person while nothing runs read nothing more of each other', async (t) => {
  const house = await openEcho(t, (each) => ({ both: Object.values(accountsOf(each)) }));
  await sharing(house);
  const { discord, telegram } = accountsOf(house);
  await house.restart(configOf({ ann: [discord], ben: [telegram] }));
  await house.ready('discord', 'telegram');
  const { toAnn, toBen } = await apart(house);
  assert.match(toAnn, /## .*\n\ncanaryOfAnn/, 'the file of /export is looked into');
  assert.match(toBen, /## .*\n\ncanaryOfBen/);
});

test('an account that a config takes from a person while the program runs reads nothing more of the other', async (t) => {
  const house = await openEcho(t, (each) => ({ both: Object.values(accountsOf(each)) }));
  await sharing(house);
  const { discord, telegram } = accountsOf(house);
  writeFileSync(
    join(house.folder, 'parley.config.json'),
    JSON.stringify(configOf({ both: [discord], ben: [telegram] })),
  );
  await house.parley.reload();
  await found('a person of the name ben', async () => {
    const { people: named } = await house.parley.gateway.accessAdmin.list();
    return named.find(({ name }) => name === 'ben');
  });
  await apart(house);
});

test('an account that is removed from a person, and admitted again, is another person', async (t) => {
  const pairing = { directMessages: 'pairing' };
  const house = await openEcho(t, undefined, { discord: pairing, telegram: pairing });
  const { accessAdmin } = house.parley.gateway;
  /** As an owner does it in a chat who gives no name; the person who has the account then. */
  const admitted = async (): Promise<string> => {
    const [, code = ''] = /Your code is (\w{8})/.exec(await house.ask(ann, 'hello')) ?? [];
    return (await accessAdmin.approve({ code })).person.name;
  };
  const both = await admitted();
  const code = /\/link (\w{8})/.exec(await house.ask(ann, '/link'))?.[1] ?? '';
  assert.match(await house.ask(ben, `/link ${code} yes`), /Done/);
  await people(house, 'remove', both, '--account', accountsOf(house).discord);
  await admitted();
  const { people: all } = await accessAdmin.list();
  const own = Object.values(accountsOf(house));
  const accounts = all.map((each) => each.accounts.map(({ platform, userID }) => `${platform}:${userID}`));
  assert.deepEqual(
    accounts.filter((of) => own.some((account) => of.includes(account))).sort(),
    own.map((account) => [account]).sort(),
  );
  await apart(house);
});
