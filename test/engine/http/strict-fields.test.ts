// Nothing that a client sends is ignored in silence: each route of the document refuses what it does not know or cannot use.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openService } from './service-kit.ts';

interface Operation {
  parameters?: { in: string; name: string; schema: { type?: string; default?: unknown } }[];
  requestBody?: { content: Record<string, { schema: JsonSchema }> };
}
interface JsonSchema {
  type?: string;
  properties?: Record<string, unknown>;
  additionalProperties?: unknown;
}

/** The operations of the document, each with a path that can be asked for. */
async function operations(service: Awaited<ReturnType<typeof openService>>) {
  const response = await service.send('GET', '/openapi.json');
  const { paths } = (await response.json()) as { paths: Record<string, Record<string, Operation>> };
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      at: `${method.toUpperCase()} ${path}`,
      method: method.toUpperCase(),
      path: path.replace(/\{[^}]+\}/g, 'x1'),
      query: (operation.parameters ?? []).filter((each) => each.in === 'query').map(({ name }) => name),
      body: operation.requestBody?.content['application/json']?.schema,
    })),
  );
}

/** A route without the token answers any query: who calls it adds what they like. */
const isOpen = (at: string): boolean => /\/(health|hooks\/|openapi|docs|console|metrics)/.test(at);

test('each route refuses a query parameter that it does not know, and one that comes twice', async (t) => {
  const service = await openService(t);
  let walked = 0;
  for (const { at, method, path, query } of await operations(service)) {
    if (isOpen(at)) continue;
    walked += 1;
    const unknown = await service.send(method, `${path}?no_such_field=1`);
    assert.equal(unknown.status, 400, at);
    assert.match(await unknown.text(), /no_such_field/, at);
    for (const name of query) {
      const twice = await service.send(method, `${path}?${name}=a&${name}=b`);
      assert.equal(twice.status, 400, `${at} ${name}`);
      const empty = await service.send(method, `${path}?${name}=`);
      assert.ok(empty.status < 500, `${at} ${name} empty: ${empty.status}`);
      const huge = await service.send(method, `${path}?${name}=${'9'.repeat(20_000)}`);
      assert.ok(huge.status >= 400 && huge.status < 500, `${at} ${name}: ${huge.status}`);
    }
  }
  assert.ok(walked > 80, `${walked} routes`);
});

test('each route refuses a field of the body that it does not know, and a list in place of any that is none', async (t) => {
  const service = await openService(t);
  let walked = 0;
  for (const { at, method, path, body } of await operations(service)) {
    if (isOpen(at) || body?.type !== 'object') continue;
    walked += 1;
    const unknown = await service.send(method, path, { body: { no_such_field: 1 } });
    assert.equal(unknown.status, 400, at);
    assert.match(await unknown.text(), /no_such_field/, at);
    const listed = await service.send(method, path, { body: [] });
    assert.equal(listed.status, 400, at);
    for (const name of Object.keys(body.properties ?? {})) {
      const wrong = await service.send(method, path, { body: { [name]: [[null]] } });
      assert.ok(wrong.status >= 400 && wrong.status < 500, `${at} ${name}: ${wrong.status}`);
      for (const value of ['', 'x'.repeat(200_000), 1e300, -1, {}, [], true, null]) {
        const odd = await service.send(method, path, { body: { [name]: value } });
        const what = `${at} ${name}: ${JSON.stringify(value).slice(0, 40)}: ${odd.status}`;
        assert.ok(odd.status < 500, `${what} ${await odd.text()}`);
      }
    }
  }
  assert.ok(walked > 30, `${walked} routes`);
});

test('a session is shared or not as the body says', async (t) => {
  const service = await openService(t);
  const id = await service.session();
  assert.equal((await service.ask('POST', `/session/${id}/share`)).body.shared, true);
  assert.equal((await service.ask('POST', `/session/${id}/share`, { shared: false })).body.shared, undefined);
  assert.equal((await service.ask('POST', `/session/${id}/share`, { shared: true })).body.shared, true);
});
