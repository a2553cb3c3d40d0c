// The journal of memory events, and what other programs may follow of an audience's files.

import assert from 'node:assert/strict';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { systemClock } from '#base/clock.ts';
import { createMemoryEventLog } from '../../../src/memory/files/event-log.ts';
import { until } from '../../support/found.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { ann, type DreamsHouse, openDreams, room, scopeOf, threeDays } from './kit.ts';

const boat = 'The boat Nelly is laid up in Harlingen until June.';
const questions = ['Where is Nelly?', 'When may we sail with Nelly again?'] as const;
const log = 'memory/events.jsonl';

const eventsIn = (house: DreamsHouse): { type: string; at: string; runID?: string }[] =>
  house
    .read(log)
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

test('recalls, phases and promotions are in the journal of events of their audience, by id and with none of their words', async (t) => {
  const house = openDreams(t);
  const ids = await house.say(boat);
  await threeDays(house, { ids, answer: boat, questions });
  await until('the lines of all events', async () => eventsIn(house).length === house.events.length);
  assert.deepEqual(
    eventsIn(house).map(({ type, at }) => [type, Date.parse(at)]),
    house.events.map(({ type, at }) => [type, at]),
  );
  const types = new Set(eventsIn(house).map(({ type }) => type));
  assert.deepEqual([...types].sort(), [
    'memory.dream.completed',
    'memory.promotion.applied',
    'memory.recall.recorded',
  ]);
  assert.doesNotMatch(house.read(log), /Nelly|Harlingen/);
});

test('the journal of events has no line about what is forgotten', async (t) => {
  const house = openDreams(t);
  const boats = await house.say(boat, { runID: 'run_boat', key: 'run_boat' });
  const shed = 'The neighbour Aukje has the second key of the shed.';
  const sheds = await house.say(shed, { runID: 'run_shed', key: 'run_shed', sessionID: 'ses_2' });
  house.goTo(1);
  await house.ask({ question: questions[0], answer: boat, ids: boats, runID: 'run_one' });
  await house.ask({ question: 'Who has the key?', answer: shed, ids: sheds, runID: 'run_two' });
  await until('the lines of 2 events', async () => eventsIn(house).length === 2);
  const request = { scope: scopeOf(ann), mode: 'forget' as const };
  const done = await house.memory.forget({ ...request, selection: { ids: boats } });
  assert.deepEqual(done.remains, []);
  assert.deepEqual(
    eventsIn(house).map(({ runID }) => runID),
    ['run_two'],
  );
  await house.memory.forget({ ...request, selection: { person: 'per_1' } });
  assert.deepEqual(eventsIn(house), []);
});

test('artifacts are listed by kind for the audience that may read them, and for no other', async (t) => {
  const house = openDreams(t);
  const ids = await house.say(boat);
  await house.memory.noteFile({
    audience: ann,
    text: 'First.',
    by: { person: 'per_1', sessionID: 's', runID: 'r' },
  });
  await threeDays(house, { ids, answer: boat, questions });
  await until('the lines of all events', async () => eventsIn(house).length === house.events.length);
  const found = await house.memory.listArtifacts({ scope: scopeOf(ann) });
  assert.deepEqual(
    new Set(found.map(({ kind }) => kind)),
    new Set(['memory-root', 'daily-note', 'dream-report', 'event-log']),
  );
  const events = found.find(({ kind }) => kind === 'event-log');
  assert.deepEqual([events?.contentType, events?.bytes], ['application/x-ndjson', house.read(log).length]);
  assert.deepEqual(
    found.map(({ path }) => path),
    found.map(({ path }) => path).sort(),
  );
  assert.deepEqual(await house.memory.listArtifacts({ scope: scopeOf(room) }), []);
});

test('a journal that is full becomes the older one, and the one before that goes', async (t) => {
  const house = openDreams(t);
  const events = createMemoryEventLog({ root: house.root, clock: systemClock, maxBytes: 400 });
  for (let at = 1; at <= 6; at += 1)
    events.note({ type: 'memory.recall.recorded', at, audience: ann, runID: `run_${at}`, candidates: [] });
  await events.written();
  const runs = (name: string): string[] => house.read(name).match(/run_\d/g) ?? [];
  assert.deepEqual([...runs('memory/events.1.jsonl'), ...runs(log)].slice(-1), ['run_6']);
  assert.ok(house.read(log).length <= 400 && house.read('memory/events.1.jsonl').length <= 400);
  assert.ok(!house.read(log).includes('run_1"'));
});

test('a link or a folder in the place of the journal is written to by nobody, and the status names it', async (t) => {
  const house = openDreams(t);
  const ids = await house.say(boat);
  await house.put('MEMORY.md', 'Mine.\n');
  const other = `${tempFolder(t)}/other`;
  writeFileSync(other, '');
  symlinkSync(other, house.path(log));
  house.goTo(1);
  await house.ask({ question: questions[0], answer: boat, ids });
  const refused = async (): Promise<string> => JSON.stringify((await house.memory.status()).files?.refused);
  await until('the refusal of a link', async () => /events\.jsonl.*is a symbolic link/.test(await refused()));
  rmSync(house.path(log));
  mkdirSync(house.path(log));
  house.goTo(2);
  await house.ask({ question: questions[1], answer: boat, ids });
  await until('the refusal of a folder', async () => /events\.jsonl.*is a folder/.test(await refused()));
});
