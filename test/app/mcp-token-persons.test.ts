// Tokens of persons who leave the config and come back: nothing that only looks changes them, and none is lost.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { loadConfig } from '#app/config/load.ts';
import { checkTokens } from '#app/doctor/tokens.ts';
import { type House, onlyTelegram, openTelegramHouse } from './house.ts';
import { call, overHttp, overStdio, parley, tokenFor } from './mcp-kit.ts';

const people = { Ann: { role: 'owner' as const, accounts: ['telegram:77'] } };
const configured = (people: object) => ({
  channels: onlyTelegram,
  people,
  engine: { port: 0 },
  log: { level: 'silent' },
});

function write({ folder }: House, people: object): void {
  writeFileSync(join(folder, 'parley.config.json'), JSON.stringify(configured(people)));
}

test('looking at tokens and people while nothing runs changes nothing, whomever the config names', async (t) => {
  const house = await openTelegramHouse(t, { people });
  const { id, secret } = await tokenFor(house, '--person', 'Ann');
  await house.parley.close();
  write(house, {});
  assert.match((await parley(house, 'token', 'list')).out, new RegExp(`${id}\\s+person Ann\\s+refused: `));
  await parley(house, 'people', 'list');
  await parley(house, 'people', 'show', 'Ann');
  await assert.rejects(overStdio(house, secret), /Ann.*not admitted any more/);
  write(house, people);
  assert.match((await parley(house, 'token', 'list')).out, new RegExp(`${id}  person Ann  never used`));
  const client = await overStdio(house, secret);
  t.after(() => client.close());
  assert.equal((await call(client, 'memory_create', { content: 'A medlar.' })).status, 'stored');
});

test('a person who leaves the config is switched off, the doctor names the token, and coming back restores it', async (t) => {
  const house = await openTelegramHouse(t, { people });
  const { id, secret } = await tokenFor(house, '--person', 'Ann');
  const doctor = () => {
    const { home, config } = loadConfig({ folder: house.folder, variables: {} });
    return checkTokens({ home, config }, Date.now())
      .map(({ level, what }) => `${level}: ${what}`)
      .join('\n');
  };
  const refused = new RegExp(`^warning: The token ${id} of Ann is refused`, 'm');
  write(house, {});
  assert.match(doctor(), refused, 'before the next start');
  await house.restart(configured({}));
  await assert.rejects(overHttp(house.parley.url, secret), /Ann.*not admitted any more/);
  assert.match(doctor(), refused);
  // another person of the same name is not the one whose token it is
  await house.restart(configured({ Ann: { role: 'owner', accounts: ['telegram:78'] } }));
  await assert.rejects(overHttp(house.parley.url, secret), /Ann.*not admitted any more/);
  await house.restart(configured({ Anna: people.Ann }));
  const client = await overHttp(house.parley.url, secret);
  t.after(() => client.close());
  await call(client, 'memory_create', { content: 'A medlar.' });
  assert.match((await parley(house, 'token', 'list')).out, new RegExp(`${id}  person Anna  used`));
  assert.match(doctor(), new RegExp(`^ok: .*${id} of Anna`));
});
