// What a reader is given in single situations: nothing of others, nothing private in a group, nothing without a scope.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Memory } from '#memory/types/contract.ts';
import type { Exchange } from '#memory/types/exchange.ts';
import type { Hit } from '#memory/types/recall.ts';
import type { Audience, Provenance, Scope } from '#memory/types/scope.ts';
import { test } from './each-store.ts';
import { exchange, mine, openMemory } from './open-memory.ts';

async function archiveAll(memory: Memory, list: readonly Exchange[]): Promise<void> {
  for (const entry of list) await memory.archive(entry);
}

const shown = (hits: readonly Hit[]) => hits.map(({ id: _, ...hit }) => hit);

test('what others said changes neither the results nor the scores of a reader (L1)', async (t) => {
  const own = ['My bike is green', 'The locker code is 4417', 'I play the piano in Oslo'];
  const single = openMemory(t);
  const crowded = openMemory(t);
  await archiveAll(
    single,
    own.map((line) => exchange(line)),
  );
  for (const [index, line] of own.entries()) {
    for (let other = 0; other < 15; other += 1) {
      const somewhereElse: Provenance = { audience: 'person:per_2', restricted: true };
      await crowded.archive(
        exchange(`${line} bikes locker pianos ${other}`, { key: `${index}/${other}`, where: somewhereElse }),
      );
    }
    await crowded.archive(exchange(line));
  }
  for (const query of [
    'bike',
    'what is my locker code',
    'piano lockre',
    'green bikes in the garden',
    'pianoo',
  ]) {
    const [a, b] = await Promise.all(
      [single, crowded].map((memory) => memory.search({ text: query, scope: mine })),
    );
    assert.deepEqual(shown(b?.hits ?? []), shown(a?.hits ?? []), query);
  }
});

test('a direct message is never recalled in a group, not even for its own author (L1)', async (t) => {
  const memory = openMemory(t);
  await memory.archive(exchange('My locker code is 4417'));
  const group: Scope = { audiences: ['room:g'], spaces: ['discord:1:s'], everyone: true };
  const ask = async (scope: Scope) => (await memory.recall({ text: 'What is my locker code?', scope })).hits;
  const { block, hits } = await memory.recall({ text: 'What is my locker code?', scope: group });
  assert.deepEqual([block, hits], ['', []]);
  assert.equal((await ask(mine)).length, 1, 'in private it is recalled');
  const place: Provenance = { audience: 'room:g', space: 'discord:1:s', restricted: false };
  await memory.archive(exchange('My locker is on the left', { where: place, sessionID: 'ses_group' }));
  const there = await ask(group); // its author speaks there
  assert.deepEqual(
    there.map(({ text }) => /4417/.test(text)),
    [false],
  );
});

test('a group recalls what was written in it (L2)', async (t) => {
  const memory = openMemory(t);
  const place: Provenance = { audience: 'room:g', space: 'discord:1:s', restricted: false };
  await memory.archive(exchange('The release is on Friday', { where: place, sessionID: 'ses_group' }));
  const ask = (reader: Scope) => memory.recall({ text: 'When is the release?', scope: reader });
  assert.equal((await ask({ audiences: ['room:g'], spaces: [], everyone: false })).hits.length, 1);
  assert.equal(
    (await ask({ audiences: ['room:h'], spaces: ['discord:1:s'], everyone: false })).hits.length,
    1,
  );
  assert.equal((await ask({ audiences: ['room:h'], spaces: [], everyone: false })).hits.length, 0);
});

test('a missing or malformed scope throws, and an empty one reads nothing (M27, T38)', async (t) => {
  const memory = openMemory(t);
  await memory.archive(exchange('My bike is green', { where: { audience: 'room:r', restricted: false } }));
  const wrong: unknown[] = [
    undefined,
    null,
    {},
    'all',
    [],
    { audiences: ['per_1'], spaces: [], everyone: false },
    { audiences: [], spaces: [''], everyone: false },
    { audiences: [], spaces: [] },
    { audiences: [], spaces: [], everyone: 1 },
    { audiences: [null], spaces: [], everyone: false },
    { audiences: 'person:per_1', spaces: [], everyone: false },
    { spaces: [], everyone: true },
  ];
  for (const value of wrong) {
    // what a caller without types could pass
    const request = { text: 'bike', scope: value as Scope };
    await assert.rejects(memory.search(request), { code: 'missing_scope' }, JSON.stringify(value));
    await assert.rejects(memory.recall(request), { code: 'missing_scope' }, JSON.stringify(value));
    await assert.rejects(memory.search({ ...request, text: '' }), { code: 'missing_scope' });
  }
  const nothing: Scope = { audiences: [], spaces: [], everyone: false };
  assert.deepEqual((await memory.search({ text: 'bike', scope: nothing })).hits, []);
  assert.equal((await memory.recall({ text: 'bike', scope: nothing })).block, '');
});

test('a scope of a thousand rooms is read like any other', async (t) => {
  const memory = openMemory(t);
  await memory.archive(exchange('My bike is green', { where: { audience: 'room:777', restricted: true } }));
  const many = Array.from({ length: 1000 }, (_, index): Audience => `room:${index}`);
  const { hits } = await memory.search({
    text: 'bike',
    scope: { audiences: many, spaces: [], everyone: false },
  });
  assert.equal(hits.length, 1);
});

test('over random histories, recall for one who chooses gives all that a list of the scope has, and nothing else (L1)', async (t) => {
  const persons = ['person:a', 'person:b'] as const;
  const rooms = ['room:open', 'room:closed', 'room:abroad'] as const;
  const placeOf = (audience: Audience): Provenance => ({
    audience,
    ...(audience.startsWith('room:') && { space: audience === 'room:abroad' ? 'slack:1:s' : 'discord:1:s' }),
    restricted: audience !== 'room:open' && audience !== 'room:abroad',
  });
  const anyAudience = fc.constantFrom<Audience>(...persons, ...rooms);
  const anyScope: fc.Arbitrary<Scope> = fc.record({
    audiences: fc.uniqueArray(anyAudience, { maxLength: 3 }),
    spaces: fc.subarray(['discord:1:s', 'slack:1:s']),
    everyone: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(anyAudience, { maxLength: 12 }), anyScope, async (audiences, scope) => {
      const memory = openMemory(t);
      for (const [index, audience] of audiences.entries())
        await memory.archive(exchange(`The bike number ${index} is green`, { where: placeOf(audience) }));
      const idsOf = (entries: readonly { id: string }[]): string[] => entries.map(({ id }) => id).sort();
      const readable = await memory.list({ scope, limit: 100 });
      const request = { text: 'Which bike is it?', scope, budgetChars: 20_000, admit: { most: 100 } };
      assert.deepEqual(idsOf((await memory.recall(request)).hits), idsOf(readable));
      await memory.close();
    }),
    { numRuns: 40 },
  );
});
