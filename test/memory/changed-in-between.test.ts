// What another process changes between the look at a text and the write of its masked form is what stays.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import Database from 'better-sqlite3';
import { systemClock } from '#base/clock.ts';
import { by, note } from './facts.ts';
import { exchange, freshPath, mine, openMemory } from './open-memory.ts';

const key = `ghp_${'a1B2c3D4e5F6g7H8i9J0'.repeat(2).slice(0, 36)}`;

/** Two programs with one memory: `inBetween` lets the second one write while what the first one does waits for the lock. */
function twoPrograms(t: TestContext) {
  const path = freshPath(t);
  const lock = new Database(path);
  t.after(() => lock.close());
  let waits: (() => void) | undefined;
  const free = Promise.withResolvers<void>();
  const clock = {
    ...systemClock,
    sleep: async (ms: number, signal?: AbortSignal) => {
      if (waits === undefined) return systemClock.sleep(ms, signal);
      waits();
      await free.promise;
    },
  };
  const memory = openMemory(t, { path, clock });
  const other = openMemory(t, { path });
  const inBetween = async <T>(first: () => Promise<T>, second: () => Promise<unknown>): Promise<T> => {
    const waiting = new Promise<void>((resolve) => {
      waits = resolve;
    });
    lock.exec('BEGIN IMMEDIATE');
    const result = first();
    await waiting;
    lock.exec('COMMIT');
    await second();
    free.resolve();
    return result;
  };
  return { memory, other, lock, inBetween };
}

test('a version that another process stores while a promotion waits is promoted with its own words', async (t) => {
  const { memory, other, inBetween } = twoPrograms(t);
  const saved = await memory.put(note('The kayak is blue', { tier: 'session' }));
  const id = 'id' in saved ? saved.id : '';
  const { record } = await inBetween(
    () => memory.promote({ id, scope: mine, by, toTier: 'global' }),
    () => other.put(note('The kayak is red', { tier: 'session', supersedes: id })),
  );
  assert.deepEqual([record.text, record.version, record.tier], ['The kayak is red', 2, 'global']);
  const { hits } = await memory.search({ text: 'kayak', scope: mine });
  assert.deepEqual(
    hits.map(({ text }) => text),
    ['The kayak is red'],
  );
});

test('a version that is stored while its promotion to knowledge waits stays the one that holds', async (t) => {
  const { memory, other, lock, inBetween } = twoPrograms(t);
  const saved = await memory.put(note('The till opens with placeholderword'));
  const id = 'id' in saved ? saved.id : '';
  lock.prepare("UPDATE memory_records SET content = replace(content, 'placeholderword', ?)").run(key);
  const { item } = await inBetween(
    () => memory.promoteKnowledge({ id, scope: mine, by, subject: 'The till' }),
    () => other.put(note('The till opens with a lever', { supersedes: id })),
  );
  const records = await memory.records({ scope: mine });
  assert.deepEqual(
    [item.record.text, ...records.map(({ text, version }) => `${version}: ${text}`)],
    ['The till opens with a lever', '2: The till opens with a lever'],
  );
});

test('a record that is withdrawn while its secrets are about to be masked stays withdrawn, and is masked', async (t) => {
  const { memory, other, lock, inBetween } = twoPrograms(t);
  const saved = await memory.put(note('The gate opens with placeholderword'));
  const id = 'id' in saved ? saved.id : '';
  lock.prepare("UPDATE memory_records SET content = replace(content, 'placeholderword', ?)").run(key);
  await inBetween(
    () => memory.scan({ mode: 'fix' }),
    () => other.retract({ id, scope: mine, by, reason: 'wrong' }),
  );
  const row = lock.prepare('SELECT state, content, reason FROM memory_records WHERE id = ?').get(id);
  assert.deepEqual(row, {
    state: 'retracted',
    content: 'The gate opens with [redacted:github token]',
    reason: 'wrong',
  });
});

test('what another process writes into an entry while its secrets are about to be masked is masked as it is then', async (t) => {
  const { memory, other, lock, inBetween } = twoPrograms(t);
  await memory.archive(exchange('The gate opens with placeholderword'));
  const say = (from: string, to: string) =>
    lock
      .prepare(
        'UPDATE global_memory_chunks SET content = replace(content, @from, @to), user_text = replace(user_text, @from, @to)',
      )
      .run({ from, to });
  say('placeholderword', key);
  const { found } = await inBetween(
    () => memory.scan({ mode: 'fix' }),
    async () => {
      say('The gate', 'The blue gate');
      await other.status();
    },
  );
  const [entry] = (await memory.search({ text: 'blue gate', scope: mine })).hits;
  assert.deepEqual(
    [found.length, entry?.text],
    [1, 'you said: The blue gate opens with [redacted:github token]'],
  );
});
