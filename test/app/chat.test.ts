// `parley chat`: a talk at the terminal goes through the gateway, is streamed, remembered, and waits for anyone who left.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { test } from 'node:test';
import Database from 'better-sqlite3';
import { chat } from '#app/commands/chat.ts';
import type { Parley } from '#app/compose/compose.ts';
import { createScreen, openTerminalClient } from '#app/running/terminal-client.ts';
import { createClient } from '#engine/client/client.ts';
import { startRaw } from '../engine/support/raw-provider.ts';
import { found } from '../support/found.ts';
import { settle } from '../support/manual-clock.ts';
import { inputOf, openTerminal, type Terminal } from './terminal.ts';

/** Someone at a terminal, and what it shows so far. */
function sitAt(terminal: Terminal) {
  let shown = '';
  const input = Object.assign(new PassThrough(), { isTTY: true as const });
  const ended = chat(inputOf(terminal), {
    input,
    screen: new PassThrough().resume(),
    write: (piece) => {
      shown += piece;
    },
  });
  return { input, ended, out: (): string => shown };
}

const typed = (...lines: string[]): Readable => Readable.from(lines.map((line) => `${line}\n`));

const reach = ({ url }: Parley, { home }: Terminal) => ({
  baseUrl: url,
  token: readFileSync(join(home, 'token'), 'utf8').trim(),
});

test('lines are answered in order, remembered, and recalled in the next talk, with and without a running program', async (t) => {
  const terminal = openTerminal(t, { gateway: { debounceMs: 0, shutdownSeconds: 1 } });
  let out = '';
  const write = (piece: string): void => {
    out += piece;
  };
  const code = await chat(inputOf(terminal), { input: typed('My bicycle is green.', '', '/help'), write });
  assert.equal(code, 0);
  assert.match(out, /^Noted: I will remember that\.[\s\S]*\nI am Parley\. Write to me here/);
  await terminal.start();
  const later = inputOf(terminal, true);
  await chat(later, { input: typed('/new', 'What colour is my bicycle?'), write: () => assert.fail() });
  const [, answered] = later.printed.map((line) => JSON.parse(line) as { said: string; answer: string });
  assert.equal(answered?.said, 'What colour is my bicycle?');
  assert.match(answered?.answer ?? '', /My bicycle is green\.\n— \S+, terminal dm, /);
  const sessions = (await terminal.call('sessions', 'list', '--json')).out;
  assert.equal(sessions.match(/"sourceKind":"channel"/g)?.length, 2);
});

test('an answer is written as it comes, and no piece of it twice (T20)', async (t) => {
  const model = await startRaw(t);
  const terminal = openTerminal(t, {
    model: { provider: 'openai-compatible', name: 'm', baseUrl: model.settings.baseUrl },
    gateway: { debounceMs: 0, shutdownSeconds: 1 },
  });
  const parley = await terminal.start();
  let out = '';
  const talk = await openTerminalClient({
    ...reach(parley, terminal),
    user: userInfo().username,
    write: (piece) => {
      out += piece;
    },
  });
  await talk.say('Tell me.');
  const call = await model.next();
  call.say('The first **half**,');
  await found('the beginning', () => out === 'The first **half**,' || undefined);
  call.say(' and the second.');
  call.finish();
  assert.equal(await talk.answer(), 'The first **half**, and the second.');
  assert.equal(out, 'The first **half**, and the second.\n');
  await talk.close();
});

test('a message to a session in which a client has a run waits for it, and neither answer is lost (T18)', async (t) => {
  const model = await startRaw(t);
  const terminal = openTerminal(t, {
    model: { provider: 'openai-compatible', name: 'm', baseUrl: model.settings.baseUrl },
    gateway: { debounceMs: 0, shutdownSeconds: 1 },
  });
  const engine = reach(await terminal.start(), terminal);
  const talk = await openTerminalClient({ ...engine, user: 'guest', write: () => {} });
  const answerNext = async (expected: RegExp, text: string): Promise<void> => {
    const call = await model.next();
    assert.match(JSON.stringify(call.body.messages.at(-1)), expected);
    call.say(text);
    call.finish();
  };
  await talk.say('one');
  await answerNext(/one/, 'First.');
  await talk.answer();
  const client = createClient(engine);
  const [session] = await client.sessions.list();
  const { runID } = await client.sessions.promptAsync(session?.id ?? '', 'from a client');
  const call = await model.next();
  const received = new AbortController();
  for await (const { type } of client.events({ sessionID: session?.id, signal: received.signal })) {
    if (type === 'server.connected') await talk.say('two');
    if (type === 'session.run.conflict') received.abort();
  }
  call.say('For the client.');
  call.finish();
  await answerNext(/two/, 'Second.');
  assert.equal(await talk.answer(), 'Second.');
  const run = await client.runs.get(runID);
  assert.deepEqual([run.status, run.text], ['completed', 'For the client.']);
  await talk.close();
});

test('an answer that nobody looks at waits for the next talk', async (t) => {
  const terminal = openTerminal(t, { gateway: { debounceMs: 0, shutdownSeconds: 0 } });
  const parley = await terminal.start();
  const options = { ...reach(parley, terminal), user: 'guest', write: () => {} };
  const first = await openTerminalClient(options);
  await first.close();
  await fetch(`${parley.url}/terminal/say`, {
    method: 'POST',
    headers: { authorization: `Bearer ${options.token}` },
    body: JSON.stringify({ user: 'guest', id: 'id-0123456789', text: '/help' }),
  });
  const ledger = new Database(join(terminal.home, 'gateway.sqlite'), { readonly: true });
  t.after(() => ledger.close());
  const shown = ledger.prepare("SELECT 1 FROM outbox_parts WHERE state = 'sending'");
  await found('the answer that is to be shown', () => shown.get() && true);
  await settle(); // the note of it is on the disk, and it is shown to anyone who looks
  const second = await openTerminalClient(options);
  assert.match(second.left().join(), /^I am Parley\./);
  assert.deepEqual(second.left(), []);
  await second.say('/new');
  assert.doesNotMatch(await second.answer(), /^I am Parley\./);
  await second.close();
});

test('Ctrl-C stops the answer that is written, and the next line has its own answer; at rest it ends the talk', async (t) => {
  const model = await startRaw(t);
  const terminal = openTerminal(t, {
    model: { provider: 'openai-compatible', name: 'm', baseUrl: model.settings.baseUrl },
    gateway: { debounceMs: 0, shutdownSeconds: 1 },
  });
  await terminal.start();
  const { input, ended, out } = sitAt(terminal);
  input.write('Tell me all.\n');
  const call = await model.next();
  call.say('It begins,'); // a letter at the end may wait: a secret may begin with it
  await found('the beginning', () => out().includes('It begins,') || undefined);
  input.write('\u0003');
  await found('both answers', () => (/\(stopped\)/.test(out()) && /Stopped\./.test(out())) || undefined);
  input.write('And you?\n');
  const next = await model.next();
  next.say('Fine.');
  next.finish();
  await found('its own answer', () => out().endsWith('Fine.\n') || undefined);
  input.write('\u0003');
  assert.equal(await ended, 0);
});

const leave = {
  gateway: { debounceMs: 0, shutdownSeconds: 0 },
  tools: { policy: { todo_write: 'ask' } },
};
const todos = [{ id: '1', content: 'water the plants', status: 'pending' }];

test('a run that needs approval asks at the terminal, and a number answers it (T14, TAC)', async (t) => {
  const model = await startRaw(t);
  const provider = { provider: 'openai-compatible', name: 'm', baseUrl: model.settings.baseUrl };
  const terminal = openTerminal(t, { model: provider, ...leave });
  await terminal.start();
  const said = inputOf(terminal, true);
  const talking = chat(said, { input: typed('Plan my day.', '1'), write: () => assert.fail() });
  (await model.next()).callTool('todo_write', { todos });
  const next = await model.next();
  assert.match(JSON.stringify(next.body.messages.at(-1)), /water the plants/);
  next.say('Planned.');
  next.finish();
  assert.equal(await talking, 0);
  const [asked, answered] = said.printed.map((line) => JSON.parse(line) as { said: string; answer: string });
  assert.equal(asked?.said, 'Plan my day.');
  assert.match(asked?.answer ?? '', /May I use the tool `todo_write`.*water the plants.*3\. yes, always/s);
  assert.deepEqual(answered, { said: '1', answer: 'Planned.' });
});

test('at a terminal a "yes" waits while approval is asked for, and the number after it still answers (T12)', async (t) => {
  const model = await startRaw(t);
  const provider = { provider: 'openai-compatible', name: 'm', baseUrl: model.settings.baseUrl };
  const terminal = openTerminal(t, { model: provider, ...leave });
  await terminal.start();
  const { input, ended, out } = sitAt(terminal);
  input.write('Plan my day.\n');
  (await model.next()).callTool('todo_write', { todos });
  await found('the request', () => /May I use/.test(out()) || undefined);
  input.write('yes\n2\n');
  const next = await model.next();
  assert.match(JSON.stringify(next.body.messages.at(-1)), /did not allow the tool todo_write/);
  next.say('Then not.');
  next.finish();
  const last = await model.next();
  assert.match(JSON.stringify(last.body.messages.at(-1)), /yes/);
  last.say('Yes what?');
  last.finish();
  await found('both answers', () => /Then not\.\n[\s\S]*Yes what\?\n$/.test(out()) || undefined);
  input.end();
  assert.equal(await ended, 0);
});

test('what is not from our terminal is refused: no token, a wrong name, a body that does not fit', async (t) => {
  const terminal = openTerminal(t, { gateway: { shutdownSeconds: 0 } });
  const parley = await terminal.start();
  const { token } = reach(parley, terminal);
  const post = async (body: unknown, authorization = `Bearer ${token}`) => {
    const response = await fetch(`${parley.url}/terminal/say`, {
      method: 'POST',
      headers: { authorization },
      body: JSON.stringify(body),
    });
    return [response.status, ((await response.json()) as { code?: string }).code];
  };
  const said = { user: 'guest', id: 'id-0123456789', text: '/help' };
  assert.deepEqual(await post(said, 'Bearer x'), [401, 'UNAUTHORIZED']);
  assert.deepEqual(await post({ ...said, user: '../x' }), [400, 'INVALID_VALUE']);
  assert.deepEqual(await post({ ...said, text: '' }), [400, 'INVALID_VALUE']);
  assert.deepEqual(await post(said), [202, undefined]);
  for (const query of ['', '?user=..%2Fx', '?user=guest&user=guest', '?user=guest&from=1']) {
    const listen = await fetch(`${parley.url}/terminal/listen${query}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    assert.equal(listen.status, 400, query);
    await listen.body?.cancel();
  }
  await assert.rejects(
    openTerminalClient({ baseUrl: parley.url, token: 'x', user: 'guest', write: () => {} }),
    {
      code: 'engine_refused',
    },
  );
});

test('what was shown live is only completed; what reads differently is written again', () => {
  let out = '';
  const screen = createScreen((piece) => {
    out += piece;
  });
  screen.live('One');
  screen.live('One two');
  screen.whole('One two three');
  screen.live('Wrong');
  screen.whole('Right');
  assert.equal(out, 'One two three\nWrong\nRight\n');
});
