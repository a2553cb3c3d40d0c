// Passages that a search program found to be near in meaning, which no word and no vector of the index may have found: ranked with the rest.
import type { Work } from '#base/sql/work.ts';
import type { ChunkWork } from '#memory/chunks/chunks.ts';
import type { ScopeFilter } from '#memory/tables/audience.ts';
import type { FoundPassage } from '#memory/types/recall.ts';
import type { RankedChunk } from './ranked.ts';

/** From here on, 0 to 1, it answers: the models of such programs give less to texts that have nothing in common. At most so many. */
const [minNear, most] = [0.5, 3];
/** What one is worth next to a passage that has all words. */
const worth = 0.5;

/** The same, with what is near among it, each with its nearness in `parts.meant`. Rows that may not be read are left out. */
export function* withMeant(
  ranked: readonly RankedChunk[],
  passages: readonly FoundPassage[],
  { chunks, readable }: { chunks: Pick<ChunkWork, 'byRows'>; readable: ScopeFilter },
): Work<RankedChunk[]> {
  const near = new Map(
    passages.flatMap(({ row, near = 0 }) => (near >= minNear ? [[row, near] as const] : [])),
  );
  const rows = [...near.keys()].slice(0, most);
  const known = new Map(ranked.map((entry) => [entry.chunk.row, entry]));
  const meant = (yield* chunks.byRows(rows, readable)).map((chunk): RankedChunk => {
    const nearness = near.get(chunk.row) ?? 0;
    const before = known.get(chunk.row);
    const score = Math.max(worth * nearness, before?.score ?? 0);
    if (before !== undefined) return { ...before, score, parts: { ...before.parts, meant: nearness } };
    return {
      ...{ chunk, score, writtenAt: [chunk.at, chunk.lastWrittenAt], passages: [chunk] },
      ...{ meets: 0, chance: 0, parts: { meant: nearness }, telling: false, onlyAsks: false },
      why: () => ({ words: [] }),
    };
  });
  const found = new Set(meant.map(({ chunk }) => chunk.row));
  return [...meant, ...ranked.filter(({ chunk }) => !found.has(chunk.row))].sort((a, b) => b.score - a.score);
}
