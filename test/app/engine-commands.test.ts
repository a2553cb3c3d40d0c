// `parley sessions`, `runs` and `events` as their owner calls them, next to a running program and without one.
import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { z } from 'zod';
import type { Parley } from '#app/compose/compose.ts';
import { loadConfig } from '#app/config/load.ts';
import { openEngineAccess } from '#app/running/engine-access.ts';
import { parseJson } from '#base/json.ts';
import { createClient } from '#engine/client/client.ts';
import { found } from '../support/found.ts';
import { openTerminal, type Terminal } from './terminal.ts';

function clientOf({ url }: Parley, { home }: Terminal) {
  return createClient({ baseUrl: url, token: readFileSync(join(home, 'token'), 'utf8').trim() });
}

/** A session with one exchange, said by a program that has ended since or still runs. */
async function withExchange(t: TestContext, said: string) {
  const terminal = openTerminal(t);
  const parley = await terminal.start();
  const client = clientOf(parley, terminal);
  const { id } = await client.sessions.create();
  await client.sessions.promptSync(id, said);
  const [run] = await client.runs.list();
  return { terminal, parley, client, id, runID: run?.runID ?? '' };
}

const ids = (out: string, key: 'sessions' | 'runs'): string[] =>
  parseJson(
    out,
    z.record(z.string(), z.array(z.looseObject({ id: z.string().optional(), runID: z.string().optional() }))),
    key,
  )[key]?.map(({ id, runID }) => id ?? runID ?? '') ?? [];

test('what is not there is refused in words of the command line, and not of HTTP', async (t) => {
  const { terminal, parley } = await withExchange(t, 'hello');
  for (const running of [true, false]) {
    const session = await terminal.call('sessions', 'show', 'ses_01J');
    assert.equal(session.err, 'parley: There is no session "ses_01J".\n"parley sessions list" shows them.\n');
    const run = await terminal.call('runs', 'show', 'run_01J');
    assert.equal(run.err, 'parley: There is no run "run_01J".\n"parley runs list" shows them.\n');
    assert.deepEqual([session.code, run.code], [1, 1]);
    if (running) await parley.close();
  }
});

test('a wrong call is reported with a message and exit code 2, and changes nothing', async (t) => {
  const { call } = openTerminal(t);
  const calls = [
    ['sessions', 'dance'],
    ['sessions', 'list', '--limit', 'many'],
    ['sessions', 'list', '--limit', '0'],
    ['sessions', 'list', '--limt', '3'],
    ['sessions', 'show'],
    ['sessions', 'rename', 'ses_1'],
    ['runs', 'list', '--status', 'lost'],
    ['runs', 'show', 'a', 'b'],
    ['runs', 'replay'],
    ['runs', 'replay', 'run_1', '--until-event', 'x'],
    ['events', 'tail', 'all'],
    ['events', 'follow'],
    ['events', 'list'],
  ];
  for (const words of calls) {
    const { code, out, err } = await call(...words);
    assert.deepEqual([code, out], [2, ''], words.join(' '));
    assert.match(err, /^parley: .+/, words.join(' '));
  }
});

test('what is not there, and events where nothing runs, are reported in words, with exit code 1', async (t) => {
  const { call } = openTerminal(t);
  for (const words of [
    ['sessions', 'show', 'ses_none'],
    ['sessions', 'delete', 'ses_none', '--apply'],
    ['runs', 'export', 'run_none'],
    ['events', 'tail'],
  ]) {
    const { code, err } = await call(...words);
    assert.equal(code, 1, words.join(' '));
    assert.match(err, /^parley: (There is no|No Parley runs)/, words.join(' '));
  }
});

test('help of each command fits 80 columns, also by --help', async (t) => {
  const { call } = openTerminal(t);
  for (const command of ['sessions', 'runs', 'events']) {
    const { code, out } = await call(command, '--help');
    assert.equal(code, 0);
    assert.match(out, new RegExp(`^Usage: parley ${command} `));
    for (const line of out.split('\n')) assert.ok(line.length <= 80, line);
  }
});

test('the same commands work on a running program and, once it has ended, on its database', async (t) => {
  const { terminal, parley, id, runID } = await withExchange(
    t,
    'A first line\nwith a \u001b[31mcolour\u001b[0m and a long tail that goes on and on until it cannot fit.',
  );
  const look = async () => {
    const list = await terminal.call('sessions', 'list');
    assert.match(list.out, new RegExp(`^${id} .* A first line with a .*\\n {2}API\\n`));
    const show = await terminal.call('sessions', 'show', id);
    assert.match(show.out, / user\n {2}A first line\n {2}with a \[31mcolour/);
    const runs = await terminal.call('runs', 'list');
    assert.match(runs.out, new RegExp(`^${runID} .* completed `));
    const run = await terminal.call('runs', 'show', runID);
    assert.match(run.out, /^status {5}completed$/m);
    assert.match(run.out, /^model {6}offline\/offline$/m);
    for (const { out } of [list, show, runs, run]) {
      assert.ok(!out.includes('\u001b'), 'what was written must not steer the terminal');
      for (const line of out.split('\n')) assert.ok(line.length <= 80, line);
    }
    const exported = parseJson(
      (await terminal.call('runs', 'export', runID, '--json')).out,
      z.object({ run: z.looseObject({}), messages: z.array(z.unknown()), events: z.array(z.unknown()) }),
      'export',
    );
    assert.equal(exported.messages.length, 2);
    assert.ok(exported.events.length >= 3);
    const whole = (await terminal.call('sessions', 'export', id)).out;
    assert.equal(
      parseJson(whole, z.object({ messages: z.array(z.unknown()) }), 'session').messages.length,
      2,
    );
    assert.match((await terminal.call('runs', 'replay', runID)).out, /^files {6}no drift$/m);
    const told = (await terminal.call('events', 'list', runID)).out;
    assert.match(told, /session\.run\.started[\s\S]*session\.run\.finished {2}\S+ completed\n$/);
    for (const line of told.split('\n')) assert.ok(line.length <= 80, line);
    const newest = (await terminal.call('events', 'list', runID, '--limit', '1', '--json')).out;
    assert.match(newest, /^\{"type":"session\.run\.finished".*\}\n$/);
  };
  // Its files are written soon after it has ended; a replay through the engine waits for them.
  await clientOf(parley, terminal).runs.replay(runID);
  await look();
  await parley.close();
  await look();
});

test('a session is renamed, archived, put back and, only with --apply, deleted', async (t) => {
  const { terminal, parley, id } = await withExchange(t, 'hello');
  await parley.close();
  const { call } = terminal;
  assert.match((await call('sessions', 'rename', id, 'Plans', 'for', 'June')).out, / Plans for June$/m);
  await call('sessions', 'archive', id);
  assert.deepEqual(ids((await call('sessions', 'list', '--json')).out, 'sessions'), []);
  assert.deepEqual(ids((await call('sessions', 'list', '--archived', '--json')).out, 'sessions'), [id]);
  await call('sessions', 'unarchive', id);
  assert.deepEqual(ids((await call('sessions', 'list', '--title', 'june', '--json')).out, 'sessions'), [id]);
  assert.match(
    (await call('sessions', 'delete', id)).out,
    /^2 messages would be deleted; nothing was changed/,
  );
  assert.equal((await call('sessions', 'delete', id, '--apply')).out, `${id} was deleted.\n`);
  assert.equal((await call('sessions', 'list', '--archived')).out, 'There is no session.\n');
  assert.deepEqual(ids((await call('runs', 'list', '--json')).out, 'runs'), []);
});

test('events are reported as they happen, of a run to its end', async (t) => {
  const { terminal, client, runID } = await withExchange(t, 'hello');
  const { code, out } = await terminal.call('events', 'tail', '--run', runID);
  assert.equal(code, 0);
  assert.match(out, new RegExp(`session\\.run\\.started {3}${runID}\\n`));
  assert.match(out, new RegExp(`session\\.run\\.finished {2}${runID} completed\\n$`));
  for (const line of out.split('\n')) assert.ok(line.length <= 80, line);
  const following = terminal.call('events', 'tail', '--json');
  await found('the greeting', () => terminal.printed().includes('engine.lifecycle.ready') || undefined);
  const made = await client.sessions.create({ title: 'Heard' });
  await found('the event', () => terminal.printed().includes(`"sessionID":"${made.id}"`) || undefined);
  // As the signal would, without ending the test runner too.
  process.listeners('SIGINT').at(-1)?.('SIGINT');
  assert.equal((await following).code, 0);
});

test('parley runs prune shows what it would delete, and deletes it', async (t) => {
  const { call, home } = openTerminal(t, { runs: { maxCount: 1 } });
  for (const id of ['run_1', 'run_2']) {
    mkdirSync(join(home, 'context_runs', id), { recursive: true });
    writeFileSync(join(home, 'context_runs', id, 'events.jsonl'), 'x'.repeat(2048));
  }
  const shown = await call('runs', 'prune', '--dry-run');
  assert.match(shown.out, /^run_1 {2}\d{4}-.* {2}2 KiB\nWould delete the files of 1 run \(2 KiB\):\n/);
  assert.equal(readdirSync(join(home, 'context_runs')).length, 2);
  assert.equal((await call('runs', 'prune', '--json')).code, 0);
  assert.deepEqual(readdirSync(join(home, 'context_runs')), ['run_2']);
  assert.equal((await call('runs', 'prune', 'now')).code, 2);
});

test('a command waits for another one that has the home folder', async (t) => {
  const { folder } = openTerminal(t);
  const loaded = loadConfig({ folder, variables: {} });
  const first = await openEngineAccess(loaded);
  const second = openEngineAccess(loaded);
  await first.client.sessions.create({ title: 'first' });
  await first.close();
  const { client, running, close } = await second;
  assert.equal(running, false);
  assert.equal((await client.sessions.list())[0]?.title, 'first');
  await close();
});

test('an action that lacks its id names the command that lists the ids, as it is called', async (t) => {
  const { call } = openTerminal(t);
  for (const [words, list] of [
    ['sessions show', 'sessions'],
    ['runs show', 'runs'],
    ['events list', 'runs'],
    ['schedules remove', 'schedules'],
    ['hook delete', 'hook'],
  ] as const) {
    const { code, err } = await call(...words.split(' '));
    assert.equal(code, 2, err);
    assert.match(err, new RegExp(`^"parley ${list} list" shows what there is\\.$`, 'm'), words);
    assert.equal((await call(list, 'list')).code, 0, `${list} list is a command`);
  }
});
