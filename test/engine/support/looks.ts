// An engine with active memory, whose model answers at once and whose looks the test answers, under a clock that the test moves. No test.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { systemClock } from '#base/clock.ts';
import { createIds } from '#base/ids.ts';
import type { ActiveMemorySettings } from '#engine/active/active-memory.ts';
import type { EngineOptions } from '#engine/engine.ts';
import type { PromptBody, PromptOrigin } from '#engine/wire/runs/prompt.ts';
import { createMemory } from '#memory/memory.ts';
import { createManualClock } from '../../support/manual-clock.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { ask, openKit, originOf, textBody } from './kit.ts';
import { type RawCall, startRaw } from './raw-provider.ts';

export const settings: ActiveMemorySettings = {
  modelID: 'small',
  timeoutMs: 1_500,
  view: 'recent',
  chats: { discord: ['dm', 'channel'] },
  memories: 3,
  characters: 2_000,
  threshold: 0.6,
  cacheMs: 60_000,
  breaker: { failures: 3, pauseMs: 60_000 },
};
/** What memory knows. */
export const fact = 'Mira gets ill from nuts, she is allergic.';
/** What does not ask for it. */
export const question = 'Which cake shall I bake on Sunday?';
export const dm = originOf();

/** An engine with a memory that knows the fact, whose model answers at once, and whose looks the test answers; with `files` memory has files. */
export async function openLooks(
  t: TestContext,
  changes: Partial<ActiveMemorySettings> = {},
  { files = false, ...engineOptions }: Partial<EngineOptions> & { files?: boolean } = {},
) {
  const raw = await startRaw(t);
  const clock = createManualClock();
  const newId = createIds(clock);
  const folder = tempFolder(t);
  const path = join(folder, 'memory.sqlite');
  // files settle in real time
  const memory = files
    ? createMemory({ path, clock: systemClock, newId, files: { root: join(folder, 'files') } })
    : createMemory({ path, clock, newId });
  const kit = await openKit(t, {
    fallbacks: [{ ...raw.settings, model: 'spare' }],
    ...{ model: raw.settings, clock, memory, memorySettings: { active: { ...settings, ...changes } } },
    ...engineOptions,
  });
  const { engine } = kit;
  const answers: RawCall[] = [];
  const [looks, waiting]: [RawCall[], ((call: RawCall) => void)[]] = [[], []];
  void (async () => {
    for (;;) {
      const call = await raw.next();
      if (call.body.model === 'small') {
        const next = waiting.shift();
        if (next === undefined) looks.push(call);
        else next(call);
        continue;
      }
      answers.push(call);
      call.say('Answered.');
      call.finish();
    }
  })();
  const session = async () => (await engine.createSession({ sourceKind: 'channel' })).id;
  const put = (text: string, more: object = {}) =>
    memory.put({
      ...{ text, kind: 'fact', tier: 'global', sensitivity: 'private', at: clock.now() },
      ...{ speaker: { person: 'per_1', name: 'guest' }, where: { audience: dm.audience, restricted: true } },
      ...{ platform: 'discord', chat: dm.chat, sessionID: '', runID: '', messageIDs: [] },
      ...more,
    } as Parameters<typeof memory.put>[0]);
  await put(fact);
  return {
    ...{ kit, engine, memory, clock, answers, session, put },
    /** Looks that nobody has answered. */
    open: () => looks.length,
    nextLook: (): Promise<RawCall> => {
      const call = looks.shift();
      return call === undefined ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve(call);
    },
    /** Resolves with the system prompt of the answer. */
    async asked(
      text: string,
      { id, ...more }: { id?: string; origin?: PromptOrigin } & Partial<PromptBody> = {},
    ) {
      const run = await ask(engine, id ?? (await session()), { ...textBody(text, dm), ...more });
      assert.equal(run.status, 'completed');
      return systemOf(answers.at(-1));
    },
    state: async () => engine.activeMemory({ chat: dm.chat }),
  };
}

export const systemOf = (call: RawCall | undefined): string => JSON.stringify(call?.body.messages[0]);
export const promptOf = (call: RawCall): string => JSON.stringify(call.body.messages);
/** Answers a look with nothing. */
export const nothing = (call: RawCall): void => {
  call.say('NONE');
  call.finish();
};
