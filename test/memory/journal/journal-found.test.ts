// Entries of the journal among everything that memory searches, and long ones in several answers.
import assert from 'node:assert/strict';
import { test } from '../each-store.ts';
import { caller, callerOf, openJournal, session } from './journal-kit.ts';

const lesson = (text: string) => ({
  agentID: 'coder',
  taskType: 'build',
  lessonKind: 'pattern',
  lesson: text,
});

test('a deprecated lesson is found by search, with the lesson that holds now (P7)', async (t) => {
  const { journal, memory } = openJournal(t);
  const old = await journal.recordLesson(caller, lesson('Kiwi handlers use callbacks.'));
  const now = await journal.recordLesson(caller, lesson('Kiwi handlers use promises.'));
  await journal.deprecateLesson(caller, { agentID: 'coder', id: old.id, successorID: now.id });
  const { hits } = await memory.search({ text: 'kiwi callbacks', scope: caller.scope });
  const hit = hits.find(({ id }) => id === old.id);
  assert.match(hit?.text ?? '', /deprecated[\s\S]*Kiwi handlers use promises/);
  assert.ok(hit?.text.includes(now.id));
});

test('memory finds entries of the journal among everything else, and no others than its reader may read', async (t) => {
  const { journal, memory } = openJournal(t);
  const { lineageID } = await journal.closeSession(
    caller,
    session('one', { decisions: [{ title: 'Tamarind', body: 'The tamarind cache has sixteen shards.' }] }),
  );
  const { id } = await journal.createConversation(caller, {
    agentID: 'coder',
    title: 'Quince',
    topic: 'Fruit',
  });
  await journal.addConversationEntry(caller, {
    ...{ agentID: 'coder', id, entryType: 'claim', author: 'coder' },
    body: 'The quince index is rebuilt at night.',
  });
  const found = async (text: string, scope = caller.scope) =>
    (await memory.search({ text, scope })).hits.map(({ sessionID }) => sessionID);
  assert.deepEqual((await found('how many shards has the tamarind cache'))[0], lineageID);
  assert.deepEqual((await found('when is the quince index rebuilt'))[0], id);
  assert.deepEqual(await found('tamarind shards', callerOf('per_2').scope), []);
  const decision = (await journal.getSession(caller, { id: lineageID })).decisions as { id: string }[];
  await journal.forget(caller, { ids: [decision[0]?.id] });
  assert.deepEqual(await found('tamarind shards'), []);
  assert.deepEqual((await memory.verify()).problems, []);
});

test('a session whose elements fill several answers is read on by its cursor (P10)', async (t) => {
  const { journal } = openJournal(t);
  const items = Array.from({ length: 60 }, (_, index) => ({ title: `T${index}`, body: 'x'.repeat(10_000) }));
  const { lineageID } = await journal.closeSession(caller, session('long', { decisions: items }));
  const titles: string[] = [];
  for (let cursor: string | undefined = '0'; cursor !== undefined; ) {
    const answer = await journal.getSession(caller, { id: lineageID, cursor });
    assert.ok(JSON.stringify(answer).length < 90_000);
    for (const section of ['decisions', 'threads', 'steps', 'context'])
      titles.push(...(answer[section] as { title: string }[]).map(({ title }) => title));
    cursor = answer.next as string | undefined;
  }
  assert.deepEqual(
    titles.slice(0, 60),
    items.map(({ title }) => title),
  );
  assert.equal(titles.length, 63);
});

test('words forget what says them in the journal, also inside a conversation or a build, and nothing for how it is stored', async (t) => {
  const { journal, memory } = openJournal(t);
  await journal.closeSession(caller, session('one'));
  const talk = { agentID: 'coder', title: 'Talk' };
  const conversation = await journal.createConversation(caller, talk);
  const entry = { agentID: 'coder', id: conversation.id, entryType: 'claim', author: 'Ann' };
  await journal.addConversationEntry(caller, { ...entry, body: 'Axolotlclaim' });
  const phases = [
    { title: 'Numbatphase', status: 'planned', slices: [{ title: 'Okapislice', status: 'done' }] },
  ];
  await journal.putBuild(caller, { agentID: 'coder', key: 'b', title: 'Build', status: 'active', phases });
  const meant = async (words: string) =>
    (await memory.forget({ scope: caller.scope, selection: { words }, mode: 'preview' })).entries;
  for (const words of ['???', ' ', '👍', 'global', 'mcp', '1', caller.by.name])
    assert.equal(await meant(words), 0, words);
  assert.deepEqual(
    [await meant('lexer slow'), await meant('Okapislice'), await meant('numbatphase')],
    [1, 1, 1],
  );
  const done = await memory.forget({
    scope: caller.scope,
    selection: { words: 'axolotlclaim' },
    mode: 'forget',
  });
  assert.deepEqual([done.entries, done.remains], [1, []]);
  assert.deepEqual((await memory.verify(['axolotlclaim'])).traces, []);
});

test('a lesson that is forgotten leaves no word in the passage of the one that it replaced', async (t) => {
  for (const how of ['by its id', 'by words'] as const) {
    const { journal, memory } = openJournal(t);
    const old = await journal.recordLesson(caller, lesson('Kiwi handlers use callbacks.'));
    const now = await journal.recordLesson(caller, lesson('Kiwi handlers use zeppelins.'));
    await journal.deprecateLesson(caller, { agentID: 'coder', id: old.id, successorID: now.id });
    if (how === 'by its id') await journal.forget(caller, { ids: [now.id] });
    else {
      const request = { scope: caller.scope, selection: { words: 'zeppelins' }, mode: 'forget' } as const;
      assert.deepEqual((await memory.forget(request)).remains, []);
    }
    const { hits } = await memory.search({ text: 'kiwi callbacks', scope: caller.scope });
    assert.deepEqual(
      hits.map(({ id, text }) => [id, /zeppelins/.test(text)]),
      [[old.id, false]],
    );
    assert.deepEqual(await memory.verify(['zeppelins']), { problems: [], traces: [] });
  }
});
