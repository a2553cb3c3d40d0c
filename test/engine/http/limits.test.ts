// How long a text and how large a number of a request may be: at the bound it is taken, one beyond it is refused before the engine is asked.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openRoutes } from './noting-engine.ts';

const day = 86_400_000;

/** By route: each number of its query with its least and largest value. */
const numbers: readonly [path: string, name: string, least: number, most: number][] = [
  ['/runs', 'page_size', 1, 100],
  ['/runs', 'page', 1, 999_999],
  ['/runs/r1/events', 'limit', 1, 1_000],
  ['/usage', 'limit', 1, 1_000],
  ['/usage/series?from_ms=0&until_ms=1', 'step_ms', 1_000, 366 * day],
  ['/usage/series?step_ms=1000&until_ms=1000000', 'from_ms', 0, 999_999],
  ['/usage/series?step_ms=1000&from_ms=1', 'until_ms', 2, 1_000_001],
  ['/session', 'page_size', 1, 100],
  ['/session/s1/children', 'page', 1, 999_999],
  ['/session/s1/message', 'limit', 1, 500],
  ['/memory', 'limit', 1, 1_000],
  ['/memory', 'offset', 0, 999_999_999],
  ['/memory/context/tree', 'max_depth', 1, 10],
  ['/memory/audit', 'limit', 1, 1_000],
  ['/schedule/sch_1/times', 'count', 1, 100],
];

/** Of a query: each text with the most characters that it may have. */
const words: readonly [path: string, name: string, most: number][] = [
  ['/runs', 'sessionID', 100],
  ['/session', 'title', 300],
  ['/session', 'ids', 5_000],
  ['/session', 'platform', 40],
  ['/session', 'person', 200],
  ['/session', 'text', 300],
  ['/session', 'project_id', 100],
  ['/session', 'parent_id', 100],
  ['/session/s1/message?limit=1', 'before', 100],
  ['/agent-team/instances', 'missionID', 100],
  ['/memory', 'q', 1_000],
  ['/memory', 'project_id', 200],
  ['/memory', 'user_id', 200],
  ['/memory', 'channel_tag', 200],
  ['/memory/context/tree', 'uri', 4_000],
  ['/memory/audit', 'run_id', 100],
  ['/memory/knowledge', 'project_id', 100],
  ['/provider/takes_file?bytes=1', 'mime', 200],
  ['/schedule', 'person', 4_000],
  ['/schedule', 'chat', 1_000],
  ['/schedule/person', 'person', 4_000],
];

/** Of a body, with the rest of it: each text, or list, with the most that it may hold. */
const bodies: readonly [at: string, rest: object, name: string, most: number, list?: string][] = [
  ['POST /session', {}, 'title', 300],
  ['POST /session', {}, 'projectID', 200],
  ['POST /session', {}, 'directory', 4_096],
  ['POST /session', {}, 'workspaceRoot', 4_096],
  ['POST /session', {}, 'parentID', 200],
  ['PATCH /session/s1', {}, 'title', 300],
  ['POST /memory/context/resolve', {}, 'uri', 4_000],
  ['POST /memory/context/layers/generate', {}, 'node_id', 8_000],
  ['POST /content/export', {}, 'persons', 1_000, 'per_1'],
  ['PUT /schedule/person', { zone: null }, 'persons', 200, 'per_1'],
  ['POST /schedule/sch_1/confirm', {}, 'persons', 200, 'per_1'],
];

const answers = {
  missions: [],
  sessionMessages: { messages: [], total: 0 },
  sessionChildren: { sessions: [], total: 0 },
  findSessions: { sessions: [], total: 0 },
  listRuns: { runs: [], total: 0 },
  nextTimes: [],
};

/** The status of the request, and whether the engine was asked for anything. */
async function asked(at: string, body?: unknown): Promise<[status: number, isAsked: boolean]> {
  const { ask, calls } = openRoutes({ answers });
  const [method = '', path = ''] = at.split(' ');
  const { status } = await ask(method, path, body);
  return [status, calls.some(([name]) => name !== 'hasSession')];
}

test('a number of a query is taken from its least to its largest value, and no other', async () => {
  for (const [path, name, least, most] of numbers) {
    const at = (value: number): string => `GET ${path}${path.includes('?') ? '&' : '?'}${name}=${value}`;
    for (const value of [least, most]) assert.deepEqual(await asked(at(value)), [200, true], at(value));
    for (const value of [least - 1, most + 1])
      assert.deepEqual(await asked(at(value)), [400, false], at(value));
  }
});

test('a text of a query is taken up to its longest, and neither longer nor empty', async () => {
  for (const [path, name, most] of words) {
    const at = (length: number): string =>
      `GET ${path}${path.includes('?') ? '&' : '?'}${name}=${'x'.repeat(length)}`;
    for (const length of [1, most]) assert.deepEqual(await asked(at(length)), [200, true], `${path} ${name}`);
    for (const length of [0, most + 1])
      assert.deepEqual(await asked(at(length)), [400, false], `${path} ${name} ${length}`);
  }
});

test('a text or a list of a body is taken up to its longest, and neither longer nor empty', async () => {
  for (const [at, rest, name, most, list] of bodies) {
    const of = (length: number) => ({
      ...rest,
      [name]: list === undefined ? 'x'.repeat(length) : Array.from({ length }, () => list),
    });
    for (const length of [1, most])
      assert.deepEqual(await asked(at, of(length)), [200, true], `${at} ${name}`);
    for (const length of [0, most + 1])
      assert.deepEqual(await asked(at, of(length)), [400, false], `${at} ${name} ${length}`);
  }
});

test('what a delivery names is bounded: a thousand ids of two hundred characters', async () => {
  const of = (count: number, length: number) => ({
    deliveredAtMs: 1,
    nativeIDs: Array.from({ length: count }, () => 'x'.repeat(length)),
  });
  const at = 'POST /runs/r1/delivered';
  assert.deepEqual(await asked(at, of(1_000, 200)), [200, true]);
  assert.deepEqual(await asked(at, of(1_001, 1)), [400, false]);
  assert.deepEqual(await asked(at, of(1, 201)), [400, false]);
});

test('the answer to a question has at most ten thousand characters, and an idempotency key at most two hundred', async () => {
  const answer = (length: number) => asked('POST /question/q1/reply', { answer: 'x'.repeat(length) });
  assert.deepEqual(await answer(10_000), [200, true]);
  assert.deepEqual(await answer(10_001), [400, false]);
});

test('a page begins after those before it, and its number and size have defaults', async () => {
  for (const [query, expected] of [
    ['', { limit: 20, offset: 0 }],
    ['?page=2', { limit: 20, offset: 20 }],
    ['?page=3&page_size=7', { limit: 7, offset: 14 }],
  ] as const) {
    const { ask, calls } = openRoutes({ answers });
    await ask('GET', `/session${query}`);
    assert.partialDeepStrictEqual(calls.at(-1)?.[1], expected, query);
  }
});
