// The sweep of one audience by one process: claimed, shown to be alive while it works, finished with its report, and what is too old taken out.
import type { Clock } from '#base/clock.ts';
import { ParleyError } from '#base/errors.ts';
import type { NewId } from '#base/ids.ts';
import { dropOldReports } from '#memory/files/report-files.ts';
import type { Redact } from '#memory/secrets/redact.ts';
import type { Store } from '#memory/store/store.ts';
import type {
  DreamingCalls,
  DreamingSettings,
  NoteMemoryEvent,
  SweepReport,
} from '#memory/types/dreaming.ts';
import type { MemoryFilesOptions } from '#memory/types/files.ts';
import { folderNameOf } from '#memory/types/folder-name.ts';
import type { Audience } from '#memory/types/scope.ts';
import type { Deep } from './deep.ts';
import type { RankedCandidate } from './rank.ts';
import type { ModelBudget } from './rem.ts';
import type { DreamReports } from './reports.ts';
import { sweepOnce } from './sweep.ts';

const dayMs = 24 * 60 * 60 * 1000;
/** After so many days a recall weighs next to nothing, and nobody reads the report of a night. */
const retentionDays = 180;
/** A sweep that says nothing for so long was left by its process, in milliseconds. */
export const staleMs = 10 * 60_000;

/** Over one open store. A ParleyError `sweep_taken` when another process takes the sweep in between. */
export function createClaimedSweep(deps: {
  store: Pick<Store, 'recalls' | 'sweeps'>;
  atOnce: <T>(work: () => T) => Promise<T>;
  deep: Deep;
  reports: DreamReports;
  options: MemoryFilesOptions;
  settings: DreamingSettings;
  noteEvent: NoteMemoryEvent;
  redact: Redact;
  clock: Clock;
  newId: NewId;
  dayOf: (at: number) => string;
}): DreamingCalls['sweep'] {
  const { store, atOnce, deep, reports, options, settings, noteEvent, redact, clock, dayOf } = deps;
  const by = deps.newId('ref');
  const sweepDeps = {
    ...{ deep, reports, redact, clock, noteEvent },
    async seen(candidates: readonly RankedCandidate[], phase: 'light' | 'rem', slot: number): Promise<void> {
      const last = { light: 'lightAt', rem: 'remAt' } as const;
      // a sweep that is done again counts once
      const fresh = candidates.filter(({ row }) => store.recalls.candidate(row.id)?.[last[phase]] !== slot);
      await atOnce(() => {
        for (const { row } of fresh) store.recalls.seen(row.id, phase, slot);
      });
    },
    drop: (candidates: readonly string[]) => atOnce(() => store.recalls.remove(candidates)),
  };

  /** What is too old to count: recalls, sweeps, and reports of phases. */
  const prune = async (audience: Audience, slot: number): Promise<void> => {
    await atOnce(() => {
      store.recalls.prune(audience, slot - retentionDays * dayMs);
      store.sweeps.prune(audience, slot - retentionDays * dayMs);
    });
    await dropOldReports(options.root, folderNameOf(audience), dayOf(slot - retentionDays * dayMs));
  };

  return async ({ audience, slot, model, signal = new AbortController().signal }) => {
    const taken: SweepReport = {
      ...{ audience, slot, status: 'taken', phases: [], promoted: [], dropped: 0, calls: 0, tokens: 0 },
    };
    const claim = () => store.sweeps.claim({ audience, slot, by, now: Math.round(clock.now()), staleMs });
    const before = store.sweeps.last(audience);
    if (before !== undefined && before.slot >= slot) return taken;
    if (!(await atOnce(claim))) return taken;
    const used = {
      calls: store.sweeps.get(audience, slot)?.calls ?? 0,
      tokens: store.sweeps.get(audience, slot)?.tokens ?? 0,
    };
    const beat = async (): Promise<void> => {
      const now = Math.round(clock.now());
      if (!(await atOnce(() => store.sweeps.beat({ audience, slot, by, now, ...used }))))
        throw new ParleyError('sweep_taken', `Another process runs the sweep of ${audience}.`);
    };
    const budget: ModelBudget = {
      get calls() {
        return settings.budget.calls - used.calls;
      },
      get tokens() {
        return settings.budget.tokens - used.tokens;
      },
      async used({ calls, tokens }) {
        used.calls += calls;
        used.tokens += tokens;
        await beat();
      },
    };
    const request = { audience, slot, day: dayOf(slot), before: before?.slot, model, budget, beat, signal };
    const done = await sweepOnce(sweepDeps, request);
    const phases = done.phases.map(({ phase, status, candidates }) => ({ phase, status, candidates }));
    const problem = done.phases.find(({ phase, status }) => phase === 'deep' && status === 'failed')?.words;
    const report = JSON.stringify({ phases, promoted: done.promoted.length, dropped: done.dropped, problem });
    await prune(audience, slot);
    await atOnce(() => store.sweeps.finish({ audience, slot, by, now: Math.round(clock.now()), report }));
    return { audience, slot, status: 'done', ...done, ...used };
  };
}
