// Sweeps over files that cannot be written or read, and what is removed and reported afterwards.
import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, rmdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openSqliteReader } from '#base/sqlite/sqlite.ts';
import { smallDisk } from '../../support/disk.ts';
import { ann, openDreams, scopeOf, threeDays } from './kit.ts';

const boat = 'The boat Nelly is laid up in Harlingen until June.';
const questions = ['Where is Nelly?', 'When may we sail with Nelly again?'] as const;
const answer = 'Nelly is laid up in Harlingen until June.';

test('a folder in the place of MEMORY.md stops no sweep, and the next one promotes', async (t) => {
  const house = openDreams(t);
  const ids = await house.say(boat);
  await house.put('MEMORY.md', 'Mine.\n');
  rmSync(house.path('MEMORY.md'));
  mkdirSync(house.path('MEMORY.md'));
  const reports = await threeDays(house, { ids, answer, questions });
  const deep = reports.at(-1)?.phases.find(({ phase }) => phase === 'deep');
  assert.match(deep?.words ?? '', /is a folder, and a file was expected/);
  assert.match(house.read('DREAMS.md'), /Deep: The memory file .* is a folder/);
  rmdirSync(house.path('MEMORY.md'));
  house.goTo(7, 4);
  await house.night();
  assert.match(house.read('MEMORY.md'), /Harlingen/);
});

test('a full disk stops no sweep, and the next one promotes', async (t) => {
  const disk = smallDisk(t, 4);
  if (disk === undefined) return;
  const house = openDreams(t, { root: join(disk.path, 'memory') });
  const ids = await house.say(boat);
  await house.memory.noteFile({
    audience: ann,
    text: 'First.',
    by: { person: 'per_1', sessionID: 's', runID: 'r' },
  });
  const reports = await (async () => {
    house.goTo(1);
    await house.ask({ question: questions[0], answer, ids });
    house.goTo(3);
    await house.ask({ question: questions[1], answer, ids });
    house.goTo(5);
    await house.ask({ question: questions[0], answer, ids });
    house.goTo(6, 4);
    disk.fill();
    return house.night();
  })();
  const deep = reports[0]?.phases.find(({ phase }) => phase === 'deep');
  assert.match(deep?.words ?? '', /ENOSPC|space/);
  assert.equal(deep?.status, 'failed');
  assert.match((await house.memory.dreamingStatus()).problems.join(), /promoted nothing: .*(?:ENOSPC|space)/);
  disk.free();
  house.goTo(7, 4);
  await house.night();
  assert.equal(house.read('MEMORY.md').match(/Harlingen/g)?.length, 1);
  assert.deepEqual(
    readdirSync(house.path('.')).filter((name) => name.endsWith('.tmp')),
    [],
  );
});

test('the status says when a schedule never fired, and which sweep was left', async (t) => {
  const house = openDreams(t);
  const ids = await house.say(boat);
  await house.ask({ question: questions[0], answer, ids });
  assert.deepEqual((await house.memory.dreamingStatus()).problems, []);
  house.goTo(2, 12);
  assert.match(
    (await house.memory.dreamingStatus()).problems.join(),
    /the sweep of 2030-01-03 03:00 UTC was not run/,
  );
  // the hour in which the next one is due does not hide it
  house.goTo(3, 3.5);
  assert.match(
    (await house.memory.dreamingStatus()).problems.join(),
    /the sweep of 2030-01-03 03:00 UTC was not run/,
  );
  house.goTo(2, 12);
  await house.night();
  assert.deepEqual((await house.memory.dreamingStatus()).problems, []);
  const { next } = await house.memory.dreamingStatus();
  assert.equal(next, Date.UTC(2030, 0, 4, 3));
});

test('no table of short-term memory holds a word of a memory', async (t) => {
  const house = openDreams(t);
  const ids = await house.say(boat);
  await threeDays(house, { ids, answer, questions });
  const database = openSqliteReader({ path: house.memory.path });
  t.after(() => database.close());
  for (const table of ['candidates', 'recalls', 'promotions', 'derived_lines', 'sweeps']) {
    const all = JSON.stringify(database.prepare(`SELECT * FROM memory_${table}`).all());
    assert.ok(all.length > 2, table);
    assert.doesNotMatch(all, /Nelly|Harlingen|laid/i, table);
  }
  for (const event of house.events) assert.doesNotMatch(JSON.stringify(event), /Nelly|Harlingen/);
  assert.deepEqual([...new Set(house.events.map(({ type }) => type))].sort(), [
    'memory.dream.completed',
    'memory.promotion.applied',
    'memory.recall.recorded',
  ]);
});

test('a note that cannot be read now waits with its evidence, and old recalls, sweeps and reports are removed', async (t) => {
  const house = openDreams(t);
  await house.put('memory/2029-12-20.md', `- ${boat}\n`);
  await house.memory.indexFiles();
  const { hits } = await house.memory.search({ text: 'Nelly', scope: scopeOf(ann) });
  const ids = hits.map(({ id }) => id);
  for (const day of [1, 3]) {
    house.goTo(day);
    await house.ask({ question: questions[day === 1 ? 0 : 1], answer, ids });
  }
  await house.put('memory/2029-12-20.md', `- ${boat}\n\u0000`);
  house.goTo(4, 4);
  await house.night();
  assert.match(house.read('memory/dreaming/light/2030-01-05.md'), /Nothing/);
  assert.equal((await house.memory.dreamingStatus()).candidates, 1);
  await house.put('memory/2029-12-20.md', `- ${boat}\n`);
  await house.memory.indexFiles();
  const again = await house.memory.search({ text: 'Nelly', scope: scopeOf(ann) });
  house.goTo(5);
  await house.ask({ question: questions[0], answer, ids: again.hits.map(({ id }) => id) });
  house.goTo(6, 4);
  await house.night();
  assert.match(house.read('MEMORY.md'), /Nelly/);
  house.goTo(300, 4);
  await house.night();
  const { candidates, recalls, sweeps } = await house.memory.dreamingStatus();
  assert.deepEqual([candidates, recalls, sweeps], [0, 0, 1]);
  assert.equal(house.read('memory/dreaming/light/2030-01-05.md'), '');
});
