// Procedures among what was found, ranked also by how they went: one that fails comes after one that works and fits as well.

import type { Work } from '#base/sql/work.ts';
import { recordIDOf } from '#memory/chunks/entry.ts';
import { type SignalWork, worthOf } from '#memory/records/signals.ts';
import type { RankedChunk } from './ranked.ts';

/** The sources that reports are stored of. */
const reported: ReadonlySet<string> = new Set(['procedure', 'solution_capsule']);

/** The same, best first, with the score of each procedure times the share of reports that it worked. */
export function* byReports(
  ranked: RankedChunk[],
  signals: Pick<SignalWork, 'countsOf'>,
): Work<RankedChunk[]> {
  const ids = ranked.flatMap(({ chunk }) => (reported.has(chunk.source) ? (recordIDOf(chunk) ?? []) : []));
  const counts = yield* signals.countsOf(ids);
  if (counts.size === 0) return ranked;
  const weighed = ranked.map((entry): RankedChunk => {
    const of = counts.get(recordIDOf(entry.chunk) ?? '');
    if (of === undefined) return entry;
    const worked = worthOf(of);
    const { score, chance, parts } = entry;
    return { ...entry, score: score * worked, chance: chance * worked, parts: { ...parts, worked } };
  });
  return weighed.sort((a, b) => b.score - a.score);
}
