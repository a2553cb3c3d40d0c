// Closing a session: all or nothing, once for each key, and everything inherited is settled or carried on.
import assert from 'node:assert/strict';
import Database from 'better-sqlite3';
import { addReadingFunctions } from '#memory/tables/audience.ts';
import { heardStatements, planOf } from '../../support/plans.ts';
import { isInPostgres, looksIntoFile, runIn, test } from '../each-store.ts';
import { caller, callerOf, ids, openJournal, session } from './journal-kit.ts';

const tables = ['session_headers', 'session_decisions', 'open_threads', 'next_steps', 'key_context'];

/** How many rows each table has, by the memory's own connection first: it makes them. */
async function counts({ memory }: ReturnType<typeof openJournal>): Promise<number[]> {
  await memory.status();
  const found = [...tables, 'journal_documents'].map(
    (table) => `(SELECT count(*) FROM ${table}) AS ${table}`,
  );
  const [row = {}] = await runIn(memory.path, `SELECT ${found.join(', ')}`);
  return Object.values(row).map(Number);
}

test('a close that leaves inherited items out is refused, and names them (P1)', async (t) => {
  const opened = openJournal(t);
  const { journal } = opened;
  await journal.closeSession(caller, session('one'));
  const { sections } = await journal.bundle(caller, { agentID: 'coder' });
  const [thread = '', step = ''] = [...ids(sections.openThreads), ...ids(sections.nextSteps)];
  const before = await counts(opened);
  await assert.rejects(
    journal.closeSession(caller, session('two', { inherited: [{ id: thread, action: 'resolved' }] })),
    (error: Error) =>
      'code' in error &&
      error.code === 'sweep_incomplete' &&
      error.message.includes(step) &&
      !error.message.includes(thread),
  );
  assert.deepEqual(await counts(opened), before);
  const closed = await journal.closeSession(
    caller,
    session('two', {
      inherited: [
        { id: thread, action: 'resolved' },
        { id: step, action: 'carried_on' },
      ],
    }),
  );
  assert.equal(closed.swept, 2);
  const after = (await journal.bundle(caller, { agentID: 'coder' })).sections;
  assert.equal(ids(after.openThreads).includes(thread), false);
  assert.equal(ids(after.nextSteps).includes(step), true);
});

test('the next close must name what an update carried on, and not what one settled (P1)', async (t) => {
  const { journal } = openJournal(t);
  await journal.closeSession(caller, session('one'));
  const { sections } = await journal.bundle(caller, { agentID: 'coder' });
  const [thread = '', step = ''] = [...ids(sections.openThreads), ...ids(sections.nextSteps)];
  const update = (id: string, action: string) =>
    journal.updateElement(caller, { agentID: 'coder', id, action });
  assert.equal((await update(thread, 'parked')).status, 'parked');
  assert.equal((await update(step, 'carried_on')).carried, true);
  await journal.closeSession(caller, session('two', { threads: [], steps: [] }));
  await assert.rejects(journal.closeSession(caller, session('three')), { code: 'sweep_incomplete' });
  assert.equal((await update(thread, 'resolved')).status, 'resolved', 'what is parked has ways back');
  await assert.rejects(update(thread, 'dropped'), /is resolved/);
});

test('a close that fails halfway writes nothing (P2)', async (t) => {
  const opened = openJournal(t);
  const { journal } = opened;
  await counts(opened);
  await runIn(
    opened.memory.path,
    isInPostgres(t)
      ? `CREATE FUNCTION no() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no'; END $$;
         CREATE TRIGGER fails BEFORE INSERT ON key_context FOR EACH ROW EXECUTE FUNCTION no()`
      : `CREATE TRIGGER fails BEFORE INSERT ON key_context BEGIN SELECT RAISE(ABORT, 'no'); END`,
  );
  await assert.rejects(journal.closeSession(caller, session('one')));
  assert.deepEqual(await counts(opened), [0, 0, 0, 0, 0, 0]);
  await runIn(opened.memory.path, `DROP TRIGGER fails${isInPostgres(t) ? ' ON key_context' : ''}`);
  await journal.closeSession(caller, session('one'));
  assert.deepEqual(await counts(opened), [1, 1, 1, 1, 1, 1]);
});

test('a close writes a session and its elements, and into no other table of the journal nor into memory', async (t) => {
  const opened = openJournal(t);
  await opened.journal.closeSession(caller, session('one'));
  for (const table of [
    't4_entries',
    'lessons',
    'touchstones',
    'conversations',
    'build_records',
    'memory_records',
  ])
    assert.deepEqual(await runIn(opened.memory.path, `SELECT 1 AS one FROM ${table}`), [], table);
  assert.deepEqual(await counts(opened), [1, 1, 1, 1, 1, 1]);
});

test('a close that is sent twice is one close of the same lineage, also at once (P3)', async (t) => {
  const opened = openJournal(t);
  const { journal } = opened;
  const [a, b] = await Promise.all([1, 2].map(() => journal.closeSession(caller, session('one'))));
  const again = await journal.closeSession(caller, session('one'));
  assert.equal(a?.lineageID, b?.lineageID);
  assert.deepEqual([again.lineageID, again.repeated], [a?.lineageID, true]);
  assert.deepEqual(await counts(opened), [1, 1, 1, 1, 1, 1]);
  await assert.rejects(journal.closeSession(caller, session('one', { title: 'Another' })), {
    code: 'close_key_used',
  });
});

test('two agents that write to one project at once lose nothing, and each sees what the other wrote (P12)', async (t) => {
  const first = openJournal(t);
  await first.memory.status();
  const second = openJournal(t, { path: first.memory.path });
  const inProject = callerOf('per_1', 'prj_1');
  const rounds = Array.from({ length: 10 }, (_, index) => index);
  await Promise.all(
    [first, second].flatMap(({ journal }, which) =>
      rounds.map((index) =>
        journal.closeSession(
          inProject,
          session(`${which}/${index}`, { agentID: `agent ${which}/${index}`, steps: [] }),
        ),
      ),
    ),
  );
  for (const { journal } of [first, second]) {
    const { sections } = await journal.bundle(inProject, { agentID: 'agent 0/0' });
    assert.equal(sections.openThreads?.length, 20);
    const [latest] = (await journal.listSessions(inProject, { limit: 1 })).items;
    assert.equal(sections.latestSession?.[0]?.id, latest?.id, 'the latest session is that of the project');
  }
  assert.deepEqual((await first.journal.bundle(caller, { agentID: 'agent 0/0' })).sections.openThreads, []);
});

test('secrets are masked in every element, lesson and touchstone (P13)', async (t) => {
  const { journal, memory } = openJournal(t);
  const secret = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`;
  const inputs = session('one', {
    summary: `The token is ${secret}.`,
    decisions: [{ title: `Use ${secret}`, body: secret }],
  });
  const { lineageID } = await journal.closeSession(caller, inputs);
  const shown = JSON.stringify(await journal.getSession(caller, { id: lineageID }));
  assert.match(shown, /\[redacted:/);
  await journal.recordLesson(caller, {
    agentID: 'coder',
    taskType: 'deploy',
    lessonKind: 'gotcha',
    lesson: `Never print ${secret}.`,
  });
  await journal.recordTouchstone(caller, {
    agentID: 'coder',
    type: 'moment',
    title: 'The leak',
    feltWeight: 7,
    fact: `It was ${secret}.`,
  });
  assert.deepEqual((await memory.verify([secret])).traces, []);
});

test('wrong input names the field, what was expected and what came, and writes nothing (P11)', async (t) => {
  const opened = openJournal(t);
  const { journal } = opened;
  const cases: [object, RegExp][] = [
    [{ agentID: 7 }, /agentID: .*expected string.*received 7/],
    [{ summary: 'x'.repeat(1_000_000) }, /summary: .*20000.*received a text of 1000000 characters/],
    [{ decisions: 'none' }, /decisions: .*expected array.*received "none"/],
    [{ color: 'red' }, /color is not known/],
    [
      { inherited: [{ id: 'jnl_x', action: 'eaten' }] },
      /inherited\.0\.action: .*carried_on.*received "eaten"/,
    ],
  ];
  for (const [wrong, message] of cases)
    await assert.rejects(journal.closeSession(caller, session('one', wrong)), {
      code: 'invalid_journal',
      message,
    });
  await assert.rejects(
    journal.closeSession(caller, session('one', { inherited: [{ id: 'jnl_x', action: 'resolved' }] })),
    { code: 'journal_not_found', message: /"jnl_x"/ },
  );
  await assert.rejects(
    journal.bundle(caller, { agentID: 'coder', depth: 'deep' }),
    /depth: .*cold_start.*"deep"/,
  );
  assert.deepEqual(await counts(opened), [0, 0, 0, 0, 0, 0]);
});

test('an agent changes only what it wrote (P11)', async (t) => {
  const { journal } = openJournal(t);
  const { lineageID } = await journal.closeSession(caller, session('one'));
  const { sections } = await journal.bundle(caller, { agentID: 'coder' });
  const [id = ''] = ids(sections.openThreads);
  await assert.rejects(journal.updateElement(caller, { agentID: 'other', id, action: 'resolved' }), {
    code: 'invalid_journal',
    message: /agentID: expected "coder".*received "other"/,
  });
  const touchstone = await journal.recordTouchstone(caller, {
    agentID: 'other',
    type: 'moment',
    title: 'A day',
    feltWeight: 3,
    fact: 'It rained.',
  });
  await assert.rejects(
    journal.linkTouchstone(caller, { agentID: 'other', id: touchstone.id, lineageID }),
    /expected "coder"/,
  );
});

test('a close and a bundle read what is open and the session of a key by their own index, however many sessions there were', async (t) => {
  if (looksIntoFile(t)) return;
  const { journal, path } = openJournal(t);
  const received = heardStatements(t);
  await journal.closeSession(caller, session('one'));
  await journal.bundle(caller, { agentID: 'coder' });
  t.mock.restoreAll();
  const file = new Database(path, { readonly: true });
  t.after(() => file.close());
  addReadingFunctions(file, () => 0);
  const uses = (source: string): string =>
    planOf(file, source)
      .filter((line) => /^SEARCH (?:session_headers|open_threads|next_steps) /.test(line))
      .map((line) => line.replace(/ \(.*/, ''))
      .join(', ');
  const plans = (part: string): string[] =>
    [...(received.get('memory.sqlite') ?? [])].filter((source) => source.includes(part)).map(uses);
  const byRow = (table: string, index: string): string =>
    `SEARCH ${table} USING INTEGER PRIMARY KEY, SEARCH ${table} USING COVERING INDEX ${index}`;
  const twice = <T>(one: T): T[] => [one, one];
  assert.deepEqual(plans(`status = 'open'`), twice(byRow('open_threads', 'open_threads_open')));
  assert.deepEqual(plans(`status = 'pending'`), twice(byRow('next_steps', 'next_steps_pending')));
  assert.deepEqual(plans('close_key = '), [byRow('session_headers', 'sqlite_autoindex_session_headers_2')]);
});
