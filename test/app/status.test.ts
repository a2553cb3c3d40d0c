// What an operator is told over HTTP of each channel, and that one channel's end is its own.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { main } from '#app/main.ts';
import type { SandboxServer } from '#sandbox/contract.ts';
import { found } from '../support/found.ts';
import { type House, openHouse } from './house.ts';
import { openTerminal } from './terminal.ts';

const all = ['discord', 'telegram', 'slack'] as const;
const dm = { chat: 'dm', user: 'you' } as const;

/** What each channel's end says: what is wrong, and where the next token comes from. */
const hints = {
  discord: /Unauthorized.*Reset Token.*DISCORD_BOT_TOKEN/,
  telegram: /Unauthorized.*@BotFather.*TELEGRAM_BOT_TOKEN/,
  slack: /token_revoked.*api\.slack\.com\/apps/,
};

type Entry = Record<string, unknown>;

async function get(house: House, path: string): Promise<Record<string, unknown>> {
  const token = readFileSync(join(house.home, 'token'), 'utf8').trim();
  const headers = { authorization: `Bearer ${token}` };
  return (await (await fetch(`${house.parley.url}${path}`, { headers })).json()) as Record<string, unknown>;
}

test('the status shows for each channel its state and since when, what came and went, what waits, and that it is alive (H4, T10)', async (t) => {
  const house = await openHouse(t, { config: { channels: { slack: { enabled: false } } } });
  await house.ready('discord', 'telegram');
  const before = Date.now();
  const quiet = (await get(house, '/channels/status')) as Record<string, Entry>;
  assert.deepEqual([quiet.discord?.lastInboundMs, quiet.discord?.lastOutboundMs], [null, null]);
  await house.ask({ platform: 'discord', ...dm }, 'My bicycle is green.');
  const status = (await get(house, '/channels/status')) as Record<string, Entry>;
  const { sinceMs, lastAliveMs, lastInboundMs, lastOutboundMs, ...rest } = status.discord ?? {};
  assert.deepEqual(rest, {
    enabled: true,
    connected: true,
    state: 'ready',
    inboxBacklog: 0,
    outboxBacklog: 0,
    problem: null,
    lastError: null,
    lastErrorAtMs: null,
    refused: [],
  });
  assert.ok(Number(sinceMs) <= before && Number(lastAliveMs) >= Number(sinceMs));
  assert.ok(Number(lastInboundMs) >= before && Number(lastOutboundMs) >= Number(lastInboundMs));
  assert.deepEqual([status.telegram?.lastInboundMs, status.telegram?.state], [null, 'ready']);
  assert.deepEqual(
    [status.slack?.enabled, status.slack?.connected, status.slack?.state],
    [false, false, 'off'],
  );
  const health = await get(house, '/global/health');
  assert.deepEqual(
    [health.healthy, health.ready],
    [true, true],
    'a channel that is switched off is not waited for',
  );
  await house.restart();
  await house.ready('discord', 'telegram');
  const again = (await get(house, '/channels/status')) as Record<string, Entry>;
  // a restart forgets neither, and knows both from what was committed
  const [inbound, outbound] = [Number(again.discord?.lastInboundMs), Number(again.discord?.lastOutboundMs)];
  assert.ok(inbound >= before && inbound <= Number(lastInboundMs), `${inbound}`);
  assert.ok(outbound >= inbound && outbound <= Number(lastOutboundMs), `${outbound}`);
});

for (const platform of all) {
  test(`a ${platform} token that is revoked while running ends that channel, with a message and the hint, and no other (H7)`, async (t) => {
    const house = await openHouse(t);
    await house.ready(...all);
    // the house knows its servers by what all of them can do; revoking a token is what each of them can do besides
    (house.sandbox[platform] as SandboxServer & { revokeToken(): void }).revokeToken();
    await house.sandbox[platform].say({ ...dm, text: 'What is asked now is answered with the next token.' });
    await found('the end', () =>
      house.parley.gateway.status().some((each) => each.platform === platform && each.state === 'failed')
        ? true
        : undefined,
    );
    const others = all.filter((each) => each !== platform);
    for (const other of others) {
      await house.sandbox[other].say({ ...dm, text: 'My bicycle is green.' });
      await found(`an answer on ${other}`, () => house.answers({ platform: other, ...dm })[0]);
    }
    const status = (await get(house, '/channels/status')) as Record<string, Entry>;
    const { problem, lastError } = status[platform] ?? {};
    assert.match(String(problem), hints[platform]);
    assert.equal(lastError, problem);
    assert.ok(!JSON.stringify(status).includes(house.sandbox[platform].tokens.bot));
    assert.deepEqual(
      others.map((other) => status[other]?.state),
      ['ready', 'ready'],
    );
    const health = await get(house, '/global/health');
    assert.deepEqual([health.healthy, health.ready], [true, false]);
    assert.equal((health.channels as Record<string, Entry>)[platform]?.ready, false);
  });
}

test('where the token was given to the program by environment, commands say that it runs and what to set', async (t) => {
  const variables = { PARLEY_TOKEN: 'a-token-of-the-environment' };
  const house = await openHouse(t, { variables });
  const call = async (command: string, given: NodeJS.ProcessEnv) => {
    const said: string[] = [];
    const say = (line: string) => void said.push(line);
    const argv = [command, '--config', join(house.folder, 'parley.config.json')];
    return {
      code: await main(argv, given, { out: say, err: say }),
      said: said.join(' ').replace(/\s+/g, ' '),
    };
  };
  for (const given of [{}, { PARLEY_TOKEN: 'another-token-that-is-wrong' }]) {
    const { code, said } = await call('status', given);
    assert.equal(code, 1);
    assert.match(said, /A Parley runs at http.*asks for (a token that is not known|another token than)/);
    assert.match(said, /Set PARLEY_TOKEN for this command/);
    assert.ok(said.includes(join(house.folder, '.env')), said);
  }
  assert.match((await call('doctor', {})).said, /asks for a token that is not known here/);
  const known = await call('status', variables);
  assert.equal(known.code, 0);
  assert.match(known.said, /ready/);
});

test('of a single row the status speaks in the singular', async (t) => {
  const terminal = openTerminal(t);
  assert.equal((await terminal.call('memory', 'put', 'The boat is red')).code, 0);
  await terminal.start();
  assert.match((await terminal.call('status')).out, /^stored .* 0 events, 1 line of audit$/m);
});
