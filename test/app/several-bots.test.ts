// One started program with two bots on Discord and on Telegram and three assistants: who answers, what the operator sees of it, what doctor asks, and what
// may be used of an assistant.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { LLMock } from '@copilotkit/aimock';
import { main } from '#app/main.ts';
import { systemClock } from '#base/clock.ts';
import type { SandboxServer } from '#sandbox/contract.ts';
import { createDiscordSandbox } from '#sandbox/discord/server.ts';
import { createTelegramSandbox } from '#sandbox/telegram/server.ts';
import { found } from '../support/found.ts';
import { openStage } from './stage.ts';

/** The simulated Slack knows one token alone, and two bots with one token are refused: it has one bot here. */
const platforms = ['discord', 'telegram'] as const;
type Platform = (typeof platforms)[number];
const guest = { chat: 'dm', user: 'guest' } as const;

/** The platforms of the second bots. */
async function openSeconds(t: TestContext) {
  const [discord, telegram] = await Promise.all([
    createDiscordSandbox({ clock: systemClock }),
    createTelegramSandbox({ clock: systemClock, token: `7654321:${'b'.repeat(35)}` }),
  ]);
  const servers: Record<Platform, SandboxServer> = { discord, telegram };
  t.after(() => Promise.all(platforms.map((platform) => servers[platform].close())));
  const variables = {
    DISCORD_BOT_TOKEN_SECOND: discord.tokens.bot,
    TELEGRAM_BOT_TOKEN_SECOND: telegram.tokens.bot,
  };
  return { servers, variables };
}

test('a started program with two bots on Discord and on Telegram answers as each of their assistants; status, runs, usage and doctor name them, and a limit holds for one assistant alone (R30)', async (t) => {
  const model = new LLMock({ port: 0 });
  await model.start();
  t.after(() => model.stop());
  model.addFixture({ match: { userMessage: /.*/ }, response: { content: 'Seen.' } });
  const { servers, variables } = await openSeconds(t);
  const environment = { OPENAI_BASE_URL: `${model.url}/v1`, OPENAI_API_KEY: 'k'.repeat(20), ...variables };
  const assistants = {
    clerk: { systemPrompt: 'You are the clerk.' },
    counsel: { systemPrompt: 'You are the counsellor.', partition: 'own' },
  };
  const second = (platform: Platform) => ({
    directMessages: 'open',
    accounts: { second: { apiUrl: servers[platform].url, directMessages: 'open' } },
  });
  const stage = await openStage(t, {
    variables: environment,
    configure: (config) =>
      ({
        ...config,
        model: { name: 'any' },
        assistants,
        bindings: platforms.map((platform) => ({
          assistant: platform === 'telegram' ? 'counsel' : 'clerk',
          platform,
          account: 'second',
        })),
        limits: { assistants: { clerk: { messages: 1 } } },
        channels: {
          ...config.channels,
          ...Object.fromEntries(
            platforms.map((platform) => [platform, { ...config.channels[platform], ...second(platform) }]),
          ),
        },
      }) as unknown as typeof config,
  });
  const program = stage.start();
  await program.connected(...platforms, 'slack');
  await found('the second bots', () =>
    platforms.every((platform) => new RegExp(`${platform}/second +connected`).test(program.said()))
      ? true
      : undefined,
  );

  const ask = async (server: SandboxServer, text: string): Promise<string> => {
    const answers = () => server.shown('dm', 'guest').filter(({ author }) => author === 'bot');
    const before = answers().length;
    await server.say({ ...guest, text });
    return found(`an answer to ${text}`, () => answers()[before]?.text);
  };
  const persona = async (server: SandboxServer): Promise<string | undefined> => {
    assert.match(await ask(server, 'Good morning to you.'), /Seen/);
    return /You are the (\w+)\./.exec(JSON.stringify(model.getLastRequest()?.body))?.[1];
  };
  for (const platform of platforms) {
    assert.equal(await persona(stage.sandbox[platform]), undefined, platform);
    assert.equal(
      await persona(servers[platform]),
      platform === 'telegram' ? 'counsellor' : 'clerk',
      platform,
    );
  }
  // the clerk has answered as often as it may; nobody else is held up by that
  assert.match(await ask(servers.discord, 'And again?'), /clerk[\s\S]*1 message/);
  assert.equal(await persona(servers.telegram), 'counsellor');
  assert.equal(await persona(stage.sandbox.discord), undefined);

  const shown = async (path: string) => JSON.stringify(await program.get(path));
  for (const platform of platforms) assert.match(await shown('/status'), new RegExp(`"${platform}/second"`));
  assert.match(await shown('/runs'), /"agent":"counsel"[\s\S]*"agent":"clerk"/);
  assert.match(await shown('/usage?by=agent'), /"counsel"[\s\S]*"clerk"|"clerk"[\s\S]*"counsel"/);
  assert.match(await shown('/agent'), /"clerk"[\s\S]*"counsel"/);

  const lines: string[] = [];
  await main(
    ['doctor', '--config', join(stage.folder, 'parley.config.json')],
    { ...stage.sandbox.environment, ...environment, PARLEY_TOKEN: 'token-of-this-test' },
    { out: (line) => lines.push(line), err: (line) => lines.push(line) },
  );
  for (const platform of platforms)
    assert.match(lines.join('\n'), new RegExp(`${platform}/second`), lines.join('\n'));
  program.signal('SIGTERM');
  assert.equal(await program.ended, 0);
});
