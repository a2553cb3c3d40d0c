// What an agent reads of its journal: the bundle, lessons, conversations, searches, builds and artifacts.
import assert from 'node:assert/strict';
import Database from 'better-sqlite3';
import { systemClock } from '#base/clock.ts';
import { createIds } from '#base/ids.ts';
import { forgetEntries } from '#memory/journal/forget.ts';
import { forgetAgain } from '#memory/memory.ts';
import { openStore } from '#memory/store/store.ts';
import type { JournalCaller } from '#memory/types/journal.ts';
import type { Selection } from '#memory/types/maintenance.ts';
import { clockOf } from '../../support/clock-of.ts';
import { looksIntoFile, runIn, test } from '../each-store.ts';
import { start } from '../open-memory.ts';
import { caller, callerOf, ids, openJournal, session } from './journal-kit.ts';

const lesson = (text: string, more: object = {}) => ({
  agentID: 'coder',
  taskType: 'build',
  lessonKind: 'pattern',
  lesson: text,
  ...more,
});

test('a bundle of an agent with a thousand lessons is bounded, and names the call that reads on (P4)', async (t) => {
  const { journal } = openJournal(t);
  for (let index = 0; index < 1_000; index += 1)
    await journal.recordLesson(
      caller,
      lesson(`Lesson ${index}: ${'measure before you change it. '.repeat(40)}`),
    );
  for (let index = 0; index < 12; index += 1)
    await journal.recordTouchstone(caller, {
      agentID: 'coder',
      type: 'moment',
      title: `Day ${index}`,
      feltWeight: 5,
      fact: 'x'.repeat(20_000),
    });
  const bundle = await journal.bundle(caller, { agentID: 'coder' });
  assert.ok(JSON.stringify(bundle).length < 40_000);
  const shown = bundle.sections.lessons ?? [];
  assert.ok(shown.length > 0 && shown.every(({ cut }) => cut === true));
  const left = bundle.leftOut.find(({ section }) => section === 'lessons');
  assert.deepEqual([left?.items, left?.more], [1_000 - shown.length, undefined]);
  assert.equal(left?.call.tool, 'get_lessons');
  let cursor: string | undefined;
  const read = new Set<string>();
  do {
    const page = await journal.getLessons(caller, { ...left?.call.arguments, limit: 100, cursor });
    for (const id of ids(page.items)) read.add(id);
    cursor = page.next;
  } while (cursor !== undefined);
  assert.equal(read.size, 1_000);
  for (let index = 0; index < 40; index += 1) await journal.recordLesson(caller, lesson(`Further ${index}`));
  const later = (await journal.bundle(caller, { agentID: 'coder' })).leftOut;
  const { items, more } = later.find(({ section }) => section === 'lessons') ?? {};
  assert.deepEqual([items, more], [1_000, true], 'more than a thousand are not counted one by one');
});

test('a bundle has the sections of its depth, and what matches an intent among the gotchas (P4)', async (t) => {
  const { journal } = openJournal(t);
  await journal.closeSession(caller, session('one'));
  await journal.putBuild(caller, {
    agentID: 'coder',
    key: 'v2',
    title: 'Version 2',
    status: 'active',
    phases: [
      { title: 'Parser', status: 'active', slices: [{ title: 'Lexer', status: 'done' }] },
      { title: 'Printer', status: 'planned' },
    ],
  });
  await journal.recordLesson(caller, lesson('Migrations lock the table.', { lessonKind: 'gotcha' }));
  await journal.recordLesson(caller, lesson('The proxy drops headers.', { lessonKind: 'gotcha' }));
  await journal.recordLesson(caller, lesson('For all.', { agentID: 'general' }));
  await journal.recordLesson(caller, lesson('Of another.', { agentID: 'other' }));
  const { sections, leftOut } = await journal.bundle(caller, {
    agentID: 'coder',
    intent: 'write a migration for the table of users',
  });
  assert.deepEqual(
    sections.gotchas?.map((each) => each.lesson),
    ['Migrations lock the table.'],
  );
  assert.deepEqual(
    sections.lessons?.map((each) => each.lesson),
    ['For all.', 'The proxy drops headers.', 'Migrations lock the table.'],
  );
  assert.match(JSON.stringify(sections.builds), /"Parser".*"Lexer".*"Printer"/);
  assert.equal(sections.latestSession?.[0]?.title, 'Session one');
  assert.deepEqual(leftOut, []);
  const brief = await journal.bundle(caller, { agentID: 'coder', depth: 'brief' });
  assert.deepEqual(Object.keys(brief.sections), ['latestSession', 'openThreads', 'nextSteps']);
});

test('a search finds the sessions that hold every word, wherever they are, in other forms on request only (P5)', async (t) => {
  const { journal } = openJournal(t);
  const bare = { threads: [], steps: [] };
  const { lineageID: both } = await journal.closeSession(
    caller,
    session('one', { ...bare, decisions: [{ title: 'Indexes', body: 'A covering index' }] }),
  );
  await journal.closeSession(caller, session('two', { ...bare, summary: 'Only the caches were measured.' }));
  const find = async (query: string, mode?: string) =>
    ids((await journal.searchSessions(caller, { query, mode })).items);
  assert.deepEqual(await find('parser covering'), [both]);
  assert.deepEqual(await find('parser caches'), []);
  assert.deepEqual(await find('cover parsers'), []);
  assert.deepEqual(await find('cover parsers', 'forms'), [both]);
  assert.deepEqual(await find('" OR parser*'), []);
  await assert.rejects(journal.searchSessions(caller, { query: '?!' }), { code: 'invalid_journal' });
  const page = await journal.searchSessions(caller, { query: 'session', limit: 1 });
  const [first] = page.items;
  assert.deepEqual([first?.title, first?.agentID], ['Session two', 'coder']);
  assert.deepEqual([typeof first?.createdAt, typeof first?.id], ['number', 'string']);
  const next = await journal.searchSessions(caller, { query: 'session', limit: 1, cursor: page.next });
  assert.deepEqual([ids(next.items), next.next], [[both], undefined]);
});

test('an entry of a conversation cannot be changed or deleted (P6)', async (t) => {
  const { journal, memory } = openJournal(t);
  const { id } = await journal.createConversation(caller, {
    agentID: 'coder',
    title: 'Storage',
    topic: 'Files',
  });
  const add = (body: string) =>
    journal.addConversationEntry(caller, { agentID: 'coder', id, entryType: 'claim', author: 'Ann', body });
  await add('SQLite is enough.');
  await add('It has one writer.');
  await assert.rejects(runIn(memory.path, `UPDATE conversation_entries SET body = 'x'`), /only added to/);
  await assert.rejects(runIn(memory.path, 'DELETE FROM conversation_entries'), /only added to/);
  const read = await journal.getConversation(caller, { id });
  assert.deepEqual(
    (read.entries as { body: string }[]).map(({ body }) => body),
    ['It has one writer.', 'SQLite is enough.'],
  );
  assert.deepEqual(ids((await journal.searchConversations(caller, { query: 'files writer' })).items), [id]);
});

test('a deprecated lesson is not in the bundle, and is listed with its successor (P7)', async (t) => {
  const { journal } = openJournal(t);
  const old = await journal.recordLesson(caller, lesson('Use callbacks.'));
  const now = await journal.recordLesson(caller, lesson('Use promises.'));
  await journal.deprecateLesson(caller, {
    agentID: 'coder',
    id: old.id,
    successorID: now.id,
    reason: 'newer',
  });
  const { sections } = await journal.bundle(caller, { agentID: 'coder' });
  assert.deepEqual(ids(sections.lessons), [now.id]);
  const { items } = await journal.getLessons(caller, { agentID: 'coder', status: 'deprecated' });
  assert.deepEqual([items[0]?.id, items[0]?.successorID, items[0]?.statusNote], [old.id, now.id, 'newer']);
  await assert.rejects(
    journal.deprecateLesson(caller, { agentID: 'coder', id: now.id, successorID: now.id }),
    /successorID/,
  );
});

test('an artifact of a project is replaced as a whole, counted, and found by its words', async (t) => {
  const { journal } = openJournal(t);
  const entry = {
    agentID: 'coder',
    projectSlug: 'till',
    entryType: 'spec',
    entryID: 'S1',
    title: 'Receipts',
  };
  await journal.putT4Entry(caller, { ...entry, body: 'Paper receipts.' });
  const again = await journal.putT4Entry(caller, { ...entry, body: 'Digital receipts.' });
  assert.equal(again.version, 2);
  const find = async (query: string, projectSlug?: string) =>
    ids((await journal.searchT4(caller, { query, projectSlug })).items);
  assert.deepEqual(await find('paper'), []);
  assert.deepEqual(await find('digital', 'till'), [again.id]);
  assert.deepEqual(await find('digital', 'other'), []);
  assert.equal(
    (await journal.getT4Entry(caller, { projectSlug: 'till', entryType: 'spec', entryID: 'S1' })).body,
    'Digital receipts.',
  );
  await assert.rejects(
    journal.getT4Entry(caller, { projectSlug: 'till', entryType: 'spec', entryID: 'S2' }),
    /"S2"/,
  );
});

test('what is forgotten of the journal is in no search and in no byte of the file', async (t) => {
  const { journal, memory } = openJournal(t);
  const { lineageID } = await journal.closeSession(
    caller,
    session('one', { threads: [{ title: 'Zanzibarquest', body: 'Remains' }], summary: 'Quokkafarm' }),
  );
  const conversation = await journal.createConversation(caller, { agentID: 'coder', title: 'Narwhaltalk' });
  await journal.addConversationEntry(caller, {
    agentID: 'coder',
    id: conversation.id,
    entryType: 'claim',
    author: 'Ann',
    body: 'Axolotlclaim',
  });
  const { sections } = await journal.bundle(caller, { agentID: 'coder' });
  const [thread = ''] = ids(sections.openThreads);
  const forget = (which: string[]) => journal.forget(caller, { ids: which });
  assert.deepEqual(await journal.forget(callerOf('per_2'), { ids: [lineageID] }), { forgotten: 0 });
  assert.deepEqual(await forget([thread, conversation.id]), { forgotten: 2 });
  const find = async (query: string) => ids((await journal.searchSessions(caller, { query })).items);
  assert.deepEqual([await find('zanzibarquest'), await find('quokkafarm')], [[], [lineageID]]);
  assert.deepEqual((await memory.verify(['Zanzibarquest', 'Narwhaltalk', 'Axolotlclaim'])).traces, []);
  assert.notDeepEqual((await memory.verify(['Quokkafarm'])).traces, []);
  await forget([lineageID]);
  assert.deepEqual(await memory.verify(['Quokkafarm', 'lexer is slow']), { problems: [], traces: [] });
  assert.equal((await memory.forgotten({ id: lineageID, of: 'person:per_1' }))?.by, 'per_1');
});

test('forgetting by person, project, time and words reaches the journal, and a preview changes nothing', async (t) => {
  const { journal, memory } = openJournal(t);
  const inProject = callerOf('per_1', 'prj_1');
  const other = callerOf('per_2');
  for (const each of [caller, inProject, other])
    await journal.recordLesson(each, lesson(`Wombatrule of ${each.by.name}`));
  const { lineageID } = await journal.closeSession(caller, session('one'));
  const forget = (selection: Selection, mode: 'preview' | 'forget' = 'forget') =>
    memory.forget({ scope: caller.scope, selection, mode });
  const lessonsOf = async (who: JournalCaller) =>
    (await journal.getLessons(who, { agentID: 'coder' })).items.length;
  assert.deepEqual((await forget({ words: 'wombatrule' }, 'preview')).entries, 2);
  assert.equal((await forget({ project: 'prj_1' })).entries, 1);
  assert.deepEqual([await lessonsOf(inProject), await lessonsOf(caller), await lessonsOf(other)], [0, 1, 1]);
  assert.equal((await forget({ chat: 'discord:dm:1:-:2:-' })).entries, 0);
  const { entries, remains } = await forget({ person: 'per_1' });
  assert.deepEqual([entries, remains], [6, []]);
  await assert.rejects(journal.getSession(caller, { id: lineageID }), { code: 'journal_not_found' });
  assert.deepEqual([await lessonsOf(caller), await lessonsOf(other)], [0, 1]);
  assert.deepEqual((await memory.verify(['lexer is slow'])).traces, []);
});

test('what was forgotten of the journal after a backup does not come back with it', async (t) => {
  if (looksIntoFile(t)) return;
  const { journal, memory, path } = openJournal(t);
  await journal.closeSession(caller, session('one', { summary: 'Quokkafarm' }));
  const { sections } = await journal.bundle(caller, { agentID: 'coder' });
  const [thread = ''] = ids(sections.openThreads);
  const backup = `${path}.backup`;
  const file = new Database(path);
  await file.backup(backup);
  file.close();
  await journal.forget(caller, { ids: [thread] });
  await memory.close();
  const clock = clockOf(() => start);
  assert.equal(await forgetAgain({ from: path, to: backup, clock, newId: createIds(clock) }), 1);
  const restored = openJournal(t, { path: backup });
  const find = async (query: string) =>
    (await restored.journal.searchSessions(caller, { query })).items.length;
  assert.deepEqual([await find('quokkafarm'), await find('lexer slow')], [1, 0]);
  assert.deepEqual((await restored.journal.bundle(caller, { agentID: 'coder' })).sections.openThreads, []);
});

test('who forgets an entry waits until its bytes are overwritten, and who names none that is theirs waits for nothing', async (t) => {
  if (looksIntoFile(t)) return;
  const { journal, path } = openJournal(t);
  const { lineageID } = await journal.closeSession(caller, session('one'));
  const store = openStore({
    ...{ path, clock: systemClock, newId: createIds(systemClock) },
  });
  t.after(() => store.close());
  const done: string[] = [];
  const slow: typeof store.journaled = {
    ...store.journaled,
    // as where another process has the file for a moment
    async leaveNoTrace() {
      await new Promise((resolve) => setImmediate(resolve));
      done.push('overwritten');
    },
  };
  assert.deepEqual(await forgetEntries(slow, callerOf('per_2'), { ids: [lineageID] }), { forgotten: 0 });
  assert.deepEqual(done, []);
  assert.deepEqual(await forgetEntries(slow, caller, { ids: [lineageID] }), { forgotten: 1 });
  assert.deepEqual(done, ['overwritten']);
});
