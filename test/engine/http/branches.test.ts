// Sessions as a whole over HTTP: found, renamed, archived, shared, forked, taken back, removed; by the real engine.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import Database from 'better-sqlite3';
import type { Operation } from '#engine/operations/operation.ts';
import { activeRunOperations, runOperations } from '#engine/wire/run-operations.ts';
import { sessionOperations } from '#engine/wire/sessions/session-operations.ts';
import { openService, type Service } from './service-kit.ts';

async function said(service: Service, id: string, query = ''): Promise<string[]> {
  const { body } = await service.ask('GET', `/session/${id}/message${query}`);
  return body.map(
    ({ info, parts }: { info: { reverted?: true }; parts: { text: string }[] }) =>
      `${info.reverted === true ? '~' : ''}${parts.map(({ text }) => text).join()}`,
  );
}

async function messageIDs(service: Service, id: string): Promise<string[]> {
  const { body } = await service.ask('GET', `/session/${id}/message`);
  return body.map(({ info }: { info: { id: string } }) => info.id);
}

const bodies: Record<string, object> = {
  attachSession: { target_workspace: '/w' },
  appendMessage: { parts: [{ type: 'text', text: 'a' }] },
  revertSession: { messageID: 'm' },
  setTodos: { todos: [] },
  amend: { nativeID: 'm', was: 'a', now: null },
  noteFeedback: { rating: 'good', emoji: '👍', person: 'p', name: 'P', atMs: 1 },
  delivered: { deliveredAtMs: 1, nativeIDs: [] },
};

test('whatever concerns one session or one run is 404 by its code where there is none, and nothing happens', async (t) => {
  const { ask, session } = await openService(t);
  const id = await session();
  const concerns = (first: string) =>
    Object.entries<Operation>({ ...sessionOperations, ...activeRunOperations, ...runOperations }).filter(
      ([, operation]) => operation.first === first,
    );
  const paths = (first: string, none: string) =>
    concerns(first).map(
      ([name, { method, path }]) => [name, method, path.replace(`:${first}`, none)] as const,
    );
  const sent = (name: string, method: string) =>
    method === 'GET' || method === 'DELETE' ? undefined : (bodies[name] ?? {});
  assert.deepEqual([concerns('sessionID').length, concerns('runID').length], [21, 8]);
  for (const [name, method, path] of paths('sessionID', 'ses_none')) {
    const { status, body } = await ask(method, path, sent(name, method));
    assert.deepEqual([status, body.code], [404, 'SESSION_NOT_FOUND'], name);
  }
  for (const [name, method, path] of paths('runID', 'run_none')) {
    const { status, body } = await ask(method, path, sent(name, method));
    assert.deepEqual([status, body.code], [404, 'RUN_NOT_FOUND'], name);
  }
  const foreign = await ask('POST', `/session/${id}/run/run_none/cancel`, {});
  assert.deepEqual([foreign.status, foreign.body.code], [404, 'RUN_NOT_FOUND']);
});

test('changes to a session that make no sense are refused with a message', async (t) => {
  const service = await openService(t);
  const { ask } = service;
  const id = await service.session();
  assert.equal((await ask('PATCH', `/session/${id}`, { titel: 'x' })).status, 400);
  assert.equal((await ask('PATCH', `/session/${id}`, { archived: 'yes' })).status, 400);
  assert.equal((await ask('POST', `/session/${id}/unrevert`)).body.code, 'NOTHING_TO_UNREVERT');
  assert.equal(
    (await ask('POST', `/session/${id}/revert`, { messageID: 'msg_none' })).body.code,
    'MESSAGE_NOT_FOUND',
  );
  assert.equal(
    (await ask('POST', `/session/${id}/fork`, { messageID: 'msg_none' })).body.code,
    'MESSAGE_NOT_FOUND',
  );
  const double = [1, 2].map(() => ({ id: 'a', content: 'x', status: 'doing' }));
  assert.equal((await ask('PUT', `/session/${id}/todo`, { todos: double })).status, 400);
});

test('sessions are found by title, kind, project, parent and flags, and counted whole', async (t) => {
  const { kit, ask, send } = await openService(t);
  const { engine } = kit;
  const one = await engine.createSession({ title: '100% plan', projectID: 'p1', sourceKind: 'api' });
  const two = await engine.createSession({ title: '1000 plans', sourceKind: 'channel' });
  await ask('PATCH', `/session/${two.id}`, { archived: true });
  const fork = (await ask('POST', `/session/${one.id}/fork`)).body;
  await ask('POST', `/session/${fork.id}/share`);
  const found = async (query: string) => {
    const response = await send('GET', `/session?${query}`);
    const body = (await response.json()) as { id: string }[];
    return [response.headers.get('x-total-count'), ...body.map(({ id }) => id)];
  };
  assert.deepEqual(await found('archived=all'), ['3', fork.id, two.id, one.id]);
  assert.deepEqual(await found('archived=all&page_size=1&page=2'), ['3', two.id]);
  assert.deepEqual(await found(''), ['2', fork.id, one.id]);
  assert.deepEqual(await found('archived=true'), ['1', two.id]);
  assert.deepEqual(await found('archived=all&title=PLAN'), ['3', fork.id, two.id, one.id]);
  assert.deepEqual(await found('archived=all&title=100%25'), ['2', fork.id, one.id]);
  assert.deepEqual(await found('archived=all&source_kind=channel'), ['1', two.id]);
  assert.deepEqual(await found(`parent_id=${one.id}`), ['1', fork.id]);
  assert.deepEqual(await found('shared=true'), ['1', fork.id]);
  for (const project of ['p1', 'P1'])
    assert.deepEqual(await found(`project_id=${project}&shared=false`), ['1', one.id], project);
});

test('a session is renamed, archived and shared, stays so after a restart, and can be set back', async (t) => {
  const service = await openService(t);
  const { ask } = service;
  const id = await service.session();
  const { body } = await ask('PATCH', `/session/${id}`, { title: ' Plans ', archived: true, shared: true });
  assert.deepEqual([body.title, body.archived, body.shared], ['Plans', true, true]);
  await service.restart();
  const saved = (await ask('GET', `/session/${id}`)).body;
  assert.deepEqual([saved.title, saved.archived, saved.shared], ['Plans', true, true]);
  const back = (await ask('PATCH', `/session/${id}`, { archived: false })).body;
  assert.deepEqual([back.title, back.archived, back.shared], ['Plans', undefined, true]);
  assert.equal((await ask('DELETE', `/session/${id}/share`)).body.shared, undefined);
});

test('a fork has what was written up to its message, goes its own way, and names its parent', async (t) => {
  const service = await openService(t);
  const id = await service.session();
  await service.exchange(id, 'one', 'first');
  await service.exchange(id, 'two', 'second');
  const [, answer = ''] = await messageIDs(service, id);
  const { body: fork } = await service.ask('POST', `/session/${id}/fork`, { messageID: answer });
  assert.deepEqual([fork.parentID, fork.title], [id, 'one (fork)']);
  assert.deepEqual(await said(service, fork.id), ['one', 'first']);
  const { call, runID } = await service.prompt(fork.id, 'three');
  const asked = JSON.stringify(call.body.messages);
  assert.match(asked, /"one".*"first".*"three"/s);
  assert.doesNotMatch(asked, /"two"|"second"/);
  call.say('third');
  call.finish();
  await service.kit.engine.finished(runID);
  assert.deepEqual(await said(service, fork.id), ['one', 'first', 'three', 'third']);
  assert.deepEqual(await said(service, id), ['one', 'first', 'two', 'second']);
  const whole = (await service.ask('POST', `/session/${id}/fork`)).body;
  assert.equal((await said(service, whole.id)).length, 4);
  const children = (await service.ask('GET', `/session/${id}/children`)).body;
  assert.deepEqual(
    children.map((child: { id: string }) => child.id),
    [whole.id, fork.id],
  );
});

test('the same idempotency key makes one session and one fork, also after a restart', async (t) => {
  const service = await openService(t);
  const post = async (path: string, key: string) => {
    const response = await service.send('POST', path, { body: {}, headers: { 'idempotency-key': key } });
    return [response.status, ((await response.json()) as { id: string }).id];
  };
  const made = await post('/session', 'k1');
  const fork = await post(`/session/${made[1]}/fork`, 'k2');
  await service.restart();
  assert.deepEqual(await post('/session', 'k1'), made);
  assert.deepEqual(await post(`/session/${made[1]}/fork`, 'k2'), fork);
  assert.equal((await post(`/session/${fork[1]}/fork`, 'k2'))[0], 409);
});

test('what was reverted is kept, not sent to the model, and comes back with unrevert', async (t) => {
  const service = await openService(t);
  const { ask } = service;
  const id = await service.session();
  await service.exchange(id, 'one', 'first');
  await service.exchange(id, 'two', 'second');
  const [, , two = ''] = await messageIDs(service, id);
  const { body } = await ask('POST', `/session/${id}/revert`, { messageID: two });
  assert.equal(body.reverts, 1);
  assert.deepEqual(await said(service, id), ['one', 'first']);
  assert.deepEqual(await said(service, id, '?reverted=true'), ['one', 'first', '~two', '~second']);
  const { call, runID } = await service.prompt(id, 'instead');
  assert.doesNotMatch(JSON.stringify(call.body.messages), /"two"|"second"/);
  call.say('other');
  call.finish();
  await service.kit.engine.finished(runID);
  await service.restart();
  assert.deepEqual(await said(service, id), ['one', 'first', 'instead', 'other']);
  assert.equal((await ask('POST', `/session/${id}/unrevert`)).body.reverts, 1);
  assert.deepEqual(await said(service, id), ['one', 'first', 'two', 'second']);
  assert.deepEqual(await said(service, id, '?reverted=true'), [
    'one',
    'first',
    'two',
    'second',
    '~instead',
    '~other',
  ]);
});

test('nothing is taken back while a run is active', async (t) => {
  const service = await openService(t);
  const id = await service.session();
  await service.exchange(id, 'one', 'first');
  const [one = ''] = await messageIDs(service, id);
  const { call, runID } = await service.prompt(id, 'two');
  const busy = await service.ask('POST', `/session/${id}/revert`, { messageID: one });
  assert.deepEqual([busy.status, busy.body.code, busy.body.retryable], [409, 'SESSION_RUN_CONFLICT', true]);
  call.say('second');
  call.finish();
  await service.kit.engine.finished(runID);
  assert.equal((await service.ask('POST', `/session/${id}/revert`, { messageID: one })).status, 200);
});

test('a deleted session takes its run, words and events with it; its use of models stays counted', async (t) => {
  const service = await openService(t);
  const { kit, ask } = service;
  const id = await service.session();
  const runID = await service.exchange(id, 'my canary sings', 'tweet canary');
  const { call } = await service.prompt(id, 'canary again');
  const seqBefore = (await kit.engine.runEvents({ runID, after_seq: 0, limit: 100 })).length;
  assert.ok(seqBefore > 0);
  assert.deepEqual((await ask('DELETE', `/session/${id}`)).body, { ok: true });
  await call.closed;
  assert.equal((await ask('GET', `/session/${id}`)).status, 404);
  assert.equal((await ask('GET', `/runs/${runID}`)).status, 404);
  const database = new Database(`${kit.folder}/engine.sqlite`, { readonly: true });
  const tables = database
    .prepare<[], { name: string }>("SELECT name FROM sqlite_schema WHERE type = 'table'")
    .all();
  for (const { name } of tables) {
    const rows = JSON.stringify(database.prepare(`SELECT * FROM "${name}"`).all());
    assert.doesNotMatch(rows, /canary/, name);
  }
  database.close();
  assert.equal((await ask('GET', '/usage')).body[0].runs, 2);
  await kit.engine.delivered({ runID, deliveredAtMs: 1, nativeIDs: [] });
});

test('the to-do list of a session is replaced, reported as an event and stored', async (t) => {
  const service = await openService(t);
  const { ask, kit } = service;
  const id = await service.session();
  assert.deepEqual((await ask('GET', `/session/${id}/todo`)).body, []);
  const todos = [{ id: '1', content: 'water the plants', status: 'pending' }];
  const stop = new AbortController();
  const events = kit.engine.events({ sessionID: id }, stop.signal)[Symbol.asyncIterator]();
  const told = events.next();
  assert.deepEqual((await ask('PUT', `/session/${id}/todo`, { todos })).body, todos);
  const { value } = await told;
  assert.deepEqual([value.type, value.properties], ['todo.updated', { sessionID: id, todos }]);
  stop.abort();
  await service.restart();
  assert.deepEqual((await ask('GET', `/session/${id}/todo`)).body, todos);
});

test('snapshots and the difference to the newest one can be read while a revert can be taken back', async (t) => {
  const service = await openService(t);
  const id = await service.session();
  for (const word of ['one', 'two']) await service.exchange(id, word, 'Noted.');
  const ids = async (): Promise<string[]> =>
    (await service.ask('GET', `/session/${id}/message`)).body.map(
      (message: { info: { id: string } }) => message.info.id,
    );
  const before = await ids();
  const read = async (what: string) => (await service.ask('GET', `/session/${id}/${what}`)).body;
  assert.deepEqual(await read('snapshots'), []);
  await service.ask('POST', `/session/${id}/revert`, { messageID: before[2] });
  await service.exchange(id, 'another two', 'Noted.');
  const snapshots = await read('snapshots');
  assert.deepEqual(
    snapshots.map(({ messageIDs }: { messageIDs: string[] }) => messageIDs),
    [before],
  );
  assert.deepEqual(await read('diff'), {
    sessionID: id,
    currentMessageCount: 4,
    lastSnapshotMessageCount: 4,
    delta: 0,
    removedMessageIDs: before.slice(2),
    addedMessageIDs: (await ids()).slice(2),
  });
  const after = await ids();
  await service.ask('POST', `/session/${id}/unrevert`);
  assert.deepEqual(
    (await read('snapshots')).map(({ messageIDs }: { messageIDs: string[] }) => messageIDs),
    [after],
  );
  assert.equal((await service.ask('GET', '/session/ses_none/diff')).status, 404);
});

test('a revert and an unrevert each make the session the one that was changed last', async (t) => {
  const service = await openService(t);
  const [id, other] = [await service.session(), await service.session()];
  await service.exchange(id, 'one', 'first');
  const [one = ''] = await messageIDs(service, id);
  const touched = async (session: string) =>
    (await service.ask('GET', `/session/${session}`)).body.time.updated;
  for (const [path, body] of [
    ['revert', { messageID: one }],
    ['unrevert', undefined],
  ] as const) {
    await service.clock.advance(60_000);
    await service.ask('POST', `/session/${id}/${path}`, body);
    assert.equal(await touched(id), service.clock.now() / 1_000, path);
  }
  assert.ok((await touched(other)) < (await touched(id)));
});
