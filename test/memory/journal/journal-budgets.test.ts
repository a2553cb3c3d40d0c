// Budgets of lessons and decisions: what is over them is merged or summarized, the oldest and least used first, and never anything that is open.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { createIds } from '#base/ids.ts';
import type { BudgetSettings } from '#memory/types/budget.ts';
import type { AskDreamModel } from '#memory/types/dreaming.ts';
import { clockOf } from '../../support/clock-of.ts';
import { start } from '../open-memory.ts';
import { callerOf, openJournal, session } from './journal-kit.ts';

const dayMs = 24 * 60 * 60_000;
const me = callerOf('per_1');
const other = callerOf('per_2');
const mine = me.scope;

/** A journal whose days pass, and what it has of a kind. */
function open(t: TestContext, budgets: BudgetSettings) {
  let now = start;
  const clock = clockOf(() => now);
  const pass = (days: number): void => {
    now += days * dayMs;
  };
  const { memory, journal } = openJournal(t, { budgets, clock, newId: createIds(clock) });
  const learn = async (lesson: string, more: object = {}, by = me): Promise<string> => {
    pass(1);
    const rest = { agentID: 'coder', taskType: 'build', lessonKind: 'gotcha' };
    return (await journal.recordLesson(by, { ...rest, lesson, ...more })).id;
  };
  const lessons = async (by = me): Promise<unknown[]> =>
    (await journal.getLessons(by, { agentID: 'coder', limit: 100 })).items.map(({ lesson }) => lesson);
  const found = async (text: string): Promise<string[]> =>
    (await memory.search({ text, scope: mine, limit: 10 })).hits.map((hit) => hit.text);
  const isWithin = async (): Promise<boolean> =>
    (await memory.budgets()).every(({ uses }) => uses.every(({ used, limit }) => used <= limit));
  return { pass, memory, journal, learn, lessons, found, isWithin };
}

test('lessons over their budget are summarized, the oldest and least used first, and are found and answered with their summary', async (t) => {
  const { memory, learn, lessons, found, isWithin } = open(t, { audience: { items: { lesson: 4 } } });
  const old = await learn('The zucchini cache goes stale after an hour.', { tags: ['cache'] });
  const read = await learn('The kumquat flag is needed on arm.');
  await memory.noteRead({
    ...{ by: { name: 'per_1' }, how: 'test' },
    shown: [{ id: read, audience: 'person:per_1' }],
  });
  const pinned = await learn('Ask before a release.', { pinned: true });
  for (const fruit of ['medlar', 'quince', 'papaya']) await learn(`The ${fruit} test is slow.`);
  await learn('The zucchini cache of another person.', {}, other);
  const [report] = await memory.budgets({ audience: 'person:per_1' });
  assert.deepEqual(
    [report?.uses, report?.next?.step, report?.next?.ids[0]],
    [[{ bound: 'items.lesson', used: 6, limit: 4 }], 'summarize', old],
  );
  const steps = await memory.consolidate();
  assert.deepEqual(
    steps.map(({ step, ids }) => [step, ids.length, ids.includes(read) || ids.includes(pinned)]),
    [['summarize', 2, false]],
  );
  assert.ok(await isWithin());
  assert.deepEqual(await memory.consolidate(), [], 'nothing is taken away within the budget');
  assert.deepEqual(await lessons(), [
    'The papaya test is slow.',
    'The quince test is slow.',
    'Ask before a release.',
    'The kumquat flag is needed on arm.',
  ]);
  assert.deepEqual(await lessons(other), ['The zucchini cache of another person.']);
  assert.match(
    (await found('zucchini cache'))[0] ?? '',
    /coder: The zucchini cache goes stale.*\n.*coder: The medlar/,
  );
  const gone = await memory.forgotten({ id: old, of: 'person:per_1' });
  assert.match(
    gone?.reason ?? '',
    new RegExp(`^summarized in ${steps[0]?.into}; 6 of lesson where 4 are allowed$`),
  );
  const [summary] = await memory.records({ scope: mine, tag: 'cache' });
  assert.deepEqual([summary?.id, summary?.kind, summary?.evidence.length], [steps[0]?.into, 'episode', 2]);
  const [line] = await memory.audit({ of: 'person:per_1', action: 'summarize' });
  assert.deepEqual(
    [line?.ids, line?.detail.bound, line?.detail.into],
    [steps[0]?.ids, 'items.lesson', steps[0]?.into],
  );
  assert.deepEqual((await memory.verify()).problems, []);
});

test('over a year of sessions, decisions stay within their budget, and every open thread, step and session stays', async (t) => {
  const { pass, memory, journal, found, isWithin } = open(t, { audience: { items: { decision: 10 } } });
  for (let month = 0; month < 12; month += 1) {
    pass(30);
    const decisions = ['port', 'table', 'lexer'].map((of) => ({
      title: `Decision ${month} of the ${of}`,
      body: `Because of ${of} ${month}.`,
    }));
    const { sections } = await journal.bundle(me, { agentID: 'coder' });
    const inherited = [...(sections.openThreads ?? []), ...(sections.nextSteps ?? [])].map(({ id }) => ({
      id,
      action: 'carried_on',
    }));
    await journal.closeSession(me, session(`m${month}`, { decisions, inherited }));
    await journal.noteElement(me, { agentID: 'coder', kind: 'decision', title: `Noted ${month}`, body: '' });
    await memory.consolidate();
    assert.ok(await isWithin(), `month ${month}`);
  }
  const count = async (kinds: string[]) => (await journal.listEntries(me, { kinds })).total;
  assert.deepEqual(
    [await count(['thread']), await count(['step']), await count(['session']), await count(['context'])],
    [12, 12, 12, 12],
  );
  const left = (await journal.listEntries(me, { kinds: ['decision'] })).items.map(({ title }) => title);
  assert.ok(left.length <= 10 && left.length >= 7, String(left.length));
  assert.ok(left.includes('Noted 11') && !left.includes('Decision 0 of the port'));
  assert.match((await found('Decision 0 of the port'))[0] ?? '', /Decision 0 of the port: Because of port 0/);
  // a session without its decisions is not found by them
  assert.deepEqual((await journal.searchSessions(me, { query: 'Because port 0' })).items, []);
  assert.deepEqual((await memory.verify()).problems, []);
});

test('lessons that say the same are merged before any is summarized, and the one that replaced another stays named', async (t) => {
  const { memory, journal, learn, lessons, found } = open(t, { audience: { items: { lesson: 2 } } });
  const replaced = await learn('Use the old pipeline.');
  const first = await learn('Use npm 11.', { tags: ['npm'], pinned: true });
  const again = await learn('use NPM 11', { tags: ['node'] });
  await journal.deprecateLesson(me, { agentID: 'coder', id: replaced, successorID: again });
  const steps = await memory.consolidate();
  assert.deepEqual(
    steps.map(({ step, ids }) => [step, ids]),
    [['merge', [again]]],
  );
  assert.deepEqual(await lessons(), ['Use npm 11.']);
  const [stays] = await memory.marked({ scope: mine, tag: 'node' });
  assert.deepEqual([stays?.id, stays?.pinned, stays?.tags], [first, true, ['npm', 'node']]);
  const { items } = await journal.getLessons(me, { agentID: 'coder', status: 'deprecated' });
  assert.deepEqual([items[0]?.id, items[0]?.successorID], [replaced, first]);
  assert.match((await found('old pipeline')).join('\n'), new RegExp(`Lesson ${first} holds now: Use npm 11`));
});

test('a lesson of an agent, of a time or of a kind that is forgotten goes from the summary too, and the other lines stay', async (t) => {
  for (const [selection, stays] of [
    [{ words: 'zucchini' }, true],
    [{ until: start + dayMs + 1 }, true],
    [{ agent: 'Coder' }, false],
    [{ kind: 'lesson' }, false],
    [{ project: 'none' }, 'all'],
  ] as const) {
    const { memory, learn, found } = open(t, { audience: { items: { lesson: 1 } } });
    await learn('The zucchini cache goes stale.');
    await learn('The medlar test is slow.');
    await learn('The quince is ripe.', { agentID: 'codex' });
    await memory.consolidate();
    assert.match((await found('zucchini medlar'))[0] ?? '', /zucchini.*\n.*medlar/);
    await memory.forget({ scope: mine, selection, mode: 'forget' });
    const text = (await found('zucchini medlar')).join('\n');
    assert.equal(/zucchini/.test(text), stays === 'all', JSON.stringify(selection));
    assert.equal(/medlar/.test(text), stays !== false, JSON.stringify(selection));
  }
});

test('a model writes the summary of lessons, and each agent with its own memory has its own budget', async (t) => {
  const { memory, learn } = open(t, { agent: { items: { lesson: 2 } } });
  const clerk = { ...me, where: { ...me.where, partition: 'clerk' }, scope: { ...mine, partition: 'clerk' } };
  for (let n = 0; n < 3; n += 1) await learn(`Lesson ${n} of the clerk.`, {}, clerk);
  for (let n = 0; n < 2; n += 1) await learn(`Lesson ${n} of all.`);
  const asked: string[] = [];
  const model: AskDreamModel = async ({ prompt }) => {
    asked.push(prompt);
    return {
      text: JSON.stringify([{ line: 'The clerk learned nought.', of: [1] }]),
      usage: undefined,
    } as never;
  };
  const steps = await memory.consolidate({ model });
  assert.deepEqual(
    steps.map(({ step, owner }) => [step, owner]),
    [['summarize', { type: 'agent', agent: 'clerk' }]],
  );
  assert.match(asked[0] ?? '', /Lesson 0 of the clerk/);
  const [record] = await memory.records({ scope: clerk.scope, kind: 'episode' });
  assert.match(record?.text ?? '', /The clerk learned nought/);
});

test('what says the same for one project is merged whatever case the project was written in', async (t) => {
  const { memory, isWithin } = open(t, { audience: { exchanges: 1, items: { note: 1 } } });
  const where = { where: me.where, platform: 'telegram', chat: 'dm', messageIDs: [] };
  for (const [index, projectID] of ['Bees', 'BEES'].entries()) {
    const of = {
      ...where,
      at: start + index * dayMs,
      projectID,
      sessionID: `ses_${index}`,
      runID: `run_${index}`,
    };
    const speaker = { person: 'per_1', name: 'Ann' };
    const text = index === 0 ? 'The hive is green.' : 'The hive is green!';
    await memory.archive({
      ...{ ...of, key: `k${index}`, speaker, recalled: [], userText: text, assistantText: 'Seen.' },
    });
    await memory.put({ ...of, sessionID: '', kind: 'note', speaker, text: `${text} Paint it` });
  }
  const steps = await memory.consolidate();
  assert.deepEqual(
    steps.map(({ step, ids }) => [step, ids.length]),
    [
      ['merge', 1],
      ['merge', 1],
    ],
  );
  assert.ok(await isWithin());
});
