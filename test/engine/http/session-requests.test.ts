// What a session is made with, and what an idempotency key stands for: the request that came with it first.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import Database from 'better-sqlite3';
import { openService, type Service } from './service-kit.ts';

const post = async (service: Service, path: string, body: unknown, key: string) => {
  const response = await service.send('POST', path, { body, headers: { 'idempotency-key': key } });
  const text = await response.text();
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
};

test('a session has the workspace, the model and the parent that it was made with', async (t) => {
  const service = await openService(t);
  const parent = await service.session();
  const made = await service.ask('POST', '/session', {
    directory: '/srv/docs',
    workspaceRoot: '/srv',
    model: { provider_id: 'openai-compatible', model_id: 'small' },
    parentID: parent,
  });
  assert.equal(made.status, 200);
  const { id, directory, workspaceRoot, model, parentID } = made.body;
  assert.deepEqual(
    [directory, workspaceRoot, model, parentID],
    ['/srv/docs', '/srv', { providerID: 'openai-compatible', modelID: 'small' }, parent],
  );
  const { body: children } = await service.ask('GET', `/session/${parent}/children`);
  assert.deepEqual(
    children.map((child: { id: string }) => child.id),
    [id],
  );
  const { call } = await service.prompt(id, 'Hello');
  assert.equal(call.body.model, 'small', 'it answers where the prompt names no model');
  call.say('Hi.');
  call.finish();
});

test('a session is not made with what cannot be had: a model, a parent', async (t) => {
  const service = await openService(t);
  for (const [body, status, words] of [
    [{ workspaceRoot: 7 }, 400, /workspaceRoot/],
    [{ model: { providerID: 'nobody', modelID: 'x' } }, 400, /nobody\/x cannot be used here/],
    [{ parentID: 'ses_none' }, 404, /no session/],
  ] as const) {
    const refused = await service.ask('POST', '/session', body);
    assert.equal(refused.status, status, JSON.stringify(body));
    assert.match(refused.body.error, words);
  }
  assert.deepEqual((await service.ask('GET', '/session')).body, []);
});

test('a key that comes again with another body is refused, and with the same one answered as before', async (t) => {
  const service = await openService(t);
  const id = await service.session();
  const path = `/session/${id}/prompt_async?return=run`;
  const prompt = (text: string, more = {}) =>
    post(service, path, { parts: [{ type: 'text', text }], ...more }, 'k1');
  const calling = service.raw.next();
  const first = await prompt('Hello');
  const call = await calling;
  for (const other of [await prompt('Hello!'), await prompt('Hello', { temperature: 1 })]) {
    assert.equal(other.status, 409);
    assert.equal(other.body.code, 'IDEMPOTENCY_KEY_REUSED');
    assert.match(other.body.error, /came before with another request/);
  }
  const again = await prompt('Hello');
  assert.deepEqual([again.status, again.body.runID], [202, first.body.runID]);
  call.say('Hi.');
  call.finish();
  await service.kit.engine.finished(first.body.runID);
  await service.restart();
  assert.equal((await prompt('Hello!')).status, 409, 'also after a restart');

  const made = await post(service, '/session', { title: 'One' }, 'k2');
  assert.equal((await post(service, '/session', { title: 'One' }, 'k2')).body.id, made.body.id);
  assert.equal((await post(service, '/session', { title: 'Two' }, 'k2')).status, 409);
  const messages = (await service.ask('GET', `/session/${id}/message`)).body;
  const fork = (body: object) => post(service, `/session/${id}/fork`, body, 'k3');
  const forked = await fork({ messageID: messages[0].info.id });
  assert.equal((await fork({ messageID: messages[0].info.id })).body.id, forked.body.id);
  assert.equal((await fork({})).status, 409);
});

test('a message is appended without a run, also while one is active, once for its key, and the next prompt has it in view', async (t) => {
  const service = await openService(t);
  const id = await service.session();
  const path = `/session/${id}/message`;
  const text = (words: string) => ({ parts: [{ type: 'text', text: words }] });
  const { runID, call } = await service.prompt(id, 'Hello');
  const appended = await post(service, path, { ...text('The boat is called Petrel.'), metadata: null }, 'm1');
  assert.equal(appended.status, 200);
  const { info, parts } = appended.body;
  assert.deepEqual(
    [info.sessionID, info.role, info.runID, parts],
    [id, 'user', undefined, text('The boat is called Petrel.').parts],
  );
  assert.deepEqual(await post(service, path, { ...text('The boat is called Petrel.') }, 'm1'), appended);
  call.say('Hi.');
  call.finish();
  await service.kit.engine.finished(runID);
  assert.equal((await service.ask('GET', '/runs')).body.length, 1, 'no run is started');

  await service.restart();
  assert.deepEqual(await post(service, path, text('The boat is called Petrel.'), 'm1'), appended);
  assert.equal((await post(service, path, text('Another boat.'), 'm1')).status, 409);
  const other = await service.session();
  assert.equal(
    (await post(service, `/session/${other}/message`, text('The boat is called Petrel.'), 'm1')).status,
    409,
  );
  const next = await service.prompt(id, 'What is it called?');
  assert.match(JSON.stringify(next.call.body), /Hello.*The boat is called Petrel\..*What is it called\?/);
  next.call.say('Petrel.');
  next.call.finish();
  await service.kit.engine.finished(next.runID);
  const said = (await service.ask('GET', path)).body.map(
    ({ parts: [part] }: { parts: { text: string }[] }) => part?.text,
  );
  assert.deepEqual(said, ['Hello', 'Hi.', 'The boat is called Petrel.', 'What is it called?', 'Petrel.']);
});

test('an appended message names a session that has no title, is found, forked and reverted as any other', async (t) => {
  const service = await openService(t);
  const id = await service.session();
  const { body: message } = await post(
    service,
    `/session/${id}/message`,
    { parts: [{ type: 'text', text: 'Cork ring' }] },
    'm1',
  );
  assert.equal((await service.ask('GET', `/session/${id}`)).body.title, 'Cork ring');
  assert.deepEqual(
    (await service.ask('GET', '/session?text=Cork')).body.map((session: { id: string }) => session.id),
    [id],
  );
  const { body: fork } = await service.ask('POST', `/session/${id}/fork`, {});
  const copied = (await service.ask('GET', `/session/${fork.id}/message`)).body;
  assert.equal(copied[0].parts[0].text, 'Cork ring');
  await service.ask('POST', `/session/${id}/revert`, { messageID: message.info.id });
  assert.deepEqual((await service.ask('GET', `/session/${id}/message`)).body, []);
});

test('a message that cannot be appended is refused by its field', async (t) => {
  const service = await openService(t);
  const id = await service.session();
  const parts = [{ type: 'text', text: 'a' }];
  for (const [body, words] of [
    [{}, /parts/],
    [{ parts: [] }, /parts/],
    [{ parts: [{ type: 'text', text: '' }] }, /text/],
    [{ parts: [{ type: 'text', text: 'a', nativeID: 'n' }] }, /nativeID/],
    [{ parts, metadata: {} }, /metadata/],
    [{ parts, model: { modelID: 'small' } }, /model/],
    [{ parts, role: 'assistant' }, /role/],
  ] as const) {
    const refused = await service.ask('POST', `/session/${id}/message`, body);
    assert.equal(refused.status, 400, JSON.stringify(body));
    assert.match(refused.body.error, words);
  }
  assert.equal((await service.ask('POST', '/session/ses_none/message', { parts })).status, 404);
  assert.deepEqual((await service.ask('GET', `/session/${id}/message`)).body, []);
});

test('a session is attached to another workspace: it says from where, when and why, and so do its events', async (t) => {
  const service = await openService(t);
  const { body: made } = await service.ask('POST', '/session', { directory: '/srv/docs' });
  const attach = (body: object) => service.ask('POST', `/session/${made.id}/attach`, body);
  const { body: first } = await attach({ target_workspace: '/srv/boats', reason_tag: 'moved' });
  const told = ({ body }: { body: Record<string, unknown> }) => [
    body.workspaceRoot,
    body.originWorkspaceRoot,
    body.attachedFromWorkspace,
    body.attachedToWorkspace,
    body.attachReason,
  ];
  assert.deepEqual(told({ body: first }), ['/srv/boats', '/srv/docs', '/srv/docs', '/srv/boats', 'moved']);
  assert.equal(first.attachTimestampMs, service.clock.now());
  assert.deepEqual(
    told(await attach({ target_workspace: '/srv/boats' })),
    told({ body: first }),
    'it is there already',
  );
  await attach({ target_workspace: '/srv/cats' });
  await service.restart();
  assert.deepEqual(told(await service.ask('GET', `/session/${made.id}`)), [
    '/srv/cats',
    '/srv/docs',
    '/srv/boats',
    '/srv/cats',
    'manual_attach',
  ]);
  const database = new Database(join(service.kit.folder, 'engine.sqlite'), { readonly: true });
  t.after(() => database.close());
  assert.deepEqual(
    database
      .prepare(
        "SELECT json_extract(properties, '$.attachedToWorkspace') FROM events WHERE type = 'session.attached'",
      )
      .pluck()
      .all(),
    ['/srv/boats', '/srv/cats'],
  );
});

test('an attachment is refused without a workspace, with another field, and for a session that is not there', async (t) => {
  const service = await openService(t);
  const id = await service.session();
  for (const [body, words] of [
    [{}, /target_workspace/],
    [{ target_workspace: '' }, /target_workspace/],
    [{ target_workspace: '/srv', workspace: '/srv' }, /workspace/],
    [{ target_workspace: '/srv', reason_tag: 7 }, /reason_tag/],
  ] as const) {
    const refused = await service.ask('POST', `/session/${id}/attach`, body);
    assert.equal(refused.status, 400, JSON.stringify(body));
    assert.match(refused.body.error, words);
  }
  assert.equal(
    (await service.ask('POST', '/session/ses_none/attach', { target_workspace: '/srv' })).status,
    404,
  );
  assert.equal((await service.ask('GET', `/session/${id}`)).body.workspaceRoot, undefined);
});

test('half of a surrogate pair, which is no character, is refused in any text, under the name of its field', async (t) => {
  const service = await openService(t);
  const id = await service.session();
  const torn = 'a \ud83d b';
  for (const [method, path, body, field] of [
    ['POST', '/session', { title: torn }, 'title'],
    ['PATCH', `/session/${id}`, { title: torn }, 'title'],
    ['POST', `/session/${id}/prompt_async`, { parts: [{ type: 'text', text: torn }] }, 'parts.0.text'],
    [
      'PUT',
      `/session/${id}/todo`,
      { todos: [{ id: '1', content: torn, status: 'pending' }] },
      'todos.0.content',
    ],
    ['POST', '/memory/put', { content: 'x', metadata: { of: [{ '\udc00': 1 }] } }, 'metadata.of.0'],
    ['GET', '/session?title=%ED%A0%BD', undefined, 'title'],
  ] as const) {
    const { status, body: answer } = await service.ask(method, path, body);
    assert.deepEqual([status, answer.code, answer.error.includes(field)], [400, 'INVALID_REQUEST', true]);
  }
  const whole = await service.ask('POST', '/session', { title: 'a 🙂 b \ufffd' });
  assert.equal(whole.body.title, 'a 🙂 b \ufffd');
  assert.equal((await service.ask('GET', `/session?title=${encodeURIComponent('\ufffd')}`)).body.length, 1);
});

test('what the engine refuses is named as it was sent, in either spelling', async (t) => {
  const service = await openService(t);
  const id = await service.session();
  const parts = [{ type: 'text', text: 'Hello' }];
  for (const name of ['tool_allowlist', 'toolAllowlist']) {
    const body = { parts, [name]: ['no_such_tool'] };
    const answer = await service.ask('POST', `/session/${id}/prompt_async`, body);
    assert.deepEqual([answer.status, answer.body.code], [400, 'UNKNOWN_TOOL']);
    assert.match(answer.body.error, new RegExp(`^${name}: .*no_such_tool`));
  }
});
