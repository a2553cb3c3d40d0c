// What only grows is kept to its retention: in small steps, and never what delivery, a run or a proof still needs.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import Database from 'better-sqlite3';
import { openLedger } from '#adapters/gateway/ledger/ledger.ts';
import { pruneOnce, startRetention } from '#app/compose/retention.ts';
import { loadConfig } from '#app/config/load.ts';
import { configSchema } from '#app/config/schema.ts';
import { createActiveProblems } from '#base/active-problems.ts';
import { systemClock } from '#base/clock.ts';
import { createIds } from '#base/ids.ts';
import { openKit } from '../engine/support/kit.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { quietLog } from '../support/quiet-log.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { openHouse } from './house.ts';
import { openTerminal } from './terminal.ts';

const dayMs = 24 * 3600_000;
const signal = new AbortController().signal;
const { retention } = configSchema.parse({});

/** Sets the times of everything in a database back by so many days. */
function age(path: string, days: number, columns: readonly string[]): void {
  const file = new Database(path);
  file.exec('DROP TRIGGER IF EXISTS memory_audit_au');
  for (const column of columns) {
    const [table, name] = column.split('.');
    file.prepare(`UPDATE ${table} SET ${name} = ${name} - ?`).run(days * dayMs);
  }
  file.close();
}

function counts(path: string, ...tables: string[]): number[] {
  const file = new Database(path, { readonly: true });
  const found = tables.map((table) => file.prepare(`SELECT count(*) FROM ${table}`).pluck().get() as number);
  file.close();
  return found;
}

async function talked(t: TestContext) {
  const house = await openHouse(t);
  await house.ready('discord');
  for (const text of ['My bicycle is green.', 'My car is red.', 'My boat is blue.'])
    await house.ask({ platform: 'discord', chat: 'dm', user: 'you' }, text);
  await house.parley.close();
  return { house, path: (name: string) => join(house.home, `${name}.sqlite`) };
}

test('old messages, answers and turns go, but what waits, what is on its way, and the newest of each person', async (t) => {
  const { path } = await talked(t);
  const tables = ['inbox', 'outbox', 'outbox_parts', 'turns'];
  assert.deepEqual(counts(path('gateway'), ...tables), [3, 3, 3, 3]);
  age(path('gateway'), 400, ['inbox.received_at_ms', 'outbox.created_at_ms', 'turns.created_at_ms']);
  const file = new Database(path('gateway'));
  file.exec("UPDATE outbox SET state = 'open' WHERE rowid = 2");
  file.close();
  const ledger = openLedger({
    path: path('gateway'),
    clock: systemClock,
    newId: createIds(systemClock),
    log: quietLog().log,
    problems: createActiveProblems(systemClock),
  });
  t.after(() => ledger.close());
  const before = { inbox: Date.now() - 365 * dayMs, outbox: Date.now() - 365 * dayMs };
  assert.deepEqual(await ledger.retention.prune({ inbox: 0, outbox: 0 }, signal), { inbox: 0, outbox: 0 });
  const stopped = AbortSignal.abort();
  assert.deepEqual(await ledger.retention.prune(before, stopped), { inbox: 0, outbox: 0 });
  assert.deepEqual(await ledger.retention.prune(before, signal), { inbox: 1, outbox: 2 });
  // the second waits for its delivery, and the third is where the person is reached
  assert.deepEqual(counts(path('gateway'), ...tables), [2, 1, 1, 2]);
  assert.deepEqual(await ledger.retention.prune(before, signal), { inbox: 0, outbox: 0 });
  assert.deepEqual(ledger.retention.count(), { inbox: 2, outbox: 1 });
});

test('events of runs that have ended go after 30 days, those of a run that continues stay, and new ones are read as before', async (t) => {
  const { engine, folder } = await openKit(t);
  const { id } = await engine.createSession({});
  const { runID = '' } = (await engine.prompt(id, { parts: [{ type: 'text', text: 'Hello' }] })) as {
    runID: string;
  };
  await engine.finished(runID);
  const path = join(folder, 'engine.sqlite');
  const ended = (await engine.runEvents({ runID, after_seq: 0, limit: 100 })).length;
  assert.ok(ended > 2);
  age(path, 31, ['events.occurred_at_ms']);
  const file = new Database(path);
  file.prepare("UPDATE runs SET status = 'running' WHERE id = ?").run(runID);
  const growing = { engine: engine as typeof engine & Parameters<typeof pruneOnce>[0]['engine'] };
  const prune = () => pruneOnce(growing, { retention, now: Date.now(), signal });
  const all = counts(path, 'events')[0] ?? 0;
  assert.equal((await prune()).events, all - ended, 'what belongs to no run goes');
  file.prepare("UPDATE runs SET status = 'completed' WHERE id = ?").run(runID);
  file.close();
  assert.equal((await prune()).events, ended);
  const next = (await engine.prompt(id, { parts: [{ type: 'text', text: 'Again' }] })) as { runID: string };
  await engine.finished(next.runID);
  const seqs = (await engine.runEvents({ runID: next.runID, after_seq: 0, limit: 100 })).map(
    ({ envelope }) => envelope.seq ?? 0,
  );
  assert.ok(Math.min(...seqs) > all, 'places are not used again');
  assert.equal((await engine.messages(id)).length, 4, 'what was written stays');
});

test('lines of the audit go after two years, but those of what was forgotten; nothing else can remove one', async (t) => {
  const { memory, folder } = await openKit(t);
  const mine = { audiences: ['person:operator' as const], spaces: [], everyone: false };
  const place = {
    where: { audience: 'person:operator' as const, restricted: true },
    platform: 'api',
    chat: 'api',
  };
  const note = { ...place, kind: 'fact' as const, at: 1, sessionID: '', runID: '', messageIDs: [] };
  const speaker = { person: 'operator', name: 'operator' };
  await memory.put({ ...note, speaker, text: 'The kayak is green.' });
  const saved = await memory.put({ ...note, speaker, text: 'The canoe is red.' });
  const ids = 'id' in saved ? [saved.id] : [];
  await memory.forget({ scope: mine, selection: { ids }, mode: 'forget' });
  const path = join(folder, 'memory.sqlite');
  age(path, 731, ['memory_audit.at_ms']);
  await memory.put({ ...note, speaker, text: 'The raft is blue.' });
  const file = new Database(path);
  assert.throws(() => file.exec('DELETE FROM memory_audit'), /the audit is only added to/);
  file.close();
  const removed = await pruneOnce({ memory }, { retention, now: Date.now(), signal });
  assert.equal(removed.audit, 2);
  const actions = (await memory.audit({ of: 'every audience' })).map(({ action }) => action);
  assert.deepEqual(actions, ['put', 'forget']);
  assert.equal(await memory.countAudit(), 2);
});

test('status has a line with what is kept', async (t) => {
  const terminal = openTerminal(t);
  await terminal.start();
  assert.equal((await terminal.call('memory', 'put', 'The kayak is green.')).code, 0);
  assert.match(
    (await terminal.call('status')).out,
    /^stored +\d+ messages in, \d+ out, \d+ events, \d+ lines? of audit$/m,
  );
});

test('a program prunes a minute after its start and once a day, continues after a round that failed, and ends at once', async (t) => {
  const clock = createManualClock();
  const { log, lines } = quietLog();
  const asked: number[] = [];
  const engine = {
    async pruneEvents(before: number) {
      asked.push(Math.round((clock.now() - before) / dayMs));
      if (asked.length === 1) throw new Error('the disk is full');
      return 1;
    },
    pruneSchedules: async () => 0,
    countEvents: async () => 0,
  };
  const stack = new AsyncDisposableStack();
  startRetention(
    { loaded: loadConfig({ folder: tempFolder(t), variables: {} }), clock, log, stack },
    { engine },
  );
  const seen: number[] = [];
  for (const ms of [59_999, 1, dayMs, dayMs]) {
    await clock.advance(ms);
    for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    seen.push(asked.length);
  }
  assert.deepEqual([seen, asked[0]], [[0, 1, 2, 3], 30]);
  assert.ok(lines.some((line) => line.includes('the disk is full')));
  await stack.disposeAsync();
});
