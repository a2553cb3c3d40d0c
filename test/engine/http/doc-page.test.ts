// The document as a page: behind the token, with nothing loaded from elsewhere, and every route on it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { documentPage } from '#engine/http/document/doc-page.ts';
import { createKit, token } from './kit.ts';
import { openService } from './service-kit.ts';

const basic = (password: string) => ({ authorization: `Basic ${btoa(`me:${password}`)}` });

test('the page needs the token, as a bearer or as the password of a browser, and our own host', async () => {
  const { ask } = createKit();
  const refused = await ask('/docs', { headers: { authorization: '' } });
  assert.equal(refused.status, 401);
  assert.match(refused.headers.get('www-authenticate') ?? '', /^Basic realm="/);
  assert.equal(((await refused.json()) as { code: string }).code, 'UNAUTHORIZED');
  for (const wrong of ['', 'x', `${token}x`])
    assert.equal((await ask('/docs', { headers: basic(wrong) })).status, 401);
  assert.equal((await ask('/docs', { headers: basic(token) })).status, 200);
  assert.equal((await ask('/docs')).status, 200);
  assert.equal((await ask('/docs', { headers: { ...basic(token), host: 'evil.example' } })).status, 403);
  // A password that a browser sends by itself opens nothing else.
  for (const path of ['/session', '/openapi.json', '/runs'])
    assert.equal((await ask(path, { headers: basic(token) })).status, 401, path);
});

test('every route is on the page, which runs no script and loads nothing', async (t) => {
  const service = await openService(t);
  const response = await service.send('GET', '/docs');
  assert.match(response.headers.get('content-type') ?? '', /^text\/html/);
  assert.match(response.headers.get('content-security-policy') ?? '', /^default-src 'none'/);
  const html = await response.text();
  const document = (await (await service.send('GET', '/openapi.json')).json()) as { paths: object };
  for (const path of Object.keys(document.paths)) assert.ok(html.includes(`<code>${path}</code>`), path);
  assert.doesNotMatch(html, /<script|<link|<img|\bsrc=|@import|https?:/);
});

test('what the document says cannot end the page', () => {
  const evil = '</pre><script>alert(1)</script>';
  const html = documentPage({
    info: { title: evil, version: '1', description: evil },
    paths: {
      [evil]: {
        get: {
          tags: [evil],
          summary: evil,
          parameters: [{ name: evil, in: 'query', description: evil, schema: { enum: [evil] } }],
          responses: {
            200: {
              description: evil,
              content: { 'application/json': { schema: { properties: { [evil]: { description: evil } } } } },
            },
          },
        },
      },
    },
  });
  assert.doesNotMatch(html, /<script/);
});

test('a body is shown as one reads a type, and as any where it has no schema', () => {
  const content = { 'application/json': { schema: { properties: { name: { type: 'string' } } } } };
  const html = documentPage({
    info: { title: 'T', version: '1', description: '' },
    paths: {
      '/a': {
        get: {
          ...{ tags: ['t'], summary: 's' },
          responses: {
            200: { description: 'd', content },
            201: { description: 'd', content: { 'application/json': {} } },
          },
        },
      },
    },
  });
  assert.match(html, /<pre>\{\s+name\?: string/);
  assert.match(html, /<pre>any<\/pre>/);
});
