// One step of association: what belongs to the same run as the best of what was found, has the same key, or a tag in common.

import { recordIDOf } from '#memory/chunks/entry.ts';
import type { Store } from '#memory/store/store.ts';
import type { ScopeFilter } from '#memory/tables/audience.ts';
import type { RankedChunk } from './ranked.ts';

/** From so many of the best, so many others; what one is worth next to that which led to it. */
const [from, maxLinked, worth] = [3, 6, 0.5];

/** The same, with what is linked to the best of it behind them. */
export function withAssociated(
  ranked: RankedChunk[],
  { chunks, records }: Pick<Store, 'chunks' | 'records'>,
  readable: ScopeFilter,
): RankedChunk[] {
  const known = new Set(ranked.map(({ chunk }) => chunk.row));
  const linked: RankedChunk[] = [];
  for (const best of ranked.slice(0, from)) {
    const { sessionID, runID, id } = best.chunk;
    const ids = [recordIDOf(best.chunk) ?? id];
    const rows = records.linked({ sessionID, runID, ids }, readable, maxLinked);
    for (const chunk of chunks.byRows(
      rows.filter((row) => !known.has(row)),
      readable,
    )) {
      known.add(chunk.row);
      linked.push({
        ...{ chunk, saidAt: [chunk.at, chunk.lastSaidAt], passages: [chunk], meets: worth * best.meets },
        ...{ score: worth * best.score, chance: worth * best.chance, telling: best.telling, onlyAsks: false },
        parts: { associated: worth },
        why: () => ({ words: [], neighbour: true }),
      });
    }
  }
  return [...ranked, ...linked.slice(0, maxLinked)].sort((a, b) => b.score - a.score);
}
