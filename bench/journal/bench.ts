// `npm run bench:journal`: a journal of 10,000 sessions, in milliseconds and compared with the bare SQL. The last line is JSON with `ok`; it exits with 1 where a bound is missed.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { systemClock } from '#base/clock.ts';
import { createIds } from '#base/ids.ts';
import { createMemory } from '#memory/memory.ts';
import type { JournalCaller, JournalEntry } from '#memory/types/journal.ts';
import { argumentsOf } from '../harness/arguments.ts';
import { atMost, conclude } from '../harness/conclude.ts';
import { createBareJournal } from './bare.ts';

const { values } = argumentsOf({
  name: 'bench:journal',
  about:
    'Measures a journal in milliseconds, compared with the bare SQL. The last line is JSON with `ok`; it exits with 1 where a bound is missed.',
  options: {
    agents: { standard: 100, least: 1, most: 10_000, about: 'agents that write' },
    sessions: { standard: 100, least: 1, most: 10_000, about: 'sessions of each agent' },
  },
});
/** Agents, sessions of each, lessons; and how often each call is measured. */
const [agents, sessions, lessons, samples] = [values.agents, values.sessions, 1_000, 300];
/** Agents that close a session at the same time while the journal is filled. */
const atOnce = 25;
const bounds = { bundle: 20, close: 15, search: 20, ratio: 3 };
const subjects = [
  'lexer',
  'parser',
  'printer',
  'cache',
  'index',
  'socket',
  'queue',
  'thread',
  'schema',
  'clock',
];
const say = (line: string): void => void process.stdout.write(`${line}\n`);

const folder = mkdtempSync(join(tmpdir(), 'parley-bench-journal-'));
const path = join(folder, 'memory.sqlite');
const memory = createMemory({ path, clock: systemClock, newId: createIds(systemClock) });
const { journal } = memory;
const caller: JournalCaller = {
  scope: { audiences: ['person:per_1'], spaces: [], everyone: false },
  where: { audience: 'person:per_1', restricted: true },
  platform: 'mcp',
  by: { name: 'per_1' },
};

const elements = (count: number, seed: number) =>
  Array.from({ length: count }, (_, index) => ({
    title: `The ${subjects[(seed + index) % 10]} of version ${seed}`,
    body: `It was measured with the ${subjects[(seed * 7 + index) % 10]}, and took ${seed} ms in round ${index}.`,
  }));

/** Five of each session's ten elements are open until the next session settles them. */
const sessionOf = (agent: number, number: number, open: readonly JournalEntry[]) => ({
  agentID: `agent ${agent}`,
  key: `session ${number}`,
  title: `Session ${number}`,
  summary: `The ${subjects[number % 10]} was written again, and the ${subjects[agent % 10]} is next.`,
  decisions: elements(3, number + agent),
  threads: elements(3, number * 3 + agent),
  steps: elements(2, number * 5 + agent),
  context: elements(2, number * 9 + agent),
  inherited: open.map(({ id }) => ({ id, action: 'resolved' })),
});

async function timed(times: number[], work: () => unknown): Promise<void> {
  const since = performance.now();
  await work();
  times.push(performance.now() - since);
}
const quantile = (times: readonly number[], share: number): number =>
  [...times].sort((a, b) => a - b)[Math.floor(times.length * share)] ?? Number.NaN;
const p95 = (times: readonly number[]): number => quantile(times, 0.95);
/** What a call takes where other programs on the machine disturb it least. */
const undisturbed = (times: readonly number[]): number => quantile(times, 0.05);

const openOf = async (agent: number): Promise<JournalEntry[]> => {
  const { sections } = await journal.bundle(caller, { agentID: `agent ${agent}`, depth: 'brief' });
  return [...(sections.openThreads ?? []), ...(sections.nextSteps ?? [])];
};

try {
  const since = performance.now();
  // agents close side by side, so that filling waits for no turn of a busy machine; one agent's sessions follow each other
  for (let number = 0; number < sessions; number += 1)
    for (let first = 0; first < agents; first += atOnce)
      await Promise.all(
        Array.from({ length: Math.min(atOnce, agents - first) }, async (_, index) => {
          const agent = first + index;
          await journal.closeSession(caller, sessionOf(agent, number, await openOf(agent)));
        }),
      );
  for (let index = 0; index < lessons; index += 1)
    await journal.recordLesson(caller, {
      agentID: index % 2 === 0 ? 'general' : `agent ${index % agents}`,
      taskType: 'build',
      lessonKind: index % 4 === 0 ? 'gotcha' : 'pattern',
      lesson: `Lesson ${index}: the ${subjects[index % 10]} needs a ${subjects[(index * 3) % 10]}.`,
    });
  say(
    `${agents * sessions} sessions and ${lessons} lessons in ${Math.round((performance.now() - since) / 1_000)} s`,
  );

  const file = new Database(path);
  // as the memory opens it: the defaults wait for the disk at each commit, and would flatter the journal
  for (const pragma of [
    'synchronous = NORMAL',
    'foreign_keys = ON',
    'cache_size = -4000',
    'secure_delete = ON',
  ])
    file.pragma(pragma);
  file.pragma('temp_store = MEMORY');
  const bare = createBareJournal(file);
  const times = { bundle: [], close: [], search: [] } as Record<'bundle' | 'close' | 'search', number[]>;
  const bareTimes = structuredClone(times);
  for (let index = 0; index < samples; index += 1) {
    const agent = index % agents;
    const agentID = `agent ${agent}`;
    const query = `${subjects[index % 10]} version ${index}`;
    const call = sessionOf(agent, sessions + index, await openOf(agent));
    // in turns, so that neither side always comes first
    const turns = [
      () => timed(times.bundle, () => journal.bundle(caller, { agentID, intent: 'measure the parser' })),
      () => timed(bareTimes.bundle, () => bare.bundle(agentID)),
      () => timed(times.search, () => journal.searchSessions(caller, { query })),
      () => timed(bareTimes.search, () => bare.search(query)),
      () => timed(times.close, () => journal.closeSession(caller, call)),
      () => timed(bareTimes.close, () => bare.close({ ...call, agentID: `bare ${agent}` })),
    ];
    for (const turn of index % 2 === 0 ? turns : turns.reverse()) await turn();
  }
  file.close();

  const results = (['bundle', 'close', 'search'] as const).map((name) => {
    const [own, raw] = [p95(times[name]), p95(bareTimes[name])];
    const ratio = own / raw;
    say(
      `${name.padEnd(8)} p95 ${own.toFixed(2)} ms (at most ${bounds[name]}), bare SQL ${raw.toFixed(2)} ms, ratio ${ratio.toFixed(2)} (at most ${bounds.ratio})`,
    );
    const quiet = undisturbed(times[name]);
    say(
      `${''.padEnd(8)} undisturbed (p5) ${quiet.toFixed(2)} ms, ratio ${(quiet / undisturbed(bareTimes[name])).toFixed(2)}`,
    );
    return { name, p95: own, bare: raw, ratio };
  });
  conclude(
    { results },
    results.flatMap(({ name, p95: own, ratio }) => [
      ...atMost(`p95 of ${name} in ms`, own, bounds[name]),
      ...atMost(`p95 of ${name} by that of the bare SQL`, ratio, bounds.ratio),
    ]),
  );
} finally {
  await memory.close();
  rmSync(folder, { recursive: true, force: true });
}
