// Sessions over HTTP, and what every body and query must be.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { wireSession } from '#engine/wire/sessions/message.ts';
import { type Body, createKit, json } from './kit.ts';
import { openService } from './service-kit.ts';

async function refused(response: Response): Promise<{ status: number; code: string; error: string }> {
  const body = (await response.json()) as { code: string; error: string; retryable: boolean };
  assert.equal(body.retryable, false);
  return { status: response.status, code: body.code, error: body.error };
}

test('a body that is not JSON, not UTF-8 or not of the JSON type is refused with a message', async () => {
  const { ask } = createKit();
  const post = (body: Body, headers: Record<string, string> = json) =>
    ask('/session', { method: 'POST', headers, body }).then(refused);
  assert.equal((await post('{"title":')).code, 'INVALID_JSON');
  const torn = await post(new Uint8Array(Buffer.from('{"title":"caf\xe9"}', 'latin1')));
  assert.deepEqual([torn.code, torn.error], ['INVALID_JSON', 'The body is not valid UTF-8.']);
  assert.equal((await post('{}', { 'content-type': 'text/plain' })).status, 415);
  assert.equal((await post('{}', { 'content-type': 'application/json; charset=latin1' })).status, 415);
  assert.equal((await post('{}', { ...json, 'content-encoding': 'gzip' })).status, 415);
  assert.match((await post('{"title":7}')).error, /title: .*expected string/);
  assert.match((await post('{"title":"a\\u0000b"}')).error, /control characters/);
  assert.equal((await post('[]')).code, 'INVALID_REQUEST');
  assert.equal((await post('['.repeat(400_000))).code, 'INVALID_JSON');
});

test('a body of one byte over the limit is 413 and one at the limit is read', async () => {
  const { ask } = createKit();
  const sized = (bytes: number) => `{${' '.repeat(bytes - 2)}}`;
  const post = (body: Body) => ask('/session', { method: 'POST', headers: json, body });
  assert.equal((await post(sized(1024 * 1024))).status, 200);
  assert.deepEqual((await refused(await post(sized(1024 * 1024 + 1)))).code, 'BODY_TOO_LARGE');
});

test('thousands of wrong fields give a short answer', async () => {
  const { ask, session } = createKit();
  const body = JSON.stringify({ parts: Array.from({ length: 99 }, () => ({ type: 'text', text: 7 })) });
  const response = await ask(`/session/${await session()}/prompt_async`, {
    method: 'POST',
    headers: json,
    body,
  });
  assert.equal(response.status, 400);
  assert.ok((await response.text()).length < 1200);
});

test('pages outside the limits are refused with a message', async () => {
  const { ask } = createKit();
  for (const query of [
    'page_size=0',
    'page_size=101',
    'page_size=ten',
    'page_size=',
    'page=0',
    'page=-1',
    'page=1e3',
  ])
    assert.match((await refused(await ask(`/session?${query}`))).error, /page/, query);
});

test('a session that is not there is 404, whatever its id looks like', async () => {
  const { ask } = createKit();
  const ids = [
    'ses_0',
    '..',
    '%2e%2e%2f%2e%2e%2fetc%2fpasswd',
    '%00',
    '%',
    '%E0%A4%A',
    'a'.repeat(5000),
    '__proto__',
  ];
  for (const id of ids.filter((each) => each !== '..'))
    for (const path of [`/session/${id}`, `/session/${id}/message`])
      assert.equal((await refused(await ask(path))).code, 'SESSION_NOT_FOUND', path);
});

test('a session is made without a body, or with what the body says', async () => {
  const { ask } = createKit();
  const plain = await ask('/session', { method: 'POST' });
  assert.equal(plain.status, 200);
  wireSession.parse(await plain.json());
  const body = JSON.stringify({
    title: 'Plans 日本語',
    projectID: 'p1',
    directory: '/srv/work',
  });
  const made = wireSession.parse(
    await (await ask('/session', { method: 'POST', headers: json, body })).json(),
  );
  const { title, projectID, directory, sourceKind } = made;
  assert.deepEqual(
    { title, projectID, directory, sourceKind },
    { title: 'Plans 日本語', projectID: 'p1', directory: '/srv/work', sourceKind: 'api' },
  );
  assert.deepEqual(await (await ask(`/session/${made.id}`)).json(), made);
  assert.deepEqual(await (await ask(`/session/${made.id}/message`)).json(), []);
});

test('sessions are listed as a plain array, newest first, twenty a page unless asked otherwise', async () => {
  const { ask, session } = createKit();
  const ids: string[] = [];
  for (let i = 0; i < 25; i += 1) ids.unshift(await session());
  const list = async (query: string) =>
    ((await (await ask(`/session${query}`)).json()) as { id: string }[]).map(({ id }) => id);
  assert.deepEqual(await list(''), ids.slice(0, 20));
  assert.deepEqual(await list('?page=2'), ids.slice(20));
  assert.deepEqual(await list('?page_size=2&page=3'), ids.slice(4, 6));
  assert.deepEqual(await list('?page=9'), []);
});

test('HEAD answers as GET does, without a body', async () => {
  const { ask } = createKit();
  const response = await ask('/session', { method: 'HEAD' });
  assert.equal(response.status, 200);
  assert.equal(await response.text(), '');
});

test('a session is shared or not as the body says', async (t) => {
  const service = await openService(t);
  const id = await service.session();
  assert.equal((await service.ask('POST', `/session/${id}/share`)).body.shared, true);
  assert.equal((await service.ask('POST', `/session/${id}/share`, { shared: false })).body.shared, undefined);
  assert.equal((await service.ask('POST', `/session/${id}/share`, { shared: true })).body.shared, true);
});
