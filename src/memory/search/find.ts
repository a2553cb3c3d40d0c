// From a question to ranked chunks inside a scope: by words and what surrounds them, and by vectors where a model made some. Reads only.

import type { Work } from '#base/sql/work.ts';
import { corpusOf } from '#memory/chunks/file-rows.ts';
import { questionOf } from '#memory/search/query/query-analysis.ts';
import { termsOf } from '#memory/search/query/query-terms.ts';
import { mostMet, type WeightedTerm, weigh } from '#memory/search/query/weights.ts';
import type { SearchedStore } from '#memory/store/searched-store.ts';
import { readableBy, type ScopeFilter } from '#memory/tables/audience.ts';
import type { BudgetSettings } from '#memory/types/budget.ts';
import type { FoundPassage, RetrievalWays, SearchQuery, Why } from '#memory/types/recall.ts';
import { edgesOf, withAssociated } from './association.ts';
import { byReports } from './by-reports.ts';
import { gather } from './candidates.ts';
import { evidenceOf, type SearchEvidence } from './evidence.ts';
import { learnedScores } from './features.ts';
import { fuse } from './fusion.ts';
import { judge, takesBack } from './judge.ts';
import { isKeyed, keyedFirst } from './lookup.ts';
import { withMeant } from './meant.ts';
import type { RankedChunk } from './ranked.ts';

interface RankedChunks {
  /** Best first, repetitions among them; between equals the one that was written last. */
  ranked: RankedChunk[];
  degraded: string[];
}

/** What is looked for: words, and the vector of the text where a model made one. */
export type SearchInput = SearchQuery & {
  vector?: Float32Array | undefined;
  /** Passages of files that a search program found. */
  passages?: readonly FoundPassage[] | undefined;
  /** The asker gives nothing unless one piece meets this much of the question, 0 to 1: where none can, pieces need not be looked at. */
  least?: number | undefined;
};

/** What the scope holds about the text. Throws `missing_scope` without a scope; no text makes it throw. */
export type Find = (query: SearchInput) => Work<RankedChunks>;

/** Chunks whose own words bring them in, at least; more when more are wanted. */
const minCandidates = 72;
/** Chunks that their vectors bring in. */
const maxNear = 30;
/** From this cosine similarity on a chunk that shares no word with the question is an answer: of texts that have nothing in common most models give less. */
const minNearness = 0.3;
/** What the nearest of them is worth next to one that has all words. */
const nearWorth = 0.5;

/** Characters of a question that are looked at. */
const maxText = 20_000;

/** All that the ranking of one question looks at. */
interface RankingInput {
  terms: readonly WeightedTerm[];
  evidence: SearchEvidence;
  /** Cosine similarity of those that have a vector, by place; undefined without one. */
  nearness: readonly (number | undefined)[];
}

/** Gathers a question's candidates and the evidence in them, for ranking and for learning to rank; undefined where none can meet `least`. */
export function* lookAt(
  store: Pick<SearchedStore, 'chunks' | 'nearest' | 'records'>,
  query: {
    text: string;
    vector?: Float32Array | undefined;
    /** Rows that are candidates anyway. */
    rows?: readonly number[] | undefined;
    readable: ScopeFilter;
    limit: number;
    /** See `SearchInput`; only where nothing but words and keys brings candidates in. */
    least?: number | undefined;
  },
): Work<RankingInput | undefined> {
  const { text, vector, rows: others = [], readable, limit, least = 0 } = query;
  const total = yield* store.chunks.total(readable);
  const terms = yield* weigh(termsOf(text), store.chunks, { readable, total });
  const byWordsAlone = vector === undefined && others.length === 0;
  // most of what people write asks for nothing that is stored: reading and ranking candidates takes most of a recall
  if (byWordsAlone && mostMet(terms) < least && !(yield* isKeyed(store.records, text, readable)))
    return undefined;
  const embeddings = vector === undefined ? undefined : store.nearest;
  const near =
    vector === undefined || embeddings === undefined
      ? []
      : yield* embeddings.nearest(vector, { readable, rows: total }, Math.max(maxNear, limit));
  const candidates = yield* gather(store.chunks, {
    terms,
    near: [...new Set([...near.map(({ row }) => row), ...others])],
    readable,
    most: Math.max(minCandidates, 2 * limit),
  });
  const rows = candidates.entries.map(({ chunk }) => chunk.row);
  const nearness = new Map(near.map(({ row, similarity }) => [row, similarity]));
  const further = rows.filter((row) => !nearness.has(row));
  const similar =
    vector === undefined || embeddings === undefined
      ? undefined
      : yield* embeddings.similarity(vector, further);
  return {
    terms,
    evidence: evidenceOf(candidates, terms, questionOf(text)),
    nearness: rows.map((row) => nearness.get(row) ?? similar?.get(row)),
  };
}

/** Finding in one open store. */
export function createFind(store: SearchedStore, use: RetrievalWays = {}, budgets?: BudgetSettings): Find {
  return function* (query) {
    const readable = readableBy(query.scope, query);
    const { vector, passages = [], limit = 0 } = query;
    const text = query.text.slice(0, maxText);
    const look = yield* lookAt(store, {
      text: use.words === false ? '' : text,
      vector: use.vectors === false ? undefined : vector,
      rows: passages.map(({ row }) => row),
      readable,
      limit,
      // what is linked to a piece may be given whatever that piece meets
      least: use.association === true ? 0 : query.least,
    });
    const degraded = store.nearest === undefined ? [] : yield* store.nearest.degraded();
    let ranked = look === undefined ? [] : rank(look);
    if (use.procedures !== false) ranked = yield* byReports(ranked, store.signals);
    if (use.keys !== false) ranked = yield* keyedFirst(ranked, { records: store.records, text, readable });
    if (passages.length > 0) ranked = yield* withMeant(ranked, passages, { chunks: store.chunks, readable });
    if (use.association === true) {
      const edges = edgesOf(budgets, query.scope.partition);
      ranked = yield* withAssociated(ranked, store, { readable, edges });
    }
    // what is near in meaning, has a key or is linked was not looked for by the word of a corpus
    const { corpus = 'all' } = query;
    if (corpus !== 'all') ranked = ranked.filter(({ chunk }) => corpusOf(chunk) === corpus);
    return { ranked, degraded };
  };
}

/** The answers among the candidates, best first. */
export function rank(look: RankingInput): RankedChunk[] {
  const { evidence, terms, nearness } = look;
  const byWords = judge(evidence, learnedScores(evidence));
  const { scores, standing } = fuse(evidence, byWords, nearness);
  const places = [...evidence.entries.keys()].filter((place) => mayAnswer(look, place));
  const top = places.reduce((most, place) => Math.max(most, scores[place] ?? 0), -Infinity);
  const chances = places.map((place) => Math.exp((scores[place] ?? 0) - top));
  const whole = chances.reduce((sum, chance) => sum + chance, 0);
  const most = places.reduce(
    (best, place) =>
      Math.max(best, evidence.matches[place]?.meets ?? 0, nearWorth * Math.max(0, nearness[place] ?? 0)),
    0,
  );
  const ranked = places.flatMap((place, index): RankedChunk[] => {
    const [entry, match] = [evidence.entries[place], evidence.matches[place]];
    if (entry === undefined || match === undefined) return [];
    const behind = top - (scores[place] ?? 0);
    const near = nearness[place];
    return [
      {
        chunk: entry.chunk,
        writtenAt: [entry.chunk.at, entry.chunk.lastWrittenAt],
        passages: [entry.chunk],
        score: most / (1 + behind),
        meets: match.meets,
        chance: (chances[index] ?? 0) / whole,
        parts: {
          meets: match.meets,
          behind,
          ...(near === undefined ? {} : { nearness: near, standing: standing[place] ?? 0 }),
        },
        why: () => whyOf({ match, terms, near, isNamed: (evidence.named[place] ?? 0) > 0 }),
        telling: match.telling,
        onlyAsks: entry.chunk.source !== 'turn' && entry.onlyAsks,
      },
    ];
  });
  return ranked.sort(
    (a, b) => b.score - a.score || b.chunk.lastWrittenAt - a.chunk.lastWrittenAt || b.chunk.row - a.chunk.row,
  );
}

/** Without a word of the question, and without being near it, a turn may answer only next to one that has some, or when it takes such a one back. */
function mayAnswer({ evidence, nearness }: RankingInput, place: number): boolean {
  const { mayAnswer: may, entries, matches } = evidence;
  if (may[place] !== true) return false;
  const meets = matches[place]?.meets ?? 0;
  if (meets > 0 || (nearness[place] ?? 0) >= minNearness) return true;
  return entries[place]?.chunk.source === 'turn' || takesBack(evidence, place);
}

function whyOf(of: {
  match: SearchEvidence['matches'][number];
  terms: readonly WeightedTerm[];
  near: number | undefined;
  isNamed: boolean;
}): Why {
  const { match, terms, near, isNamed } = of;
  const words = terms.filter((_, index) => (match.counts[index] ?? 0) > 0).map(({ plain }) => plain);
  return {
    words: [...new Set(words)],
    ...(match.meets === 0 && near === undefined ? { neighbour: true } : {}),
    ...(isNamed ? { speaker: true } : {}),
    ...(near === undefined ? {} : { vector: Math.round(1000 * near) / 1000 }),
  };
}
