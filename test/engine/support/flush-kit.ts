// A chat whose conversation is flushed to memory, for one test. Not a test.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { systemClock } from '#base/clock.ts';
import { createIds } from '#base/ids.ts';
import type { EngineOptions } from '#engine/engine-options.ts';
import { createMemory } from '#memory/memory.ts';
import type { Scope } from '#memory/types/scope.ts';
import { until } from '../../support/found.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { converse, openKit, originOf } from './kit.ts';
import { type RawCall, startRaw } from './raw-provider.ts';

const limits = { historyMessages: 8 };
export const settings = { threshold: 0.5, timeoutMs: 5_000 };

/** A chat whose conversation is flushed, with its files, and a model that the test plays. */
export async function openFlush(t: TestContext, flush = settings, more: Partial<EngineOptions> = {}) {
  const raw = await startRaw(t);
  const root = join(tempFolder(t), 'memory');
  const memory = createMemory({
    path: join(tempFolder(t), 'memory.sqlite'),
    clock: systemClock,
    newId: createIds(systemClock),
    files: { root },
  });
  const kit = await openKit(t, { model: raw.settings, memory, limits, memorySettings: { flush }, ...more });
  const { engine } = kit;
  const [flushes, summaries, answers] = [
    createQueue<RawCall>(),
    createQueue<RawCall>(),
    createQueue<RawCall>(),
  ];
  void (async () => {
    for (;;) {
      const request = await raw.next();
      const system = JSON.stringify(request.body.messages[0]);
      const isSummary = system.includes('keep the notes of a conversation');
      (system.includes('about to leave your view') ? flushes : isSummary ? summaries : answers).push(request);
    }
  })();
  const { id } = await engine.createSession({ sourceKind: 'channel' });
  let count = 0;
  const runIDs: string[] = [];
  const say = async (text: string, changes: Parameters<typeof originOf>[0] = {}, agent?: string) => {
    count += 1;
    const nativeID = `m${count}`;
    const origin = originOf({ nativeIDs: [nativeID], ...changes });
    const said = converse(engine, id, { parts: [{ type: 'text', text, nativeID }], origin, agent });
    const request = await answers.next();
    request.say(`Answer ${count}.`);
    request.finish();
    runIDs.push((await said).runID);
    return request;
  };
  /** Every line of every memory file, by its folder. */
  const notes = (): Record<string, string[]> =>
    Object.fromEntries(
      (existsSync(root) ? readdirSync(root, { recursive: true, encoding: 'utf8' }) : [])
        .filter((file) => file.endsWith('.md'))
        .map((file) => [
          (file.split('/')[0] ?? '').replace(/-[0-9a-f]{16}$/, ''),
          readFileSync(join(root, file), 'utf8')
            .split('\n')
            .filter((line) => line.startsWith('- ')),
        ]),
    );
  /** The model saves a note that cites a line of the next flush, and is done. */
  const save = async (text: string, line: number): Promise<RawCall> => {
    const request = await flushes.next();
    request.callTool('memory_note', { text, line });
    const next = await flushes.next();
    next.say('NO_REPLY');
    next.finish();
    await until(`the note "${text}"`, () =>
      Object.values(notes()).some((lines) => lines.includes(`- ${text}`)),
    );
    return request;
  };
  /** Answers the next request for a summary. */
  const summarize = async (): Promise<void> => {
    const request = await summaries.next();
    request.say('The notes.');
    request.finish();
    await request.closed;
  };
  return { kit, engine, memory, id, say, notes, save, summarize, flushes, answers, runIDs };
}

/** What comes is taken in its order, by who waits for it. */
function createQueue<T>() {
  const [ready, waiting]: [T[], ((value: T) => void)[]] = [[], []];
  return {
    push(value: T): void {
      const next = waiting.shift();
      if (next === undefined) ready.push(value);
      else next(value);
    },
    next(): Promise<T> {
      const value = ready.shift();
      return value === undefined ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve(value);
    },
    size: () => ready.length,
  };
}

export const own: Scope = { audiences: ['person:per_1'], spaces: [], everyone: false };
export const room = {
  kind: 'channel',
  chat: 'discord:room:1:c1:-:-',
  audience: 'room:discord:1:c1',
  space: 'discord:1',
  restricted: false,
} as const;
