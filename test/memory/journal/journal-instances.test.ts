// The journal of several instances that share one PostgreSQL: written at once, with connections that are killed.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noPostgres, postgresServer } from '../../support/postgres.ts';
import { openInstances } from '../each-store.ts';
import { callerOf, session } from './journal-kit.ts';

const inProject = callerOf('per_1', 'prj_1');

/** Two instances, and the rows of a table of their database. */
async function two(t: Parameters<typeof openInstances>[0]) {
  const server = await postgresServer();
  const url = await server.database();
  const [first, second] = await openInstances(t, 2, url);
  assert.ok(first && second);
  const count = async (table: string, which = 'TRUE'): Promise<number> => {
    const [row] = await server.run(`SELECT count(*)::int AS count FROM ${table} WHERE ${which}`, url);
    return Number(row?.count);
  };
  const memories = [first, second] as const;
  return { server, url, memories, journals: memories.map(({ journal }) => journal), count };
}

test('32 closes of two instances whose connections are killed are each written once, with all that is theirs', {
  skip: noPostgres,
}, async (t) => {
  const { server, url, memories, journals, count } = await two(t);
  const closes = Array.from({ length: 32 }, (_, index) => {
    const input = session(`close ${index}`, { agentID: `agent ${index % 8}`, steps: [] });
    return { journal: journals[index % 2], input: { ...input, threads: [] } };
  });
  let isOver = false;
  let kills = 0;
  const killing = (async () => {
    while (!isOver && kills < 20) {
      const killed = await server.run(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'parley'
           AND datname = current_database() AND state <> 'idle' ORDER BY random() LIMIT 1`,
        url,
      );
      kills += killed.length;
    }
  })();
  const closed = await Promise.all(
    closes.map(({ journal, input }) => journal?.closeSession(inProject, input)),
  );
  isOver = true;
  await killing;
  assert.ok(kills > 0, 'a connection was killed while it was used');
  assert.equal(new Set(closed.map((each) => each?.lineageID)).size, closes.length);
  const tables = ['session_headers', 'session_decisions', 'key_context', 'journal_documents'];
  const counts = await Promise.all(tables.map((table) => count(table)));
  assert.deepEqual(counts, [32, 32, 32, 32]);
  for (const [index, { journal, input }] of closes.entries()) {
    const again = await journal?.closeSession(inProject, input);
    assert.deepEqual([again?.lineageID, again?.repeated], [closed[index]?.lineageID, true]);
  }
  for (const memory of memories) assert.deepEqual(await memory.verify(), { problems: [], traces: [] });
  const { hits } = await memories[1].search({ text: 'parser rewritten', scope: inProject.scope, limit: 50 });
  assert.equal(new Set(hits.map(({ sessionID }) => sessionID)).size, 32);
});

test('two instances that close with one key at once close one session, and each project has keys of its own', {
  skip: noPostgres,
}, async (t) => {
  const { journals, count } = await two(t);
  const places = [inProject, callerOf('per_1', 'prj_2'), callerOf('per_1')];
  for (const where of places) {
    const both = await Promise.all(
      [...journals, ...journals].map((journal) => journal.closeSession(where, session('one'))),
    );
    assert.equal(new Set(both.map(({ lineageID }) => lineageID)).size, 1);
    assert.equal(both.filter(({ repeated }) => !repeated).length, 1);
  }
  assert.equal(await count('session_headers'), places.length);
  const different = await Promise.allSettled(
    journals.map((journal, index) =>
      journal.closeSession(inProject, session('two', { agentID: 'other', title: `Title ${index}` })),
    ),
  );
  assert.deepEqual(
    different.map((each) => (each.status === 'rejected' ? each.reason.code : 'closed')).sort(),
    ['close_key_used', 'closed'],
  );
});

test('what two instances write under one key at once is one build, one artifact with all its versions, and one lesson that holds', {
  skip: noPostgres,
}, async (t) => {
  const { journals, count } = await two(t);
  const eight = Array.from({ length: 8 }, (_, index) => ({ journal: journals[index % 2], index }));
  const artifact = { projectSlug: 'p', entryType: 'plan', entryID: 'e' };
  const lesson = { taskType: 'build', lessonKind: 'gotcha', key: 'cache' };
  await Promise.all(
    eight.flatMap(({ journal, index }) => {
      const own = { agentID: `agent ${index}`, title: `Title ${index}` };
      return [
        journal?.putBuild(inProject, { ...own, key: 'v2', status: 'active', phases: [] }),
        journal?.putT4Entry(inProject, { ...own, ...artifact, body: 'Words' }),
        journal?.recordLesson(inProject, { ...lesson, agentID: own.agentID, lesson: `Lesson ${index}` }),
      ];
    }),
  );
  assert.deepEqual([await count('build_records'), await count('t4_entries')], [1, 1]);
  assert.equal((await journals[0]?.getT4Entry(inProject, artifact))?.version, 8);
  assert.deepEqual([await count('lessons'), await count('lessons', `status = 'active'`)], [8, 1]);
});

test('an agent of one instance sees at once what an agent of the other left open, and settles it once', {
  skip: noPostgres,
}, async (t) => {
  const { journals } = await two(t);
  const [first, second] = journals;
  await first?.closeSession(inProject, session('one', { agentID: 'ada', steps: [] }));
  const woken = await second?.bundle(inProject, { agentID: 'bob' });
  const [thread] = woken?.sections.openThreads ?? [];
  assert.equal(thread?.title, 'Thread of one');
  const settle = { id: thread?.id, action: 'resolved' };
  const settled = await Promise.allSettled(
    [first, second, first, second].map((journal, index) =>
      journal?.updateElement(inProject, { ...settle, agentID: `agent ${index}`, note: `by ${index}` }),
    ),
  );
  assert.deepEqual(
    settled.filter(({ status }) => status === 'rejected'),
    [],
  );
  const [read] = (await first?.listElements(inProject, { kind: 'thread' }))?.items ?? [];
  assert.ok(read);
  assert.equal((read.earlierNotes as string[]).length, 3, 'no note was lost');
});
