// What a start says: where it is reached, who answers, what to do next; and the port that the command line names.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { withPort } from '#app/commands/serve/port-option.ts';
import { startText } from '#app/commands/serve/start-text.ts';
import { startEngine } from '#app/compose/compose.ts';
import { loadConfig } from '#app/config/load.ts';
import { main } from '#app/main.ts';
import { offlineText } from '#app/settings/model.ts';
import { systemClock } from '#base/clock.ts';
import { atTerminal, noTerminal } from '../support/pseudo-terminal.ts';
import { openTerminal } from './terminal.ts';

const at = {
  url: 'http://127.0.0.1:7410',
  tokenFile: '/home/ann/.parley/token',
  ...{ link: undefined, consoleLink: undefined },
};

test('a start says which model answers, or that it is offline, and what to do next, within 80 columns', async (t) => {
  const { folder } = openTerminal(t);
  const link = 'http://127.0.0.1:7410/?key=x8yHvQSjC_KP5R4F60QxAJLTJDoFpm3x';
  const sandbox = await startText(loadConfig({ folder, variables: {} }), { ...at, link, model: offlineText });
  assert.match(
    sandbox.join('\n'),
    /this is the sandbox[\s\S]*\?key=[\s\S]*the built-in offline model answers/,
  );
  assert.ok(
    sandbox.includes('Open this link and talk to the bot; everyone who has it speaks as the owner:'),
    'the page without its key quotes this line',
  );
  assert.match(sandbox.join('\n'), /To set up a model and platforms, run: parley init/);
  const variables = { TELEGRAM_BOT_TOKEN: '1:x', OPENAI_API_KEY: 'sk-x' };
  const real = await startText(loadConfig({ folder, variables }), { ...at, model: 'openai/gpt-6-luna' });
  assert.match(real.join('\n'), /^openai\/gpt-6-luna answers\.$/m);
  assert.match(real.join('\n'), /Nobody is an owner[\s\S]*Write to the bot in private on telegram/);
  for (const line of [...sandbox, ...real]) assert.ok(line.length <= 80, line);
});

/** A port that another program has. */
async function takenPort(t: TestContext): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const address = server.address();
  assert.ok(typeof address === 'object' && address !== null);
  return address.port;
}

test('a start at a terminal prints a link that signs in to the console; a log is given the command', {
  skip: noTerminal,
}, async (t) => {
  const { folder } = openTerminal(t);
  const parley = join(import.meta.dirname, '../../bin/parley.js');
  let role: unknown;
  const signIn = async (screen: string): Promise<string> => {
    const link = new URL(/http:\S+\/console#key=\S+/.exec(screen)?.[0] ?? '');
    const response = await fetch(new URL('/sign-in', link), {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: link.origin },
      body: JSON.stringify({ key: link.hash.replace('#key=', '') }),
    });
    role = await response.json();
    return '\u0003';
  };
  const screen = await atTerminal(`'${process.execPath}' '${parley}' --source start`, {
    folder,
    typed: [{ seen: /Ctrl-C stops it/, type: signIn }],
  });
  assert.deepEqual(role, { role: 'owner', name: 'console' }, screen);
  assert.match(screen, /console" prints another one\./);
  const logged = await startText(loadConfig({ folder, variables: {} }), { ...at, model: offlineText });
  assert.ok(logged.includes('"parley console" prints a link to the console.'));
});

test('a port that is in use is reported, with --port as the way to another one', async (t) => {
  const port = await takenPort(t);
  const { folder, call } = openTerminal(t, { engine: { port } });
  const refused = await call('engine');
  assert.equal(refused.code, 1);
  assert.match(
    refused.err,
    new RegExp(`127.0.0.1:${port} is already in use\\.\\n.*another port: --port \\d+`),
  );
  const loaded = withPort(loadConfig({ folder, variables: {} }), { values: { port: '0' } });
  const running = await startEngine(loaded, { clock: systemClock });
  t.after(() => running.close());
  assert.notEqual(new URL(running.url).port, String(port));
});

test('a port that is not a number is refused with a message before anything starts', async () => {
  for (const wrong of ['abc', '70000', '-1', '1.5']) {
    let said = '';
    const code = await main(
      ['start', `--port=${wrong}`],
      {},
      { out: () => {}, err: (line) => (said += line) },
    );
    assert.equal(code, 2, wrong);
    assert.match(said, /--port expects a number from 0 to 65535/, wrong);
  }
});
