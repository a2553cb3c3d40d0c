// Who may be shown what: generated people, rooms and spaces against an oracle that knows nothing of SQL.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { scopeTerms } from '#memory/tables/audience.ts';
import type { Memory, MemoryMaintenance } from '#memory/types/contract.ts';
import type { Exchange } from '#memory/types/exchange.ts';
import type { Entry } from '#memory/types/maintenance.ts';
import {
  type Audience,
  type Provenance,
  type RoomState,
  type Scope,
  type Tier,
  tiers,
} from '#memory/types/scope.ts';
import { test } from './each-store.ts';
import { exchange, openMemory } from './open-memory.ts';

const people = ['a', 'b', 'c"%', "d' OR 1=1 --"];
const rooms = ['r1', 'r2', 'r3', '数据'];
const spaces = ['discord:1:s1', 'slack:T:s2', 'telegram:9:s 3'];
const words = ['bike', 'locker', 'green', 'garden', 'code', 'oslo', 'piano'];

const audience: fc.Arbitrary<Audience> = fc.oneof(
  fc.constantFrom(...people).map((person): Audience => `person:${person}`),
  fc.constantFrom(...rooms).map((room): Audience => `room:${room}`),
);
const where: fc.Arbitrary<Provenance> = fc.record({
  audience,
  space: fc.option(fc.constantFrom(...spaces), { nil: undefined }),
  restricted: fc.boolean(),
  partition: fc.constantFrom(undefined, 'one', 'two'),
});
const at = fc.integer({ min: 1_000, max: 1_003 });
const scope: fc.Arbitrary<Scope> = fc.record({
  audiences: fc.array(audience, { maxLength: 4 }),
  since: fc.array(fc.tuple(audience, at), { maxLength: 4 }).map((bounds) => Object.fromEntries(bounds)),
  spaces: fc.array(fc.constantFrom(...spaces), { maxLength: 2 }),
  everyone: fc.boolean(),
  partition: fc.constantFrom(undefined, 'one', 'two'),
  everyPartition: fc.constantFrom(undefined, false, false, true),
  sessionID: fc.option(fc.constantFrom('ses_1', 'ses_2'), { nil: undefined }),
  projectID: fc.option(fc.constantFrom('prj_1', 'prj_2'), { nil: undefined }),
  tiers: fc.option(fc.subarray([...tiers]), { nil: undefined }),
});
const owner: Scope = {
  audiences: [...people.map((id): Audience => `person:${id}`), ...rooms.map((id): Audience => `room:${id}`)],
  spaces: [],
  everyone: true,
  everyPartition: true,
};
const text = fc
  .array(fc.constantFrom(...words), { minLength: 1, maxLength: 4 })
  .map((list) => list.join(' '));
const reach = fc.record({
  tier: fc.constantFrom(...tiers),
  sessionID: fc.constantFrom('ses_1', 'ses_2'),
  projectID: fc.constantFrom('prj_1', 'prj_2'),
});
const said = fc.array(fc.record({ where, text, reach, at }), { minLength: 1, maxLength: 25 });
/** Two times, each with the rooms that are closed then. */
const closings = fc.tuple(...[0, 1].map(() => fc.subarray(rooms.map((room): Audience => `room:${room}`))));

/** The rule in words: one's own places since one may read them, or what was written openly in a space one shares, where it is still open. */
function mayRead(reader: Scope, { where: place, at }: Said[number], closed: readonly Audience[]): boolean {
  const { audience } = place;
  if (reader.everyPartition !== true && reader.partition !== place.partition) return false;
  if (reader.audiences.includes(audience) && at > (reader.since?.[audience] ?? 0)) return true;
  if (place.restricted || closed.includes(audience)) return false;
  if (reader.everyone) return true;
  return reader.spaces.some((space) => space === place.space);
}

type Said = typeof said extends fc.Arbitrary<infer List> ? List : never;

/** The rule of tiers on top of it: a session that asks reads of narrower tiers only its own. */
function mayReach(reader: Scope, { tier, sessionID, projectID }: Said[number]['reach']): boolean {
  if (reader.tiers?.includes(tier) === false) return false;
  if (reader.sessionID === undefined || tier === 'global') return true;
  return tier === 'session' ? reader.sessionID === sessionID : reader.projectID === projectID;
}

/** Every second one is a note, and only notes are stored for less than all. */
const isNote = (index: number): boolean => index % 2 === 1;

/** Every second note is in every prompt of its audience. */
const isPinned = (index: number): boolean => index % 4 === 1;

function exchanges(list: Said): Exchange[] {
  return list.map((entry, index) => {
    const { sessionID, projectID } = entry.reach;
    const more = {
      at: entry.at,
      where: entry.where,
      key: `k${index}`,
      runID: String(index),
      sessionID,
      projectID,
    };
    // no id has a letter u in it
    return exchange(`${entry.text} u${index}`, more);
  });
}

/** One half was written in exchanges, the other was noted. */
async function keepAll(
  memory: Memory & MemoryMaintenance,
  list: readonly Exchange[],
  tier: (index: number) => Tier,
): Promise<void> {
  for (const [index, entry] of list.entries()) {
    const { userText, where: place, at, speaker, platform, chat, sessionID, projectID, runID } = entry;
    const note = { text: userText, where: place, at, speaker, platform, chat, sessionID, projectID, runID };
    if (!isNote(index)) await memory.archive(entry);
    else
      await memory.put({
        ...{ ...note, kind: 'fact', messageIDs: [], tier: tier(index) },
        ...{ key: `key ${index}`, tags: userText.split(' ').slice(0, -1), pinned: isPinned(index) },
      });
  }
}

/** Every public read of the memory gives what the reader may read, and all of it. */
async function readsNoMore(
  memory: Memory & MemoryMaintenance,
  { list, reader, query, closed }: { list: Said; reader: Scope; query: string; closed: readonly Audience[] },
): Promise<void> {
  const readableAt = (index: number): boolean => {
    const entry = list[index];
    if (entry === undefined || !mayRead(reader, entry, closed)) return false;
    return mayReach(reader, isNote(index) ? entry.reach : { ...entry.reach, tier: 'global' });
  };
  const allowed = (hit: Pick<Entry, 'runID'>) => readableAt(Number(hit.runID));
  const { hits } = await memory.search({ text: query, scope: reader, limit: 100 });
  assert.ok(hits.every(allowed), 'search');
  const expected = list.filter(
    (entry, index) =>
      readableAt(index) && entry.text.split(' ').some((word) => query.split(' ').includes(word)),
  );
  assert.equal(hits.length, expected.length, 'every readable chunk with a word of the query is found');
  const ofProject = await memory.search({
    text: query,
    scope: reader,
    projectID: 'prj_1',
    besideProject: true,
    limit: 100,
  });
  const inProject = ({ reach: { tier, sessionID, projectID } }: Said[number], index: number) =>
    projectID === 'prj_1' ||
    !isNote(index) ||
    tier === 'global' ||
    (tier === 'session' && sessionID === reader.sessionID);
  assert.ok(ofProject.hits.every(allowed), 'search of a project');
  assert.equal(
    ofProject.hits.length,
    expected.filter((entry) => inProject(entry, list.indexOf(entry))).length,
    'of a project, what is for every project is found too',
  );
  const readable = list.filter((_, index) => readableAt(index));
  const listed = await memory.list({ scope: reader, limit: 1000 });
  assert.ok(listed.every(allowed) && listed.length === readable.length, 'list');
  const named = await memory.list({ scope: reader, words: query.split(' ')[0], limit: 1000 });
  assert.ok(named.every(allowed), 'list by words');
  const selection = { from: 0 };
  const { samples, entries } = await memory.forget({ scope: reader, selection, mode: 'preview' });
  assert.ok(samples.every(allowed) && entries === readable.length, 'preview of forgetting');
  const records = await memory.records({ text: query, scope: reader, limit: 100 });
  assert.ok(records.every(allowed), 'records by words');
  assert.equal(
    records.length,
    expected.filter((entry) => isNote(list.indexOf(entry))).length,
    'every record',
  );
  const all = await memory.records({ scope: reader, limit: 100 });
  assert.ok(all.every(allowed), 'records as a list');
  assert.equal(all.length, readable.filter((entry) => isNote(list.indexOf(entry))).length);
  const notes = [...list.keys()].filter((index) => isNote(index) && readableAt(index));
  for (const tag of words) {
    const count = notes.filter((index) => list[index]?.text.split(' ').includes(tag)).length;
    const tagged = await memory.records({ scope: reader, tag, limit: 100 });
    assert.ok(tagged.every(allowed) && tagged.length === count, 'records by tag');
    const meant = await memory.forget({ scope: reader, selection: { tag }, mode: 'preview' });
    assert.ok(meant.samples.every(allowed) && meant.entries === count, 'forgetting by tag');
    assert.ok(meant.pinned <= count, 'pins of others are not counted');
  }
  const pinned = await memory.records({ scope: reader, pinned: true, limit: 100 });
  assert.ok(pinned.every(allowed) && pinned.length === notes.filter(isPinned).length, 'records by pin');
  for (const index of list.keys()) {
    const key = `key ${index}`;
    const count = notes.includes(index) ? 1 : 0;
    assert.equal((await memory.records({ scope: reader, key, limit: 100 })).length, count, 'records by key');
    const meant = await memory.forget({ scope: reader, selection: { key }, mode: 'preview' });
    assert.equal(meant.entries, count, 'forgetting by key');
  }
  const every = await memory.records({ scope: owner, limit: 100 });
  const own = await memory.records({ scope: reader, ids: every.map(({ id }) => id) });
  assert.ok(
    own.every(
      (record) =>
        (reader.everyPartition === true || reader.partition === record.partition) &&
        reader.audiences.includes(record.audience) &&
        record.at > (reader.since?.[record.audience] ?? 0),
    ),
    'records by ids, with their history',
  );
  for (const { id } of every) {
    const shownEntry = await memory.show({ id, scope: reader });
    assert.ok(shownEntry === undefined || allowed(shownEntry), 'show');
  }
  const known = new Map<string, number>();
  for (const record of every.filter(({ tier }) => tier !== 'session')) {
    const own = { audiences: [record.audience], spaces: [], everyone: false, everyPartition: true };
    const by = { name: 'operator' };
    const { item } = await memory.promoteKnowledge({ id: record.id, scope: own, by, subject: 'gear' });
    known.set(item.id, Number(record.runID));
  }
  const covered = [...known.values()].filter(readableAt);
  for (const projectID of ['prj_1', 'prj_2']) {
    const asked = { scope: reader, subject: 'GEAR', projectID };
    const { items, decision } = await memory.preflight(asked);
    assert.ok(
      items.every(({ record }) => allowed(record)),
      'preflight',
    );
    const here = covered.filter(
      (index) => list[index]?.reach.tier === 'global' || list[index]?.reach.projectID === projectID,
    );
    assert.equal(items.length, Math.min(3, here.length), 'preflight finds what is inside');
    assert.equal(decision === 'no_prior_knowledge', here.length === 0);
    const { related } = await memory.preflight({ ...asked, subject: `gear ${query}` });
    assert.ok(
      related.every(({ record }) => allowed(record)),
      'what sounds like it',
    );
  }
  const knowledge = await memory.knowledge({ scope: reader, limit: 1000 });
  assert.ok(knowledge.every(({ record }) => allowed(record)) && knowledge.length === covered.length);
  for await (const line of memory.export({ scope: reader }))
    if (line.type === 'knowledge') assert.ok(readableAt(known.get(line.id) ?? -1), 'export');
  const answer = { key: 'k', sessionID: 's', model: 'm', most: 100 };
  for (const [index, entry] of list.entries())
    await memory.keepResponse({ ...answer, audience: entry.where.audience, text: `${index}` });
  const given = await memory.response({ key: 'k', scope: reader, sessionID: 't', since: 0 });
  const isOwn = (index: number) => reader.audiences.some((own) => own === list[index]?.where.audience);
  assert.equal(given === undefined, ![...list.keys()].some(isOwn), 'cached answers');
  assert.ok(given === undefined || isOwn(Number(given)), 'cached answers of others');
  const recalled = await memory.recall({ text: query, scope: reader, budgetChars: 20_000 });
  assert.ok(recalled.hits.every(allowed), 'recall');
  for (const index of list.keys()) {
    if (!readableAt(index)) assert.ok(!new RegExp(`u${index}\\b`).test(recalled.block), 'block');
  }
}

test('no public read shows a chunk outside its audience, and search misses none inside it (L1, L2, M26, M27, M28, T36, T38, T40)', async () => {
  await fc.assert(
    fc.asyncProperty(said, scope, text, closings, async (list, reader, query, times) => {
      const cleanups: (() => unknown)[] = [];
      const memory = openMemory({ after: (work: unknown) => void cleanups.push(work as () => unknown) });
      try {
        await keepAll(memory, exchanges(list), (index) => list[index]?.reach.tier ?? 'global');
        for (const closed of times) {
          await memory.setRooms(
            rooms.map(
              (room): RoomState => ({
                audience: `room:${room}`,
                restricted: closed.includes(`room:${room}`),
              }),
            ),
          );
          await readsNoMore(memory, { list, reader, query, closed });
        }
      } finally {
        for (const work of cleanups.reverse()) await work();
      }
    }),
    { numRuns: 15 },
  );
});

test('the words under which chunks are indexed stay the same, so that what an earlier version stored is found', () => {
  const room = { audience: 'room:r1', space: 'discord:1:s1', projectID: 'prj_1' } as const;
  const [own, space, everyone, project] = [
    '1480490c39421c2a19475d5830',
    '2aa9435a2f1c277dd8ccf7c960',
    '0everyone',
    '3a0dab60c1b5602350c9681fb0',
  ];
  assert.equal(scopeTerms({ ...room, restricted: false }), [own, space, everyone, project].join(' '));
  assert.equal(scopeTerms({ ...room, restricted: true }), [own, project].join(' '));
});
