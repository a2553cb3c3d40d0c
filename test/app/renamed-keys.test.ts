// Old names of config keys: they work for one version, and the reader learns the new name.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { loadConfig } from '#app/config/load.ts';
import { tempFolder } from '../support/temp-folder.ts';

const old = {
  channels: {
    discord: {
      mentionOpens: 'a thread',
      commands: ['help', 'who'],
      signs: { typing: false },
      memory: 'this chat',
      rooms: {
        who: 'known',
        answers: 'mentions',
        only: ['12345'],
        each: { '12345': { who: 'owners', answers: 'threads' } },
      },
    },
    telegram: { apiRoot: 'http://127.0.0.1:1', pace: 'on refusal', memory: 'all they may' },
  },
  approvals: { asked: 'in private' },
  engine: { names: ['parley.lan'] },
  memory: {
    distil: { silentMinutes: 5 },
    embedding: {
      provider: 'openai-compatible',
      baseUrl: 'http://127.0.0.1:1',
      model: 'm',
      dimensions: 8,
      keepPrefix: 'd:',
      askPrefix: 'q:',
    },
  },
  uploads: { keepDays: 3, limitMiB: 4 },
  runs: { keepDays: 5, keepCount: 6 },
};

function load(t: Parameters<typeof tempFolder>[0], config: object) {
  const folder = tempFolder(t);
  writeFileSync(join(folder, 'parley.config.json'), JSON.stringify(config));
  return loadConfig({ folder, variables: {} });
}

test('a config of the version before means the same, and each old name comes with the new one', (t) => {
  const { config, warnings } = load(t, old);
  const { discord, telegram } = config.channels;
  assert.equal(discord.replyInThread, true);
  assert.equal(discord.indicators.typing, false);
  assert.equal(discord.memory, 'chat-only');
  assert.deepEqual(discord.commands, ['help', 'whoami']);
  const { allow, respondTo, include, overrides } = discord.rooms;
  assert.deepEqual(
    { allow, respondTo, include, overrides },
    {
      allow: 'known',
      respondTo: 'mentions',
      include: ['12345'],
      overrides: { '12345': { allow: 'owners', respondTo: 'threads' } },
    },
  );
  assert.deepEqual(
    [telegram.apiUrl, telegram.rateLimits, telegram.memory],
    ['http://127.0.0.1:1', 'reactive', 'shared'],
  );
  assert.equal(config.approvals.requestIn, 'direct');
  assert.deepEqual(config.engine.allowedHosts, ['parley.lan']);
  assert.equal(config.memory.distill?.idleMinutes, 5);
  assert.deepEqual([config.uploads.retentionDays, config.uploads.maxSizeMiB], [3, 4]);
  assert.deepEqual([config.runs.retentionDays, config.runs.maxCount], [5, 6]);
  assert.equal(warnings.length, 23);
  assert.ok(
    warnings.includes(
      'The config key "channels.discord.mentionOpens: "a thread"" has a new name: "channels.discord.replyInThread: true".',
    ),
    warnings.join('\n'),
  );
  assert.ok(warnings.includes('The config key "runs.keepCount" has a new name: "runs.maxCount".'));
});

test('a config with the new names has no warnings', (t) => {
  assert.deepEqual(
    load(t, { channels: { discord: { replyInThread: true, memory: 'shared' } } }).warnings,
    [],
  );
});

test('a key that is there under its old and its new name is refused with the old one', (t) => {
  assert.throws(() => load(t, { runs: { keepCount: 1, maxCount: 2 } }), /"runs\.keepCount" is not a key/);
});
