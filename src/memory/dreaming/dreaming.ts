// Short-term memory in one piece: recalls are counted, sweeps are claimed and run, promotions are explained and taken back.
import type { Clock } from '#base/clock.ts';
import { cronSchedule } from '#base/cron.ts';
import { ParleyError } from '#base/errors.ts';
import type { NewId } from '#base/ids.ts';
import type { Passage } from '#memory/chunks/passages.ts';
import { dayIn } from '#memory/files/file-prompt.ts';
import type { MemoryFiles } from '#memory/files/memory-files.ts';
import type { Redact } from '#memory/secrets/redact.ts';
import type { Store } from '#memory/store/store.ts';
import type {
  Candidate,
  DreamingCalls,
  DreamingSettings,
  NoteMemoryEvent,
  PromotionReport,
} from '#memory/types/dreaming.ts';
import type { MemoryFilesOptions } from '#memory/types/files.ts';
import type { SearchResult } from '#memory/types/recall.ts';
import type { Audience } from '#memory/types/scope.ts';
import { backfill } from './backfill.ts';
import { createClaimedSweep, staleMs } from './claimed-sweep.ts';
import { createDeep, type DeepOutcome } from './deep.ts';
import { usedStatements } from './measure-use.ts';
import { revertPromotion, settlePromotions } from './promote.ts';
import type { RankedCandidate } from './rank.ts';
import { createDreamReports } from './reports.ts';
import { readDreamingStatus } from './status.ts';

interface DreamingDeps {
  store: Store;
  files: MemoryFiles;
  options: MemoryFilesOptions;
  settings: DreamingSettings;
  /** False: nothing is counted, and no sweep is due. */
  isOn: boolean;
  noteEvent: NoteMemoryEvent;
  redact: Redact;
  clock: Clock;
  newId: NewId;
  search(text: string, audience: Audience, limit: number): Promise<SearchResult>;
}

/** Over one open store. */
export function createDreaming(deps: DreamingDeps): DreamingCalls {
  const { store, files, options, settings, isOn, noteEvent, redact, clock, newId } = deps;
  const atOnce = <T>(work: () => T): Promise<T> => store.retryWhileLocked(() => store.atOnce(work));
  const schedule = cronSchedule(settings.schedule, options.timeZone, '5-or-6-parts');
  const dayOf = (at: number): string => dayIn(options.timeZone, at);
  const { rewrite } = files;
  const isClean = async (text: string): Promise<boolean> => (await redact(text)).kinds.length === 0;
  const deep = createDeep({
    ...{ ...deps, atOnce, rewrite, isClean, dayOf },
    newId: () => newId('prm'),
    isForgotten: files.forgetting.isForgotten,
  });
  const reports = createDreamReports({ store, rewrite });
  const audiencesOf = (audience: Audience | undefined): Audience[] =>
    audience === undefined ? store.recalls.audiences().map((each) => each.audience) : [audience];

  const reported = (audience: Audience, { ranked, ...outcome }: DeepOutcome): PromotionReport => ({
    ...{ audience, candidates: ranked.map(shown), ...outcome },
  });
  const each = async (
    audience: Audience | undefined,
    mode: 'dry run' | 'apply',
  ): Promise<PromotionReport[]> => {
    const found: PromotionReport[] = [];
    for (const one of audiencesOf(audience)) found.push(reported(one, await deep.run(one, mode)));
    return found;
  };

  return {
    async recordUse(use) {
      if (!isOn || use.answer === '') return 0;
      const passages = use.passages.flatMap(({ id }): Passage[] => {
        const passage = store.passages.byID(id, use.audience);
        return passage === undefined ? [] : [passage];
      });
      const recalls = usedStatements(use, passages, dayOf(use.at));
      if (recalls.length === 0) return 0;
      const ids = await atOnce(() => recalls.map((recall) => store.recalls.add(recall, () => newId('cnd'))));
      const candidates = ids.filter((id) => id !== undefined);
      const { audience, runID } = use;
      if (candidates.length > 0)
        noteEvent({ type: 'memory.recall.recorded', at: clock.now(), audience, runID, candidates });
      return candidates.length;
    },
    async dueSweeps() {
      const now = clock.now();
      const slot = schedule.last(now);
      const next = isOn ? schedule.next(now) : undefined;
      if (!isOn || slot === undefined) return { due: [], next };
      const due = store.recalls.audiences().filter(({ audience, since }) => {
        const last = store.sweeps.last(audience);
        const own = store.sweeps.get(audience, slot);
        const isTaken = own !== undefined && Math.abs(now - own.claimedAt) < staleMs;
        return since < slot && (last === undefined || last.slot < slot) && !isTaken;
      });
      return { due: due.map(({ audience }) => ({ audience, slot })), next };
    },
    sweep: createClaimedSweep({ ...deps, atOnce, deep, reports, dayOf }),
    promoteRecalled: ({ audience, mode }) => each(audience, mode),
    remHarness: ({ audience }) => each(audience, 'dry run'),
    async explainCandidate(id) {
      const promotion = store.promotions.get(id);
      const row = store.recalls.candidate(promotion?.candidate ?? id);
      if (row === undefined) return undefined;
      const ranked = await deep.ranked(row.audience);
      const found = ranked.find((one) => one.id === row.id);
      return found && shown(found);
    },
    remBackfill: ({ days, audience }) =>
      backfill({ store, reports, deep, dayOf, now: clock.now() }, { days, audiences: audiencesOf(audience) }),
    async revertDreams({ promotion, audience }) {
      if (promotion !== undefined) {
        const row = store.promotions.get(promotion) ?? store.promotions.ofCandidate(promotion);
        if (row === undefined)
          throw new ParleyError('not_found', `There is no promotion ${promotion}.`, {
            hint: 'See "parley memory promote".',
          });
        return revertPromotion({ store, rewrite, atOnce }, row);
      }
      let gone = 0;
      for (const one of audiencesOf(audience)) gone += await reports.revertBackfills(one);
      return gone;
    },
    async repairDreams() {
      const done: string[] = [];
      if (files.forgetting.isPending()) {
        const left = await files.forgetting.finish();
        await store.retryWhileLocked(store.leaveNoTrace);
        done.push(left.length === 0 ? 'lines that were forgotten are out of the files' : left.join('; '));
      }
      for (const audience of new Set(store.promotions.unfinished().map((row) => row.audience))) {
        const { repaired } = await settlePromotions({ store, rewrite, atOnce }, audience);
        if (repaired > 0) done.push(`${repaired} promotions of ${audience} that were left half done`);
      }
      return done;
    },
    dreamingStatus: async () => readDreamingStatus({ store, schedule, isOn, now: clock.now() }),
  };
}

/** Without what only the program needs. */
function shown({
  row: _row,
  found: _found,
  concepts: _concepts,
  lastRecall: _last,
  ...candidate
}: RankedCandidate): Candidate {
  return candidate;
}
