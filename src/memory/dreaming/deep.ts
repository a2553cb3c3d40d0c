// The deep phase: candidates that pass every gate are promoted, and no other one. Also what a dry run shows.
import type { Clock } from '#base/clock.ts';
import { codeOf, errorMessage } from '#base/errors.ts';
import type { DreamingSettings, NoteMemoryEvent, PromotedLine } from '#memory/types/dreaming.ts';
import type { SearchResult } from '#memory/types/recall.ts';
import type { Audience } from '#memory/types/scope.ts';
import { saysOtherwise } from './contradiction.ts';
import { type PromoteDeps, promoteCandidates, settlePromotions } from './promote.ts';
import { type RankedCandidate, rankCandidates } from './rank.ts';
import { claimsIn } from './short-term.ts';
import { createStatementSources, type SourceDeps } from './sources.ts';

/** Newer memories of one statement that are looked at. */
const maxLooked = 20;

interface DeepDeps extends PromoteDeps, SourceDeps {
  settings: DreamingSettings;
  clock: Clock;
  dayOf(at: number): string;
  noteEvent: NoteMemoryEvent;
  /** Memories of only this audience that support the text. */
  search(text: string, audience: Audience, limit: number): Promise<SearchResult>;
}

export interface DeepOutcome {
  ranked: RankedCandidate[];
  promoted: PromotedLine[];
  dropped: number;
  /** Why nothing could be written. */
  problem?: string | undefined;
}

export interface Deep {
  /** Every candidate of the audience with its verdict, best first. Writes nothing. */
  ranked(audience: Audience): Promise<RankedCandidate[]>;
  /** The same, and those that pass are promoted with `apply`. */
  run(audience: Audience, mode: 'dry run' | 'apply'): Promise<DeepOutcome>;
}

export function createDeep(deps: DeepDeps): Deep {
  const { store, settings, clock, dayOf, noteEvent, search } = deps;

  /** Refuses what a newer memory of the audience says otherwise. */
  const contradicted = async (
    audience: Audience,
    { found }: RankedCandidate,
  ): Promise<string | undefined> => {
    if (found === undefined) return undefined;
    const { hits } = await search(found.text, audience, maxLooked);
    const newer = hits.filter((hit) => hit.at > found.at && hit.id !== found.chunkID);
    for (const { id } of newer) {
      const passage = store.passages.byID(id, audience);
      const other = passage && claimsIn(passage).find(({ text }) => saysOtherwise(found.text, text));
      if (other !== undefined) return `a newer memory says otherwise (${id})`;
    }
    return undefined;
  };
  const ranked = async (audience: Audience): Promise<RankedCandidate[]> => {
    const reread = createStatementSources(deps, audience);
    const all = await rankCandidates(audience, { store, settings, now: clock.now(), reread });
    let left = settings.maxPromotions;
    const looked: RankedCandidate[] = [];
    for (const each of all) {
      if (each.verdict.status !== 'promote') looked.push(each);
      else if (left === 0) {
        const words = `${settings.maxPromotions} others of this sweep come first`;
        looked.push({ ...each, verdict: { status: 'waits', words } });
      } else {
        const words = await contradicted(audience, each);
        if (words === undefined) left -= 1;
        looked.push(words === undefined ? each : { ...each, verdict: { status: 'refused', words } });
      }
    }
    return looked;
  };
  return {
    ranked,
    async run(audience, mode) {
      try {
        // what a person deleted since counts before anything is ranked
        if (mode === 'apply') await settlePromotions(deps, audience);
        const all = await ranked(audience);
        const winners = all.filter(({ verdict }) => verdict.status === 'promote');
        if (mode === 'dry run' || winners.length === 0) return { ranked: all, promoted: [], dropped: 0 };
        const now = clock.now();
        const { promoted, dropped, refused } = await promoteCandidates(deps, {
          audience,
          winners,
          day: dayOf(now),
          now,
        });
        const promotions = promoted.map(({ id }) => id);
        if (promoted.length > 0)
          noteEvent({ type: 'memory.promotion.applied', at: now, audience, promotions, dropped });
        return {
          ranked: all.map((each) => {
            const words = refused.get(each.id);
            return words === undefined ? each : { ...each, verdict: { status: 'refused', words } };
          }),
          promoted,
          dropped,
        };
      } catch (error) {
        // a disk that is full or may not be written; what is wrong with the database is the caller's
        if (!/^(?:file_refused|E[A-Z]+)$/.test(codeOf(error) ?? '')) throw error;
        return { ranked: await ranked(audience), promoted: [], dropped: 0, problem: errorMessage(error) };
      }
    },
  };
}
