// The reach of an owner, of an agent and of a session, each in one example; the generated ones are in audience.test.ts.
import assert from 'node:assert/strict';
import { scopeTerms } from '#memory/tables/audience.ts';
import type { Provenance, Scope } from '#memory/types/scope.ts';
import { test } from './each-store.ts';
import { note } from './facts.ts';
import { exchange, mine, openMemory } from './open-memory.ts';

test('the owner reads the own memory of every agent and what they share, by words, as a list and as records', async (t) => {
  const memory = openMemory(t);
  for (const partition of [undefined, 'one', 'two']) {
    const where: Provenance = { audience: 'person:per_1', restricted: true, partition };
    await memory.archive(exchange(`My bike is green, ${partition}`, { where }));
    await memory.put(note(`The bike of ${partition} is green`, { where }));
  }
  const counts = async (scope: Scope): Promise<number[]> => [
    (await memory.search({ text: 'bike', scope, limit: 10 })).hits.length,
    (await memory.list({ scope, limit: 10 })).length,
    (await memory.records({ scope, limit: 10 })).length,
  ];
  assert.deepEqual(await counts({ ...mine, everyPartition: true }), [6, 6, 3]);
  assert.deepEqual(await counts({ ...mine, everyPartition: false }), [2, 2, 1]);
  assert.deepEqual(await counts({ ...mine, partition: 'one' }), [2, 2, 1]);
  assert.deepEqual(await counts({ ...mine, partition: 'three' }), [0, 0, 0]);
});

test('no word under which the own memory of an agent is indexed is one of another agent, of an open room or of what all share', () => {
  const place = { audience: 'person:per_1', space: 'discord:1:s1', restricted: false } as const;
  const wordsOf = (partition: string | undefined): string[] => scopeTerms({ ...place, partition }).split(' ');
  const [shared, one, two] = [wordsOf(undefined), wordsOf('one'), wordsOf('two')];
  assert.equal(new Set([...shared, ...one]).size, shared.length + one.length);
  // the words of the owner are in both: of the audience, of the space and of everyone
  assert.equal(one.filter((word) => two.includes(word)).length, 3);
  assert.equal(one.length, 6);
});

test('next to a project nothing of a session is found for a reader without one, and of a session its own alone', async (t) => {
  const memory = openMemory(t);
  for (const sessionID of ['ses_1', 'ses_2'])
    await memory.put(note(`The bike of ${sessionID}`, { tier: 'session', sessionID, projectID: undefined }));
  await memory.put(note('The bike of all'));
  const found = async (sessionID?: string): Promise<string[]> => {
    const scope: Scope = { ...mine, sessionID };
    const { hits } = await memory.search({ text: 'bike', scope, projectID: 'shop', besideProject: true });
    return hits.map(({ text }) => text.replace(/^.*(The bike)/s, '$1')).sort();
  };
  assert.deepEqual(await found(), ['The bike of all']);
  assert.deepEqual(await found('ses_1'), ['The bike of all', 'The bike of ses_1']);
  assert.deepEqual(await found('ses_3'), ['The bike of all']);
});

test('the same words in the own memory of two agents and in what is shared are three memories', async (t) => {
  const memory = openMemory(t);
  const partitions = [undefined, 'one', 'two'];
  for (const partition of partitions) {
    const key = `run ${partition}`;
    const place: Provenance = { audience: 'person:per_1', restricted: true, partition };
    const given = exchange('My bike is green', { key, runID: key, where: place });
    assert.equal((await memory.archive(given)).status, 'stored');
    const { userText: words, at: time, speaker, platform, chat, sessionID, runID } = given;
    const note = { kind: 'note', text: words, at: time, speaker, platform, chat, sessionID, runID } as const;
    assert.equal((await memory.put({ ...note, where: place, messageIDs: [] })).status, 'stored');
  }
  const reader = (partition: string | undefined): Scope => ({
    audiences: ['person:per_1'],
    spaces: [],
    everyone: false,
    partition,
  });
  await memory.forget({ scope: reader('one'), selection: { from: 0 }, mode: 'forget' });
  for (const partition of partitions) {
    const { hits } = await memory.search({ text: 'bike', scope: reader(partition), limit: 10 });
    const left = partition === 'one' ? [] : [`run ${partition}`];
    assert.deepEqual([...new Set(hits.map(({ runID }) => runID))], left);
  }
});
