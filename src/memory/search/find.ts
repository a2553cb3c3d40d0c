// From a question to ranked chunks inside a scope: words first, then likeness when no word is known. Reads only.
import { lazily } from '#base/lazily.ts';
import { type Readable, readableBy } from '#memory/store/audience.ts';
import type { Changes } from '#memory/store/changes.ts';
import type { FoundChunk } from '#memory/store/chunk-row.ts';
import type { Store } from '#memory/store/store.ts';
import type { SearchQuery } from '#memory/terms/recall.ts';
import { type Evidence, evidenceOf } from './evidence.ts';
import { learnedScores } from './learned.ts';
import { createPools, type Pool, type PoolReader } from './pool.ts';
import { termsOf } from './query.ts';
import { type Question, questionOf } from './question.ts';
import { createReadLines, type Ranked, type ReadLines, rank } from './rank.ts';
import { type WeightedTerm, weigh } from './weights.ts';

export interface Found {
  /** Best first, repetitions among them; between equals the one that was said last. */
  ranked: Ranked[];
  degraded: string[];
}

/** What is looked for: words, and the vector of the text where a model made one. */
export type Wanted = SearchQuery & {
  vector?: Float32Array | undefined;
};

/** What the scope holds about the text. Rejects with `missing_scope` without a scope; no text makes it reject. */
export type Find = (query: Wanted) => Promise<Found>;

type Parts = Pick<Store, 'chunks' | 'vectors' | 'embeddings'>;

/** Chunks that are read and ranked for one question, at least; more when more are asked for. */
const leastCandidates = 90;
/** Turns of a dialogue that are ranked to the end, at least. */
const leastTurns = 24;
/** Scores closer than this are equal, and the newer comes first; turns are never replaced by newer ones. */
const step = 0.02;
/** Likeness of hashed vectors that is more than chance, and what it is worth at most. */
const leastLikeness = 0.45;
const likenessWorth = 0.4;
const mostAlike = 10;
/** Chunks that are looked at for their vectors, at least, and what the nearest of them is worth without a word of the question. */
const mostNear = 24;
const nearWorth = 0.4;
/**
 * Without a word of the question, an entry is a hit from this cosine similarity on: of texts that have nothing in common most models
 * give less, and of a question and its answer in other words more.
 */
const leastNearness = 0.3;

/** All that the ranking of one question looks at. */
export interface Look extends Pool {
  /** Read when it is asked for, which only turns are compared with. */
  question(): Question;
  terms: readonly WeightedTerm[];
  /** In the order of the dialogue's passages; looked for when it is asked for, which only turns are. */
  evidence(): Evidence;
}

/** Gathers a question's pool and the evidence in it, for ranking and for learning to rank. */
export function lookAt(
  parts: { chunks: Store['chunks']; pool: PoolReader },
  query: { text: string; readable: Readable; now: Changes; limit: number },
): Look {
  const terms = weigh(termsOf(query.text), parts.chunks, query);
  const pool = parts.pool.gather(terms, Math.max(leastCandidates, 2 * query.limit));
  const question = lazily(() => questionOf(query.text));
  return { ...pool, question, terms, evidence: () => evidenceOf(pool.dialogue(), terms, question()) };
}

/** Finding in one open store. */
export function createFind(store: Parts): Find {
  const pools = createPools(store.chunks);
  const read = createReadLines();
  return async (query) => {
    const readable = readableBy(query.scope, query);
    const limit = query.limit ?? 0;
    const now = store.chunks.changes();
    const pool = pools(readable, now);
    const look = lookAt({ chunks: store.chunks, pool }, { text: query.text, readable, now, limit });
    const byWords = look.answers.size > 0 ? rankedBy(look, pool, { read, limit }) : [];
    const near = await nearTo(store, pools, { vector: query.vector, readable, limit });
    const byNearness = [...near.values()].some(({ similarity }) => similarity >= leastNearness);
    const found =
      look.answers.size > 0 || byNearness ? withNear(byWords, near) : alike(store, query.text, readable);
    const degraded = [...store.vectors.degraded(now), ...(store.embeddings?.degraded() ?? [])];
    return { ranked: inOrder(found), degraded: [...new Set(degraded)] };
  };
}

/** Chunks whose vectors are nearest to the question's, with how near they are; none without a model. */
async function nearTo(
  store: Parts,
  pools: ReturnType<typeof createPools>,
  query: { vector: Float32Array | undefined; readable: Readable; limit: number },
): Promise<Map<number, { chunk: FoundChunk; similarity: number }>> {
  const { vector, readable, limit } = query;
  const found = new Map<number, { chunk: FoundChunk; similarity: number }>();
  if (vector === undefined || store.embeddings === undefined) return found;
  const wanted = Math.max(mostNear, 2 * limit);
  const near = await store.embeddings.nearest(vector, store.chunks.rowsIn(readable), wanted);
  // the file may have changed meanwhile
  const pool = pools(readable, store.chunks.changes());
  // only what has expired or is of another's tier is missing among those that were wanted
  for (let from = 0; found.size < wanted && from < near.length; from += wanted) {
    const part = near.slice(from, from + wanted);
    const chunks = pool.read(part.map(({ row }) => row));
    for (const { row, similarity } of part) {
      const chunk = chunks.get(row);
      if (chunk !== undefined && found.size < wanted) found.set(row, { chunk, similarity });
    }
  }
  return found;
}

/**
 * Models differ in how near they call what has nothing in common, so a vector counts by how far it stands out between the
 * farthest and the nearest of those that were found; it adds to what the words say, and alone it is worth less than they are, and
 * nothing below `leastNearness`.
 */
function withNear(
  ranked: readonly Ranked[],
  near: ReadonlyMap<number, { chunk: FoundChunk; similarity: number }>,
): Ranked[] {
  if (near.size === 0) return [...ranked];
  const all = [...near.values()].map(({ similarity }) => similarity);
  const [least, most] = [Math.min(...all), Math.max(...all)];
  const standing = (similarity: number): number => (most > least ? (similarity - least) / (most - least) : 1);
  const known = new Set(ranked.map(({ chunk }) => chunk.row));
  const both = ranked.map((entry) => {
    const found = near.get(entry.chunk.row);
    if (found === undefined) return entry;
    const score = 1 - (1 - entry.score) * (1 - nearWorth * standing(found.similarity));
    return { ...entry, score, parts: { ...entry.parts, nearness: found.similarity } };
  });
  const more = [...near.values()]
    .filter(({ chunk, similarity }) => !known.has(chunk.row) && similarity >= leastNearness)
    .map(({ chunk, similarity }): Ranked => {
      const score = nearWorth * standing(similarity);
      return { chunk, score, meets: 0, parts: { nearness: similarity }, telling: false, onlyAsks: false };
    });
  return [...both, ...more];
}

/**
 * An exchange or a passage of a document answers by itself, so its own words decide. A turn of a dialogue is compared with the
 * best turn among its neighbours: that one's score is the most that any turn's words meet, and the others stand behind it.
 */
function rankedBy(
  look: Look,
  pool: PoolReader,
  { read, limit }: { read: ReadLines; limit: number },
): Ranked[] {
  const { dialogue, answers, terms, question, evidence } = look;
  const standing = [...answers].flatMap(([row, { isTurn }]) => (isTurn ? [] : [row]));
  const alone = rank([...pool.read(standing).values()], terms, read);
  if (standing.length === answers.size) return alone;
  const scores = learnedScores(dialogue(), evidence(), question());
  const promising: { row: number; score: number }[] = [];
  for (const [place, { row, isTurn }] of dialogue().passages.entries())
    if (isTurn && answers.has(row)) promising.push({ row, score: scores[place] ?? 0 });
  promising.sort((a, b) => b.score - a.score).splice(Math.max(leastTurns, 2 * limit));
  const chunks = pool.read(promising.map(({ row }) => row));
  const turns = promising.flatMap(({ row, score }) => {
    const chunk = chunks.get(row);
    return chunk === undefined ? [] : [{ chunk, score }];
  });
  const ranked = rank(
    turns.map(({ chunk }) => chunk),
    terms,
    read,
  );
  const best = turns[0]?.score ?? 0;
  const most = Math.max(...ranked.map(({ meets }) => meets));
  return [
    ...alone,
    ...ranked.map((entry, place) => {
      const behind = best - (turns[place]?.score ?? 0);
      return { ...entry, score: most / (1 + behind), parts: { ...entry.parts, behind } };
    }),
  ];
}

function inOrder(ranked: readonly Ranked[]): Ranked[] {
  const levelled = ranked.map((entry) => {
    const { score, chunk } = entry;
    return { entry, chunk, level: chunk.source === 'turn' ? score / step : Math.round(score / step) };
  });
  levelled.sort(
    (a, b) =>
      b.level - a.level ||
      b.chunk.lastSaidAt - a.chunk.lastSaidAt ||
      b.entry.score - a.entry.score ||
      b.chunk.row - a.chunk.row,
  );
  return levelled.map(({ entry }) => entry);
}

/** Chunks whose letters resemble the text, for a question of which no word is known. */
function alike(store: Parts, text: string, readable: Readable): Ranked[] {
  const near = store.vectors
    .nearest(text, { readable, rows: store.chunks.rowsIn(readable) }, mostAlike)
    .filter(({ similarity }) => similarity >= leastLikeness);
  const similarity = new Map(near.map((entry) => [entry.row, entry.similarity]));
  return store.chunks.byRows([...similarity.keys()], readable).map((chunk) => {
    const likeness = similarity.get(chunk.row) ?? 0;
    const score = likenessWorth * likeness;
    return { chunk, score, meets: score, parts: { likeness }, telling: false, onlyAsks: false };
  });
}
