// Requests in the log: found by the id that their answer names, and without a word of what was asked.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { parseJson } from '#base/json.ts';
import { openService } from './service-kit.ts';

const line = z.looseObject({ msg: z.string(), request: z.string().optional() });

test('each request has an id, in its answer and in the log, or keeps the one that it came with', async (t) => {
  const { send, logged } = await openService(t, {}, 'debug');
  const told = (id: string | null): unknown[] =>
    logged
      .map((text) => parseJson(text, line, 'log line'))
      .filter(({ msg, request }) => msg === 'http request' && request === id)
      .map(({ method, path, status }) => [method, path, status]);

  const first = await send('GET', '/session?page_size=1');
  const id = first.headers.get('x-request-id');
  assert.match(id ?? '', /^[0-9a-f-]{36}$/);
  assert.deepEqual(told(id), [['GET', '/session', 200]], 'what was asked for is left out');

  const own = { 'x-request-id': 'trace-7' };
  const refused = await send('GET', '/session/ses_none', { headers: own });
  assert.equal(refused.headers.get('x-request-id'), 'trace-7');
  assert.deepEqual(told('trace-7'), [['GET', '/session/ses_none', refused.status]]);

  const outside = await send('GET', '/session', { headers: { ...own, authorization: 'Bearer wrong' } });
  assert.equal(outside.status, 401);
  assert.equal(told('trace-7').length, 2, 'who is refused is in the log as well');
});

test('an id that would break the log or a header is replaced by a new one', async (t) => {
  const { send } = await openService(t);
  for (const wrong of ['two words', 'a"b', 'x'.repeat(300)]) {
    const answer = await send('GET', '/session', { headers: { 'x-request-id': wrong } });
    assert.match(answer.headers.get('x-request-id') ?? '', /^[0-9a-f-]{36}$/);
  }
});
