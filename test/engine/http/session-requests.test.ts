// What a session is made with, and what an idempotency key stands for: the request that came with it first.
import assert from 'node:assert/strict';
import { test } from 'node:test';
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
