// Listing models over HTTP: asked of each provider, and never with a key in the answer.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { systemClock } from '#base/clock.ts';
import type { ProviderName } from '#engine/providers/calls/settings.ts';
import { listProviders } from '#engine/providers/model-list.ts';
import { openService } from './service-kit.ts';

test('the configured providers are listed', async (t) => {
  const service = await openService(t, { model: { provider: 'offline' } });
  const { status, body } = await service.ask('GET', '/provider');
  assert.equal(status, 200);
  assert.deepEqual(body.default, { providerID: 'offline', modelID: 'offline' });
});

const key = 'sk-canary-0123456789abcdef';

/** A server that lists models as a provider does; `answer` says how. */
async function listing(t: TestContext, answer: (headers: Record<string, unknown>) => [number, unknown]) {
  const server = createServer((request, response) => {
    const [status, body] = answer({ ...request.headers, url: request.url });
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => new Promise((resolve) => server.close(resolve)));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`; // it listens on TCP
}

const shapes: Record<Exclude<ProviderName, 'offline'>, { header: string; body: unknown }> = {
  openai: { header: 'authorization', body: { data: [{ id: 'b' }, { id: 'a' }] } },
  'openai-compatible': { header: 'authorization', body: { data: [{ id: 'b' }, { id: 'a' }] } },
  anthropic: { header: 'x-api-key', body: { data: [{ id: 'b' }, { id: 'a' }], has_more: false } },
  google: { header: 'x-goog-api-key', body: { models: [{ name: 'models/b' }, { name: 'models/a' }] } },
};

for (const [provider, { header, body }] of Object.entries(shapes)) {
  test(`the models of ${provider} are asked of it, with its key where it belongs`, async (t) => {
    let asked: Record<string, unknown> = {};
    const baseUrl = await listing(t, (headers) => {
      asked = headers;
      return [200, body];
    });
    // one of the names above
    const name = provider as ProviderName;
    const list = await listProviders([{ provider: name, model: 'a', baseUrl, apiKey: key }], systemClock);
    assert.deepEqual(list, {
      all: [{ id: provider, model: 'a', models: ['a', 'b'] }],
      default: { providerID: provider, modelID: 'a' },
      connected: [provider],
    });
    assert.match(String(asked.url), /^\/v1\/models/);
    assert.match(String(asked[header]), new RegExp(`${key}$`));
    assert.ok(!String(asked.url).includes(key), 'an address is logged on the way');
  });
}

test('a provider that cannot be asked is listed with the reason, without its key, next to the others', async (t) => {
  const refusing = await listing(t, () => [401, { error: `wrong key ${key}` }]);
  const odd = await listing(t, () => [200, { models: key }]);
  const settings = { provider: 'openai-compatible', model: 'm', apiKey: key } as const;
  const list = await listProviders(
    [
      { ...settings, baseUrl: refusing },
      { ...settings, baseUrl: odd },
      { ...settings, baseUrl: 'http://127.0.0.1:1/v1' },
      { provider: 'offline' },
    ],
    systemClock,
  );
  assert.deepEqual(list.connected, ['offline']);
  assert.match(list.all[0]?.problem ?? '', /status 401/);
  assert.ok(
    list.all.slice(0, 3).every(({ problem, models }) => problem !== undefined && models === undefined),
  );
  assert.ok(!JSON.stringify(list).includes(key));
});
