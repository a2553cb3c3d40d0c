// Memory files searched by qmd, from a platform's event to the answer; and without qmd, by the built-in index.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { qmdProgram } from '../support/qmd-program.ts';
import { openHouse, type Talk } from './house.ts';
import { openModelHouse } from './model-house.ts';
import { openTerminal } from './terminal.ts';

const direct: Talk = { platform: 'telegram', chat: 'dm', user: 'you' };
const group: Talk = { platform: 'telegram', chat: 'room', user: 'you' };

test('a question in Telegram is answered from a file through qmd, in the chat of its audience only', async (t) => {
  const command = qmdProgram(t);
  const house = await openHouse(t, {
    config: { memory: { backend: 'qmd', qmd: { command, timeoutSeconds: 60 } } },
  });
  await house.ready('telegram');
  await house.ask(direct, '/memory note The cellar key hangs behind the clock.');
  assert.match(await house.ask(direct, 'Where does the cellar key hang?'), /behind the clock/);
  assert.doesNotMatch(await house.ask(group, 'Where does the cellar key hang?'), /behind the clock/);
  const calls = readFileSync(join(house.home, 'qmd', 'calls.jsonl'), 'utf8');
  assert.match(calls, /lex: cellar key hang/);
  assert.doesNotMatch(calls, /TELEGRAM|TOKEN/);
  const [folder = ''] = readdirSync(join(house.home, 'memory')).filter((name) => name.startsWith('person'));
  writeFileSync(join(house.home, 'memory', folder, 'MEMORY.md'), 'The attic key hangs under the stairs.\n');
  assert.match(await house.ask(direct, 'Where does the attic key hang?'), /under the stairs/);
});

test('what qmd finds in other words is in the prompt that the model server receives, in the chat of its audience only', async (t) => {
  const command = qmdProgram(t);
  const { house, model } = await openModelHouse(t, ['telegram'], {
    memory: { backend: 'qmd', qmd: { command, mode: 'vsearch', timeoutSeconds: 60 } },
  });
  await house.ask(direct, '/memory note Otto.');
  const [folder = ''] = readdirSync(join(house.home, 'memory')).filter((name) => name.startsWith('person'));
  const older = join(house.home, 'memory', folder, 'memory', '2020-01-01.md');
  writeFileSync(older, 'The automobile is parked behind the mill.\n');
  await house.ask(direct, '/memory file 2020-01-01.md'); // indexed before the question, so that the prompt waits for qmd only
  const promptOf = async (talk: Talk): Promise<string> => {
    await house.ask(talk, 'In which garage was the car left?');
    const body = model.getRequests().at(-1)?.body as { messages: unknown } | undefined;
    return JSON.stringify(body?.messages);
  };
  assert.match(
    await promptOf(direct),
    /<memory_context nonce=.*file memory\/2020-01-01\.md.*behind the mill/,
  );
  assert.doesNotMatch(await promptOf(group), /behind the mill/);
});

test('without qmd the built-in index answers in the chat, and status and doctor say so', async (t) => {
  const config = { memory: { backend: 'qmd', qmd: { command: '/nowhere/qmd' } } };
  const house = await openHouse(t, { config });
  await house.ready('telegram');
  await house.ask(direct, '/memory note The cellar key hangs behind the clock.');
  assert.match(await house.ask(direct, 'Where does the cellar key hang?'), /behind the clock/);
  const { call, home } = openTerminal(t, config);
  mkdirSync(home, { recursive: true });
  const { out } = await call('memory', 'status');
  assert.match(out, /^qmd {8}failed; the built-in index answers\n {11}qmd was not found: \/nowhere\/qmd$/m);
  for (const line of out.split('\n')) assert.ok(line.length <= 80, line);
  const doctor = (await call('doctor')).out.replace(/\s+/g, ' ');
  assert.match(doctor, /qmd was not found: \/nowhere\/qmd\. The built-in index answers searches in files/);
  assert.match(doctor, /npm install -g @tobilu\/qmd/);
  assert.match((await call('memory', 'search', 'key')).out, /the built-in index answers \(qmd was not found/);
  assert.equal(existsSync(join(home, 'qmd', 'index.sqlite')), false);
});
