// A memory that dreams, on a clock that a test sets: messages, answers that use them, and nights between the days. Not a test.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { BudgetSettings } from '#memory/types/budget.ts';
import type { Memory, MemoryMaintenance } from '#memory/types/contract.ts';
import type { AskDreamModel, DreamingSettings, MemoryEvent, SweepReport } from '#memory/types/dreaming.ts';
import { folderNameOf } from '#memory/types/folder-name.ts';
import type { Audience, Scope } from '#memory/types/scope.ts';
import { usualDreaming } from '#memory/types/usual-dreaming.ts';
import { ensureAudienceFolder } from '../../../src/memory/files/audience-folder.ts';
import { clockOf } from '../../support/clock-of.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { exchange, openMemory } from '../open-memory.ts';

export const dayMs = 24 * 60 * 60 * 1000;
export const ann: Audience = 'person:per_1';
export const room: Audience = 'room:telegram:group:1:-';

export const scopeOf = (audience: Audience): Scope => ({
  audiences: [audience],
  spaces: [],
  everyone: false,
});

export interface DreamsHouse {
  memory: Memory & MemoryMaintenance & { path: string };
  root: string;
  events: MemoryEvent[];
  now(): number;
  /** Goes to the day with this number at this hour, in UTC. */
  goTo(day: number, hour?: number): void;
  /** Stores what a person says; the ids of its passages. */
  say(text: string, more?: Parameters<typeof exchange>[1] & { audience?: Audience }): Promise<string[]>;
  /** A question whose answer uses these passages. */
  ask(use: {
    question: string;
    answer: string;
    ids: readonly string[];
    audience?: Audience;
    injected?: readonly string[];
    inView?: readonly string[];
    runID?: string;
  }): Promise<number>;
  /** Runs the sweeps that are due now. */
  night(model?: AskDreamModel): Promise<SweepReport[]>;
  /** Where a file of an audience is. */
  path(name: string, audience?: Audience): string;
  /** A file of an audience; empty where there is none. */
  read(name: string, audience?: Audience): string;
  put(name: string, text: string, audience?: Audience): Promise<void>;
}

/** The first day: later than the real one, so that every file is settled. */
const first = Date.UTC(2030, 0, 1);

export function openDreams(
  t: TestContext,
  {
    settings = {},
    path,
    root = join(tempFolder(t), 'memory'),
    budgets,
  }: { settings?: Partial<DreamingSettings>; path?: string; root?: string; budgets?: BudgetSettings } = {},
): DreamsHouse {
  let now = first + 9 * 3_600_000;
  let runs = 0;
  const events: MemoryEvent[] = [];
  const dreaming = {
    isOn: true,
    settings: { ...usualDreaming, ...settings },
    noteEvent: (event: MemoryEvent) => void events.push(event),
  };
  const memory = openMemory(t, {
    clock: clockOf(() => now),
    files: { root },
    dreaming,
    budgets,
    ...(path === undefined ? {} : { path }),
  });
  const own = (name: string, audience: Audience = ann): string => join(root, folderNameOf(audience), name);
  return {
    memory,
    root,
    events,
    now: () => now,
    goTo(day, hour = 9) {
      now = first + day * dayMs + hour * 3_600_000;
    },
    async say(text, { audience = ann, ...more } = {}) {
      const restricted = audience.startsWith('person:');
      const done = await memory.archive(
        exchange(text, { at: now, where: { audience, restricted }, ...more }),
      );
      return 'chunkIDs' in done ? done.chunkIDs : [];
    },
    ask({ question, answer, ids, audience = ann, injected = [], inView = [], runID }) {
      runs += 1;
      return memory.recordUse({
        ...{ runID: runID ?? `run_ask_${runs}`, sessionID: 'ses_ask', person: 'per_1', audience, at: now },
        ...{ question, answer, passages: ids.map((id) => ({ id, score: 0.7 })), injected, inView },
      });
    },
    async night(model) {
      const reports: SweepReport[] = [];
      for (const due of (await memory.dueSweeps()).due) reports.push(await memory.sweep({ ...due, model }));
      return reports;
    },
    path: own,
    read: (name, audience) =>
      existsSync(own(name, audience)) ? readFileSync(own(name, audience), 'utf8') : '',
    async put(name, text, audience = ann) {
      await ensureAudienceFolder(
        root,
        audience,
        clockOf(() => now),
      );
      writeFileSync(own(name, audience), text);
    },
  };
}

/** Recalls a fact on three days by two different questions, and sleeps after each. */
export async function threeDays(
  house: DreamsHouse,
  {
    ids,
    answer,
    questions,
    from = 1,
    audience = ann,
  }: {
    ids: readonly string[];
    answer: string;
    questions: readonly [string, string];
    from?: number;
    audience?: Audience;
  },
): Promise<SweepReport[]> {
  const reports: SweepReport[] = [];
  for (const [index, day] of [from, from + 2, from + 4].entries()) {
    house.goTo(day);
    await house.ask({ question: questions[index % 2] ?? '', answer, ids, audience });
    house.goTo(day + 1, 4);
    reports.push(...(await house.night()));
  }
  return reports;
}
