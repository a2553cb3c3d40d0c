// Several bots on each platform in one instance: each connects with its own token, answers as its assistant, and in its own chats.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { printConnectionChanges } from '#app/commands/serve/run-until-stopped.ts';
import { loadConfig } from '#app/config/load.ts';
import { systemClock } from '#base/clock.ts';
import type { SandboxServer } from '#sandbox/contract.ts';
import { createDiscordSandbox } from '#sandbox/discord/server.ts';
import { createSlackSandbox } from '#sandbox/slack/server.ts';
import { createTelegramSandbox } from '#sandbox/telegram/server.ts';
import { found } from '../support/found.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { openModelHouse } from './model-house.ts';

const platforms = ['discord', 'telegram', 'slack'] as const;
type Platform = (typeof platforms)[number];
const dm = { chat: 'dm', user: 'you' } as const;

const assistants = {
  clerk: { systemPrompt: 'You are the clerk.' },
  counsel: { systemPrompt: 'You are the counsellor.', partition: 'own' },
};

/** A second simulated platform of each kind, where another bot is, and the tokens of that bot under the name. */
async function openOthers(t: TestContext, name: string) {
  const [discord, telegram, slack] = await Promise.all([
    createDiscordSandbox({ clock: systemClock }),
    createTelegramSandbox({ clock: systemClock, token: `7654321:${'b'.repeat(35)}` }),
    createSlackSandbox({ clock: systemClock }),
  ]);
  const servers: Record<Platform, SandboxServer> = { discord, telegram, slack };
  t.after(() => Promise.all(platforms.map((platform) => servers[platform].close())));
  const upper = name.toUpperCase();
  const variables = {
    [`DISCORD_BOT_TOKEN_${upper}`]: discord.tokens.bot,
    [`TELEGRAM_BOT_TOKEN_${upper}`]: telegram.tokens.bot,
    [`SLACK_BOT_TOKEN_${upper}`]: slack.tokens.bot,
    [`SLACK_APP_TOKEN_${upper}`]: slack.tokens.app,
  };
  const channels = Object.fromEntries(
    platforms.map((platform) => [
      platform,
      { accounts: { [name]: { apiUrl: servers[platform].url, directMessages: 'open' } } },
    ]),
  );
  return { servers, variables, channels };
}

async function openHouseOfTwo(t: TestContext, bound: string) {
  const others = await openOthers(t, 'second');
  const bindings = platforms.map((platform) => ({ assistant: bound, platform, account: 'second' }));
  const config = { assistants, bindings, channels: others.channels };
  const { house, model } = await openModelHouse(t, platforms, config, {}, others.variables);
  /** Says it to the second bot, and resolves with what the model was asked. */
  const ask = async (platform: Platform, text: string): Promise<string> => {
    const server = others.servers[platform];
    const answers = () => server.shown('dm', 'you').filter(({ author }) => author === 'bot');
    const before = answers().length;
    await server.say({ ...dm, text });
    await found(`${platform}: an answer of the second bot`, () =>
      answers().length > before && house.parley.gateway.status().every(settled) ? true : undefined,
    );
    return JSON.stringify(model.getLastRequest()?.body);
  };
  const askMain = async (platform: Platform, text: string): Promise<string> => {
    await house.ask({ platform, ...dm }, text);
    return JSON.stringify(model.getLastRequest()?.body);
  };
  return { house, config, others, ask, askMain };
}

const settled = ({ inboxBacklog, outboxBacklog }: { inboxBacklog: number; outboxBacklog: number }): boolean =>
  inboxBacklog + outboxBacklog === 0;

test('two bots of one platform each answer as themselves in their own chats, on each platform, also after a restart (R30)', async (t) => {
  const { house, config, ask, askMain, others } = await openHouseOfTwo(t, 'clerk');
  for (const round of ['first', 'second']) {
    for (const platform of platforms) {
      const main = house.answers({ platform, ...dm }).length;
      assert.match(await ask(platform, `hello, ${round} time`), /You are the clerk/, platform);
      assert.equal(house.answers({ platform, ...dm }).length, main, `${platform}: the other bot is silent`);
      const second = others.servers[platform].shown('dm', 'you').length;
      assert.doesNotMatch(await askMain(platform, `hello, ${round} time`), /You are the clerk/, platform);
      assert.equal(others.servers[platform].shown('dm', 'you').length, second, platform);
    }
    if (round === 'first') {
      await house.restart({ model: { name: 'any' }, ...config });
      await house.ready(...platforms);
    }
  }
  assert.deepEqual(
    house.parley.gateway.status().map(({ name, state }) => `${name} ${state}`),
    [
      'discord ready',
      'discord/second ready',
      'telegram ready',
      'telegram/second ready',
      'slack ready',
      'slack/second ready',
      'terminal ready',
    ],
  );
  const lines: string[] = [];
  printConnectionChanges(house.parley.gateway, (line) => lines.push(line))();
  assert.deepEqual(lines, [
    '  discord         connected',
    '  discord/second  connected',
    '  telegram        connected',
    '  telegram/second connected',
    '  slack           connected',
    '  slack/second    connected',
  ]);
});

test('what a person tells a bot whose assistant has its own memory is not given to the other bot, and otherwise it is (R30)', async (t) => {
  const secret = 'The spare key is under the blue flowerpot.';
  for (const [bound, isGiven] of [
    ['counsel', false],
    ['clerk', true],
  ] as const) {
    const { house, ask, askMain } = await openHouseOfTwo(t, bound);
    for (const platform of platforms) await ask(platform, secret);
    for (const platform of platforms) {
      const asked = await askMain(platform, 'Where is the spare key?');
      assert.equal(asked.includes('blue flowerpot'), isGiven, `${bound} on ${platform}`);
    }
    assert.match(await ask('telegram', 'Where is the spare key?'), /blue flowerpot/, bound);
    await house.parley.close();
  }
});

test('what is written to one bot while the program is off is answered afterwards, however much the other bot has read since (R30)', async (t) => {
  const { house, config, askMain, ask, others } = await openHouseOfTwo(t, 'clerk');
  const { telegram } = others.servers;
  await ask('telegram', 'hello');
  for (const round of ['one', 'two', 'three', 'four']) await askMain('telegram', round);
  await house.parley.close();
  await telegram.say({ ...dm, text: 'Anybody there?' });
  const before = telegram.shown('dm', 'you').length;
  await house.restart({ model: { name: 'any' }, ...config });
  await found('an answer to what was written while the program was off', () =>
    telegram.shown('dm', 'you').length > before ? true : undefined,
  );
});

test('two bots with one token, and a place that is bound twice or cannot be, are refused with the names of what is wrong', (t) => {
  const token = `123456:${'a'.repeat(35)}`;
  const folder = tempFolder(t);
  assert.throws(
    () => loadConfig({ folder, variables: { TELEGRAM_BOT_TOKEN: token, TELEGRAM_BOT_TOKEN_SECOND: token } }),
    /TELEGRAM_BOT_TOKEN and TELEGRAM_BOT_TOKEN_SECOND have the same token/,
  );
});
