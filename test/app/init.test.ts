// `parley init`: what it asks, checks live against the sandbox, and writes; and that it loses nothing that stood there.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { type TestContext, test } from 'node:test';
import type { Finding } from '#adapters/gateway/terms/channel.ts';
import { withVariables } from '#app/config/env-file.ts';
import { readEnvFile } from '#app/config/environment.ts';
import { checkModel, checkPlatform, configWith, standingConfig } from '#app/init/setup.ts';
import { createTerminalAsker } from '#app/init/terminal-asker.ts';
import { askSetup, type Prompter } from '#app/init/wizard.ts';
import { main } from '#app/main.ts';
import { guides, platforms } from '#app/screen/guide.ts';
import { atTerminal, noTerminal } from '../support/pseudo-terminal.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { type Clinic, openClinic } from './doctor/clinic.ts';

/** `parley init` with these variables and words. */
async function init({ configFile }: Clinic, variables: Record<string, string>, ...words: string[]) {
  const said = { out: '', err: '' };
  const writing = (to: 'out' | 'err') => (line: string) => {
    said[to] += `${line}\n`;
  };
  const output = { out: writing('out'), err: writing('err') };
  return { code: await main(['init', ...words, '--config', configFile], variables, output), ...said };
}

/** Nothing set up but where the platforms are. */
async function openEmpty(t: TestContext, ...faults: [Parameters<typeof openClinic>[1]?]): Promise<Clinic> {
  const clinic = await openClinic(t, ...faults);
  clinic.configure(({ channels }) => ({
    home: 'home',
    channels: {
      discord: { apiUrl: channels.discord.apiUrl },
      telegram: { apiUrl: channels.telegram.apiUrl },
      slack: { apiUrl: channels.slack.apiUrl },
    },
  }));
  rmSync(clinic.envFile);
  return clinic;
}

test('init --yes checks the tokens of the environment, writes them for their owner alone, and loses none (T11)', async (t) => {
  const clinic = await openEmpty(t);
  writeFileSync(clinic.envFile, '# my own\nMY_OWN=1\nTELEGRAM_BOT_TOKEN=old\n', { mode: 0o644 });
  const tokens = clinic.sandbox.environment as Record<string, string>; // all are set
  const first = await init(clinic, tokens, '--yes', '--provider', 'offline');
  assert.equal(first.code, 0, first.out + first.err);
  assert.match(first.out, /^warning \(telegram\): Privacy mode is on/m);
  assert.match(first.out, /^Written: .*parley\.config\.json, .*\.env$/m);
  assert.equal(statSync(clinic.envFile).mode & 0o777, 0o600);
  assert.match(readFileSync(clinic.envFile, 'utf8'), /^# my own\nMY_OWN=1\nTELEGRAM_BOT_TOKEN=7/);
  assert.deepEqual({ ...readEnvFile(clinic.envFile) }, { MY_OWN: '1', ...tokens });
  const { config } = standingConfig(clinic.configFile);
  assert.deepEqual([config.model, config.home], [{ provider: 'offline' }, 'home']);
  for (const token of Object.values(tokens))
    assert.ok(!readFileSync(clinic.configFile, 'utf8').includes(token));
  const again = await init(clinic, {}, '--yes');
  assert.deepEqual([again.code, /^Nothing had to be written\.$/m.test(again.out)], [0, true]);
  assert.deepEqual({ ...readEnvFile(clinic.envFile) }, { MY_OWN: '1', ...tokens });
});

test('init --yes refuses a token whose form is wrong before it asks a platform, and writes nothing', async (t) => {
  const clinic = await openEmpty(t);
  const tokens = clinic.sandbox.environment as Record<string, string>; // all are set
  const mistyped = { ...tokens, TELEGRAM_BOT_TOKEN: 'my-telegram-token', SLACK_BOT_TOKEN: 'xoxp-1234' };
  const asked = clinic.sandbox.telegram.calls().length;
  const refused = await init(clinic, mistyped, '--yes', '--provider', 'offline');
  assert.equal(refused.code, 1);
  const said = refused.out.replace(/:\n/g, ': ');
  assert.match(
    said,
    /^error \(telegram\): TELEGRAM_BOT_TOKEN: A token of this kind looks like\n1234567890:AAE/m,
  );
  assert.match(said, /^error \(slack\): SLACK_BOT_TOKEN: A token of this kind looks like\nxoxb-1234/m);
  assert.doesNotMatch(said, /my-telegram-token|xoxp/);
  assert.match(said, /^Nothing was written\./m);
  assert.equal(clinic.sandbox.telegram.calls().length, asked);
  assert.equal(existsSync(clinic.envFile), false);
});

test('a platform that is out of reach is not said to be tried again where nobody tries it', async (t) => {
  const clinic = await openEmpty(t);
  const tokens = clinic.sandbox.environment as Record<string, string>;
  clinic.configure(() => ({
    channels: Object.fromEntries(platforms.map((name) => [name, { apiUrl: 'http://127.0.0.1:65533' }])),
  }));
  const { code, out } = await init(clinic, tokens, '--yes', '--provider', 'offline');
  assert.equal(code, 1);
  for (const platform of ['discord', 'telegram'])
    assert.match(out, new RegExp(`^error \\(${platform}\\): .*cannot be reached`, 'm'));
  assert.doesNotMatch(out.replace(/\s+/g, ' '), /is tried again/);
});

test('what a check finds is shown with its clicks before anything is saved (H5)', async (t) => {
  const clinic = await openEmpty(t, { discord: { messageContent: 'refused' } });
  const { DISCORD_BOT_TOKEN = '' } = clinic.sandbox.environment;
  const before = readFileSync(clinic.configFile, 'utf8');
  const refused = await init(clinic, { DISCORD_BOT_TOKEN }, '--yes', '--provider', 'offline');
  assert.equal(refused.code, 1);
  assert.match(refused.out, /^error \(discord\): The Message Content intent is off/m);
  assert.match(refused.out, /Privileged\s+Gateway\s+Intents/);
  assert.match(refused.out, /^Nothing was written\./m);
  assert.ok(!existsSync(clinic.envFile));
  assert.equal(readFileSync(clinic.configFile, 'utf8'), before);
  const json = await init(clinic, { DISCORD_BOT_TOKEN: 'MTIz.bad.token' }, '--yes', '--json');
  assert.equal(json.code, 1);
  assert.ok(!json.out.includes('MTIz.bad.token'));
  const { ok, written, findings } = JSON.parse(json.out) as {
    ok: boolean;
    written: string[];
    findings: Finding[];
  };
  assert.deepEqual([ok, written, findings[0]?.level], [false, [], 'error']);
  assert.equal((await init(clinic, { DISCORD_BOT_TOKEN }, '--yes', '--unchecked')).code, 0);
  assert.deepEqual({ ...readEnvFile(clinic.envFile) }, { DISCORD_BOT_TOKEN });
});

test('init without a terminal, or with options that are none, says what to do', async (t) => {
  const clinic = await openEmpty(t);
  const none = await init(clinic, {}, '--json');
  assert.deepEqual([none.code, /Put the tokens into the environment/.test(none.err)], [2, true]);
  assert.equal((await init(clinic, {}, '--yes', '--provider', 'opnai')).code, 2);
  writeFileSync(clinic.configFile, '{"engine": {"prot": 1}}');
  const broken = await init(clinic, {}, '--yes', '--unchecked');
  assert.deepEqual([broken.code, /engine\.prot/.test(broken.err)], [2, true]);
  writeFileSync(clinic.configFile, '{"channels": {"slack": {"botToken": "xoxb-1"}}}');
  const secret = await init(clinic, {}, '--yes', '--unchecked');
  assert.equal(secret.code, 2);
  for (const file of [clinic.configFile, clinic.envFile])
    assert.ok(secret.err.includes(file), `${secret.err}\nlacks ${file}`);
});

/** A person who answers in this order; what was shown to them. */
function scripted(answers: readonly unknown[]): Prompter & { shown: string[] } {
  const left = [...answers];
  const shown: string[] = [];
  const next = async <T>(ask: string): Promise<T | undefined> => {
    assert.ok(left.length > 0, `nobody was to be asked: ${ask}`);
    return left.shift() as T | undefined; // as the test has it
  };
  return {
    shown,
    note: (title, text) => void shown.push(`${title}\n${text}`),
    link: (url) => void shown.push(url),
    findings: (findings) =>
      void shown.push(...findings.map(({ level, what, hint }) => `${level}: ${what} ${hint}`)),
    waiting: (_, work) => work(),
    several: next,
    one: next,
    text: next,
    async secret(ask, wrong) {
      for (;;) {
        const answer = await next<string>(ask);
        const words = answer === undefined ? undefined : wrong(answer);
        if (words === undefined) return answer;
        shown.push(words);
      }
    },
  };
}

test('the wizard shows the clicks, asks again for a token that is refused, and keeps what works', async (t) => {
  const clinic = await openEmpty(t, { telegram: { privacy: 'off' } });
  const { TELEGRAM_BOT_TOKEN, SLACK_BOT_TOKEN, DISCORD_BOT_TOKEN } = clinic.sandbox.environment;
  const standing = standingConfig(clinic.configFile);
  const check = {
    platform: (
      platform: (typeof platforms)[number],
      variables: Parameters<typeof checkPlatform>[1]['variables'],
    ) => checkPlatform(platform, { variables }, standing),
    model: (setup: Parameters<typeof checkModel>[0]) => checkModel(setup, standing),
  };
  const wrong = `1234567:${'a'.repeat(30)}`;
  const person = scripted([
    ['discord', 'telegram', 'slack'],
    'no token at all', // said to look wrong before any platform is asked
    wrong,
    'other',
    TELEGRAM_BOT_TOKEN,
    SLACK_BOT_TOKEN,
    '', // no app token
    'offline',
  ]);
  const setup = await askSetup(person, {
    environment: { DISCORD_BOT_TOKEN: DISCORD_BOT_TOKEN ?? '' },
    hasEmbedding: true,
    check,
  });
  assert.deepEqual(setup, {
    variables: { DISCORD_BOT_TOKEN, TELEGRAM_BOT_TOKEN, SLACK_BOT_TOKEN },
    model: { provider: 'offline', name: undefined },
  });
  const shown = person.shown.join('\n');
  for (const { title } of Object.values(guides)) assert.match(shown, new RegExp(`^${title}$`, 'm'));
  assert.match(shown, /A token of this kind looks like 1234567890:AAE/);
  assert.match(shown, /^error: .*Unauthorized.*@BotFather/m);
  assert.match(shown, /^warning: Slack: without an app token/m);
  assert.ok(!shown.includes(wrong));

  const givesUp = scripted([['discord'], undefined]);
  assert.equal(await askSetup(givesUp, { environment: {}, hasEmbedding: false, check }), undefined);
  const unreachable = scripted([
    [],
    'openai-compatible',
    'http://127.0.0.1:9/v1',
    'llama3.3',
    '',
    'unchanged',
  ]);
  assert.deepEqual(await askSetup(unreachable, { environment: {}, hasEmbedding: true, check }), {
    variables: { OPENAI_BASE_URL: 'http://127.0.0.1:9/v1' },
    model: { provider: 'openai-compatible', name: 'llama3.3' },
  });
  assert.match(unreachable.shown.join('\n'), /^error: .*cannot be reached at http:\/\/127\.0\.0\.1:9/m);
});

test('a local embedding model is offered with its size where none is configured, and lands next to what the config says', async () => {
  const check = { platform: async () => [], model: async () => [] };
  const known = { environment: {}, hasEmbedding: false, check };
  const asked: string[] = [];
  const asker = (answer: string): Prompter => {
    const person = scripted([[], 'offline', answer]);
    return {
      ...person,
      one: (ask, choices, first) => {
        asked.push(`${ask} ${choices.map(({ label }) => label).join(' / ')}`);
        return person.one(ask, choices, first);
      },
    };
  };
  const setup = await askSetup(asker('meaning'), known);
  assert.match(asked.at(-1) ?? '', /by a model on this machine: downloads 129 MiB once/);
  const standing = { path: '/home/ann/parley.config.json', config: { memory: { sharing: 'room' } } };
  assert.deepEqual(configWith(standing, setup ?? { variables: {}, model: {} }).memory, {
    sharing: 'room',
    embedding: { provider: 'local', model: 'Xenova/multilingual-e5-small' },
  });
  assert.equal((await askSetup(asker('words'), known))?.embedding, undefined);
});

test('what is pasted into a field is the answer, and nothing typed is what the question shows', async () => {
  const answer = async (typed: string): Promise<{ said: string | undefined; seen: string }> => {
    const input = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => {} });
    const output = Object.assign(new PassThrough(), { isTTY: true, columns: 80, rows: 24 });
    let seen = '';
    output.on('data', (piece) => {
      seen += piece;
    });
    const asked = createTerminalAsker({ input, output }).text('Its address', 'http://127.0.0.1:11434/v1');
    for (const key of typed) input.write(key);
    input.write('\r');
    return { said: await asked, seen };
  };
  const pasted = await answer('http://ollama.lan:11434/v1');
  assert.equal(pasted.said, 'http://ollama.lan:11434/v1');
  const empty = await answer('');
  assert.equal(empty.said, 'http://127.0.0.1:11434/v1');
  assert.match(empty.seen, /Its address \(empty: http:\/\/127\.0\.0\.1:11434\/v1\)/);
});

test('the notes of the wizard fit a terminal of 80 columns', () => {
  for (const platform of platforms)
    for (const line of [
      ...guides[platform].steps.split('\n'),
      ...guides[platform].tokens.map(({ ask, like }) => `${ask} (looks like ${like})`),
    ])
      assert.ok(line.length <= 76, line);
});

test('variables are put into a .env file without touching the rest of it', () => {
  const text = '# note\nA=1\nexport B = "two"\n\nC=3';
  assert.equal(withVariables(text, { B: '2', D: 'x y#z' }), "# note\nA=1\nB=2\n\nC=3\nD='x y#z'\n");
  assert.equal(withVariables('', {}), '');
  assert.equal(withVariables('', { A: 'xoxb-1/2+3=' }), 'A=xoxb-1/2+3=\n');
});

test('questions are in colour at a terminal, and without where NO_COLOR is set', {
  skip: noTerminal,
}, async (t) => {
  const folder = tempFolder(t);
  const parley = join(import.meta.dirname, '../../bin/parley.js');
  const coloursWith = async (env: NodeJS.ProcessEnv): Promise<number> => {
    const screen = await atTerminal(`'${process.execPath}' '${parley}' --source init`, {
      ...{ folder, env },
      typed: [{ seen: /Where will people talk to it\?[\s\S]*Slack/, type: '\u0003' }],
    });
    assert.match(screen, /Nothing was written/);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
    return [...screen.matchAll(/\u001b\[3\dm/g)].length;
  };
  assert.ok((await coloursWith({})) > 0);
  assert.equal(await coloursWith({ NO_COLOR: '1' }), 0);
});

test('at its end init offers to run it as a service, and takes no for an answer', {
  skip: noTerminal,
}, async (t) => {
  const clinic = await openEmpty(t);
  const { TELEGRAM_BOT_TOKEN } = clinic.sandbox.environment;
  const parley = join(import.meta.dirname, '../../bin/parley.js');
  const folder = tempFolder(t);
  const screen = await atTerminal(
    `'${process.execPath}' '${parley}' --source init --config '${clinic.configFile}'`,
    {
      ...{ folder, env: { TELEGRAM_BOT_TOKEN } },
      typed: [
        { seen: /Where will people talk to it\?[\s\S]*Slack/, type: '\r' },
        { seen: /Which model answers\?[\s\S]*only recalls/, type: '\u001b[A\r' },
        { seen: /How is memory searched\?[\s\S]*By its words/, type: '\r' },
        { seen: /Run it as a service of this machine[\s\S]*No/, type: '\r' },
      ],
    },
  );
  assert.match(screen, /Written: /);
  assert.match(readFileSync(clinic.envFile, 'utf8'), /^TELEGRAM_BOT_TOKEN=/m);
  assert.equal(existsSync(join(folder, '.config')), false);
});
