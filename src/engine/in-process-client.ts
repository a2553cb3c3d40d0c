// The published client on an engine in this process: the same routes and refusals, without a socket. Not for other processes.
import { randomBytes } from 'node:crypto';
import type { Clock } from '#base/clock.ts';
import type { Log } from '#base/log/log.ts';
import { createClient, type ParleyClient } from '#engine/client/client.ts';
import { createHttpApp } from '#engine/http/app.ts';
import type { EngineService } from './wire/service.ts';

const host = 'engine.in-process';

/** A client of `engine`; it works as long as the engine is open. */
export function clientInProcess(
  engine: EngineService,
  rest: { clock: Clock; log: Log; version: string },
): ParleyClient {
  const token = randomBytes(16).toString('hex');
  const app = createHttpApp({ engine, token, hosts: () => [host], ...rest });
  return createClient({
    baseUrl: `http://${host}`,
    token,
    async fetch(input, init) {
      const request = new Request(input, init);
      request.headers.set('host', host);
      return app.fetch(request, {});
    },
  });
}
