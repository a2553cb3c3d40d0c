// npm run bench:events: many readers of server-sent events over real sockets while events are published at a steady rate.
// Measures how late they arrive, whether any is missing, and whether memory stays flat. Not a test; its last line is JSON.
import { fork } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createActiveProblems } from '#base/active-problems.ts';
import { systemClock } from '#base/clock.ts';
import { createDiskFailureHandler } from '#base/files/disk-failures.ts';
import { createIds } from '#base/ids.ts';
import { createLog } from '#base/log/log.ts';
import { openEngineDatabase } from '#engine/database.ts';
import { createEngine } from '#engine/engine.ts';
import { createEventLog, type EventLog } from '#engine/events/event-log.ts';
import { createHttpApp } from '#engine/http/app.ts';
import { ownHosts, serveHttp } from '#engine/http/serve.ts';
import { createMemory } from '#memory/memory.ts';
import { argumentsOf } from '../harness/arguments.ts';
import { atMost, conclude } from '../harness/conclude.ts';
import type { Figures, Plan } from './reader.ts';

/** One event in so many is durable: a delta is not, the end of a part is. */
const durableEvery = 100;
/** Growth of the heap, from a third of the time to the end, that still counts as flat. */
const flatBytes = 16 * 1024 * 1024;
const goal = { p99Ms: 50 };

const { values } = argumentsOf({
  name: 'bench:events',
  about:
    'Publishes events at a steady rate to many readers of server-sent events: how late they arrive, whether any is missing, and whether memory stays flat. The last line is JSON.',
  options: {
    subscribers: { standard: 200, least: 1, most: 10_000, about: 'readers' },
    rate: {
      standard: 10_000,
      least: 1,
      most: 1_000_000,
      about: 'events that arrive in a second, over all readers',
    },
    seconds: { standard: 15, least: 1, most: 86_400, about: 'how long' },
  },
});
const { subscribers, rate, seconds } = values;

const folder = mkdtempSync(join(tmpdir(), 'parley-bench-'));
const clock = systemClock;
const newId = createIds(clock);
const log = createLog({ level: 'silent', mask: (text) => text });
const token = 'a-token-of-the-bench-and-no-secret';
const memory = createMemory({ path: join(folder, 'memory.sqlite'), clock, newId });
const engine = await createEngine({
  path: join(folder, 'engine.sqlite'),
  clock,
  newId,
  log,
  memory,
  sharing: 'space',
  model: { provider: 'offline' },
  agent: { name: 'parley', systemPrompt: 'x' },
});
const path = join(folder, 'events.sqlite');
const database = openEngineDatabase(path, clock);
const storage = createDiskFailureHandler({ path, problems: createActiveProblems(clock), clock, log });
const events = createEventLog({ database, storage, newId, clock, capacity: 2048 });
let hosts: string[] = [];
const app = createHttpApp({
  engine: { ...engine, events: events.subscribe },
  token,
  hosts: () => hosts,
  clock,
  log,
  version: 'bench',
});
const server = await serveHttp({ app, host: '127.0.0.1', port: 0, clock, log });
hosts = ownHosts({ host: '127.0.0.1', port: server.port });
const sessions = await Promise.all(
  Array.from({ length: subscribers }, async () => (await engine.createSession({})).id),
);

try {
  const reader = fork(join(import.meta.dirname, 'reader.ts'));
  const told = tellingOf(reader);
  const plan: Plan = { url: server.url, token, sessions };
  reader.send(plan);
  await told.next(); // every reader is subscribed
  console.log(`${subscribers} readers are subscribed; ${rate} events a second for ${seconds} s`);
  const before = process.cpuUsage();
  const { published, tookMs, grownBytes } = await publish(events, sessions);
  const { user, system } = process.cpuUsage(before);
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  reader.send('report');
  const { value } = await told.next();
  const { p50Ms, p99Ms, maxMs, received } = value as Figures; // the second thing it reports
  const figures = {
    bench: 'events',
    subscribers,
    publishedPerSecond: Math.round((published / tookMs) * 1000),
    p50Ms,
    p99Ms,
    maxMs,
    lost: published - received,
    cpuMicrosPerEvent: Math.round((user + system) / published),
    heapGrownMB: Math.round((grownBytes / 1024 / 1024) * 10) / 10,
  };
  conclude(figures, [
    ...atMost('p99 until an event arrives in ms', p99Ms, goal.p99Ms),
    ...atMost('events that are missing or came twice', Math.abs(figures.lost), 0),
    ...atMost('bytes by which the heap grew', grownBytes, flatBytes),
  ]);
} finally {
  await server.close();
  events.close();
  database.close();
  await engine.close();
  await memory.close();
  rmSync(folder, { recursive: true, force: true });
}

/** Publishes round the sessions at the rate, catching up after a late timer; gives how the heap grew in the meantime. */
async function publish(to: EventLog, ids: readonly string[]) {
  const started = performance.now();
  const total = rate * seconds;
  let published = 0;
  let before: number | undefined;
  while (published < total) {
    const due = Math.min(total, Math.floor(((performance.now() - started) / 1000) * rate));
    for (; published < due; published += 1) publishOne(to, ids[published % ids.length] ?? '', published);
    if (before === undefined && published > total / 3) before = heap();
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  const tookMs = performance.now() - started;
  return { published, tookMs, grownBytes: heap() - (before ?? 0) };
}

function publishOne(to: EventLog, sessionID: string, count: number): void {
  const part = { id: 'prt_bench', sessionID, messageID: 'msg_bench', type: 'text' as const };
  const now = String(performance.timeOrigin + performance.now());
  const properties = { sessionID, runID: 'run_bench', part };
  if (count % durableEvery !== 0)
    to.live({ type: 'message.part.updated', properties: { ...properties, delta: now } });
  else
    to.commit((record) =>
      record({ type: 'message.part.updated', properties: { ...properties, part: { ...part, text: now } } }),
    );
}

function heap(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}

/** What a child reports, in order. */
async function* tellingOf(child: ReturnType<typeof fork>): AsyncGenerator<unknown> {
  const queue: unknown[] = [];
  let wake: () => void = () => {};
  child.on('message', (message) => {
    queue.push(message);
    wake();
  });
  for (;;) {
    while (queue.length > 0) yield queue.shift();
    await new Promise<void>((resolve) => {
      wake = resolve;
    });
  }
}
