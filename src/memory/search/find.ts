// From a question to ranked chunks inside a scope: words first, then likeness when no word is known. Reads only.
import { type Readable, readableBy } from '#memory/store/audience.ts';
import type { FoundChunk } from '#memory/store/chunk-row.ts';
import type { Store } from '#memory/store/store.ts';
import type { SearchQuery } from '#memory/terms/recall.ts';
import { type Evidence, evidenceOf } from './evidence.ts';
import { learnedScores } from './learned.ts';
import { createPool, type GatherPool, type Pool } from './pool.ts';
import { termsOf } from './query.ts';
import { type Question, questionOf } from './question.ts';
import { type Ranked, rank } from './rank.ts';
import { type WeightedTerm, weigh } from './weights.ts';

export interface Found {
  /** Best first, repetitions among them; between equals the one that was said last. */
  ranked: Ranked[];
  degraded: string[];
}

/** What the scope holds about the text. Throws `missing_scope` without a scope; no text makes it throw. */
export type Find = (query: Pick<SearchQuery, 'text' | 'scope' | 'projectID' | 'limit'>) => Found;

type Parts = Pick<Store, 'chunks' | 'vectors'>;

/** Chunks that are read and ranked for one question, at least; more when more are asked for. */
const leastCandidates = 150;
/** Turns of a dialogue that are ranked to the end, at least. */
const leastTurns = 40;
/** Scores closer than this are equal, and the newer comes first; turns are never replaced by newer ones. */
const step = 0.02;
/** Likeness of hashed vectors that is more than chance, and what it is worth at most. */
const leastLikeness = 0.45;
const likenessWorth = 0.4;
const mostAlike = 10;

/** All that the ranking of one question looks at. */
export interface Look extends Pool {
  question: Question;
  terms: readonly WeightedTerm[];
  /** In the order of the dialogue's passages; looked for when it is asked for, which only turns are. */
  evidence(): readonly Evidence[];
  /** The first native id of the message that a row of the dialogue holds. */
  messageOf(row: number): string;
}

/** Gathers a question's pool and the evidence in it, for ranking and for learning to rank. */
export function lookAt(
  parts: { chunks: Store['chunks']; gather: GatherPool },
  query: { text: string; readable: Readable; limit: number },
): Look {
  const terms = weigh(termsOf(query.text), parts.chunks, query.readable);
  const pool = parts.gather(terms, query.readable, Math.max(leastCandidates, 2 * query.limit));
  const question = questionOf(query.text);
  return {
    ...pool,
    question,
    terms,
    evidence: () => evidenceOf(pool.dialogue(), terms, question),
    messageOf: (row) => pool.chunks.get(row)?.messageIDs[0] ?? '',
  };
}

/** Finding in one open store. */
export function createFind(store: Parts): Find {
  const gather = createPool(store.chunks);
  return (query) => {
    const readable = readableBy(query.scope, query.projectID);
    const look = lookAt(
      { chunks: store.chunks, gather },
      { text: query.text, readable, limit: query.limit ?? 0 },
    );
    const ranked =
      look.chunks.size > 0
        ? inOrder(rankedBy(look, query.limit ?? 0))
        : inOrder(alike(store, query.text, readable));
    return { ranked, degraded: store.vectors.degraded() };
  };
}

/**
 * An exchange or a passage of a document answers by itself, so its own words decide. A turn of a dialogue is compared with the
 * best turn among its neighbours: that one's score is the most that any turn's words meet, and the others stand behind it.
 */
function rankedBy({ dialogue, chunks, terms, question, evidence }: Look, limit: number): Ranked[] {
  const all = [...chunks.values()];
  const alone = rank(
    all.filter(({ source }) => source !== 'turn'),
    terms,
  );
  if (alone.length === all.length) return alone;
  const scores = learnedScores(dialogue(), evidence(), question);
  const byRow = new Map(dialogue().passages.map(({ row }, index) => [row, scores[index] ?? 0]));
  const scoreOf = ({ row }: FoundChunk): number => byRow.get(row) ?? 0;
  const turns = all
    .filter(({ source }) => source === 'turn')
    .sort((a, b) => scoreOf(b) - scoreOf(a))
    .slice(0, Math.max(leastTurns, 2 * limit));
  const ranked = rank(turns, terms);
  const best = Math.max(...turns.map(scoreOf));
  const most = Math.max(...ranked.map(({ meets }) => meets));
  return [
    ...alone,
    ...ranked.map((entry) => {
      const behind = best - scoreOf(entry.chunk);
      return { ...entry, score: most / (1 + behind), parts: { ...entry.parts, behind } };
    }),
  ];
}

function inOrder(ranked: readonly Ranked[]): Ranked[] {
  const level = ({ score, chunk }: Ranked): number =>
    chunk.source === 'turn' ? score / step : Math.round(score / step);
  return [...ranked].sort(
    (a, b) =>
      level(b) - level(a) ||
      b.chunk.lastSaidAt - a.chunk.lastSaidAt ||
      b.score - a.score ||
      b.chunk.row - a.chunk.row,
  );
}

/** Chunks whose letters resemble the text, for a question of which no word is known. */
function alike(store: Parts, text: string, readable: Readable): Ranked[] {
  const near = store.vectors
    .nearest(text, readable, mostAlike)
    .filter(({ similarity }) => similarity >= leastLikeness);
  const similarity = new Map(near.map((entry) => [entry.row, entry.similarity]));
  return store.chunks.byRows([...similarity.keys()], readable).map((chunk) => {
    const likeness = similarity.get(chunk.row) ?? 0;
    const score = likenessWorth * likeness;
    return { chunk, score, meets: score, parts: { likeness }, telling: false, onlyAsks: false };
  });
}
