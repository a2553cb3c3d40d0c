// What becomes lasting memory, and what never does: from answers that used a passage to lines of MEMORY.md.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ann, openDreams, room, scopeOf, threeDays } from './kit.ts';

const boat = 'The boat Nelly is laid up in Harlingen until June.';
const questions = ['Where is Nelly?', 'When may we sail with Nelly again?'] as const;
const answer = 'Nelly is laid up in Harlingen until June.';

test('a fact that is recalled on three days by two different questions is promoted with the default gates, without a model (N18)', async (t) => {
  const house = openDreams(t);
  const ids = await house.say(boat);
  const reports = await threeDays(house, { ids, answer, questions });
  assert.deepEqual(
    reports.map(({ promoted }) => promoted.length),
    [0, 0, 1],
  );
  assert.match(
    house.read('MEMORY.md'),
    /^## Promoted From Short-Term Memory \(2030-01-07\)\n\n- The boat Nelly is laid up in Harlingen until June\.\n$/,
  );
  assert.match(house.read('DREAMS.md'), /REM: skipped: there is no model\./);
  assert.match(
    house.read('memory/dreaming/deep/2030-01-07.md'),
    /3 recalls on 3 days, 2 questions, score 0\.\d\d: promoted/,
  );
});

test('a title, a shortened word and a date with full stops do not end a statement', async (t) => {
  const house = openDreams(t);
  const said = [
    'The spare key is with Mrs. Huber from the second floor.',
    'Der Termin mit Dr. Meier ist am 3. Mai in Harlingen.',
    'Werkzeug, z. B. die Säge, liegt im Keller. Der Wecker steht auf 5 ms. Die Katze heißt Minka.',
  ];
  for (const text of said) {
    const ids = await house.say(text);
    await house.ask({ question: 'What do you know?', answer: text, ids });
  }
  const [report] = await house.memory.promoteRecalled({ mode: 'dry run' });
  assert.deepEqual(report?.candidates.map(({ text }) => text).sort(), [
    'Der Termin mit Dr. Meier ist am 3. Mai in Harlingen.',
    'Der Wecker steht auf 5 ms.',
    'Die Katze heißt Minka.',
    'The spare key is with Mrs. Huber from the second floor.',
    'Werkzeug, z. B. die Säge, liegt im Keller.',
  ]);
});

test('one question each day, or two questions on one day, promote nothing', async (t) => {
  const house = openDreams(t);
  const ids = await house.say(boat);
  for (let day = 1; day < 6; day += 1) {
    house.goTo(day);
    await house.ask({ question: questions[0], answer, ids });
    house.goTo(day + 1, 4);
    await house.night();
  }
  const other = await house.say('The cellar key hangs behind the old clock.');
  for (const question of ['Which hook has the key?', 'Who knows where it hangs?'])
    await house.ask({ question, answer: 'The cellar key hangs behind the old clock.', ids: other });
  house.goTo(7, 4);
  await house.night();
  assert.equal(house.read('MEMORY.md'), '');
});

test('text that is injected is no evidence for itself, and what is promoted is not promoted again (N22)', async (t) => {
  const house = openDreams(t);
  const ids = await house.say(boat);
  await threeDays(house, { ids, answer, questions });
  const before = house.read('MEMORY.md');
  const injected = [before];
  assert.equal(
    await house.ask({ question: 'Is Nelly fine?', answer, ids, injected }),
    0,
    'its line is in the prompt',
  );
  await house.memory.indexFiles();
  const { hits } = await house.memory.search({ text: 'Nelly Harlingen', scope: scopeOf(ann) });
  const all = hits.map(({ id }) => id);
  const [candidates] = await house.memory.promoteRecalled({ mode: 'dry run' });
  const recalls = candidates?.candidates[0]?.recalls;
  await threeDays(house, {
    ids: all,
    answer,
    questions: ['What about Nelly?', 'Does Nelly float?'],
    from: 10,
  });
  assert.equal(house.read('MEMORY.md'), before);
  const [after] = await house.memory.promoteRecalled({ mode: 'dry run' });
  assert.equal(after?.candidates.length, 1, 'the line of MEMORY.md is no candidate');
  assert.ok((after?.candidates[0]?.recalls ?? 0) >= (recalls ?? 0));
  assert.equal(after?.candidates[0]?.verdict.status, 'promoted');
});

test('an answer that repeats the question, the conversation in view or nothing of the passage is no recall', async (t) => {
  const house = openDreams(t);
  const ids = await house.say(boat, { runID: 'run_said' });
  house.goTo(1);
  assert.equal(await house.ask({ question: 'Is Nelly laid up in Harlingen until June?', answer, ids }), 0);
  assert.equal(await house.ask({ question: questions[0], answer: 'I do not know.', ids }), 0);
  assert.equal(await house.ask({ question: questions[0], answer, ids, inView: ['run_said'] }), 0);
  assert.equal(await house.ask({ question: questions[0], answer, ids: ['mem_none'] }), 0);
  assert.equal(await house.ask({ question: questions[0], answer, ids }), 1);
  assert.equal(
    await house.ask({ question: 'where is NELLY', answer, ids }),
    0,
    'the same question on the same day',
  );
  assert.equal(
    await house.ask({ question: questions[1], answer: `Until June, see ${ids[0]}.`, ids }),
    1,
    'cited',
  );
});

test('commands, questions, requests, headings, half sentences and numbers of a search are never promoted (N17)', async (t) => {
  const house = openDreams(t);
  const texts = [
    'npm install --save croner',
    'Please book a table at the Golden Anchor for two.',
    'What is the code of the garden gate, 4411 or 4412?',
    'score=0.82 recalls=3 source=memory/2030-01-01.md',
    'The gate code of the harbour office is and',
    '```\nThe harbour office opens at nine in winter.\n```',
    '# Plans of the harbour office',
  ];
  const ids: string[] = [];
  for (const text of texts) ids.push(...(await house.say(text)));
  await house.say('Remember that the harbour office opens at nine in winter.');
  const right = await house.say('Please note: the ferry to Texel takes bicycles for free.');
  const everything = `${texts.join('\n')}\nThe ferry to Texel takes bicycles for free.`;
  await threeDays(house, {
    ids: [...ids, ...right],
    answer: everything,
    questions: ['Any news?', 'What else?'],
  });
  const lines = house
    .read('MEMORY.md')
    .split('\n')
    .filter((line) => line.startsWith('- '));
  assert.deepEqual(lines, ['- The ferry to Texel takes bicycles for free.']);
});

test("an entry of a room says whose words it is, and the assistant's words are nobody's (N17)", async (t) => {
  const house = openDreams(t);
  const said = {
    audience: room,
    speaker: { person: 'per_2', name: 'Bo' },
    assistantText: 'The harbour master is called Piet Brandsma.',
  };
  const ids = await house.say('My allotment has number 17 near the dike.', said);
  const all = 'Allotment number 17 near the dike. The harbour master is called Piet Brandsma.';
  await threeDays(house, {
    ids,
    answer: all,
    questions: ['Where does Bo garden?', 'Who rents what?'],
    audience: room,
  });
  assert.match(house.read('MEMORY.md', room), /\n- Bo: My allotment has number 17 near the dike\.\n$/);
  assert.doesNotMatch(house.read('MEMORY.md', room), /Brandsma/);
  assert.equal(house.read('MEMORY.md'), '');
});

test('what was forgotten, deleted or has expired since is not promoted (N20)', async (t) => {
  const house = openDreams(t);
  const ids = await house.say(boat);
  for (const day of [1, 3]) {
    house.goTo(day);
    await house.ask({ question: questions[day === 1 ? 0 : 1], answer, ids });
  }
  house.goTo(5);
  await house.ask({ question: questions[0], answer, ids });
  await house.memory.forget({ scope: scopeOf(ann), selection: { ids }, mode: 'forget' });
  house.goTo(6, 4);
  await house.night();
  assert.equal(house.read('MEMORY.md'), '');
  assert.equal((await house.memory.dreamingStatus()).recalls, 0, 'its recalls went with it');
});

test('a newer statement that says otherwise stops the older one', async (t) => {
  const house = openDreams(t);
  const ids = await house.say('The gate code of the marina is 4411.');
  house.goTo(1);
  await house.say('The gate code of the marina is 9327 since the storm.');
  await threeDays(house, {
    ids,
    answer: 'It is 4411, the gate code of the marina.',
    questions: ['How do I open it?', 'Which number again?'],
    from: 2,
  });
  assert.equal(house.read('MEMORY.md'), '');
  const [report] = await house.memory.promoteRecalled({ mode: 'dry run' });
  assert.match(JSON.stringify(report?.candidates[0]?.verdict), /a newer memory says otherwise/);
});

test('a source that moved is found, and one that changed or went is refused (N23)', async (t) => {
  const house = openDreams(t);
  const note = 'memory/2029-12-20.md';
  const text =
    '# 2029-12-20\n\n- The boat Nelly is laid up in Harlingen until June.\n- The mast of Nelly was painted white by Joris.\n- The dinghy is stored in the barn of Aukje.\n';
  await house.put(note, text);
  await house.memory.indexFiles();
  const { hits } = await house.memory.search({
    text: 'Nelly Harlingen June mast dinghy barn',
    scope: scopeOf(ann),
    limit: 20,
  });
  const ids = hits.map(({ id }) => id);
  const all =
    'Nelly is laid up in Harlingen until June, her mast painted white by Joris, the dinghy stored in the barn of Aukje.';
  for (const [index, day] of [1, 3, 5].entries()) {
    house.goTo(day);
    await house.ask({
      question: index % 2 === 0 ? 'How is our fleet?' : 'What of the ship?',
      answer: all,
      ids,
    });
  }
  await house.put(note, '# 2029-12-20\n\n- The mast of Nelly was painted blue by Joris.\n');
  await house.put(
    'memory/2029-12-21.md',
    '# Moved\n\nSome words before it.\n\n- The boat Nelly is laid up in Harlingen until June.\n',
  );
  house.goTo(6, 4);
  const [report] = await house.memory.promoteRecalled({ mode: 'dry run' });
  const verdicts = report?.candidates.map(({ source, verdict }) => [
    source,
    verdict.status === 'promote' ? 'promote' : verdict.words,
  ]);
  assert.match(JSON.stringify(verdicts), /2029-12-21\.md:5","promote"/);
  assert.equal(verdicts?.filter(([source]) => source === undefined).length, 2);
  await house.night();
  const lines = house
    .read('MEMORY.md')
    .split('\n')
    .filter((line) => line.startsWith('- '));
  assert.deepEqual(lines, ['- The boat Nelly is laid up in Harlingen until June.']);
});

test('a promoted line that a person deletes or edits is not promoted again (N24)', async (t) => {
  const house = openDreams(t);
  const ids = await house.say(boat);
  await threeDays(house, { ids, answer, questions });
  assert.match(house.read('MEMORY.md'), /Harlingen/);
  await house.put('MEMORY.md', 'My own words.\n');
  await threeDays(house, { ids, answer, questions: ['Nelly where?', 'What holds Nelly?'], from: 10 });
  await house.memory.promoteRecalled({ mode: 'apply' });
  assert.equal(house.read('MEMORY.md'), 'My own words.\n');
  const again = await house.say('the boat nelly is laid up in harlingen until june!', {
    key: 'run_again',
    runID: 'run_again',
  });
  await threeDays(house, { ids: again, answer, questions: ['Nelly?', 'And Nelly now?'], from: 20 });
  assert.equal(
    house.read('MEMORY.md'),
    'My own words.\n',
    'the same words by another message are no other fact',
  );
});

test('a recall in another chat does not count, and no fact leaves its audience (N25)', async (t) => {
  const house = openDreams(t);
  const ids = await house.say(boat);
  const roomIDs = await house.say('The club dinner is in the Golden Anchor in March.', { audience: room });
  await threeDays(house, {
    ids: [...ids, ...roomIDs],
    answer: `${answer} The club dinner is in the Golden Anchor in March.`,
    questions: ['News?', 'What is planned?'],
    audience: room,
  });
  assert.match(house.read('MEMORY.md', room), /Golden Anchor/);
  assert.doesNotMatch(house.read('MEMORY.md', room), /Nelly/);
  assert.equal(house.read('MEMORY.md', ann), '');
});
