// An engine over real SQLite and real memory in a separate folder, and the few steps that most tests take with it.
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { type Clock, systemClock } from '#base/clock.ts';
import { createIds } from '#base/ids.ts';
import { createEngine, type EngineOptions } from '#engine/engine.ts';
import type { Engine, Run } from '#engine/wire/contract.ts';
import type { EngineEvent } from '#engine/wire/events/event.ts';
import type { PromptBody, PromptOrigin } from '#engine/wire/runs/prompt.ts';
import type { EngineService } from '#engine/wire/service.ts';
import { createMemory } from '#memory/memory.ts';
import type { Memory } from '#memory/types/contract.ts';
import { engineDatabase, memoryDatabase, putEmpty } from '../../support/empty-database.ts';
import { quietLog } from '../../support/quiet-log.ts';
import { tempFolder } from '../../support/temp-folder.ts';

export interface Kit {
  engine: EngineService;
  memory: Memory;
  folder: string;
  logged: string[];
  clock: Clock;
  /** Closes the engine and opens another one on the same files. */
  restart(changes?: Partial<EngineOptions>): Promise<EngineService>;
}

export async function openKit(t: TestContext, changes: Partial<EngineOptions> = {}): Promise<Kit> {
  const folder = tempFolder(t);
  const clock = changes.clock ?? systemClock;
  const newId = createIds(clock);
  const { log, lines } = quietLog();
  const paths = { engine: join(folder, 'engine.sqlite'), memory: join(folder, 'memory.sqlite') };
  putEmpty(engineDatabase, paths.engine);
  if (changes.memory === undefined) putEmpty(memoryDatabase, paths.memory);
  const memory = changes.memory ?? createMemory({ path: paths.memory, clock: systemClock, newId });
  const options: EngineOptions = {
    path: paths.engine,
    clock,
    newId,
    log,
    memory,
    sharing: 'space',
    model: { provider: 'offline' },
    agent: { name: 'parley', systemPrompt: 'You are Parley.' },
    ...changes,
  };
  const kit: Kit = {
    engine: await createEngine(options),
    memory,
    folder,
    logged: lines,
    clock,
    async restart(other = {}) {
      await kit.engine.close();
      kit.engine = await createEngine({ ...options, ...other });
      return kit.engine;
    },
  };
  t.after(async () => {
    await kit.engine.close();
    await memory.close();
  });
  return kit;
}

/** A direct message on Discord, unless set otherwise. */
export function originOf(changes: Partial<PromptOrigin> = {}): PromptOrigin {
  return {
    platform: 'discord',
    chat: 'discord:dm:1:-:2:-',
    kind: 'dm',
    audience: 'person:per_1',
    restricted: true,
    speaker: { person: 'per_1', name: 'guest' },
    reach: { audiences: [], spaces: [] },
    nativeIDs: ['m1'],
    at: Date.UTC(2026, 10, 21, 14, 5),
    ...changes,
  };
}

export function textBody(text: string, origin?: PromptOrigin): PromptBody {
  return { parts: [{ type: 'text', text }], ...(origin === undefined ? {} : { origin }) };
}

/** Starts a run and gives its id; anything but a start is an error. */
export async function begin(engine: Engine, sessionID: string, body: PromptBody): Promise<string> {
  const outcome = await engine.prompt(sessionID, body);
  if (outcome.status !== 'started') throw new Error(`expected a start, got ${outcome.status}`);
  return outcome.runID;
}

/** Prompts and waits for the end. */
export async function ask(engine: Engine, sessionID: string, what: string | PromptBody): Promise<Run> {
  const body = typeof what === 'string' ? textBody(what) : what;
  return engine.finished(await begin(engine, sessionID, body));
}

/** Prompts, waits, and reports the delivery. */
export async function converse(engine: Engine, sessionID: string, body: PromptBody): Promise<Run> {
  const run = await ask(engine, sessionID, body);
  await engine.delivered({ runID: run.runID, deliveredAtMs: 1, nativeIDs: ['n1'] });
  return run;
}

/** Collects events until the test ends; `until` waits for one that fits. */
export function watch(t: TestContext, engine: Engine, filter: { sessionID?: string; runID?: string } = {}) {
  const stop = new AbortController();
  const seen: EngineEvent[] = [];
  const waiting = new Set<() => void>();
  const reading = (async () => {
    for await (const event of engine.events(filter, stop.signal)) {
      seen.push(event);
      for (const look of waiting) look();
    }
  })();
  t.after(async () => {
    stop.abort();
    await reading;
  });
  return {
    seen,
    until(fits: (event: EngineEvent) => boolean): Promise<EngineEvent> {
      return new Promise((resolve) => {
        const look = (): void => {
          const found = seen.find(fits);
          if (found === undefined) return;
          waiting.delete(look);
          resolve(found);
        };
        waiting.add(look);
        look();
      });
    },
  };
}

/** Events of one type, with their properties' type. */
export function only<T extends EngineEvent['type']>(events: readonly EngineEvent[], type: T) {
  return events.filter((event): event is Extract<EngineEvent, { type: T }> => event.type === type);
}
