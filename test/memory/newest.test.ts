// Pages of what one audience remembers: the same entries in the same order as a list of everything, whatever else is in the memory.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '#base/clock.ts';
import { createIds } from '#base/ids.ts';
import { openStore } from '#memory/store/store.ts';
import type { Scope } from '#memory/types/scope.ts';
import { loadSqliteVec } from '#memory/vectors/vector-extension.ts';
import { exchange, openMemory, start } from './open-memory.ts';

const scopeOf = (person: string): Scope => ({
  audiences: [`person:${person}`],
  spaces: [],
  everyone: false,
});

test('pages of one audience, also of entries with certain words, make the list of all of them, each once', async (t) => {
  const memory = openMemory(t);
  for (let number = 0; number < 60; number += 1)
    await memory.archive(
      exchange(`The ${number % 3 === 0 ? 'kettle' : 'lamp'} number ${number} is new.`, {
        // several at the same moment
        at: start + Math.floor(number / 4) * 1_000,
        where: { audience: number % 2 === 0 ? 'person:ann' : 'person:ben', restricted: true },
      }),
    );
  const scope = scopeOf('ann');
  const pages = async (words?: string): Promise<string[]> => {
    const found: string[] = [];
    for (let offset = 0; ; offset += 7) {
      const page = await memory.list({ scope, words, limit: 7, offset });
      found.push(...page.map(({ id }) => id));
      if (page.length < 7) return found;
    }
  };
  const all = await memory.list({ scope, limit: 100 });
  assert.equal(all.length, 30);
  assert.deepEqual(
    all.map(({ at }) => at),
    all.map(({ at }) => at).toSorted((a, b) => b - a),
  );
  assert.ok(all.every(({ audience }) => audience === 'person:ann'));
  assert.deepEqual(
    await pages(),
    all.map(({ id }) => id),
  );
  const kettles = all.filter(({ text }) => text.includes('kettle')).map(({ id }) => id);
  assert.equal(kettles.length, 10);
  assert.deepEqual(await pages('kettles'), kettles);
  // a scope that reads more than one audience goes another way to the same order
  const wide = await memory.list({
    scope: { ...scope, audiences: ['person:ann', 'person:nobody'] },
    limit: 100,
  });
  assert.deepEqual(wide, all);
  const { entries } = await memory.forget({
    ...{ scope, selection: { ids: [kettles[0] ?? ''] }, mode: 'forget', by: { name: 'test' } },
  });
  assert.equal(entries, 1);
  assert.deepEqual(await pages('kettle'), kettles.slice(1));
  assert.deepEqual(await memory.list({ scope: scopeOf('nobody') }), []);
});

test('the rows of one audience come from an index in the order of a list, without a sort', (t) => {
  const { path } = openMemory(t);
  const store = openStore({
    ...{ path, clock: systemClock, newId: createIds(systemClock), loadVectorExtension: loadSqliteVec },
  });
  t.after(() => store.close());
  const plan = store.database
    .prepare<[], { detail: string }>(
      "EXPLAIN QUERY PLAN SELECT row FROM global_memory_chunks WHERE audience = 'person:ann' ORDER BY at_ms DESC, row DESC LIMIT 9",
    )
    .all();
  assert.deepEqual(
    plan.map(({ detail }) => detail),
    ['SEARCH global_memory_chunks USING COVERING INDEX global_memory_chunks_newest (audience=?)'],
  );
});
