// The config: wrong keys and values name themselves, and nothing half-configured gets through.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { readEnvironment, secretsOf } from '#app/config/environment.ts';
import { loadConfig } from '#app/config/load.ts';
import { configJsonSchema, configSchema } from '#app/config/schema.ts';
import { lockHome } from '#app/home/home-lock.ts';
import { chooseModel } from '#app/settings/model.ts';
import { tempFolder } from '../support/temp-folder.ts';

function load(t: TestContext, config: unknown, variables: NodeJS.ProcessEnv = {}) {
  const folder = tempFolder(t);
  writeFileSync(
    join(folder, 'parley.config.json'),
    typeof config === 'string' ? config : JSON.stringify(config),
  );
  return loadConfig({ folder, variables });
}

test('a wrong key names itself and the nearest known key, at every depth', (t) => {
  assert.throws(
    () => load(t, { chanels: {} }),
    /"chanels" is not a key of the config\. The nearest known key is "channels"/,
  );
  assert.throws(
    () => load(t, { channels: { discord: { apiURL: 'http://x' } } }),
    /"channels\.discord\.apiURL" is not a key.*"channels\.discord\.apiUrl"/,
  );
});

test('a secret in the config is sent to its place, not to a key that sounds alike', (t) => {
  for (const config of [
    { DISCORD_BOT_TOKEN: 'x' },
    { channels: { discord: { token: 'x' } } },
    { model: { apiKey: 'x' } },
  ])
    assert.throws(
      () => load(t, config),
      /is not a key of the config\. Secrets belong in the environment or in \/.+\/\.env; see "parley help"\.$/,
    );
});

test('a config that is no object, and an address that is none, are refused with a message', (t) => {
  assert.throws(() => load(t, []), /The config as a whole: expected an object, got a list of 0\./);
  assert.throws(
    () => load(t, { channels: { telegram: { apiUrl: 'localhost:8081' } } }),
    /"channels\.telegram\.apiUrl": expected an address that begins with http:\/\/ or https:\/\//,
  );
});

test('what is expected of a value, and what came, are said in words and not in those of a schema', (t) => {
  for (const [config, told] of [
    [{ timeZone: 7 }, '"timeZone": expected a text, got 7.'],
    [{ engine: { port: 99999 } }, '"engine.port": expected at most 65535, got 99999.'],
    [{ uploads: { retentionDays: -1 } }, '"uploads.retentionDays": expected at least 1, got -1.'],
    [{ engine: { port: 1.5 } }, '"engine.port": expected a whole number, got 1.5.'],
    [{ model: { name: '' } }, '"model.name": expected at least 1 character, got "".'],
    [{ people: [] }, '"people": expected an object, got a list of 0.'],
    [{ people: { Ann: { role: 'owner' } } }, '"people.Ann.accounts": expected a list, got nothing.'],
    [
      { log: { level: 'loud' } },
      '"log.level": expected one of fatal, error, warn, info, debug, trace, silent, got "loud".',
    ],
    [null, 'The config as a whole: expected an object, got null.'],
  ] as const)
    assert.throws(
      () => load(t, config),
      ({ message }: Error) => {
        assert.equal(message.split('\n  ').slice(1).join('\n'), told);
        return true;
      },
    );
  assert.throws(() => load(t, ''), /parley\.config\.json is empty\.$/);
});

test('a wrong value names its key and what was expected', (t) => {
  assert.throws(() => load(t, { engine: { port: 'x' } }), /"engine\.port": expected a number, got "x"\./);
  assert.throws(
    () => load(t, { memory: { sharing: 'all' } }),
    /"memory\.sharing": expected one of room, space, everyone, got "all"\./,
  );
  assert.throws(() => load(t, { people: { you: ['12345'] } }), /"people\.you\.0": .*discord:ID/);
  for (const account of ['telegram:-1001000000001', 'telegram:-1001/-1002', 'telegram:777000/-1002'])
    assert.throws(
      () => load(t, { people: { you: [account] } }),
      /"people\.you\.0": .*several people may write/,
    );
  assert.throws(() => load(t, { channels: { slack: { apiUrl: 'not a url' } } }), /"channels\.slack\.apiUrl"/);
});

test("an impossible range of Discord's shards is refused with a message", (t) => {
  const wrong: [unknown, RegExp][] = [
    [
      'auto',
      /"channels\.discord\.shards": expected "automatic" or a range like \{ "from": 0, "to": 3, "of": 16 \}/,
    ],
    [4, /expected "automatic" or a range/],
    [{ from: 2, to: 1, of: 4 }, /expected shards from 0 to 3, the first not above the last, got 2 to 1 of 4/],
    [{ from: 0, to: 4, of: 4 }, /expected shards from 0 to 3, .*got 0 to 4 of 4/],
    [{ from: 0, of: 4 }, /"channels\.discord\.shards\.to": expected a number, got nothing/],
    [{ from: 0, to: 0, of: 1, at: 3 }, /"channels\.discord\.shards\.at" is not a key/],
  ];
  for (const [shards, words] of wrong)
    assert.throws(() => load(t, { channels: { discord: { shards } } }), words);
  load(t, { channels: { discord: { shards: { from: 8, to: 15, of: 16 } } } });
});

test('what would admit nobody, or match nobody, is a clear error, never silence (T2, T3, T5)', (t) => {
  const wrong: [object, RegExp][] = [
    [{ telegram: { directMessages: 'allowlist' } }, /"channels\.telegram\.allowlist": it is empty while/],
    [{ slack: { directMessages: 'allowlist', allowlist: [] } }, /nobody could write to the bot/],
    [
      { discord: { directMessages: 'everyone' } },
      /"channels\.discord\.directMessages": expected one of pairing, /,
    ],
    [
      { discord: { allowlist: ['alice'] } },
      /"channels\.discord\.allowlist\.0": .*Discord's own id.*names are not taken/,
    ],
    [{ telegram: { allowlist: ['@alice'] } }, /Telegram's own id, which is a number and no @name/],
    [{ slack: { allowlist: ['U123'] } }, /"TEAM\/USER"/],
    [
      { discord: { rooms: { spaces: [] } } },
      /"channels\.discord\.rooms\.spaces": it is empty, so that the bot/,
    ],
    [{ discord: { rooms: { spaces: [''] } } }, /"channels\.discord\.rooms\.spaces\.0": expected a server/],
    [{ telegram: { rooms: { include: [] } } }, /leave the key out for all/],
    [
      { telegram: { rooms: { overrides: { general: { allow: 'known' } } } } },
      /"channels\.telegram\.rooms\.overrides/,
    ],
    [{ telegram: { rooms: { overrides: { '-100': { whom: 'known' } } } } }, /whom" is not a key/],
    [{ slack: { bots: { perHour: 0 } } }, /"channels\.slack\.bots\.perHour"/],
  ];
  for (const [channels, words] of wrong) assert.throws(() => load(t, { channels }), words);
  assert.throws(
    () => load(t, { people: { you: [] } }),
    /"people\.you": it is empty: name at least one account/,
  );
  assert.throws(
    () => load(t, { people: { you: { role: 'boss', accounts: ['slack:T/U'] } } }),
    /"people\.you\.role"/,
  );
  assert.throws(() => load(t, { people: { you: 7 } }), /"people\.you": expected a list of accounts, or/);
  const { people } = load(t, {
    people: { you: ['telegram:1'], boss: { role: 'owner', accounts: ['telegram:2'] } },
  }).config;
  assert.deepEqual([people.you?.role, people.boss?.role], ['member', 'owner']);
});

test('one wrong channel value is an error of the whole config, never a default in silence (T9)', (t) => {
  assert.throws(
    () => load(t, { channels: { telegram: { sessions: 'chat' } } }),
    /"channels\.telegram\.sessions"/,
  );
});

test('a home that only a shell would fill in is refused, and no folder of that name is made (T28)', (t) => {
  for (const home of ['~/parley', '%HOME%/parley', '$HOME/parley', '$' + '{HOME}/x']) {
    assert.throws(() => load(t, { home }), /home expects a path as it stands/);
    assert.throws(
      () => loadConfig({ folder: tempFolder(t), variables: { PARLEY_HOME: home } }),
      /PARLEY_HOME expects a path/,
    );
  }
});

test('a config that is not JSON, and one that is named but absent, are refused with a message', (t) => {
  assert.throws(() => load(t, '{"home": '), /is not valid JSON/);
  assert.throws(
    () => load(t, '{"engine": {"port": 1, "host": "127.0.0.1", "port": 2}}'),
    /parley\.config\.json: expected "engine\.port" once/,
  );
  assert.throws(
    () => loadConfig({ folder: tempFolder(t), configFile: 'none.json', variables: {} }),
    /There is no config file at/,
  );
  const folder = tempFolder(t);
  assert.throws(() => loadConfig({ folder, configFile: '.', variables: {} }), {
    code: 'config_invalid',
    message: `${folder} is a folder, and a config file was expected.`,
    hint: `Give --config the path of a file, such as ${join(folder, 'parley.config.json')}.`,
  });
});

test('without a file everything has its default, and the home folder lies next to it', (t) => {
  const folder = tempFolder(t);
  const { config, home } = loadConfig({ folder, variables: {} });
  assert.equal(config.engine.port, 7410);
  assert.equal(config.memory.sharing, 'space');
  assert.equal(home, join(folder, '.parley'));
  assert.equal(loadConfig({ folder, variables: { PARLEY_HOME: '/elsewhere' } }).home, '/elsewhere');
});

test('secrets come from the environment, then from .env; a blank one is absent', (t) => {
  const folder = tempFolder(t);
  writeFileSync(
    join(folder, '.env'),
    'DISCORD_BOT_TOKEN=from-file\nTELEGRAM_BOT_TOKEN=file-too\nOPENAI_API_KEY=\n',
  );
  const environment = readEnvironment(
    { DISCORD_BOT_TOKEN: 'from-process', TELEGRAM_BOT_TOKEN: ' ' },
    join(folder, '.env'),
  );
  assert.deepEqual(environment, { DISCORD_BOT_TOKEN: 'from-process', TELEGRAM_BOT_TOKEN: 'file-too' });
  assert.deepEqual(secretsOf(environment), ['from-process', 'file-too']);
});

test("Slack's two tokens the wrong way round, or only an app token, are refused with the hint", () => {
  assert.throws(
    () => readEnvironment({ SLACK_BOT_TOKEN: 'xapp-1', SLACK_APP_TOKEN: 'xoxb-1' }, ''),
    /wrong way round/,
  );
  assert.throws(() => readEnvironment({ SLACK_APP_TOKEN: 'xapp-1' }, ''), /SLACK_BOT_TOKEN is not/);
});

test('the model is the named one, else the one whose key is set, else the offline one', () => {
  const { model } = configSchema.parse({});
  assert.equal(chooseModel(model, {}).provider, 'offline');
  assert.equal(chooseModel(model, { ANTHROPIC_API_KEY: 'k' }).provider, 'anthropic');
  assert.equal(chooseModel(model, { OPENAI_API_KEY: 'k', ANTHROPIC_API_KEY: 'k' }).provider, 'openai');
  assert.deepEqual(chooseModel(model, { OPENAI_BASE_URL: 'http://127.0.0.1:1/v1' }), {
    provider: 'openai-compatible',
    model: undefined,
    baseUrl: 'http://127.0.0.1:1/v1',
    apiKey: undefined,
  });
  const google = configSchema.parse({ model: { provider: 'google' } }).model;
  assert.equal(chooseModel(google, { GOOGLE_GENERATIVE_AI_API_KEY: 'g', OPENAI_API_KEY: 'k' }).apiKey, 'g');
});

test('the shipped JSON Schema is the one that the code makes', () => {
  const shipped: unknown = JSON.parse(
    readFileSync(join(import.meta.dirname, '..', '..', 'parley.config.schema.json'), 'utf8'),
  );
  assert.deepEqual(shipped, JSON.parse(JSON.stringify(configJsonSchema())));
});

test('a home folder has one Parley at a time', (t) => {
  const home = tempFolder(t);
  const first = lockHome(home, 'engine');
  assert.throws(() => lockHome(home, 'engine'), /Another Parley is running with the home folder/);
  first.release();
  lockHome(home, 'engine').release();
});

test('a budget of a single agent names one that has its own memory', (t) => {
  const assistants = { clerk: { systemPrompt: 'x' }, counsel: { systemPrompt: 'x', partition: 'own' } };
  const of = (name: string) => ({
    assistants,
    memory: { budgets: { agents: { [name]: { characters: 10 } } } },
  });
  const { memory } = load(t, of('counsel')).config;
  assert.deepEqual(memory.budgets?.agents, { counsel: { characters: 10 } });
  for (const wrong of ['clerk', 'nobody'])
    assert.throws(
      () => load(t, of(wrong)),
      new RegExp(`memory\\.budgets\\.agents\\.${wrong}.*partition: "own".*\\(counsel\\)`, 's'),
    );
  assert.throws(() => load(t, { memory: { budgets: { agents: { Parley: {} } } } }), /there is none/);
  assert.ok(load(t, { agent: { partition: 'own' }, memory: { budgets: { agents: { Parley: {} } } } }));
});

test('a binding, or a look into memory, that names an agent which does not exist is refused with its place and the agents that exist', (t) => {
  const assistants = { clerk: { systemPrompt: 'x' } };
  const there = {
    assistants,
    bindings: [{ assistant: 'clerk', platform: 'discord' }],
    memory: { active: { agents: ['Parley'] } },
  };
  assert.equal(load(t, there).config.bindings.length, 1);
  assert.throws(
    () =>
      load(t, {
        assistants,
        bindings: [
          { assistant: 'clerk', platform: 'discord' },
          { assistant: 'clark', platform: 'slack' },
        ],
      }),
    /"bindings\.1\.assistant": there is no assistant "clark"; there are: "Parley", "clerk"\./,
  );
  assert.throws(
    () => load(t, { assistants, memory: { active: { agents: ['clerk', 'team'] } } }),
    /"memory\.active\.agents\.1": there is no assistant "team"; there are: "Parley", "clerk"\./,
  );
});

test('a binding that has no place, one that cannot be, or one that another has, is refused with its key', (t) => {
  const assistants = { clerk: { systemPrompt: 'x' }, poet: { systemPrompt: 'y' } };
  const room = { platform: 'slack', room: 'C0ROOM' };
  const channels = { telegram: { accounts: { second: {} } } };
  for (const [bindings, words] of [
    [[{ assistant: 'clerk' }], /"bindings\.0\.assistant": expected where it answers/],
    [
      [
        { assistant: 'clerk', ...room },
        { assistant: 'poet', ...room },
      ],
      /"bindings\.1\.assistant": "bindings\.0" binds "clerk" to the same place/,
    ],
    [[{ assistant: 'clerk', room: 'C0ROOM' }], /"bindings\.0\.room": it needs a "platform"/],
    [[{ assistant: 'clerk', platform: 'slack', room: '#general' }], /"bindings\.0\.room": .*Slack's own id/],
    [
      [{ assistant: 'clerk', platform: 'telegram', account: 'third' }],
      /no account "third".*"main", "second"/,
    ],
  ] as const)
    assert.throws(() => load(t, { assistants, bindings, channels }), words);
  assert.throws(
    () => load(t, { assistants: { parley: { systemPrompt: 'x' } } }),
    /"Parley" is the name of `agent`/,
  );
  const fine = [
    { assistant: 'clerk', ...room },
    { assistant: 'poet', ...room, person: 'ann' },
    { assistant: 'Parley', platform: 'telegram', account: 'second' },
  ];
  assert.equal(load(t, { assistants, bindings: fine, channels }).config.bindings.length, 3);
});
