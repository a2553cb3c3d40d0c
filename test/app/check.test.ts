// `parley check`: what a start would use, and who could talk to it, in words within 80 columns.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openLedger } from '#adapters/gateway/ledger/ledger.ts';
import { loadConfig } from '#app/config/load.ts';
import { checkPeople } from '#app/doctor/people.ts';
import { ownersOf } from '#app/settings/owners.ts';
import { createActiveProblems } from '#base/active-problems.ts';
import { systemClock } from '#base/clock.ts';
import { createIds } from '#base/ids.ts';
import { quietLog } from '../support/quiet-log.ts';
import { openTerminal } from './terminal.ts';

const rooms = {
  allow: 'known',
  respondTo: 'mentions',
  spaces: ['12345678'],
  include: ['11111', '22222', '33333', '44444'],
  overrides: { 55555: { allow: 'owners' }, 66666: { respondTo: 'everything' }, 77777: {}, 88888: {} },
};
const channels = {
  discord: { rooms, bots: { allowed: ['99999999'] } },
  telegram: { directMessages: 'allowlist', allowlist: ['123', '234'] },
  slack: { directMessages: 'off' },
};
const tokens = { DISCORD_BOT_TOKEN: 'a', TELEGRAM_BOT_TOKEN: 'b', SLACK_BOT_TOKEN: 'xoxb-c' };

/** A folder with a config and tokens, and what `parley check` says there as one line. */
function openFolder(
  t: Parameters<typeof openTerminal>[0],
  config: object,
  env: Record<string, string> = tokens,
) {
  const terminal = openTerminal(t, config);
  const lines = Object.entries(env).map(([name, value]) => `${name}=${value}\n`);
  writeFileSync(join(terminal.folder, '.env'), lines.join(''));
  return {
    ...terminal,
    async check() {
      const { code, out } = await terminal.call('check');
      assert.equal(code, 0);
      assert.deepEqual(
        out.split('\n').filter((line) => line.length > 80),
        [],
      );
      return out.replace(/\s+/g, ' ');
    },
  };
}

test('check says of each channel who may write in private and what is answered in rooms', async (t) => {
  const { check } = openFolder(t, { channels });
  const said = await check();
  for (const words of [
    'discord token set In private: people who are known; a stranger is given a code for "parley people approve".',
    'In rooms: people who are known, when they mention or answer the bot; only in server 12345678, in 4 channels.',
    'In channel 55555: owners only, when they mention or answer the bot.',
    'In channel 66666: people who are known, whatever they say.',
    '1 more channel has other rules.',
    'Other bots: account 99999999, when called, at most 10 times an hour in a room.',
    'telegram token set In private: owners, and the 2 accounts of `allowlist`.',
    'slack token set In private: nobody. In rooms: anyone there, when they mention or answer the bot, and in threads between it and one person.',
  ])
    assert.ok(said.includes(words), `${words}\nnot in\n${said}`);
});

test('nobody is an owner: check and the doctor warn, with the hint that works for these channels', async (t) => {
  const paired = openFolder(t, { channels });
  assert.match(
    await paired.check(),
    /WARNING Nobody is an owner: in chat .* approves tools .* -> Write to the bot in private on discord and call "parley people approve CODE --name NAME --role owner"/,
  );
  const loaded = loadConfig({ folder: paired.folder, variables: {} });
  const [warned, ...others] = (await checkPeople(loaded)).filter(({ level }) => level !== 'ok');
  assert.match(warned?.what ?? '', /^Nobody is an owner/);
  assert.equal(others.length, 0);
  const closed = openFolder(
    t,
    { channels, approvals: { approvers: ['ann'] } },
    { SLACK_BOT_TOKEN: 'xoxb-c' },
  );
  assert.match(
    await closed.check(),
    /admits others or chooses a model\. -> Name yourself under "people" .*"slack:TEAM\/USER"/,
  );
  const somewhereElse = openFolder(t, { people: { me: { role: 'owner', accounts: ['terminal:me'] } } });
  assert.match(
    await somewhereElse.check(),
    /WARNING No owner \(me\) has an account on discord or telegram or slack/,
  );
});

test('owners by the config, and those that were approved since, are named', async (t) => {
  const people = { ann: { role: 'owner', accounts: ['discord:12345'] }, ben: ['discord:23456'] };
  const { check, call, folder, home } = openFolder(t, { people });
  assert.match(await check(), /owners The owner is ann\./);
  await call('people', 'list'); // makes the ledger
  assert.match((await call('people', 'role', 'ben', 'owner')).err, /in the config/);
  assert.match(await check(), /owners The owner is ann\./);
  const ledger = openLedger({
    path: join(home, 'gateway.sqlite'),
    clock: systemClock,
    newId: createIds(systemClock),
    log: quietLog().log,
    problems: createActiveProblems(systemClock),
  });
  const account = { platform: 'telegram', userID: '77', shownAs: 'Cleo' };
  ledger.persons.give(account, { name: 'cleo', role: 'owner', by: 'approved', at: 0 });
  await ledger.close();
  assert.match(await check(), /owners The owners are ann, cleo\./);
  // what the ledger took from an earlier config does not count
  const loaded = loadConfig({ folder, variables: {} });
  assert.deepEqual(await ownersOf({ ...loaded, config: { ...loaded.config, people: {} } }), [
    { name: 'cleo', platforms: ['telegram'] },
  ]);
});

test('in the sandbox check says so, and warns of nothing', async (t) => {
  const said = await openFolder(t, {}, {}).check();
  assert.match(said, /discord no token: in the sandbox In private: everyone\./);
  assert.doesNotMatch(said, /WARNING|traces/);
  const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' };
  assert.match(await openFolder(t, {}, endpoint).check(), /traces by OpenTelemetry, http\/protobuf/);
  const grpc = { ...endpoint, OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' };
  assert.match(await openFolder(t, {}, grpc).check(), /WARNING No traces are sent: .* got "grpc"/);
});

test('check and the doctor name what cannot be right: tokens and ids of no platform, unknown costs, absent programs, lines of .env', async (t) => {
  const account = {
    right: ['discord:184405311681986560', 'telegram:5', 'slack:T012AB3C4/U012A3CDE', 'terminal:ann'],
    wrong: ['discord:ann', 'discord:18440', 'telegram:@ann', 'slack:U012A3CDE', 'slack:ann/U012A3CDE'],
  };
  const config = (accounts: string[]) => ({
    people: { ann: { role: 'owner', accounts } },
    model: { provider: 'openai', name: 'gpt-6-luna' },
    assistants: { Dora: { systemPrompt: 'Be brief.', model: 'gpt-6-mini' } },
  });
  const right = openFolder(t, {
    ...config(account.right),
    model: { provider: 'openai', name: 'gpt-6-luna', prices: { input: 1, output: 2 } },
    assistants: {},
    limits: { person: { costUSD: 1 } },
    mcp: { own: { command: process.execPath }, found: { command: 'sh' } },
    channels: { slack: { rooms: { include: ['C012AB3CD'] } }, telegram: { rooms: { include: ['-1001'] } } },
  });
  writeFileSync(
    join(right.folder, '.env'),
    `# notes\n\nMY_OWN="two\nlines"\nexport OTHER=1\nTELEGRAM_BOT_TOKEN='1:${'x'.repeat(35)}'\n`,
  );
  assert.doesNotMatch(await right.check(), /WARNING/);

  const wrong = openFolder(t, {
    ...config(account.wrong),
    limits: { person: { costUSD: 1 }, room: { costUSD: 5 }, assistants: { Dora: { costUSD: 2 } } },
    mcp: { notes: { command: 'no-such-program' }, files: { command: './bin/files' } },
    channels: { discord: { rooms: { include: ['12345'] } }, telegram: { rooms: { spaces: ['1001'] } } },
  });
  writeFileSync(join(wrong.folder, '.env'), 'TELEGRAM_BOT_TOKEN=1:x\nOPENAI_API_KEY sk-secret-value\n');
  const said = await wrong.check();
  for (const id of ['"ann"', '"18440"', '"@ann"', '"U012A3CDE"', '"ann/U012A3CDE"'])
    assert.ok(said.includes(`is ${id}, which is an account on no platform.`), `${id} in ${said}`);
  for (const words of [
    'TELEGRAM_BOT_TOKEN: A token of this kind looks like 1234567890:AAE-x7... -> Copy the token once more, whole.',
    'channels.discord.rooms.include is "12345", which is a room on no platform. -> Such an id has 17 to 20 digits',
    'channels.telegram.rooms.spaces is "1001", which is a space on no platform.',
    'limits.person.costUSD and limits.room.costUSD and limits.assistants.Dora.costUSD cannot hold for the model (gpt-6-luna), the model of Dora (gpt-6-mini): without prices',
    'mcp.notes.command is "no-such-program", and there is no such program. -> Install it',
    'mcp.files.command is "./bin/files", and there is no such program. -> Correct the path',
    `Line 2 of ${wrong.folder}/.env is not read: it has no "="`,
  ])
    assert.ok(said.includes(words), `${words}\nnot in\n${said}`);
  assert.doesNotMatch(said, /sk-secret/);
  const { out } = await wrong.call('doctor', '--json');
  const { findings } = JSON.parse(out) as { findings: { about: string; what: string }[] };
  const files = findings.filter(({ about }) => about === 'files').map(({ what }) => what);
  for (const words of [
    'an account on no platform',
    'cannot hold for the model',
    'there is no such program',
    'has no "="',
  ])
    assert.ok(
      files.some((what) => what.includes(words)),
      `${words}\nnot in\n${files.join('\n')}`,
    );
});
