// What the config says of agents, tools and servers reaches the engine; secrets come only from the environment.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { configSchema } from '#app/config/schema.ts';
import { assistantSettings } from '#app/settings/assistants.ts';
import { engineSettings, mcpSecrets } from '#app/settings/engine-settings.ts';

test('a server that needs a variable which is not set stops the start and names it', () => {
  const config = configSchema.parse({
    mcp: { files: { command: 'x', env: { TOKEN: '$' + '{FILES_TOKEN}' } } },
  });
  assert.throws(() => engineSettings(config, {}, '/home/ann/parley'), {
    code: 'config_invalid',
    message: /mcp\.files needs.*FILES_TOKEN/,
    hint: `Set FILES_TOKEN in the environment or in ${join('/home/ann/parley', '.env')}.`,
  });
});

test('assistants with their models, policy and servers reach the engine, with variables filled in and known as secrets', () => {
  const config = configSchema.parse({
    agent: { tools: ['memory_*'] },
    assistants: {
      clerk: {
        systemPrompt: 'You file.',
        model: 'small',
        memory: 'off',
        deniedTools: ['web_*'],
        language: 'de',
      },
      plain: { systemPrompt: 'You answer.' },
      far: {
        systemPrompt: 'You are far.',
        model: { provider: 'anthropic', name: 'a' },
        fallbacks: [{ provider: 'offline' }],
      },
    },
    tools: { policy: { 'mcp_*': 'deny' }, channels: { slack: { todo_read: 'ask' } }, web: true },
    mcp: { remote: { url: 'https://mcp.example/', headers: { authorization: 'Bearer $' + '{KEY}' } } },
    model: {
      provider: 'openai',
      name: 'big',
      fallbacks: [{ provider: 'google' }],
      connectSeconds: 5,
      firstTokenSeconds: 6,
    },
  });
  const settings = engineSettings(config, { KEY: 'canary-key' }, '');
  const { agent, agents = [] } = assistantSettings(config, { OPENAI_API_KEY: 'k', ANTHROPIC_API_KEY: 'a' });
  assert.deepEqual(agent.tools, ['memory_*']);
  const { models: _, ...clerk } = agents[0] ?? {};
  assert.deepEqual(clerk, {
    name: 'clerk',
    systemPrompt: 'You file.',
    tools: undefined,
    deniedTools: ['web_*'],
    memory: 'off',
    partition: 'shared',
    language: 'German',
  });
  assert.deepEqual(
    agents.map(({ models }) => models?.map(({ provider, model, apiKey }) => [provider, model, apiKey])),
    [
      [
        ['openai', 'small', 'k'],
        ['google', undefined, undefined],
      ],
      undefined,
      [
        ['anthropic', 'a', 'a'],
        ['offline', undefined, undefined],
      ],
    ],
  );
  assert.deepEqual(settings.policy, {
    tools: { 'mcp_*': 'deny' },
    channels: { slack: { todo_read: 'ask' } },
  });
  assert.deepEqual(settings.web, { privateHosts: [] });
  assert.deepEqual(mcpSecrets(config, { KEY: 'canary-key-7' }), ['canary-key-7']);
  assert.deepEqual([settings.limits?.connectMs, settings.limits?.firstTokenMs], [5_000, 6_000]);
  assert.equal(engineSettings(configSchema.parse({}), {}, '').web, undefined);
});
