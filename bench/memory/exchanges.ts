// `node bench/memory/exchanges.ts --exchanges 1200`: what a recall and an archive of a chat take, in a memory that grows by each exchange.
// With `--compare FOLDER` another checkout does the same in turns in this process: only that ratio means something on a busy machine. Both must recall the same.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { performance } from 'node:perf_hooks';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { systemClock } from '#base/clock.ts';
import type { createMemory } from '#memory/memory.ts';
import { statement } from '../gateway/words.ts';
import { percentile } from '../retrieval/figures.ts';

const { values } = parseArgs({
  options: { exchanges: { type: 'string', default: '1200' }, compare: { type: 'string' } },
});
const count = Number(values.exchanges);
const people = 3;
const folder = mkdtempSync(join(tmpdir(), 'parley-exchanges-bench-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

/** The memory of a checkout, with ids that are the same in each; and what it took. */
async function opened(name: string, checkout: string) {
  // the same module in another checkout
  const entry: { createMemory: typeof createMemory } = await import(join(checkout, 'src/memory/memory.ts'));
  let made = 0;
  const newId = (prefix: string): string => {
    made += 1;
    return `${prefix}_${String(made).padStart(26, '0')}`;
  };
  const path = join(folder, name, 'memory.sqlite');
  const times: Record<'recall' | 'archive', number[]> = { recall: [], archive: [] };
  return { name, times, memory: entry.createMemory({ path, clock: systemClock, newId }) };
}

const here = await opened('here', join(import.meta.dirname, '../..'));
const sides = values.compare === undefined ? [here] : [here, await opened('other', resolve(values.compare))];
let differing = 0;
for (let number = 0; number < count; number += 1) {
  const person = `per_${number % people}`;
  const text = statement(number);
  const audience = `person:${person}` as const;
  const sessionID = `ses_${person}`;
  const scope = { audiences: [audience], spaces: [], everyone: false, sessionID, projectID: 'prj_1' };
  const at = systemClock.now();
  const recalled: unknown[] = [];
  for (const { memory, times } of number % 2 === 0 ? sides : sides.toReversed()) {
    const before = performance.now();
    const { hits } = await memory.recall({ text, scope, currentSession: sessionID });
    const between = performance.now();
    await memory.archive({
      key: `run_${number}`,
      userText: text,
      assistantText: `Noted, I will remember that: ${number}`,
      recalled: [],
      at,
      speaker: { person, name: 'you' },
      where: { audience, restricted: true },
      platform: 'discord',
      chat: 'discord:dm:1:-:2:-',
      sessionID,
      projectID: 'prj_1',
      workspaceRoot: '/work',
      runID: `run_${number}`,
      messageIDs: [String(number)],
    });
    times.recall.push(between - before);
    times.archive.push(performance.now() - between);
    recalled.push(hits);
  }
  if (!recalled.every((hits) => isDeepStrictEqual(hits, recalled[0]))) differing += 1;
}
for (const { memory } of sides) await memory.close();

// the first half is met while the code is compiled and the memory is small
const figures = (times: readonly number[]) => {
  const later = times.slice(count >> 1);
  return { p25: percentile(later, 0.25), p50: percentile(later, 0.5) };
};
const told = sides.map(({ name, times }) => [
  name,
  { recall: figures(times.recall), archive: figures(times.archive) },
]);
process.stdout.write(`${JSON.stringify({ exchanges: count, ...Object.fromEntries(told), differing })}\n`);
