// `npm run chaos -- --journal`: kills a process during closes of sessions and consolidations, with clients that retry: every close once or not at all, every memory once.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { systemClock } from '#base/clock.ts';
import { createIds } from '#base/ids.ts';
import { createMemory } from '#memory/memory.ts';
import { createRandom } from '../harness/random.ts';
import { markOf } from './files-marks.ts';
import { journalBudgets, journalCaller, journalScope } from './journal-marks.ts';

/** Longest time that a process works before its kill, in milliseconds. */
const longestMs = 700;
const print = (line: string): void => void process.stdout.write(`${line}\n`);

/** Starts a process at a number, and kills it; the number after the last that it began, and those that it did. */
async function strike(
  folder: string,
  from: number,
  workMs: number,
): Promise<{ next: number; done: number[] }> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'journal-child.ts'), folder, `${from}`], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const died = once(child, 'exit');
  let next = from;
  const done: number[] = [];
  const lines = createInterface({ input: child.stdout });
  const begun = new Promise<void>((resolve) =>
    lines.on('line', (line) => {
      const [what, number] = line.split(' ');
      if (what === 'begin') next = Number(number) + 1;
      else done.push(Number(number));
      resolve();
    }),
  );
  await Promise.race([begun, died]);
  await new Promise((resolve) => setTimeout(resolve, workMs));
  if (child.exitCode !== null) throw new Error(`the process ended with ${child.exitCode}`);
  child.kill('SIGKILL');
  await died;
  return { next, done };
}

/** Plays it; resolves with the exit code. */
export async function journalChaos({ kills, seed }: { kills: number; seed: number }): Promise<number> {
  const random = createRandom(seed);
  const folder = mkdtempSync(join(tmpdir(), 'parley-chaos-journal-'));
  const faults: string[] = [];
  const expect = (isRight: boolean, words: string): void => {
    if (!isRight) faults.push(words);
  };
  print(`chaos with the journal: ${kills} kills, seed ${seed}`);
  const done = new Set<number>();
  let next = 0;
  for (let kill = 0; kill < kills; kill += 1) {
    // what was cut is sent again by its client
    const struck = await strike(folder, Math.max(0, next - 1), random.int(5, longestMs));
    for (const number of struck.done) done.add(number);
    next = struck.next;
  }
  const memory = createMemory({
    ...{ path: join(folder, 'memory.sqlite'), clock: systemClock, newId: createIds(systemClock) },
    budgets: journalBudgets,
  });
  await memory.consolidate();
  const texts = (await memory.list({ scope: journalScope, limit: 1_000 })).map(({ text }) => text).join('\n');
  const summaries = (await memory.records({ scope: journalScope, kind: 'episode', limit: 1_000 }))
    .map(({ text }) => text)
    .join('\n');
  let [closes, memories] = [0, 0];
  for (let number = 0; number < next; number += 1) {
    const mark = markOf(number);
    const { items } = await memory.journal.searchSessions(journalCaller, { query: mark });
    closes += items.length;
    expect(items.length <= 1, `session ${number} was closed ${items.length} times`);
    expect(items.length === 1 || !done.has(number), `the close of session ${number} is lost`);
    for (const { id } of items) {
      const session = await memory.journal.getSession(journalCaller, {
        id: String(id),
      });
      expect([session.context].flat().length === 1, `session ${number} is written by half`);
      // where it is no longer in its session, a summary has it
      const decided = [session.decisions].flat().length + summaries.split(`decision ${mark}:`).length - 1;
      expect(decided === 1, `the decision of session ${number} is there ${decided} times`);
    }
    const times = texts.split(`Crate ${mark} `).length - 1;
    memories += times;
    expect(times <= 1, `memory ${number} is there ${times} times`);
    expect(times === 1 || !done.has(number), `memory ${number} is lost`);
  }
  for (const { uses } of await memory.budgets())
    for (const { bound, used, limit } of uses) expect(used <= limit, `${bound}: ${used} of ${limit}`);
  const { problems } = await memory.verify();
  faults.push(...problems);
  await memory.close();
  for (const fault of faults) print(`WRONG: ${fault}`);
  if (faults.length === 0) rmSync(folder, { recursive: true, force: true });
  else print(`The database is in ${folder}.`);
  print(
    JSON.stringify({ kills, seed, begun: next, done: done.size, closes, memories, faults: faults.length }),
  );
  return faults.length === 0 ? 0 : 1;
}
