// A home folder in whose memory a fact was recalled on three of the last days, and another one once. Not a test.
import { join } from 'node:path';
import { createIds } from '#base/ids.ts';
import { createMemory } from '#memory/memory.ts';
import { clockOf } from '../support/clock-of.ts';

export const dayMs = 24 * 60 * 60 * 1000;
export const audience = 'person:per_ann';
/** The fact that was recalled on three days. */
export const boat = 'The boat Nelly is laid up in Harlingen until June.';

/** Writes them into the memory of `home`, as answers in a direct message of Ann used them, and closes it. */
export async function writeRecalls(home: string): Promise<void> {
  let now = Date.now() - 7 * dayMs;
  const clock = clockOf(() => now);
  const memory = createMemory({
    ...{ path: join(home, 'memory.sqlite'), clock, newId: createIds(clock) },
    ...{ files: { root: join(home, 'memory') }, dreaming: { isOn: true } },
  });
  const archive = async (userText: string, runID: string): Promise<string[]> => {
    const done = await memory.archive({
      ...{ key: runID, userText, assistantText: '', at: now, recalled: [] },
      ...{ speaker: { person: 'per_ann', name: 'Ann' }, where: { audience, restricted: true } },
      ...{ platform: 'telegram', chat: 'telegram:dm:1', sessionID: 's', runID, messageIDs: [] },
    });
    return 'chunkIDs' in done ? done.chunkIDs : [];
  };
  const ids = [
    ...(await archive(boat, 'run_1')),
    ...(await archive('The cellar key hangs behind the old clock.', 'run_2')),
  ];
  const use = (question: string, answer: string) =>
    memory.recordUse({
      ...{ runID: `run_${now}`, sessionID: 's', person: 'per_ann', audience, at: now, question, answer },
      ...{ passages: ids.map((id) => ({ id, score: 0.8 })), injected: [], inView: [] },
    });
  for (const [days, question] of [
    [6, 'Where is Nelly?'],
    [4, 'When can we sail?'],
    [2, 'Where is Nelly?'],
  ] as const) {
    now = Date.now() - days * dayMs;
    await use(question, 'Nelly is laid up in Harlingen until June.');
  }
  await use('Which key?', 'The cellar key hangs behind the clock.');
  await memory.close();
}
