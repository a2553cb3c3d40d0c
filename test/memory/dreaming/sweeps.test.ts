// When a sweep is run, what it may ask of a model, and what it leaves in files that people write too.
import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, rmdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openSqliteReader } from '#base/sqlite.ts';
import type { AskDreamModel } from '#memory/types/dreaming.ts';
import { smallDisk } from '../../support/disk.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { ann, openDreams, room, scopeOf, threeDays } from './kit.ts';

const boat = 'The boat Nelly is laid up in Harlingen until June.';
const questions = ['Where is Nelly?', 'When may we sail with Nelly again?'] as const;
const answer = 'Nelly is laid up in Harlingen until June.';

/** A model that answers with these texts in turn, the last one again and again. */
function modelOf(...answers: string[]): AskDreamModel & { prompts: string[] } {
  const prompts: string[] = [];
  const ask: AskDreamModel = async ({ prompt }) => {
    prompts.push(prompt);
    return { text: answers[Math.min(prompts.length, answers.length) - 1] ?? '', tokens: 500 };
  };
  return Object.assign(ask, { prompts });
}
const reflection = JSON.stringify({ themes: [{ title: 'Boats', statements: [1] }], lasting: [1] });

test('there is one sweep a day and audience, over restarts and in two processes, and one call of the model for each (N19)', async (t) => {
  const folder = tempFolder(t);
  const [path, root] = [join(folder, 'memory.sqlite'), join(folder, 'memory')];
  const model = modelOf(reflection);
  const other = openDreams(t, { path, root });
  let house = openDreams(t, { path, root });
  const ids = await house.say(boat);
  const inRoom = await house.say('The club dinner is in the Golden Anchor in March.', { audience: room });
  let sweeps = 0;
  for (let day = 1; day <= 14; day += 1) {
    if (day % 3 === 0) {
      await house.memory.close();
      house = openDreams(t, { path, root });
    }
    for (let hour = 0; hour < 24; hour += 2) {
      for (const each of [house, other]) {
        each.goTo(day, hour);
        const reports = await Promise.all([each.night(model), each === house ? other.night(model) : []]);
        sweeps += reports.flat().filter(({ status }) => status === 'done').length;
      }
      if (hour === 10) {
        await house.ask({ question: `${questions[day % 2]} It is day ${day}.`, answer, ids });
        await house.ask({
          ...{
            question: `What is planned on day ${day}?`,
            answer: 'A club dinner in the Golden Anchor in March.',
          },
          ...{ ids: inRoom, audience: room },
        });
      }
    }
  }
  assert.equal(sweeps, 2 * 13);
  assert.ok(model.prompts.length <= sweeps);
  assert.equal((await house.memory.dreamingStatus()).sweeps, sweeps);
});

test('of two processes that begin a sweep at one moment, one runs it (N19)', async (t) => {
  const folder = tempFolder(t);
  const [path, root] = [join(folder, 'memory.sqlite'), join(folder, 'memory')];
  const houses = [
    openDreams(t, { path, root }),
    openDreams(t, { path, root }),
    openDreams(t, { path, root }),
  ];
  const [house] = houses;
  assert.ok(house);
  const ids = await house.say(boat);
  await house.ask({ question: questions[0], answer, ids });
  for (const each of houses) each.goTo(1, 4);
  const slot = house.now() - 3_600_000;
  const reports = await Promise.all(houses.map((each) => each.memory.sweep({ audience: ann, slot })));
  assert.deepEqual(reports.map(({ status }) => status).sort(), ['done', 'taken', 'taken']);
});

test('a sweep that a process left half way is finished by another one, ten minutes later and no sooner', async (t) => {
  const folder = tempFolder(t);
  const [path, root] = [join(folder, 'memory.sqlite'), join(folder, 'memory')];
  const first = openDreams(t, { path, root });
  const ids = await first.say(boat);
  for (const day of [1, 3, 5]) {
    first.goTo(day);
    await first.ask({ question: questions[day === 3 ? 1 : 0], answer, ids });
  }
  first.goTo(6, 4);
  const stop = new AbortController();
  const dying: AskDreamModel = async () => {
    stop.abort();
    throw new Error('killed');
  };
  const [due] = (await first.memory.dueSweeps()).due;
  assert.ok(due);
  await assert.rejects(first.memory.sweep({ ...due, model: dying, signal: stop.signal }));
  assert.equal(first.read('MEMORY.md'), '');
  const second = openDreams(t, { path, root });
  second.goTo(6, 4);
  assert.deepEqual(await second.night(), []);
  second.goTo(6, 4.2);
  const [report] = await second.night(modelOf(reflection));
  assert.equal(report?.promoted.length, 1);
  assert.equal(report?.calls, 2, 'the call of the first process counts for the budget');
  assert.deepEqual((await second.memory.dreamingStatus()).problems, []);
});

test('a clock that is set back runs no sweep again, and one that is set on runs one', async (t) => {
  const house = openDreams(t);
  const ids = await house.say(boat);
  await house.ask({ question: questions[0], answer, ids });
  house.goTo(1, 4);
  assert.equal((await house.night()).length, 1);
  house.goTo(0, 12);
  assert.deepEqual(await house.night(), []);
  house.goTo(1, 5);
  assert.deepEqual(await house.night(), []);
  house.goTo(40, 5);
  assert.equal((await house.night()).length, 1);
  assert.deepEqual(await house.night(), []);
});

test('a sweep asks the model within its budget, and says what it skipped', async (t) => {
  for (const [budget, model, calls, words] of [
    [{ calls: 2, tokens: 8_000 }, modelOf('no JSON'), 2, /REM: failed/],
    [
      { calls: 2, tokens: 8_000 },
      modelOf('no JSON', reflection),
      2,
      /REM: 1 theme, 1 statement that may last/,
    ],
    [
      { calls: 0, tokens: 8_000 },
      modelOf(reflection),
      0,
      /REM: skipped: the budget of model calls and tokens is used up/,
    ],
    [{ calls: 2, tokens: 700 }, modelOf(reflection), 0, /REM: skipped: the budget/],
    [{ calls: 5, tokens: 1_200 }, modelOf('no JSON'), 1, /REM: failed/],
  ] as const) {
    const house = openDreams(t, { settings: { budget } });
    const ids = await house.say(boat);
    await house.ask({ question: questions[0], answer, ids });
    house.goTo(1, 4);
    const [report] = await house.night(model);
    assert.equal(model.prompts.length, calls);
    assert.equal(report?.calls, calls);
    assert.match(house.read('DREAMS.md'), words);
  }
});

test('MEMORY.md stays within its budget: the oldest own lines go, and no line that a person wrote (N21)', async (t) => {
  const house = openDreams(t, { settings: { characters: 1_000 } });
  const hand = `# Mine\n\n${Array.from({ length: 8 }, (_, at) => `- Line ${at} of my own, which nobody may drop.`).join('\n')}\n`;
  await house.put('MEMORY.md', hand);
  const names = ['Aukje', 'Bauke', 'Ciska', 'Douwe', 'Eelke', 'Froukje', 'Gerrit', 'Hidde', 'Ineke', 'Jelle'];
  for (const [index, name] of names.entries()) {
    const ids = await house.say(
      `The neighbour ${name} has a key of the shed with number ${index + 40}${index}.`,
    );
    await threeDays(house, {
      ...{
        ids,
        from: 1 + index * 6,
        answer: `Neighbour ${name} has a shed key number ${index + 40}${index}.`,
      },
      questions: [`Which neighbour helps ${index}?`, `Who may help us ${index}?`],
    });
    if (index === 2)
      await house.put('MEMORY.md', `${house.read('MEMORY.md')}- A line of mine below a promoted one.\n`);
  }
  const text = house.read('MEMORY.md');
  assert.ok(text.length <= 1_000, `${text.length} characters`);
  assert.ok(text.startsWith(hand));
  assert.match(text, /A line of mine below a promoted one\./);
  assert.match(text, /Jelle/);
  assert.doesNotMatch(text, /Aukje/);
  assert.equal(text.match(/^## Promoted/gm)?.length, new Set(text.match(/\(\d{4}-\d{2}-\d{2}\)/g)).size);
});

test('a MEMORY.md that a person filled leaves no room: nothing is promoted, and the report and the prompt say so (N21)', async (t) => {
  const house = openDreams(t);
  const lines = Array.from({ length: 300 }, (_, at) => `- Line ${at} was written by hand and stays.`).join(
    '\n',
  );
  await house.put('MEMORY.md', `${lines}\n`);
  const ids = await house.say(boat);
  await threeDays(house, { ids, answer, questions });
  assert.equal(house.read('MEMORY.md'), `${lines}\n`);
  assert.match(house.read('memory/dreaming/deep/2030-01-07.md'), /MEMORY\.md has no room for it/);
  const { block } = await house.memory.filePrompt({ audience: ann, scope: scopeOf(ann) });
  assert.match(block, /more characters of this file are not shown here/);
  await house.memory.indexFiles();
  assert.equal((await house.memory.status()).files?.overBudget.length, 1);
});

test('reports are neither indexed, nor recalled, nor in a prompt (N5)', async (t) => {
  const house = openDreams(t);
  const ids = await house.say(boat);
  await threeDays(house, { ids, answer, questions });
  assert.match(house.read('DREAMS.md'), /Harlingen/);
  const { seen } = await house.memory.indexFiles();
  assert.equal(seen, 1, 'only MEMORY.md is a memory');
  const { hits } = await house.memory.search({ text: 'Harlingen', scope: scopeOf(ann), corpus: 'memory' });
  assert.deepEqual(
    hits.map(({ file }) => file?.path.split('/').at(-1)),
    ['MEMORY.md'],
  );
  const { block } = await house.memory.filePrompt({ audience: ann, scope: scopeOf(ann) });
  assert.doesNotMatch(block, /REM:|recalls on/);
});

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
