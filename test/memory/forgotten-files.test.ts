// What forgetting does beyond its transaction: the file under a lock, cached answers, files that come in the place of others.
import assert from 'node:assert/strict';
import { readdirSync, readlinkSync } from 'node:fs';
import { test } from 'node:test';
import Database from 'better-sqlite3';
import { momentOf, systemClock } from '#base/clock.ts';
import { createIds } from '#base/ids.ts';
import { sqliteSql } from '#base/sql/sqlite-sql.ts';
import { Answered, finish } from '#base/sql/work.ts';
import { carryForgetting } from '#memory/maintenance/carry-forgetting.ts';
import { forget } from '#memory/maintenance/forget.ts';
import { openStore } from '#memory/store/store.ts';
import { createClosedRooms } from '#memory/tables/rooms.ts';
import { exchange, freshPath, mine, openMemory, start } from './open-memory.ts';

const openFiles = (path: string): string[] =>
  readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      const target = readlinkSync(`/proc/self/fd/${fd}`);
      return target.startsWith(path) ? [target] : [];
    } catch {
      return []; // the descriptor of this very look
    }
  });

test('a file that takes over what another has forgotten is closed then, also where there is nothing to take over', async (t) => {
  const [from, to] = [freshPath(t), freshPath(t)];
  const newId = createIds(systemClock);
  for (const path of [from, to]) {
    const memory = openMemory(t, { path });
    await memory.archive(exchange('The heron lives near Oslo.'));
    await memory.archive(exchange('The owl lives near Rome.'));
    if (path === from) await memory.forget({ scope: mine, selection: { words: 'heron' }, mode: 'forget' });
    await memory.close();
  }
  assert.equal(await carryForgetting({ from, to, clock: systemClock, newId }), 1);
  assert.deepEqual(openFiles(to), []);
  assert.equal(await carryForgetting({ from, to, clock: systemClock, newId }), 0);
  assert.deepEqual([...openFiles(to), ...openFiles(from)], []);
  const memory = openMemory(t, { path: to });
  const texts = (await memory.list({ scope: mine })).map(({ text }) => text);
  assert.match(texts.join(), /owl/);
  assert.doesNotMatch(texts.join(), /heron/);
});

test('a memory that comes back takes over which lines of files are forgotten, to take them out at its start', async (t) => {
  const [from, to] = [freshPath(t), freshPath(t)];
  const newId = createIds(systemClock);
  const open = (path: string) => openStore({ path, clock: systemClock, newId });
  const [waiting, gone] = [
    { folder: 'person:anna', hash: 'a line that is still in a file' },
    { folder: 'person:anna', hash: 'a line that is in no file any more' },
  ];
  const known = open(from);
  known.fileRows.forgetLines([waiting, gone], start);
  known.fileRows.forgot(gone.folder, [gone.hash], start);
  known.close();
  open(to).close();
  await carryForgetting({ from, to, clock: systemClock, newId });
  const after = open(to);
  t.after(() => after.close());
  // the files that come back may hold both
  assert.deepEqual(new Set(after.fileRows.forgetting()), new Set([waiting, gone]));
});

test('what is forgotten while another process holds the file is forgotten in rows, and the answer says that bytes can be left', async (t) => {
  const path = freshPath(t);
  await openMemory(t, { path }).archive(exchange('The hippopotamus lives near Oslo.'));
  let passed = 0;
  const clock = {
    now: () => start,
    monotonic: () => momentOf(passed),
    sleep: async (ms: number) => {
      passed += Math.round(ms * 200);
    },
  };
  const store = openStore({ path, clock, newId: createIds(clock) });
  t.after(() => store.close());
  const other = new Database(path);
  t.after(() => other.close());
  // between the transaction that forgets and what tidies up after it
  const lines = {
    isForgotten: () => false,
    isPending: () => false,
    prepare: async () => ({ texts: new Map() }),
    note: () => {},
  };
  const finish = async (): Promise<string[]> => {
    other.exec('BEGIN IMMEDIATE');
    return ['a line is still in a file'];
  };
  const request = { scope: mine, selection: { words: 'hippopotamus' }, mode: 'forget' } as const;
  const { forgotten, entries, remains } = await forget(store, request, { lines: { ...lines, finish } });
  assert.deepEqual([forgotten, entries], [true, 1]);
  assert.equal(remains[0], 'a line is still in a file');
  assert.match(remains[1] ?? '', /^Another process held the lock of the memory: bytes/);
  other.exec('COMMIT');
  const again = await forget(store, { ...request, selection: { words: 'nothing' } });
  assert.deepEqual([again.entries, again.remains], [0, []]);
});

test('cached answers are dropped when a room closes that was open, and neither when one opens nor when it is closed already', (t) => {
  const database = new Database(':memory:');
  t.after(() => database.close());
  database.exec('CREATE TABLE memory_closed_rooms (room TEXT PRIMARY KEY)');
  let drops = 0;
  const rooms = createClosedRooms(sqliteSql(database), () => new Answered(drops++));
  const set = (...states: [string, boolean][]): number => {
    finish(
      rooms.set(states.map(([name, restricted]) => ({ audience: `room:${name}`, restricted }) as const)),
    );
    return drops;
  };
  const closed = () => database.prepare('SELECT room FROM memory_closed_rooms ORDER BY room').pluck().all();
  assert.equal(set(['a', false]), 0);
  assert.equal(set(['a', true], ['b', false]), 1);
  assert.deepEqual(closed(), ['room:a']);
  assert.equal(set(['a', true]), 1);
  assert.equal(set(['b', true], ['a', false]), 2);
  assert.deepEqual(closed(), ['room:b']);
  assert.equal(set(['b', true], ['b', false]), 2);
  assert.deepEqual(closed(), []);
  assert.equal(set(['b', false], ['b', true]), 3);
});
