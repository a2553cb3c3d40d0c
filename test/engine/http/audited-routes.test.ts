// Every route and every operation, asked by an owner in a browser: what has a word of another person leaves a line in the audit.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { auditedCalls, createAuditedEngine } from '#engine/http/guards/audited-engine.ts';
import type { Operations } from '#engine/operations/operation.ts';
import { lookWords } from '#engine/wire/memory/look-words.ts';
import { memoryOperations } from '#engine/wire/memory/memory-operations.ts';
import { activeRunOperations, runOperations } from '#engine/wire/run-operations.ts';
import {
  agentOperations,
  providerOperations,
  usageOperations,
} from '#engine/wire/runs/provider-operations.ts';
import { permissionOperations, questionOperations } from '#engine/wire/runs/request-operations.ts';
import {
  firingOperations,
  hookOperations,
  scheduleOperations,
} from '#engine/wire/schedules/schedule-operations.ts';
import type { EngineService } from '#engine/wire/service.ts';
import { contentOperations, placeOperations } from '#engine/wire/sessions/content-operations.ts';
import { sessionOperations } from '#engine/wire/sessions/session-operations.ts';
import { missionOperations, teamOperations } from '#engine/wire/teams/team-operations.ts';
import { originOf } from '../support/kit.ts';
import { bearer } from './kit.ts';
import { openSignedIn, page } from './sign-in-kit.ts';

interface Parameter {
  name: string;
  in: string;
}
interface Described {
  parameters?: Parameter[];
  requestBody?: { content: Record<string, { schema: { properties?: Record<string, unknown> } }> };
}

const word = 'xylophone';
const audience = 'person:per_1';

test('whatever route shows an owner a word of another person, by any of its fields, leaves a line for that person', async (t) => {
  const { send, signIn, conversation, memory, engine } = await openSignedIn(t);
  const { id: session, runID: run } = await conversation(`My ${word} is in the attic.`, {});
  const answer = async (method: string, path: string, body?: unknown) =>
    (await send(method, path, bearer, body)).body;
  const { nativeIDs: _ids, ...reader } = originOf({ audience });
  const written = { operation: 'recordLesson', reader };
  const lesson = { agentID: 'coder', taskType: 't', lessonKind: 'pattern', lesson: `The ${word} is tuned.` };
  await answer('POST', '/memory/reader', { ...written, input: lesson });
  await answer('POST', '/memory/put', { audience, content: `The ${word} has 44 bars.`, kind: 'fact' });
  await answer('POST', '/memory/files/note', { audience, text: `Tune the ${word}.` });
  const todos = [{ id: '1', content: `Tune the ${word}`, status: 'pending' } as const];
  await engine.setTodos({ sessionID: session, todos });
  const { items = [] } = await answer('GET', `/memory?audience=${audience}`);
  const { files = [] } = await answer('GET', `/memory/files?audience=${audience}`);
  const messages = await answer('GET', `/session/${session}/message`);
  const known: Record<string, unknown> = {
    ...{ sessionID: session, session_id: session, runID: run, run_id: run, run, audience, audiences: 'all' },
    ...{ text: word, query: word, q: word, person: 'per_1', persons: ['per_1'], reader },
    ...{ memory: items[0]?.id, messageID: messages[0]?.info.id, path: files[0]?.path, by: 'session' },
    ...{ operation: 'memorySearch', input: { query: word }, uri: `tandem://session/${session}` },
    ...{ parts: [{ type: 'text', text: 'What do you know of it?' }] },
    ...{ content: `The ${word} has 45 bars.`, kind: 'fact', from_ms: 0, until_ms: 1_000, step_ms: 1_000 },
  };
  const idOf = (path: string): unknown =>
    path.startsWith('/session') ? session : path.startsWith('/memory') ? items[0]?.id : run;
  const fieldOf = (name: string, path: string): unknown =>
    known[name] ?? (/^id$/i.test(name) ? idOf(path) : undefined);
  const { paths } = await answer('GET', '/openapi.json');
  const shown: string[] = [];
  const silent: string[] = [];
  let looks = 0;
  const look = async (method: string, path: string, body: unknown): Promise<void> => {
    looks += 1;
    const name = `Cid${looks}`;
    const owner = { ...(await signIn('owner', name)), ...page };
    const given = await send(method, path, owner, body).catch(() => undefined);
    if (given === undefined || given.status >= 400 || !JSON.stringify(given.body ?? '').includes(word))
      return;
    const what = `${method} ${path.split('?')[0]?.replace(session, 'ID').replace(run, 'ID')}`;
    shown.push(what);
    const lines = await memory.audit({ of: audience });
    if (!lines.some(({ actor }) => JSON.stringify(actor).includes(name))) silent.push(what);
  };
  // what removes comes last
  const order = ['get', 'post', 'put', 'patch'];
  for (const verb of order)
    for (const [template, operations] of Object.entries(paths as Record<string, Record<string, Described>>)) {
      const described = operations[verb];
      if (described === undefined || /event|^\/docs|openapi|sign-in|close/.test(template)) continue;
      const { parameters = [], requestBody } = described;
      const at = template.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
        encodeURIComponent(String(fieldOf(name, template) ?? 'none')),
      );
      const fields = parameters.filter((one) => one.in === 'query').map(({ name }) => name);
      const filled = fields.filter((name) => fieldOf(name, template) !== undefined);
      const query = (names: readonly string[]): string =>
        names.length === 0
          ? ''
          : `?${names.map((name) => `${name}=${encodeURIComponent(String(fieldOf(name, template)))}`).join('&')}`;
      const properties = Object.keys(
        Object.values(requestBody?.content ?? {})[0]?.schema.properties ?? {},
      ).filter((name) => fieldOf(name, template) !== undefined);
      const whole = Object.fromEntries(properties.map((name) => [name, fieldOf(name, template)]));
      const method = verb.toUpperCase();
      const bodies =
        verb === 'get' ? [undefined] : [{}, whole, ...properties.map((name) => ({ [name]: whole[name] }))];
      const queries = new Set(['', query(filled), ...filled.map((name) => query([name]))]);
      for (const body of bodies) for (const each of queries) await look(method, `${at}${each}`, body);
    }
  assert.deepEqual([...new Set(silent)], []);
  for (const expected of [
    'GET /session',
    'GET /session/ID/message',
    'POST /session/ID/fork',
    'GET /runs/ID',
    'GET /memory',
    'POST /memory/search',
    'POST /memory/reader',
    'GET /memory/journal',
    'GET /session/ID/todo',
  ])
    assert.ok(shown.includes(expected), `${expected} shows the word`);
});

/** Fields in which words of people stand. */
const wordFields = new Set('text content title summary task note prompt answer question'.split(' '));

function hasWords(schema: unknown): boolean {
  if (typeof schema !== 'object' || schema === null) return false;
  const { properties = {} } = schema as { properties?: object }; // of JSON Schema
  return Object.keys(properties).some((name) => wordFields.has(name)) || Object.values(schema).some(hasWords);
}

test('each operation that reads, and each change that gives back words, leaves a line, or says why it shows no words of anyone', () => {
  const tables: Operations = {
    ...{ ...sessionOperations, ...activeRunOperations, ...runOperations },
    ...{ ...memoryOperations, ...permissionOperations, ...questionOperations, ...providerOperations },
    ...{
      ...agentOperations,
      ...usageOperations,
      ...hookOperations,
      ...scheduleOperations,
      ...firingOperations,
    },
    ...{ ...contentOperations, ...placeOperations, ...missionOperations, ...teamOperations },
  };
  const reads = Object.entries(tables).filter(([, { effect }]) => effect === 'read');
  assert.ok(reads.length > 30, `${reads.length}`);
  const changes = Object.entries(tables).filter(
    ([, { effect, output }]) =>
      effect !== 'read' && hasWords(z.toJSONSchema(output, { unrepresentable: 'any' })),
  );
  assert.ok(changes.length > 15, `${changes.length}`);
  const undecided = [
    ...reads.filter(([name, { unaudited }]) => auditedCalls.has(name) === (unaudited !== undefined)),
    ...changes.filter(([name, { unaudited }]) => !auditedCalls.has(name) && unaudited === undefined),
  ];
  assert.deepEqual(
    undecided.map(([name]) => name),
    [],
  );
  const named = Object.entries(memoryOperations).filter(([name]) => auditedCalls.has(name));
  const wordless = named.filter(([name]) => !(name in lookWords));
  assert.deepEqual(
    wordless.map(([name]) => name),
    [],
    'looks at an audience without words for the audit',
  );
});

test('what waits for approval leaves a line for the person whose mission asks, before it is shown; what a program asked leaves none', async () => {
  const noted: string[] = [];
  const engine = {
    spawnApprovals: async () => [{ missionID: 'mission_1', task: 'Tune it' }, { task: 'Sweep' }],
    missions: async ({ missionID }: { missionID: string }) => [{ missionID, sessionID: 'ses_1' }],
    noteOpened: async (sessionID: string, by: string) => void noted.push(`${by} ${sessionID}`),
  };
  const asker = { name: 'Cid', noted: new Set<string>() };
  const audited = createAuditedEngine(engine as unknown as EngineService, () => asker, { now: () => 0 });
  assert.equal((await audited.spawnApprovals()).length, 2);
  assert.deepEqual(noted, ['Cid ses_1']);
});
