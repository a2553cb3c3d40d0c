// One step of association: what belongs to the same run as the best of what was found, has the same key, or a tag in common.

import type { Work } from '#base/sql/work.ts';
import type { ChunkWork } from '#memory/chunks/chunks.ts';
import { recordIDOf } from '#memory/chunks/entry.ts';
import type { RecordWork } from '#memory/records/records.ts';
import type { ScopeFilter } from '#memory/tables/audience.ts';
import type { BudgetSettings } from '#memory/types/budget.ts';
import type { RankedChunk } from './ranked.ts';

/** From so many of the best, so many others; what one is worth next to that which led to it. */
const [from, maxLinked, worth] = [3, 6, 0.5];

/** Links by key or tag that are followed from one of them where no budget says less. */
const usualEdges = 1_000;

/** The bound of a reader: of each audience, and of the agent whose memory it is. */
export function edgesOf(budgets: BudgetSettings | undefined, partition: string | undefined): number {
  const { audience, agent, agents = {} } = budgets ?? {};
  const own = partition !== undefined && Object.hasOwn(agents, partition) ? agents[partition] : undefined;
  return Math.min(usualEdges, audience?.edges ?? usualEdges, own?.edges ?? agent?.edges ?? usualEdges);
}

/** The same, with what is linked to the best of it behind them. */
export function* withAssociated(
  ranked: RankedChunk[],
  { chunks, records }: { chunks: Pick<ChunkWork, 'byRows'>; records: Pick<RecordWork, 'linked'> },
  { readable, edges }: { readable: ScopeFilter; edges: number },
): Work<RankedChunk[]> {
  const known = new Set(ranked.map(({ chunk }) => chunk.row));
  const linked: RankedChunk[] = [];
  for (const best of ranked.slice(0, from)) {
    const { sessionID, runID, id } = best.chunk;
    const ids = [recordIDOf(best.chunk) ?? id];
    const rows = yield* records.linked({ sessionID, runID, ids, edges }, readable, maxLinked);
    for (const chunk of yield* chunks.byRows(
      rows.filter((row) => !known.has(row)),
      readable,
    )) {
      known.add(chunk.row);
      linked.push({
        ...{
          chunk,
          writtenAt: [chunk.at, chunk.lastWrittenAt],
          passages: [chunk],
          meets: worth * best.meets,
        },
        ...{ score: worth * best.score, chance: worth * best.chance, telling: best.telling, onlyAsks: false },
        parts: { associated: worth },
        why: () => ({ words: [], neighbour: true }),
      });
    }
  }
  return [...ranked, ...linked.slice(0, maxLinked)].sort((a, b) => b.score - a.score);
}
