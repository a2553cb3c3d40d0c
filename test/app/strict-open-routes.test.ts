// The routes that need no token of the operator's, and the one of MCP, are as strict as the others, which strict-fields.test.ts walks.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openTelegramHouse } from './house.ts';
import { tokenFor } from './mcp-kit.ts';

interface Document {
  paths: Record<string, Record<string, { security?: unknown[] }>>;
}

/** What is called by programs that add what they like. */
const takesAnything = ['POST /hook/{name}'];
const strict = ['GET /global/health', 'POST /sign-in', 'DELETE /sign-in', 'POST /mcp'];

test('a health check, a sign-in and a call over MCP refuse what they do not know, and no other route is without the token', async (t) => {
  const house = await openTelegramHouse(t);
  const { secret } = await tokenFor(house, '--person', 'Robin');
  const operator = readFileSync(join(house.home, 'token'), 'utf8').trim();
  const tokens: Record<string, string> = { '/mcp': secret, '/openapi.json': operator };
  const { origin } = new URL(house.parley.url);
  const send = async (at: string, query: string, body?: string) => {
    const [method = '', path = ''] = at.split(' ');
    const headers = {
      origin,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    };
    const response = await fetch(new URL(`${path}${query}`, house.parley.url), {
      method,
      headers: { ...headers, ...(path in tokens && { authorization: `Bearer ${tokens[path]}` }) },
      ...(body === undefined ? {} : { body }),
    });
    return { status: response.status, text: await response.text() };
  };
  const { paths } = JSON.parse((await send('GET /openapi.json', '')).text) as Document;
  const open = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([verb, { security }]) =>
      security?.length === 0 || path === '/mcp' ? [`${verb.toUpperCase()} ${path}`] : [],
    ),
  );
  assert.deepEqual(open.toSorted(), [...strict, ...takesAnything].toSorted());
  for (const at of strict)
    for (const [query, named] of [
      ['?no_such_field=1', 'no_such_field'],
      ['?constructor=1', 'constructor'],
      ['?no_such_field=', 'no_such_field'],
      [`?no_such_field=${'9'.repeat(12_000)}`, 'no_such_field'],
    ] as const) {
      const { status, text } = await send(at, query);
      assert.ok(status === 400 && text.includes(named), `${at}${query.slice(0, 30)}: ${status} ${text}`);
    }
  for (const [at, body, words] of [
    ['POST /sign-in', '{"key":"x","no_such_field":1}', /no_such_field/],
    ['POST /sign-in', '{"key":5}', /key/],
    ['POST /sign-in', '{"key":""}', /key/],
    ['POST /sign-in', `{"key":"${'x'.repeat(300_000)}"}`, /key|larger/],
    ['POST /sign-in', '[]', /object/],
    ['POST /sign-in', '{"key":"x","key":"y"}', /once/],
    ['DELETE /sign-in', '{"no_such_field":1}', /no_such_field/],
  ] as const) {
    const { status, text } = await send(at, '', body);
    assert.ok(status >= 400 && status < 500, `${at} ${body.slice(0, 40)}: ${status} ${text}`);
    assert.match(text, words, `${at} ${body.slice(0, 40)}: ${status}`);
  }
});
