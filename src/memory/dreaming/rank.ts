// The candidates of one audience, read again from their sources and ranked: which of them pass the gates, and why the others do not.
import type { PromotionRow } from '#memory/recalls/promotion-rows.ts';
import type { CandidateRow, RecallRow } from '#memory/recalls/recall-rows.ts';
import type { Store } from '#memory/store/store.ts';
import type { Candidate, DreamingSettings, PromotionVerdict } from '#memory/types/dreaming.ts';
import type { Audience } from '#memory/types/scope.ts';
import { conceptsOf, similarity } from '#memory/words/statements.ts';
import { daysOf, scoreOf } from './score.ts';
import type { FoundStatement, Reread } from './sources.ts';

/** Two statements with this share of their words in common are one. */
export const sameSimilarity = 0.8;

/** A candidate with its source and the evidence of those that say the same. */
export interface RankedCandidate extends Candidate {
  row: CandidateRow;
  found: FoundStatement | undefined;
  concepts: ReadonlySet<string>;
  /** In milliseconds since the epoch. */
  lastRecall: number;
}

interface RankDeps {
  store: Store;
  settings: DreamingSettings;
  now: number;
  reread(candidate: CandidateRow): Promise<Reread>;
}

/** Best first; of candidates that say the same, the newest has the evidence of all. Gates that need other memories are not looked at here. */
export async function rankCandidates(
  audience: Audience,
  { store, settings, now, reread }: RankDeps,
): Promise<RankedCandidate[]> {
  const promotions = new Map(store.promotions.ofAudience(audience).map((row) => [row.claim, row]));
  const read: { row: CandidateRow; reread: Reread; concepts: ReadonlySet<string> }[] = [];
  for (const row of store.recalls.candidates(audience)) {
    const again = await reread(row);
    const concepts = again.status === 'found' ? conceptsOf(again.text) : new Set<string>();
    read.push({ row, reread: again, concepts });
  }
  const groups: (typeof read)[] = [];
  const newestFirst = read.toSorted((a, b) => timeOf(b.reread) - timeOf(a.reread));
  for (const each of newestFirst) {
    const group = groups.find(
      ([first]) => first !== undefined && similarity(first.concepts, each.concepts) >= sameSimilarity,
    );
    if (group === undefined) groups.push([each]);
    else group.push(each);
  }
  const ranked = groups.flatMap((group): RankedCandidate[] => {
    const [first, ...others] = group;
    if (first === undefined) return [];
    const recalls = onceEach(group.flatMap(({ row }) => store.recalls.recallsOf(row.id)));
    const promotion = group.map(({ row }) => promotions.get(row.claim)).find((each) => each !== undefined);
    const whole = rankedOf(first, { recalls, promotion, settings, now });
    return [
      whole,
      ...others.map((each) => {
        const own = rankedOf(each, {
          recalls: store.recalls.recallsOf(each.row.id),
          promotion,
          settings,
          now,
        });
        const verdict: PromotionVerdict =
          own.verdict.status === 'promote' || own.verdict.status === 'waits'
            ? { status: 'refused', words: `it counts for ${first.row.id}, which says the same` }
            : own.verdict;
        return { ...own, verdict };
      }),
    ];
  });
  return ranked.sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1));
}

function timeOf(reread: Reread): number {
  return reread.status === 'found' ? reread.at : 0;
}

/** The same question on the same day counts once, whatever says the answer. */
function onceEach(recalls: readonly RecallRow[]): RecallRow[] {
  return [...new Map(recalls.map((recall) => [`${recall.day} ${recall.queryHash}`, recall])).values()];
}

function rankedOf(
  { row, reread, concepts }: { row: CandidateRow; reread: Reread; concepts: ReadonlySet<string> },
  {
    recalls,
    promotion,
    settings,
    now,
  }: {
    recalls: readonly RecallRow[];
    promotion: PromotionRow | undefined;
    settings: DreamingSettings;
    now: number;
  },
): RankedCandidate {
  const light = { hits: row.lightHits, at: row.lightAt };
  const rem = { hits: row.remHits, at: row.remAt };
  const scored = scoreOf({ recalls, concepts: row.concepts, light, rem }, settings, now);
  const counts = {
    recalls: recalls.length,
    queries: new Set(recalls.map(({ queryHash }) => queryHash)).size,
  };
  return {
    id: row.id,
    audience: row.audience,
    ...(reread.status === 'found' ? { text: reread.text, source: reread.place } : {}),
    ...scored,
    ...counts,
    days: daysOf(recalls),
    verdict: verdictOf({ reread, promotion, score: scored.score, ...counts }, settings),
    row,
    found: reread.status === 'found' ? reread : undefined,
    concepts,
    lastRecall: Math.max(0, ...recalls.map(({ at }) => at)),
  };
}

const promotedWords: Readonly<Record<PromotionRow['state'], string>> = {
  writing: 'it is being written into MEMORY.md',
  written: 'it is in MEMORY.md',
  dropped: 'it was in MEMORY.md and was dropped for the budget',
  deleted: 'a person deleted it from MEMORY.md',
  reverted: 'its promotion was taken back',
};

function verdictOf(
  at: {
    reread: Reread;
    promotion: PromotionRow | undefined;
    score: number;
    recalls: number;
    queries: number;
  },
  { gates }: DreamingSettings,
): PromotionVerdict {
  if (at.promotion !== undefined) return { status: 'promoted', words: promotedWords[at.promotion.state] };
  if (at.reread.status === 'unread') return { status: 'waits', words: at.reread.words };
  if (at.reread.status !== 'found') return { status: 'refused', words: at.reread.words };
  const lacks = [
    at.recalls < gates.recalls ? `${at.recalls} of ${gates.recalls} recalls` : undefined,
    at.queries < gates.queries ? `${at.queries} of ${gates.queries} different questions` : undefined,
    at.score < gates.score ? `a score of ${at.score.toFixed(2)}, and ${gates.score} is needed` : undefined,
  ].filter((words) => words !== undefined);
  return lacks.length === 0
    ? { status: 'promote' }
    : { status: 'waits', words: `it has ${lacks.join(', ')}` };
}
