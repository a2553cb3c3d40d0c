// The engine in this process and over HTTP, each behind the one interface that channels take; its model is the test's to speak for.
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { createUploadStore, type UploadStore } from '#adapters/uploads/store.ts';
import { createActiveProblems } from '#base/active-problems.ts';
import { systemClock } from '#base/clock.ts';
import { createSecrets } from '#base/secrets.ts';
import type { EngineOptions } from '#engine/engine.ts';
import { createHttpApp } from '#engine/http/app.ts';
import { ownHosts, serveHttp } from '#engine/http/serve.ts';
import { connectEngine } from '#engine/remote/remote-engine.ts';
import type { Engine } from '#engine/wire/contract.ts';
import { type Kit, openKit } from '../engine/support/kit.ts';
import { startRaw } from '../engine/support/raw-provider.ts';
import { quietLog } from '../support/quiet-log.ts';
import { tempFolder } from '../support/temp-folder.ts';

export interface EngineWorld {
  engine: Engine;
  /** The engine itself, as its own process sees it. */
  kit: Kit;
  raw: Awaited<ReturnType<typeof startRaw>>;
  /** Where the channels keep what comes in: the engine's own folder, where they are one process. */
  uploads: UploadStore;
  /** Breaks every connection to the engine, which continues; where there is none, nothing happens. */
  cut(): Promise<void>;
}

export interface EngineArrangement {
  name: 'in process' | 'over HTTP' | 'over HTTP, where the answer to every first request is lost';
  open(t: TestContext): Promise<EngineWorld>;
}

export const token = 'a-token-of-the-test-and-no-secret';
const limitBytes = 1_000_000;

async function openAll(t: TestContext) {
  const raw = await startRaw(t);
  const uploads = createUploadStore({ folder: tempFolder(t), limitBytes });
  const changes: Partial<EngineOptions> = {
    model: raw.settings,
    policy: { tools: { todo_read: 'ask' } },
    readUpload: uploads.read,
  };
  return { raw, uploads, kit: await openKit(t, changes) };
}

/** Serves the engine of a kit on loopback; `again` ends all connections and listens again at the same address. */
export async function serveKit(
  t: TestContext,
  {
    kit,
    uploads,
    version = '1',
    names = [],
  }: { kit: Kit; uploads?: UploadStore; version?: string; names?: readonly string[] },
) {
  const clock = systemClock;
  const { log } = quietLog();
  let port = 0;
  const open = () => {
    const hosts = () => ownHosts({ host: '127.0.0.1', port, names });
    const app = createHttpApp({ engine: kit.engine, token, hosts, clock, log, version, uploads });
    return serveHttp({ app, host: '127.0.0.1', port, clock, log, graceMs: 0 });
  };
  let server = await open();
  port = server.port;
  t.after(() => server.close());
  return {
    url: server.url,
    close: () => server.close(),
    async again() {
      await server.close();
      server = await open();
    },
  };
}

async function openOverHttp(t: TestContext, fetch?: typeof globalThis.fetch): Promise<EngineWorld> {
  const { kit, raw, uploads: theirs } = await openAll(t);
  const served = await serveKit(t, { kit, uploads: theirs });
  const engine = await connectEngine({
    baseUrl: served.url,
    token,
    version: '1',
    folder: join(tempFolder(t), 'copies'),
    secrets: createSecrets([]),
    clock: systemClock,
    log: quietLog().log,
    problems: createActiveProblems(systemClock),
    fetch,
  });
  t.after(() => engine.close());
  const uploads = createUploadStore({ folder: tempFolder(t), limitBytes });
  return { engine, kit, raw, uploads, cut: served.again };
}

/** Every request is carried out, but the first answer to each never comes; only the stream of events is left alone. */
function losing(): typeof globalThis.fetch {
  const seen = new Set<string>();
  return async (input, init) => {
    const response = await fetch(input, init);
    const { method, headers, body } = init ?? {};
    const what = JSON.stringify([method, String(input), headers, typeof body === 'string' && body]);
    if (/\/(event|global\/health|session\/status)$/.test(String(input)) || seen.has(what)) return response;
    seen.add(what);
    await response.arrayBuffer();
    throw new TypeError('fetch failed', { cause: new Error('the connection was lost') });
  };
}

export const arrangements: readonly EngineArrangement[] = [
  {
    name: 'in process',
    async open(t) {
      const { kit, ...rest } = await openAll(t);
      return { engine: kit.engine, kit, ...rest, cut: async () => {} };
    },
  },
  { name: 'over HTTP', open: (t) => openOverHttp(t) },
  {
    name: 'over HTTP, where the answer to every first request is lost',
    open: (t) => openOverHttp(t, losing()),
  },
];
