// Forgetting reaches what was made of memories: promoted lines, reports, candidates and recalls, also over a kill.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openSqliteReader } from '#base/sqlite/sqlite.ts';
import type { Selection } from '#memory/types/maintenance.ts';
import { smallDisk } from '../../support/disk.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { ann, type DreamsHouse, openDreams, room, scopeOf, threeDays } from './kit.ts';

const boat = 'The boat Nelly is laid up in Harlingen until June.';
const shed = 'The neighbour Aukje has the second key of the shed.';

/** Two facts are promoted, one of each run; the ids of their passages. */
async function promoted(house: DreamsHouse): Promise<{ boat: readonly string[]; shed: readonly string[] }> {
  const boats = await house.say(boat, { runID: 'run_boat', key: 'run_boat' });
  const sheds = await house.say(shed, { runID: 'run_shed', key: 'run_shed', sessionID: 'ses_2' });
  await threeDays(house, {
    ...{ ids: [...boats, ...sheds], answer: `${boat} ${shed}` },
    questions: ['What is new?', 'What should I know?'],
  });
  assert.match(house.read('MEMORY.md'), /Harlingen.*\n.*Aukje|Aukje.*\n.*Harlingen/);
  return { boat: boats, shed: sheds };
}

/** Which files of the memory hold the bytes of a word. */
function holding(house: DreamsHouse, word: string): string[] {
  const files = readdirSync(house.root, { recursive: true, encoding: 'utf8', withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  const databases = ['', '-wal', '-shm'].map((end) => `${house.memory.path}${end}`);
  return [...files, ...databases.filter((path) => existsSync(path))]
    .filter((path) => readFileSync(path, 'latin1').toLowerCase().includes(word.toLowerCase()))
    .map((path) => path.split('/').slice(-3).join('/'));
}

for (const [what, selection] of [
  ['an id', undefined],
  ['words', { words: 'Nelly Harlingen' }],
  ['its run', { run: 'run_boat' }],
  ['its session', { session: 'ses_1' }],
] as [string, Selection | undefined][])
  test(`what is forgotten by ${what} goes from MEMORY.md, the reports and the recall store, byte for byte`, async (t) => {
    const house = openDreams(t);
    const ids = await promoted(house);
    await house.memory.indexFiles();
    const request = { scope: scopeOf(ann), mode: 'forget' as const };
    // the passage of MEMORY.md has its own id, and words mean it too
    const done = await house.memory.forget({ ...request, selection: selection ?? { ids: ids.boat } });
    assert.deepEqual(done.remains, []);
    assert.doesNotMatch(house.read('MEMORY.md'), /Harlingen/);
    assert.match(house.read('MEMORY.md'), /Aukje/);
    assert.deepEqual(holding(house, 'Harlingen'), []);
    assert.notEqual(holding(house, 'Aukje').length, 0);
    const { problems, traces } = await house.memory.verify(['Harlingen']);
    assert.deepEqual([problems, traces], [[], []]);
    const [report] = await house.memory.promoteRecalled({ mode: 'apply' });
    assert.doesNotMatch(JSON.stringify(report), /Harlingen/);
    assert.doesNotMatch(house.read('MEMORY.md'), /Harlingen/);
    const { hits } = await house.memory.search({ text: 'Nelly Harlingen', scope: scopeOf(ann) });
    assert.deepEqual(hits, []);
  });

test('a promoted line that is forgotten takes along the lines of reports that were made of the same statement, in a room too', async (t) => {
  for (const audience of [ann, room]) {
    const house = openDreams(t);
    const ids = await house.say(boat, { audience });
    const others = await house.say(shed, { audience, runID: 'run_shed', key: 'run_shed' });
    await threeDays(house, {
      ...{ ids: [...ids, ...others], answer: `${boat} ${shed}`, audience },
      questions: ['What is new?', 'What should I know?'],
    });
    const report = 'memory/dreaming/deep/2030-01-07.md';
    assert.match(house.read(report, audience), /Harlingen/);
    await house.memory.indexFiles();
    const scope = scopeOf(audience);
    const line = (await house.memory.list({ scope })).find(({ platform }) => platform === 'file');
    const selection = { ids: [line?.id ?? ''], words: 'Harlingen' };
    await house.memory.forget({ scope, selection, mode: 'forget' });
    for (const name of ['MEMORY.md', 'DREAMS.md', report, report.replace('deep', 'light')]) {
      assert.doesNotMatch(house.read(name, audience), /Harlingen/, `${name} of ${audience}`);
      if (!name.includes('light'))
        assert.match(house.read(name, audience), /Aukje/, `${name} of ${audience}`);
    }
  }
});

test('a person who is forgotten leaves no line, no report and no row', async (t) => {
  const house = openDreams(t);
  await promoted(house);
  await house.put('MEMORY.md', `${house.read('MEMORY.md')}\nWritten by hand about the walrus.\n`);
  await house.memory.indexFiles();
  await house.memory.forget({ scope: scopeOf(ann), selection: { person: 'per_1' }, mode: 'forget' });
  for (const word of ['Harlingen', 'Aukje', 'walrus']) assert.deepEqual(holding(house, word), []);
  const database = openSqliteReader({ path: house.memory.path });
  t.after(() => database.close());
  for (const table of ['candidates', 'recalls', 'promotions'])
    assert.deepEqual(database.prepare(`SELECT * FROM memory_${table}`).all(), [], table);
});

test('a theme that a model made of a forgotten statement goes with it', async (t) => {
  const house = openDreams(t);
  const ids = await house.say(boat);
  await house.ask({ question: 'Where is Nelly?', answer: boat, ids });
  house.goTo(1, 4);
  const themes = [{ title: 'Ships that wait in Harlingen', statements: [1] }];
  await house.night(async () => ({ text: JSON.stringify({ themes, lasting: [] }), tokens: 10 }));
  assert.match(house.read('DREAMS.md'), /Theme: Ships that wait/);
  await house.memory.forget({ scope: scopeOf(ann), selection: { ids }, mode: 'forget' });
  assert.deepEqual(holding(house, 'Harlingen'), []);
});

test('a report quotes no answer of a model that is not the JSON that was expected, and no word of it is left', async (t) => {
  for (const text of ['Harlingen is a theme', '{"themes": Harlingen}', '{"themes": "Harlingen"}']) {
    const house = openDreams(t);
    const ids = await house.say(boat);
    await house.ask({ question: 'Where is Nelly?', answer: boat, ids });
    house.goTo(1, 4);
    await house.night(async () => ({ text, tokens: 10 }));
    assert.match(house.read('DREAMS.md'), /REM: failed: the answer of the model/);
    assert.doesNotMatch(house.read('DREAMS.md'), /Harlingen/);
    await house.memory.forget({ scope: scopeOf(ann), selection: { ids }, mode: 'forget' });
    assert.deepEqual(holding(house, 'Harlingen'), [], text);
  }
});

test('a theme whose words are of a statement that the model did not name goes with that statement', async (t) => {
  for (const during of [true, false]) {
    const house = openDreams(t);
    const ids = await house.say(boat, { runID: 'run_boat', key: 'run_boat' });
    const others = await house.say(shed, { runID: 'run_shed', key: 'run_shed', sessionID: 'ses_2' });
    await house.ask({ question: 'What is new?', answer: `${boat} ${shed}`, ids: [...ids, ...others] });
    house.goTo(1, 4);
    const forget = () =>
      house.memory.forget({ scope: scopeOf(ann), selection: { ids }, mode: 'forget', proof: 'none' });
    const themes = [{ title: 'Keys and ships in Harlingen', statements: [2] }];
    await house.night(async ({ prompt }) => {
      assert.match(prompt, /1\. .*Harlingen.*\n2\. .*Aukje/);
      if (during) await forget();
      return { text: JSON.stringify({ themes, lasting: [2] }), tokens: 10 };
    });
    if (!during) await forget();
    assert.match(house.read('memory/dreaming/rem/2030-01-02.md'), /Aukje/);
    for (const name of ['DREAMS.md', 'memory/dreaming/rem/2030-01-02.md'])
      assert.doesNotMatch(house.read(name), /Harlingen/, name);
  }
});

test('a theme that a person copied into MEMORY.md is forgotten alone: the statements that it was made of stay', async (t) => {
  const house = openDreams(t);
  const ids = [
    ...(await house.say(boat)),
    ...(await house.say(shed, { key: 'run_shed', runID: 'run_shed' })),
  ];
  await house.ask({ question: 'What is new?', answer: `${boat} ${shed}`, ids });
  house.goTo(1, 4);
  const themes = [{ title: 'Ships and keys of the neighbours', statements: [1, 2] }];
  await house.night(async () => ({ text: JSON.stringify({ themes, lasting: [1, 2] }), tokens: 10 }));
  await house.put('MEMORY.md', '- Theme: Ships and keys of the neighbours\n');
  await house.memory.indexFiles();
  await house.memory.forget({ scope: scopeOf(ann), selection: { words: 'ships keys' }, mode: 'forget' });
  assert.deepEqual(holding(house, 'ships'), []);
  assert.match(
    house.read('memory/dreaming/rem/2030-01-02.md'),
    /Harlingen[\s\S]*Aukje|Aukje[\s\S]*Harlingen/,
  );
  assert.equal((await house.memory.dreamingStatus()).candidates, 2);
});

test('a forgetting that could not write the files is finished by the next start', async (t) => {
  const disk = smallDisk(t, 16);
  if (disk === undefined) return;
  const path = join(tempFolder(t), 'memory.sqlite');
  const root = join(disk.path, 'memory');
  const house = openDreams(t, { path, root });
  const ids = await promoted(house);
  await house.memory.indexFiles();
  disk.access('ro');
  const done = await house.memory.forget({
    scope: scopeOf(ann),
    selection: { ids: ids.boat },
    mode: 'forget',
  });
  assert.match(done.remains.join(), /is taken out at the next start/);
  const { block } = await house.memory.filePrompt({ audience: ann, scope: scopeOf(ann) });
  assert.doesNotMatch(block, /Harlingen/, 'it is hidden at once');
  await house.memory.close();
  disk.access('rw');
  const later = openDreams(t, { path, root });
  await later.memory.repairDreams();
  assert.doesNotMatch(later.read('MEMORY.md'), /Harlingen/);
  assert.deepEqual(holding(later, 'Harlingen'), []);
  assert.match(later.read('MEMORY.md'), /Aukje/);
});

test('a temporary file that a killed write left is removed when lines are forgotten', async (t) => {
  const house = openDreams(t);
  const ids = await promoted(house);
  const left = house.path('.0a1b2c3d4e5f1.tmp');
  writeFileSync(left, `- ${boat}\n`);
  utimesSync(left, 1, 1);
  await house.memory.forget({ scope: scopeOf(ann), selection: { ids: ids.boat }, mode: 'forget' });
  assert.deepEqual(holding(house, 'Harlingen'), []);
});

test('a line of a note that is forgotten takes its promoted line along, and its neighbour stays', async (t) => {
  const house = openDreams(t);
  await house.put('memory/2029-12-20.md', `# Notes\n\n- ${boat} And the sun was out.\n- ${shed}\n`);
  await house.memory.indexFiles();
  const { hits } = await house.memory.search({ text: 'Nelly Aukje shed Harlingen', scope: scopeOf(ann) });
  await threeDays(house, {
    ...{ ids: hits.map(({ id }) => id), answer: `${boat} ${shed}` },
    questions: ['What is new?', 'What should I know?'],
  });
  assert.match(house.read('MEMORY.md'), /- The boat Nelly is laid up in Harlingen until June\.\n/);
  await house.memory.indexFiles();
  await house.memory.forget({
    scope: scopeOf(ann),
    selection: { words: 'Nelly Harlingen sun' },
    mode: 'forget',
  });
  assert.deepEqual(holding(house, 'Harlingen'), []);
  assert.match(house.read('MEMORY.md'), /Aukje/);
  assert.match(house.read('memory/2029-12-20.md'), /Aukje/);
});

test('what is forgotten while a sweep waits for its model is in no report, and is not promoted (N20)', async (t) => {
  const house = openDreams(t);
  const ids = await house.say(boat);
  for (const [index, day] of [1, 3, 5].entries()) {
    house.goTo(day);
    await house.ask({
      question: index % 2 === 0 ? 'Where is she?' : 'What do I need to know?',
      answer: boat,
      ids,
    });
  }
  house.goTo(6, 4);
  const [report] = await house.night(async () => {
    await house.memory.forget({ scope: scopeOf(ann), selection: { ids }, mode: 'forget' });
    const themes = [{ title: 'Ships that wait in Harlingen', statements: [1] }];
    return { text: JSON.stringify({ themes, lasting: [1] }), tokens: 10 };
  });
  assert.equal(report?.status, 'done');
  assert.deepEqual(report?.promoted, []);
  assert.deepEqual(holding(house, 'Harlingen'), []);
});
