// The routes over an engine that notes its calls: for what the routes make of requests and answers. No tests.
import { ParleyError } from '#base/errors.ts';
import { createHttpApp } from '#engine/http/app.ts';
import type { EngineService } from '#engine/wire/service.ts';
import { createManualClock } from '../../support/manual-clock.ts';
import { quietLog } from '../../support/quiet-log.ts';
import { bearer, json, token } from './kit.ts';
import type { Call } from './route-calls.ts';

/** The routes over an engine that notes its calls and answers each a little later; `broken` is the call that fails then. */
export function openRoutes({
  broken,
  answers = {},
}: {
  broken?: string | undefined;
  answers?: Record<string, unknown>;
} = {}) {
  const calls: Call[] = [];
  const known: Record<string, unknown> = {
    hasSession: true,
    getSession: { id: 's1', messages: [] },
    getRun: { runID: 'r1', sessionID: 's1' },
    permissions: [],
    questions: [],
    ...answers,
  };
  const engine = new Proxy({} as EngineService, {
    get:
      (_, name: string) =>
      async (...args: unknown[]) => {
        calls.push([name, ...args]);
        await new Promise((resolve) => setImmediate(resolve));
        if (name === broken) throw new ParleyError('memory_busy', 'Another process writes.');
        return Object.hasOwn(known, name) ? known[name] : { from: name };
      },
  });
  const operator = engine as never; // a proxy has every method
  const clock = createManualClock();
  const { log } = quietLog();
  const hosts = () => ['127.0.0.1:7410'];
  const overseer = { overview: async () => ({ all: 'well' }) } as never; // what `/status` reads of it
  const app = createHttpApp({ engine, operator, overseer, token, hosts, clock, log, version: '1' });
  const ask = async (method: string, path: string, body?: unknown) => {
    const headers = { host: '127.0.0.1:7410', ...bearer, ...json };
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const response = await app.request(path, { method, headers, ...sent });
    const text = await response.text();
    return {
      status: response.status,
      body: text === '' ? undefined : JSON.parse(text),
      headers: response.headers,
    };
  };
  return { ask, calls };
}
