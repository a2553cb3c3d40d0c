// What the config says of agents, tools and servers reaches the engine; secrets come only from the environment.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { configSchema } from '#app/config/schema.ts';
import { engineSettings, mcpSecrets } from '#app/settings/engine-settings.ts';

test('a server that needs a variable which is not set stops the start and names it', () => {
  const config = configSchema.parse({
    mcp: { files: { command: 'x', env: { TOKEN: '$' + '{FILES_TOKEN}' } } },
  });
  assert.throws(() => engineSettings(config, {}), {
    code: 'config_invalid',
    message: /mcp\.files needs.*FILES_TOKEN/,
  });
});

test('agents, bindings, policy and servers reach the engine, with variables filled in and known as secrets', () => {
  const config = configSchema.parse({
    agent: { tools: ['memory_*'] },
    agents: { clerk: { systemPrompt: 'You file.', model: 'small', memory: 'off' } },
    bindings: [{ agent: 'clerk', platform: 'slack' }],
    tools: { policy: { 'mcp_*': 'deny' }, channels: { slack: { todo_read: 'ask' } }, web: true },
    mcp: { remote: { url: 'https://mcp.example/', headers: { authorization: 'Bearer $' + '{KEY}' } } },
    model: { connectSeconds: 5, firstTokenSeconds: 6 },
  });
  const settings = engineSettings(config, { KEY: 'canary-key' });
  assert.deepEqual(settings.agent.tools, ['memory_*']);
  assert.deepEqual(settings.agents, [
    {
      name: 'clerk',
      systemPrompt: 'You file.',
      memory: 'off',
      partition: 'shared',
      model: { modelID: 'small' },
    },
  ]);
  assert.deepEqual(settings.bindings, [{ agent: 'clerk', platform: 'slack' }]);
  assert.deepEqual(settings.policy, {
    tools: { 'mcp_*': 'deny' },
    channels: { slack: { todo_read: 'ask' } },
  });
  assert.deepEqual(settings.web, { privateHosts: [] });
  assert.deepEqual(mcpSecrets(config, { KEY: 'canary-key-7' }), ['canary-key-7']);
  assert.deepEqual([settings.limits?.connectMs, settings.limits?.firstTokenMs], [5_000, 6_000]);
  assert.equal(engineSettings(configSchema.parse({}), {}).web, undefined);
});
