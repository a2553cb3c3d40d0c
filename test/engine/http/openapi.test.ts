// The document, the routes and the client say the same.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { createDocumentCheck, type OpenApiDocument } from './document-check.ts';
import { openService } from './service-kit.ts';

async function documentOf(service: Awaited<ReturnType<typeof openService>>): Promise<OpenApiDocument> {
  return (await (await service.send('GET', '/openapi.json')).json()) as OpenApiDocument;
}

test('every route is in the document, and the document has no other', async (t) => {
  const service = await openService(t);
  const document = await documentOf(service);
  assert.equal(document.openapi, '3.1.0');
  const routed = service
    .routes()
    .filter(({ method, path }) => method !== 'ALL' && !path.includes('*'))
    .map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`);
  const documented = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
  );
  assert.deepEqual([...new Set(documented)].sort(), [...new Set(routed)].sort());
  assert.ok(documented.length > 35);
});

test('each operation names its holes, its bodies and its refusals, and each schema can be used', async (t) => {
  const document = await documentOf(await openService(t));
  const check = createDocumentCheck(document);
  for (const [path, operations] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      const { parameters = [], summary } = operation as {
        parameters?: { name: string; in: string }[];
        summary?: string;
      };
      const holes = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      assert.deepEqual(
        parameters.filter((each) => each.in === 'path').map(({ name }) => name),
        holes,
        path,
      );
      assert.ok((summary ?? '') !== '', path);
      check(method, path, { status: 418, body: { error: 'x', code: 'X', retryable: false } });
      assert.throws(() => check(method, path, { status: 418, body: { error: 1 } }));
    }
  }
});

test('a client that repeats a summary may say that it is the same one', async (t) => {
  const { paths } = await documentOf(await openService(t));
  assert.match(JSON.stringify(paths['/session/{sessionID}/summarize']?.post), /"idempotency-key"/);
});

test('an answer that the document does not promise is found', async (t) => {
  const check = createDocumentCheck(await documentOf(await openService(t)));
  assert.throws(() => check('GET', '/session', { status: 200, body: [{ id: 'x' }] }), /title|required/);
  assert.throws(() => check('GET', '/runs/x', { status: 200, body: { secret: 1 } }));
});

test('every path of the client is one of the document', async (t) => {
  const document = await documentOf(await openService(t));
  const folder = join(import.meta.dirname, '../../../src/engine/client');
  // all others are those of operations, from which the document has them too
  const source = ['client', 'session-calls', 'file-calls', 'operator-calls', 'memory-calls']
    .map((name) => readFileSync(join(folder, `${name}.ts`), 'utf8'))
    .join('\n');
  const known = Object.keys(document.paths).map((path) => path.replace(/\{\w+\}/g, '*'));
  const plain = [...source.matchAll(/[`'](\/[a-z][^`'?]*)/g)].map(([, path = '']) => path);
  const ofSession = [...source.matchAll(/at\(id, '(\w+)'/g)].map(([, way]) => `/session/*/${way}`);
  const used = [...plain.filter((path) => !/^\/(session|sign-ins?)(\/|$)/.test(path)), ...ofSession].map(
    (path) => path.replace(/\$\{encodeURIComponent\(\w+\)\}/g, '*'),
  );
  assert.ok(used.length > 5, used.join());
  assert.deepEqual(
    used.filter((path) => !known.includes(path)),
    [],
  );
});
