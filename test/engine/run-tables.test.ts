// The tables of runs and of what they used, and the writer of an answer's parts: first ends, second times, bounds.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { createRunTimer } from '#engine/runs/run-timer.ts';
import { createRunList } from '#engine/runs/tables/run-list.ts';
import type { NewRun, StoredRun } from '#engine/runs/tables/run-row.ts';
import { createRunRows } from '#engine/runs/tables/run-rows.ts';
import { createUsageRows } from '#engine/runs/tables/usage-rows.ts';
import { createPlaceNames } from '#engine/sessions/place-names.ts';
import { createConversationRows } from '#engine/sessions/sessions.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { originOf } from './support/kit.ts';
import { openRequests } from './support/requests-kit.ts';

const newRun = (runID: string, run: Partial<NewRun> = {}): NewRun => ({
  ...{ runID, sessionID: 'ses_1', userMessageID: `u of ${runID}`, assistantMessageID: `a of ${runID}` },
  ...{ canAsk: false, model: { providerID: 'p', modelID: 'm' }, startedAtMs: 1, ...run },
});
/** The table of runs; `insert` makes what a run refers to. */
function openRuns(t: TestContext) {
  const { database } = openRequests(t);
  const rows = createRunRows(database);
  const conversation = createConversationRows(database);
  const insert = (run: NewRun): void => {
    const { sessionID, userMessageID, assistantMessageID } = run;
    if (!conversation.sessions.has(sessionID))
      conversation.sessions.insert({ id: sessionID, createdAtMs: 1, updatedAtMs: 1 });
    for (const [id, role] of [
      [userMessageID, 'user'],
      [assistantMessageID, 'assistant'],
    ] as const)
      conversation.messages.insert({ id, sessionID, role, createdAtMs: 1 });
    rows.insert(run);
  };
  const names = createPlaceNames(database);
  return { database, rows, conversation, names, list: createRunList(database, names), insert };
}
const ended = (over: object = {}) => ({
  ...{
    status: 'completed' as const,
    finishedAtMs: 9,
    text: 'first end',
    recalled: [],
    seenRuns: [],
    ...over,
  },
});

test('rooms whose names begin with a text are listed before those that have it elsewhere', (t) => {
  const { names } = openRuns(t);
  const room = (id: string): string => `discord:channel:B:G1:${id}:-`;
  names.set([
    { place: room('C1'), name: 'a-deck' },
    { place: room('C2'), name: 'deck' },
    { place: room('C3'), name: 'Deck-crew' },
    { place: room('C4'), name: 'galley' },
  ]);
  names.committed();
  const titles = (text?: string): string[] => names.list(text).map(({ title }) => title.split(' ')[0] ?? '');
  assert.deepEqual(titles('#deck'), ['#deck', '#Deck-crew', '#a-deck']);
  assert.deepEqual(titles(), ['#a-deck', '#deck', '#Deck-crew', '#galley']);
});

test('a run comes back as it was stored, with its first end and its first delivery', (t) => {
  const { rows, insert } = openRuns(t);
  const whole = newRun('run_1', {
    ...{
      canAsk: true,
      idempotencyKey: 'key',
      origin: originOf(),
      toolAllowlist: ['web_*'],
      requestHash: 'h',
      agent: 'main',
    },
    settings: { temperature: 0 } as never, // some settings
  });
  insert(whole);
  const { model, startedAtMs, ...same } = whole;
  assert.deepEqual(rows.get('run_1'), {
    ...same,
    model,
    startedAtMs,
    status: 'running',
    text: '',
    recalled: [],
    seenRuns: [],
  });
  insert(newRun('run_2', { sessionID: 'ses_2' }));
  assert.deepEqual(Object.keys(rows.get('run_2') ?? {}).sort(), [
    ...[
      'assistantMessageID',
      'canAsk',
      'model',
      'recalled',
      'runID',
      'seenRuns',
      'sessionID',
      'startedAtMs',
      'status',
      'text',
      'userMessageID',
    ],
  ]);
  assert.equal(rows.get('run_2')?.canAsk, false);
  const failure = { category: 'runtime', code: 'X', message: 'x', ref: 'r' } as const;
  assert.equal(rows.end('run_1', ended({ failure, recalled: ['a'], seenRuns: ['run_0'] })), true);
  assert.equal(rows.end('run_1', ended({ status: 'cancelled', text: 'second end' })), false);
  rows.deliver('run_1', 20, ['m1', 'm2']);
  rows.deliver('run_1', 30, ['m3']);
  rows.setModel('run_1', { providerID: 'other', modelID: 'model' });
  const { status, text, finishedAtMs, deliveredAtMs, nativeIDs, recalled, seenRuns, ...rest } = rows.get(
    'run_1',
  ) as StoredRun;
  assert.deepEqual(
    [status, text, finishedAtMs, deliveredAtMs, nativeIDs],
    ['completed', 'first end', 9, 20, ['m1', 'm2']],
  );
  assert.deepEqual(
    [recalled, seenRuns, rest.failure, rest.model],
    [['a'], ['run_0'], failure, { providerID: 'other', modelID: 'model' }],
  );
  const other = rows.get('run_2');
  assert.deepEqual(
    [other?.status, other?.text, other?.deliveredAtMs, other?.model],
    ['running', '', undefined, model],
  );
});

test('runs are found by their session, their state and their key, and by nothing else', (t) => {
  const { rows, list, insert } = openRuns(t);
  for (const [id, sessionID, idempotencyKey] of [
    ['run_1', 'ses_1', 'k1'],
    ['run_2', 'ses_2', 'k2'],
    ['run_3', 'ses_1', 'k1'],
    ['run_4', 'ses_1', undefined],
  ] as const) {
    insert(newRun(id, { sessionID, idempotencyKey }));
    if (id === 'run_1') rows.end(id, ended({ status: 'interrupted' }));
    if (id === 'run_3') rows.end(id, ended());
  }
  const ids = (runs: readonly (StoredRun | undefined)[]) => runs.map((run) => run?.runID);
  const page = (filter: object, more: object = {}) =>
    ids(list.page(filter, { limit: 10, offset: 0, ...more }));
  assert.deepEqual(ids([rows.ofKey('k1'), rows.ofKey('k2'), rows.ofKey('k3')]), [
    'run_3',
    'run_2',
    undefined,
  ]);
  assert.deepEqual(rows.answersOfKey('k1'), ['a of run_1', 'a of run_3']);
  assert.deepEqual(ids([rows.running('ses_1'), rows.running('ses_2'), rows.running('ses_3')]), [
    'run_4',
    'run_2',
    undefined,
  ]);
  assert.deepEqual(ids([rows.newest('ses_1'), rows.newest('ses_2'), rows.newest('ses_3')]), [
    'run_4',
    'run_2',
    undefined,
  ]);
  assert.deepEqual(ids(rows.allRunning()), ['run_2', 'run_4']);
  assert.deepEqual(page({}), ['run_4', 'run_3', 'run_2', 'run_1']);
  assert.deepEqual(page({}, { limit: 2, offset: 1 }), ['run_3', 'run_2']);
  assert.deepEqual(page({ sessionID: 'ses_1', status: 'completed' }), ['run_3']);
  assert.deepEqual(
    [{}, { sessionID: 'ses_1' }, { status: 'running' }, { sessionID: 'ses_2', status: 'completed' }].map(
      (filter) => list.count(filter as never),
    ),
    [4, 3, 2, 0],
  );
  assert.deepEqual(ids(rows.ofSession('ses_1')), ['run_1', 'run_3', 'run_4']);
  assert.deepEqual(rows.idsOf('ses_2'), ['run_2']);
  rows.removeSession('ses_1');
  assert.deepEqual(page({}), ['run_2']);
});

test('runs are found by who asked, where, of which model and agent, when and how long, and listed by length and cost; waiting for people is no work', (t) => {
  const { database, rows, list, names, conversation, insert } = openRuns(t);
  const usage = createUsageRows(database);
  const room = 'discord:channel:bot:1:2:-';
  names.set([{ place: room, name: 'engine-room' }]);
  names.committed();
  const ann = originOf({ chat: room, kind: 'channel', speaker: { person: 'p1', name: 'Ann' } });
  const ben = originOf({ speaker: { person: 'p2', name: 'Ben' } });
  for (const [id, origin, startedAtMs, tookMs, costUSD, agent, modelID] of [
    ['run_1', ann, 1_000, 9_000, 0.1, 'cook', 'small'],
    ['run_2', ben, 2_000, 5_000, 0.3, 'cook', 'large'],
    ['run_3', undefined, 3_000, 1_000, 0.2, 'mate', 'large'],
  ] as const) {
    const model = { providerID: 'p', modelID };
    insert(newRun(id, { sessionID: `ses of ${id}`, origin, startedAtMs, agent, model }));
    usage.begin({ runID: id, sessionID: `ses of ${id}`, startedAtMs });
    usage.add(id, {
      ...{ inputTokens: 1, cachedInputTokens: 0, outputTokens: 1, reasoningTokens: 0, costUSD },
    });
    rows.end(id, ended({ finishedAtMs: startedAtMs + tookMs }));
  }
  conversation.parts.insert('u of run_1', {
    ...{ id: 'prt_1', type: 'text', text: '[in reply to Ben: "Ahoy"]\nHow much\n  oil?' },
  });
  // two that overlap, one after them, and one that is open: 2 + 3 seconds
  for (const [id, from, until] of [
    ['r1', 2_000, 3_500],
    ['r2', 3_000, 4_000],
    ['r3', 5_000, 8_000],
    ['r4', 9_000, null],
  ] as const)
    database
      .prepare(
        `INSERT INTO requests (id, kind, session_id, run_id, user_message_id, message_id, call_id, agent, tool, args, digest,
           state, requested_at_ms, expires_at_ms, settled_at_ms)
         VALUES (?, 'permission', 's', 'run_1', 'u of run_1', 'm', ?, 'a', 't', '{}', 'd', 'taken', ?, 99999, ?)`,
      )
      .run(id, id, from, until);
  const found = (filter: object): string[] =>
    list.page(filter, { limit: 10, offset: 0 }).map(({ runID }) => runID);
  assert.deepEqual(list.askedOf(rows.get('run_1') as StoredRun), {
    question: 'How much oil?',
    person: 'Ann',
    place: { chat: room, names: { channel: 'engine-room' } },
    waitedMs: 5_000,
  });
  assert.deepEqual(list.askedOf(rows.get('run_3') as StoredRun), {});
  assert.deepEqual(found({ person: 'an' }), ['run_1']);
  assert.deepEqual(found({ person: '%' }), [], 'a name is no pattern');
  assert.deepEqual(found({ room: '#engine' }), ['run_1']);
  assert.deepEqual(found({ chat: room }), ['run_1']);
  assert.deepEqual(found({ agent: 'cook', model: 'large' }), ['run_2']);
  assert.deepEqual(found({ fromMs: 2_000 }), ['run_3', 'run_2']);
  assert.deepEqual(found({ ids: ['run_3', 'gone'] }), ['run_3']);
  assert.deepEqual(found({ leastMs: 4_000 }), ['run_2', 'run_1'], '9 seconds, of which 5 were waited');
  assert.deepEqual(found({ leastMs: 4_001 }), ['run_2']);
  assert.deepEqual(found({ order: 'duration' }), ['run_2', 'run_1', 'run_3']);
  assert.deepEqual(found({ order: 'cost' }), ['run_2', 'run_3', 'run_1']);
  assert.equal(list.count({ model: 'large' }), 2);

  insert(
    newRun('run_4', { sessionID: 'ses of run_4', origin: { ...ann, chat: 'discord:channel:bot:1:2:9' } }),
  );
  usage.begin({ runID: 'run_4', sessionID: 'ses of run_4', startedAtMs: 4_000 });
  usage.begin({ runID: 'run_gone', sessionID: 'ses_gone', startedAtMs: 5_000 });
  const sums = (by: 'person' | 'room' | 'agent' | 'model') =>
    usage.sums({ by, limit: 10 }).map(({ of, title, runs, costUSD }) => [of, title, runs, costUSD]);
  assert.deepEqual(sums('person'), [
    ['p2', 'Ben on Discord', 1, 0.3],
    ['', '', 1, 0.2],
    ['p1', 'Ann on Discord', 2, 0.1],
    [undefined, undefined, 1, undefined],
  ]);
  assert.deepEqual(
    sums('room').find(([of]) => of === room),
    [room, 'Ann', 2, 0.1],
    'a thread counts for its room',
  );
  assert.deepEqual(sums('model').slice(0, 2), [
    ['large', 'large', 2, 0.5],
    ['small', 'small', 1, 0.1],
  ]);
  assert.deepEqual(sums('agent')[0], ['cook', 'cook', 2, 0.4]);
});

test('what was delivered and has no outcome yet is to be archived, oldest first, and again once its outcome was taken back', (t) => {
  const { rows, insert } = openRuns(t);
  for (const id of ['run_1', 'run_2', 'run_3']) {
    insert(newRun(id));
    rows.end(id, ended({ recalled: [`of ${id}`, 'of all'] }));
  }
  const due = () => rows.toArchive().map(({ runID }) => runID);
  assert.deepEqual(due(), []);
  rows.deliver('run_2', 5, []);
  rows.deliver('run_1', 6, []);
  assert.deepEqual(due(), ['run_1', 'run_2']);
  rows.setArchived('run_1', 'stored');
  assert.deepEqual([due(), rows.get('run_1')?.archived], [['run_2'], 'stored']);
  rows.setArchived('run_1', undefined);
  assert.deepEqual([due(), rows.get('run_1')?.archived], [['run_1', 'run_2'], undefined]);
  for (let times = 0; times < 2; times += 1)
    assert.deepEqual(rows.recalledIn(['run_1', 'run_3', 'run_9']), ['of run_1', 'of all', 'of run_3']);
});

test('what runs used is added call by call, is unpriced until a price is known, and is summed by day and session', (t) => {
  const rows = createUsageRows(openRequests(t).database);
  const usage = (inputTokens: number, costUSD?: number) => ({
    ...{ inputTokens, cachedInputTokens: 1, outputTokens: 2, reasoningTokens: 3 },
    ...(costUSD === undefined ? {} : { costUSD }),
  });
  const day = (at: number): number => Date.UTC(2026, 0, at, 23, 59);
  for (const [runID, sessionID, at] of [
    ['run_1', 'ses_1', 1],
    ['run_2', 'ses_2', 2],
    ['run_3', 'ses_2', 3],
  ] as const)
    rows.begin({ runID, sessionID, startedAtMs: day(at) });
  assert.deepEqual(rows.get('run_1'), {
    calls: 0,
    inputTokens: 0,
    cachedInputTokens: 0,
    outputTokens: 0,
    reasoningTokens: 0,
  });
  assert.equal(rows.get('run_9'), undefined);
  rows.add('run_1', usage(10));
  assert.equal(rows.get('run_1')?.costUSD, undefined);
  rows.add('run_1', usage(5, 0.25));
  rows.add('run_1', usage(5));
  assert.deepEqual(rows.get('run_1'), {
    calls: 3,
    inputTokens: 20,
    cachedInputTokens: 3,
    outputTokens: 6,
    reasoningTokens: 9,
    costUSD: 0.25,
  });
  rows.add('run_2', usage(7));
  rows.restore('run_3', { ...usage(4, 0.5), calls: 8 });
  rows.end('run_1', 'completed');
  rows.end('run_3', 'error');
  const sums = (filter: object) =>
    rows
      .sums({ by: 'day', limit: 10, ...filter })
      .map((sum) => [
        sum.day ?? sum.sessionID,
        sum.runs,
        sum.calls,
        sum.inputTokens,
        sum.costUSD,
        sum.unpricedRuns,
        sum.ended.completed,
        sum.ended.error,
      ]);
  assert.deepEqual(sums({}), [
    ['2026-01-03', 1, 8, 4, 0.5, 0, 0, 1],
    ['2026-01-02', 1, 1, 7, undefined, 1, 0, 0],
    ['2026-01-01', 1, 3, 20, 0.25, 0, 1, 0],
  ]);
  assert.deepEqual(sums({ by: 'session' }), [
    ['ses_2', 2, 9, 11, 0.5, 1, 0, 1],
    ['ses_1', 1, 3, 20, 0.25, 0, 1, 0],
  ]);
  assert.deepEqual(
    sums({ from: '2026-01-02', until: '2026-01-02' }).map(([key]) => key),
    ['2026-01-02'],
  );
  assert.deepEqual(
    sums({ sessionID: 'ses_2', limit: 1 }).map(([key]) => key),
    ['2026-01-03'],
  );
});

test('the time of a run counts outside of pauses only, is over once, and never after its end', async () => {
  const clock = createManualClock();
  let over = 0;
  const timer = (ms: number) => createRunTimer({ clock, ms, over: () => void over++ });
  const first = timer(1_000);
  await clock.advance(600);
  await first.pause(() => clock.advance(5_000));
  await assert.rejects(
    first.pause(() => Promise.reject(new Error('of the work'))),
    { message: 'of the work' },
  );
  await clock.advance(399);
  assert.equal(over, 0);
  await clock.advance(1);
  assert.equal(over, 1);
  const second = timer(1_000);
  await second.pause(async () => second.end());
  assert.equal(clock.sleeping(), 0);
  await clock.advance(5_000);
  assert.equal(over, 1);
});

test('what lasts of a session is known from when it stands until it is removed, whatever a transaction takes back', (t) => {
  const { database } = openRequests(t);
  const { sessions } = createConversationRows(database);
  const session = { id: 'ses_9', projectID: 'prj', createdAtMs: 1, updatedAtMs: 1 };
  const takenBack = (work: () => void): void =>
    assert.throws(
      database.transaction(() => {
        work();
        throw new Error('taken back');
      }),
      /taken back/,
    );
  takenBack(() => {
    sessions.insert(session);
    assert.equal(sessions.lasting('ses_9')?.projectID, 'prj');
  });
  assert.equal(sessions.lasting('ses_9'), undefined);
  sessions.insert(session);
  assert.equal(sessions.lasting('ses_9')?.projectID, 'prj');
  takenBack(() => {
    sessions.remove('ses_9');
    assert.equal(sessions.has('ses_9'), false);
  });
  assert.equal(sessions.has('ses_9'), true);
  sessions.remove('ses_9');
  assert.equal(sessions.lasting('ses_9'), undefined);
});
