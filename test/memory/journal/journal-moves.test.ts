// The journal moved from one engine to the other: every line of an export comes back as it was, once, and what does not fit is named.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { systemClock } from '#base/clock.ts';
import { createIds } from '#base/ids.ts';
import { importJournal } from '#memory/import-journal.ts';
import { createRedact } from '#memory/secrets/redact.ts';
import { openPostgresStore } from '#memory/store/postgres-store.ts';
import type { MemoryMaintenance } from '#memory/types/contract.ts';
import { noPostgres, openedPostgres, postgresServer } from '../../support/postgres.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { openInstances } from '../each-store.ts';
import { caller, callerOf, openJournal, session } from './journal-kit.ts';

const newId = createIds(systemClock);

async function journalOf(memory: Pick<MemoryMaintenance, 'export'>): Promise<object[]> {
  const lines: object[] = [];
  for await (const line of memory.export({ scope: caller.scope }))
    if (line.type === 'journal') lines.push(line);
  return lines;
}

function fileOf(t: TestContext, lines: readonly object[]): string {
  const path = join(tempFolder(t), 'journal.jsonl');
  writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  return path;
}

const where = { audience: 'person:per_1', restricted: true } as const;
const request = (path: string) => ({ path, format: 'journal' as const, where, by: { name: 'per_1' } });

test('an export of SQLite is imported into PostgreSQL and back, each line once and as it was', {
  skip: noPostgres,
}, async (t) => {
  const { journal, memory } = openJournal(t);
  const inProject = callerOf('per_1', 'Tulip');
  for (const [index, at] of [caller, inProject].entries()) {
    await journal.closeSession(at, session(`one ${index}`, { agentID: 'Coder' }));
    const own = { agentID: 'Coder', title: `Quince ${index}` };
    const talk = await journal.createConversation(at, {
      ...own,
      topic: 'Fruit',
      topicTags: ['a "b"', 'c\\d'],
    });
    const said = { entryType: 'claim', author: 'Ann', body: 'The quince index is rebuilt at night.' };
    await journal.addConversationEntry(at, { agentID: 'Coder', id: talk.id, ...said });
    const phases = [{ title: 'Parser', status: 'active', slices: [{ title: 'Lexer', status: 'done' }] }];
    await journal.putBuild(at, { ...own, key: 'v2', status: 'active', phases });
    await journal.putT4Entry(at, { ...own, projectSlug: 'p', entryType: 't', entryID: 'e', body: 'Words' });
    const lesson = { agentID: 'Coder', taskType: 'build', lessonKind: 'gotcha', key: 'cache' };
    for (const words of ['Cold', 'Warm']) await journal.recordLesson(at, { ...lesson, lesson: words });
    const moment = { ...own, type: 'moment', feltWeight: 5, fact: 'It rained.' };
    await journal.recordTouchstone(at, moment);
  }
  const lines = await journalOf(memory);
  assert.equal(lines.length, 28);

  const url = await (await postgresServer()).database();
  const postgres = await openedPostgres(t, { url });
  const opened = await openPostgresStore({ postgres, clock: systemClock, newId });
  const store = { ...opened, writeOne: opened.storage.write, leaveNoTrace: async () => {} };
  const redact = createRedact();
  const path = fileOf(t, lines);
  const imported = await importJournal({ store, redact }, request(path));
  assert.deepEqual([imported.entries.stored, imported.failures], [lines.length, []]);
  const again = await importJournal({ store, redact }, request(path));
  assert.deepEqual([again.entries.stored, again.entries.known], [0, lines.length]);

  const [shared] = await openInstances(t, 1, url);
  assert.ok(shared);
  assert.deepEqual(await journalOf(shared), lines);
  assert.deepEqual(await shared.verify(), { problems: [], traces: [] });
  for (const at of [caller, inProject])
    assert.deepEqual(
      await shared.journal.bundle(at, { agentID: 'coder', intent: 'warm the cache' }),
      await journal.bundle(at, { agentID: 'coder', intent: 'warm the cache' }),
    );
  const { items } = await shared.journal.searchConversations(caller, { query: 'quince night' });
  assert.equal(items.length, 1);
  const { hits } = await shared.search({ text: 'when is the quince index rebuilt', scope: caller.scope });
  assert.match(hits[0]?.text ?? '', /rebuilt at night/);

  const other = openJournal(t);
  const back = await other.memory.importPath(request(fileOf(t, await journalOf(shared))));
  assert.equal(back.entries.stored, lines.length);
  assert.deepEqual(await journalOf(other.memory), lines);
});

test('a line whose key another entry has is named, and the lines beside it are stored', {
  skip: noPostgres,
}, async (t) => {
  const { journal, memory } = openJournal(t);
  for (const key of ['one', 'two', 'three'])
    await journal.closeSession(caller, session(key, { agentID: key, threads: [], steps: [] }));
  const url = await (await postgresServer()).database();
  const [shared] = await openInstances(t, 1, url);
  await shared?.journal.closeSession(caller, session('two', { agentID: 'two', title: 'Another' }));
  const postgres = await openedPostgres(t, { url });
  const opened = await openPostgresStore({ postgres, clock: systemClock, newId });
  const store = { ...opened, writeOne: opened.storage.write, leaveNoTrace: async () => {} };
  const path = fileOf(t, await journalOf(memory));
  const report = await importJournal({ store, redact: createRedact() }, request(path));
  // of the session that is refused the elements have nothing that they belong to
  assert.equal(report.entries.stored, 6);
  assert.match(JSON.stringify(report), /closeKey: expected one that is new here, received .{0,3}two/);
});

test('the character NUL, which PostgreSQL has not, is replaced wherever it is, and refuses nothing', {
  skip: noPostgres,
}, async (t) => {
  const [shared] = await openInstances(t, 1);
  assert.ok(shared);
  const { journal } = shared;
  const odd = 'a\u0000b';
  const lesson = { agentID: odd, taskType: odd, lessonKind: 'gotcha', lesson: odd, tags: [odd], key: odd };
  const { id } = await journal.recordLesson(caller, lesson);
  await journal.createConversation(caller, { agentID: odd, title: odd, topic: odd, topicTags: [odd] });
  const [found] = (await journal.getLessons(caller, { agentID: odd })).items;
  assert.deepEqual([found?.id, found?.lesson, found?.tags], [id, 'a\ufffdb', ['a\ufffdb']]);
  assert.equal((await shared.marked({ scope: caller.scope, tag: 'a\ufffdb' })).length, 1);
  assert.deepEqual(await journal.forget(caller, { ids: [odd, id] }), { forgotten: 1 });
});

test('names of 300 characters are keys, whatever their letters, and words of any length are found', {
  skip: noPostgres,
}, async (t) => {
  const [shared] = await openInstances(t, 1);
  assert.ok(shared);
  const { journal } = shared;
  const long = (from: number): string =>
    Array.from({ length: 300 }, (_, index) =>
      String.fromCodePoint(0x4e00 + ((from + index * 7919) % 20_000)),
    ).join('');
  const at = callerOf('per_1', long(1));
  const digits = Array.from({ length: 4_000 }, (_, index) => (index * index * 7919) % 9973);
  const summary = `Version 12.${digits.join('.')}`;
  const close = session(long(2), { agentID: long(3), title: 'Long', threads: [], steps: [], summary });
  const { lineageID } = await journal.closeSession(at, close);
  assert.deepEqual(await journal.closeSession(at, close), { lineageID, repeated: true, swept: 0 });
  const artifact = { projectSlug: long(4), entryType: long(5), entryID: long(6) };
  for (const agentID of [long(3), long(7)]) {
    await journal.putT4Entry(at, { ...artifact, agentID, title: 'Title', body: 'Body' });
    await journal.putBuild(at, { agentID, key: long(8), title: 'Title', status: 'active' });
  }
  assert.equal((await journal.getT4Entry(at, artifact)).version, 2);
  const [found] = (await journal.searchSessions(at, { query: '12.0' })).items;
  assert.equal(found?.id, lineageID);
  assert.equal((await journal.listSessions(at, { kind: 'build' })).items.length, 1);
});
