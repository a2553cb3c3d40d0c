// When a sweep is run, what it may ask of a model, and what it leaves in files that people write too.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import type { AskDreamModel } from '#memory/types/dreaming.ts';
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
