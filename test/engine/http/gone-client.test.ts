// A client that goes while its import is in progress: nothing continues for it.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request } from 'node:http';
import { test } from 'node:test';
import { systemClock } from '#base/clock.ts';
import { createHttpApp } from '#engine/http/app.ts';
import { ownHosts, serveHttp } from '#engine/http/serve.ts';
import type { CallOptions } from '#engine/operations/operation.ts';
import { createManualClock } from '../../support/manual-clock.ts';
import { quietLog } from '../../support/quiet-log.ts';
import { bearer, json, token } from './kit.ts';
import { createScriptedEngine } from './scripted-engine.ts';

test('an import is told to end when its client closes the connection', async (t) => {
  const begun = Promise.withResolvers<AbortSignal>();
  const engine = {
    ...createScriptedEngine(createManualClock()),
    async importMemory(_request: unknown, { signal }: CallOptions = {}): Promise<never> {
      assert.ok(signal);
      begun.resolve(signal);
      await once(signal, 'abort');
      throw signal.reason;
    },
  };
  const { log } = quietLog('info');
  const hosts = () => ownHosts({ host: '127.0.0.1', port: server.port });
  const app = createHttpApp({ engine, token, hosts, clock: systemClock, log, version: '1' });
  const server = await serveHttp({ app, host: '127.0.0.1', port: 0, clock: systemClock, log });
  t.after(() => server.close());
  const client = request({
    port: server.port,
    host: '127.0.0.1',
    method: 'POST',
    path: '/memory/import',
    headers: { ...bearer, ...json },
  });
  client.on('error', () => {});
  client.end(
    JSON.stringify({ source: { kind: 'path', path: '/nowhere' }, format: 'directory', private: true }),
  );
  const signal = await begun.promise;
  assert.equal(signal.aborted, false);
  client.destroy();
  if (!signal.aborted) await once(signal, 'abort');
});
