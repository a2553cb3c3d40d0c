// What was forgotten stays forgotten when a backup from before it is restored.
import assert from 'node:assert/strict';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import Database from 'better-sqlite3';
import { systemClock } from '#base/clock.ts';
import { createIds } from '#base/ids.ts';
import { createMemory } from '#memory/memory.ts';
import type { Memory, MemoryMaintenance } from '#memory/types/contract.ts';
import { note } from '../../memory/facts.ts';
import { exchange, mine } from '../../memory/open-memory.ts';
import { openTerminal } from '../terminal.ts';

/** A home folder with a memory, of which a backup was made after `before` had put something into it. */
async function backedUp(t: TestContext, before: (memory: Memory & MemoryMaintenance) => Promise<void>) {
  const terminal = openTerminal(t);
  await terminal.call('sessions', 'list'); // makes engine and memory
  const path = join(terminal.home, 'memory.sqlite');
  const withMemory = async <T>(work: (memory: Memory & MemoryMaintenance) => Promise<T>): Promise<T> => {
    const memory = createMemory({ path, clock: systemClock, newId: createIds(systemClock) });
    try {
      return await work(memory);
    } finally {
      await memory.close();
    }
  };
  await withMemory(before);
  const backups = join(terminal.folder, 'backups');
  assert.equal((await terminal.call('backup', backups)).code, 0);
  return { ...terminal, path, backups, withMemory };
}

const said = 'My locker combination is glockenspiel';
const saved = 'The regatta is in September';
const fact = 'The xylophonist lives in Zanzibar';

test('what was forgotten since the backup is forgotten again: exchanges, records with their versions, and what an import would bring (M29)', async (t) => {
  const { call, path, backups, withMemory } = await backedUp(t, async (memory) => {
    await memory.archive(exchange(said));
    await memory.archive(exchange(saved));
    const first = await memory.put(note(fact));
    await memory.put(note(`${fact} again`, { supersedes: 'id' in first ? first.id : '' }));
  });
  await withMemory(async (memory) => {
    await memory.archive(exchange('My neighbour plays the theremin')); // forgotten, and not in the backup
    const ids = (await memory.list({ scope: mine, limit: 10 })).flatMap(({ id, text }) =>
      /glockenspiel|xylophonist|theremin/.test(text) ? id : [],
    );
    const forgotten = await memory.forget({ scope: mine, selection: { ids }, mode: 'forget' });
    assert.deepEqual(forgotten.remains, []);
  });
  const done = await call('restore', backups, '--replace');
  assert.equal(done.code, 0, done.err);
  assert.match(done.out, /^2 memories that were forgotten after that moment were forgotten again\.$/m);
  for (const line of done.out.split('\n')) assert.ok(line.length <= 80 || /\/|replaced-/.test(line), line);
  const bytes = readFileSync(path).toString('latin1').toLowerCase();
  for (const word of ['glockenspiel', 'xylophonist']) assert.ok(!bytes.includes(word), word);
  const database = new Database(path, { readonly: true });
  assert.equal(database.pragma('journal_mode', { simple: true }), 'delete', 'a plain file, as restored');
  database.close();
  assert.equal(statSync(path).mode & 0o077, 0);
  await withMemory(async (memory) => {
    const texts = (await memory.list({ scope: mine, limit: 10 })).map(({ text }) => text);
    assert.equal(texts.length, 1);
    assert.match(texts[0] ?? '', /regatta/);
    assert.deepEqual(await memory.verify(['glockenspiel', 'xylophonist', 'zanzibar']), {
      problems: [],
      traces: [],
    });
    assert.deepEqual(await memory.put(note(fact)), { status: 'forgotten' }, 'nor does it come back');
    const theremin = await memory.archive(exchange('My neighbour plays the theremin'));
    assert.equal(theremin.status, 'nothing to store', 'also what the backup never had');
    const [line] = await memory.audit({ of: 'every audience', action: 'forget', limit: 1 });
    assert.equal(line?.actor, 'restore');
  });
});

test('a restore with nothing forgotten since says nothing of it, and leaves the memory to the byte', async (t) => {
  const { call, path, backups } = await backedUp(t, async (memory) => {
    await memory.archive(exchange(saved));
  });
  const done = await call('restore', backups, '--replace');
  assert.doesNotMatch(done.out, /forgotten again/);
  assert.deepEqual(readFileSync(path), readFileSync(join(backups, 'memory.sqlite')));
});

test('where the memory that was there cannot be read, the restore continues, and says what is there again', async (t) => {
  const { call, path, backups } = await backedUp(t, async (memory) => {
    await memory.archive(exchange(saved));
  });
  writeFileSync(path, 'this is no database, and never was');
  const done = await call('restore', backups, '--replace');
  assert.equal(done.code, 0, done.err);
  assert.match(done.out, /could not be read: .*what was forgotten after that moment is there\s+again/s);
});

test('a restore as JSON says how much was forgotten again', async (t) => {
  const { call, backups, withMemory } = await backedUp(t, async (memory) => {
    await memory.archive(exchange(said));
  });
  await withMemory(async (memory) => {
    const [entry] = await memory.list({ scope: mine, limit: 1 });
    await memory.forget({ scope: mine, selection: { ids: [entry?.id ?? ''] }, mode: 'forget' });
  });
  const { out } = await call('restore', backups, '--replace', '--json');
  assert.equal(JSON.parse(out).forgottenAgain, 1);
});
