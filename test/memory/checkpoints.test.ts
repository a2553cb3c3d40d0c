// What is written gets from the log into the file without the program standing still for it.
import assert from 'node:assert/strict';
import { copyFileSync } from 'node:fs';
import { test } from 'node:test';
import Database from 'better-sqlite3';
import { codeOf } from '#base/errors.ts';
import { exchange, openMemory } from './open-memory.ts';

test('after some dozens of writes, far fewer pages than SQLite waits for, they are in the file itself', async (t) => {
  const memory = openMemory(t);
  await memory.archive(exchange('My bike is green'));
  /** Lines of the audit in the file, as if its log were lost. */
  const inFile = (): number => {
    const copy = `${memory.path}-copy`;
    copyFileSync(memory.path, copy);
    const single = new Database(copy);
    try {
      return single.prepare<[], number>('SELECT count(*) FROM memory_audit').pluck().get() ?? 0;
    } catch (error) {
      // A copy that was made in the middle of a checkpoint is half old and half new, and says nothing.
      if (codeOf(error) === 'SQLITE_CORRUPT') return 0;
      throw error;
    } finally {
      single.close();
    }
  };
  const shown = [{ id: 'mem_1', audience: 'person:per_1' as const }];
  const read = () => memory.noteRead({ by: { name: 'assistant' }, how: 'memory_search', shown });
  assert.equal(inFile(), 0);
  for (let times = 0; times < 60; times += 1) await read();
  // by the thread, which takes its time: these are too few for SQLite's own thousand pages
  for (let looks = 0; inFile() < 40; looks += 1) {
    assert.ok(looks < 1_000, 'still in the log');
    await new Promise((resolve) => setTimeout(resolve, 10));
    if (looks < 20) await read();
  }
});
