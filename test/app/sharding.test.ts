// One of several Discord connections is away: what the operator is told, and that everyone else is answered.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { main } from '#app/main.ts';
import type { DiscordSandbox } from '#sandbox/discord/server.ts';
import { found } from '../support/found.ts';
import { openHouse } from './house.ts';

const dm = { platform: 'discord', chat: 'dm', user: 'you' } as const;

test('a shard that is away is named by the status, on the command line and in the chat, and direct messages are answered in the meantime', async (t) => {
  const discord = { shards: { from: 0, to: 1, of: 2 } };
  const people = { you: { role: 'owner', accounts: ['discord:0'] } };
  const channels = { discord, telegram: { enabled: false }, slack: { enabled: false } };
  const house = await openHouse(t, { config: { channels } });
  await house.ready('discord');
  const sandbox = house.sandbox.discord as DiscordSandbox; // the house knows its servers by what all of them can do
  people.you.accounts = [`discord:${sandbox.userID('you')}`];
  await house.restart({ channels, people });
  await house.ready('discord');
  const standing = () => house.parley.gateway.status().find(({ platform }) => platform === 'discord');
  await found('both shards', () => (standing()?.problem === undefined ? true : undefined));
  sandbox.withhold('hello'); // a connection that is made now gets no answer
  sandbox.dropShard(1);
  const words =
    /Shard 1 of 2 is not connected: .* The servers of the other shards are served in the meantime\./;
  await found('the loss', () => (words.test(standing()?.problem ?? '') ? true : undefined));
  assert.equal(standing()?.state, 'ready');
  assert.match(await house.ask(dm, '/status'), words);
  const said: string[] = [];
  const write = (line: string) => void said.push(line);
  await main(
    ['status', '--config', join(house.folder, 'parley.config.json')],
    {},
    { out: write, err: write },
  );
  assert.match(said.join(' ').replaceAll(/\s+/g, ' '), words);
  sandbox.withhold('nothing');
});
