// Forgetting a person as an operator does it: what was saved in chats goes with what was said, in every form in which a person is named.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { main } from '#app/main.ts';
import { parseJson } from '#base/json.ts';
import { openHouse } from './house.ts';

const discord = { platform: 'discord', chat: 'dm', user: 'you' } as const;

/** Calls the command line beside the house. */
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
  const who = await house.ask(discord, '/who');
  const account = /(discord:\d+)/.exec(who)?.[1] ?? who;
  const name = /You are (\S+) to me/.exec(who)?.[1] ?? who;
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
