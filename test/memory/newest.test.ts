// Pages of what one audience remembers: the same entries in the same order as a list of everything, whatever else is in the memory.
import assert from 'node:assert/strict';
import { systemClock } from '#base/clock.ts';
import { createIds } from '#base/ids.ts';
import { openStore } from '#memory/store/store.ts';
import type { Scope } from '#memory/types/scope.ts';
import { test } from './each-store.ts';
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
  const { entries } = await memory.forget({
    ...{ scope, selection: { ids: [kettles[0] ?? ''] }, mode: 'forget', by: { name: 'test' } },
  });
  assert.equal(entries, 1);
  assert.deepEqual(await pages('kettle'), kettles.slice(1));
  assert.deepEqual(await memory.list({ scope: scopeOf('nobody') }), []);
});

const places = [
  { audience: 'person:ann', restricted: true },
  { audience: 'person:ben', restricted: true },
  { audience: 'room:hall', space: 'club', restricted: false },
  { audience: 'room:yard', space: 'club', restricted: false },
  { audience: 'room:board', space: 'club', restricted: true },
  { audience: 'room:shop', space: 'firm', restricted: false },
  { audience: 'room:harbour', restricted: false },
] as const;

test('pages of several audiences and spaces are in one order, each entry once, by offset and by cursor', async (t) => {
  const memory = openMemory(t);
  const written: { at: number; place: (typeof places)[number] }[] = [];
  for (let number = 0; number < 140; number += 1) {
    const place = places[(number * 5) % places.length] ?? places[0];
    const at = start + Math.floor(((number * 37) % 140) / 3) * 1_000; // out of order, several at the same moment
    await memory.archive(exchange(`Lamp number ${number} is new.`, { at, where: place }));
    written.push({ at, place });
  }
  await memory.setRooms([{ audience: 'room:yard', restricted: true }]);
  const open = ({ restricted, audience }: (typeof places)[number]): boolean =>
    !restricted && audience !== 'room:yard';
  const spaceOf = (place: (typeof places)[number]): string | undefined =>
    'space' in place ? place.space : undefined;
  const cases: [Scope, (place: (typeof places)[number]) => boolean][] = [
    [
      { audiences: ['person:ann', 'person:ben', 'person:nobody'], spaces: [], everyone: false },
      ({ audience }) => audience.startsWith('person:'),
    ],
    [
      { audiences: ['person:ann', 'room:hall'], spaces: ['club', 'firm'], everyone: false },
      (place) => place.audience === 'person:ann' || (open(place) && spaceOf(place) !== undefined),
    ],
    [
      { audiences: [], spaces: ['club'], everyone: false },
      (place) => open(place) && spaceOf(place) === 'club',
    ],
    [
      { audiences: ['room:yard'], spaces: ['club'], everyone: true },
      (place) => open(place) || place.audience === 'room:yard',
    ],
    [{ audiences: [], spaces: [], everyone: false }, () => false],
  ];
  for (const [scope, readable] of cases) {
    const expected = written
      .map((entry, row) => ({ ...entry, row }))
      .filter(({ place }) => readable(place))
      .sort((one, other) => other.at - one.at || other.row - one.row)
      .map(({ row }) => row);
    const numbers = (entries: readonly { text: string }[]): number[] =>
      entries.map(({ text }) => Number(/\d+/.exec(text)?.[0]));
    assert.deepEqual(numbers(await memory.list({ scope, limit: 1_000 })), expected);
    const byOffset: number[] = [];
    for (let offset = 0; offset < 150; offset += 9)
      byOffset.push(...numbers(await memory.list({ scope, limit: 9, offset })));
    assert.deepEqual(byOffset, expected);
    const byCursor: number[] = [];
    for (let after: string | undefined, first = true; first || after !== undefined; first = false) {
      const { entries, next } = await memory.page({ scope, limit: 9, after });
      byCursor.push(...numbers(entries));
      after = next;
    }
    assert.deepEqual(byCursor, expected);
  }
});

test('a cursor continues behind an entry that was forgotten in the meantime, and one that no page gave is refused', async (t) => {
  const memory = openMemory(t);
  for (let number = 0; number < 6; number += 1)
    await memory.archive(
      exchange(`Lamp number ${number} is new.`, {
        at: start,
        where: { audience: 'person:ann', restricted: true },
      }),
    );
  const scope = scopeOf('ann');
  const all = await memory.list({ scope });
  const { entries, next } = await memory.page({ scope, limit: 3 });
  await memory.forget({ scope, selection: { ids: [entries[2]?.id ?? ''] }, mode: 'forget' });
  const rest = await memory.page({ scope, limit: 3, after: next });
  assert.deepEqual(rest.entries, all.slice(3));
  for (const after of ['', 'x', '12', '1.2.3', '1; DROP TABLE x'])
    await assert.rejects(memory.page({ scope, after }), { code: 'invalid_cursor' }, after);
});

test('a list of one session, of one person, or of both has what was written there and by them only', async (t) => {
  const memory = openMemory(t);
  const ann = { audiences: ['person:ann', 'room:1'], spaces: [], everyone: false } satisfies Scope;
  for (const [person, sessionID] of ['a1', 'a2', 'b1', 'b2'].map((name) => [...name]))
    await memory.archive(
      exchange(`${person}${sessionID}`, {
        sessionID: `ses_${sessionID}`,
        speaker: { person: `per_${person}`, name: 'someone' },
        where: { audience: 'room:1', restricted: true },
      }),
    );
  const listed = async (query: { session?: string; person?: string }) => {
    const entries = await memory.list({ scope: ann, ...query });
    return entries.map(({ text }) => text.slice(-2)).sort();
  };
  assert.deepEqual(await listed({ session: 'ses_1' }), ['a1', 'b1']);
  assert.deepEqual(await listed({ person: 'per_a' }), ['a1', 'a2']);
  assert.deepEqual(await listed({ session: 'ses_2', person: 'per_b' }), ['b2']);
  assert.equal((await listed({})).length, 4);
});

test('the rows of an audience, and of a space, come from an index in the order of a list, without a sort', (t) => {
  const { path } = openMemory(t);
  const store = openStore({
    ...{ path, clock: systemClock, newId: createIds(systemClock) },
  });
  t.after(() => store.close());
  const planOf = (where: string): string[] =>
    store.database
      .prepare<[], { detail: string }>(
        `EXPLAIN QUERY PLAN SELECT row FROM global_memory_chunks WHERE ${where} AND (at_ms, row) < (9, 9)
         ORDER BY at_ms DESC, row DESC LIMIT 9`,
      )
      .all()
      .map(({ detail }) => detail);
  const by = (index: string, column: string): string[] => [
    `SEARCH global_memory_chunks USING COVERING INDEX global_memory_chunks_${index} (${column}=? AND at_ms<?)`,
  ];
  assert.deepEqual(planOf("audience = 'person:ann'"), by('newest', 'audience'));
  assert.deepEqual(planOf("restricted = 0 AND space IS 'club'"), by('open', 'space'));
});
