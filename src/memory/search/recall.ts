// What a prompt is given of what was found: as much as the question needs, nothing when nothing answers it. Not ranking, not the block's text.
import type { RecallRequest } from '#memory/types/recall.ts';
import type { RankedChunk } from './ranked.ts';

/** One piece must meet at least this much of the question for anything to be recalled. */
export const minMet = 0.44;
/**
 * Or, where there are vectors, have at least this `similarity` and be this many standard `deviations` above the mean. Among few pieces the
 * distance to the mean must be this part (`ofMost`) of the greatest possible one; among fewer than `among` pieces it does not count.
 */
const minNear = { similarity: 0.5, deviations: 3, ofMost: 0.8, among: 8 };
/** Pieces are given until so much of the belief is among them, as long as each has at least so much of it for every thousand characters. */
const enough = 0.9;
const minChance = 0.01;
const usualLength = 300;
/** A piece that meets as much of the question as this, by the best of them, is relevant whatever its chance. */
const shareOfBest = 0.55;

/** The pieces worth giving, best first, and how many more are relevant. */
export function chosen(ranked: readonly RankedChunk[]): { given: RankedChunk[]; relevant: number } {
  const meant = ranked.filter(isMeant);
  const others = chosenByRank(meant.length === 0 ? ranked : ranked.filter((entry) => !isMeant(entry)));
  if (meant.length === 0) return others;
  const given = [...meant, ...others.given].sort((a, b) => b.score - a.score);
  return { given, relevant: meant.length + others.relevant };
}

/** A search program compared its meaning with the question's. */
const isMeant = ({ parts }: RankedChunk): boolean => parts.meant !== undefined;

function chosenByRank(ranked: readonly RankedChunk[]): { given: RankedChunk[]; relevant: number } {
  const telling = ranked.filter((entry) => !entry.onlyAsks && (entry.telling || isNear(entry, ranked)));
  const best = telling.reduce((most, { meets }) => Math.max(most, meets), 0);
  if (best < minMet && !telling.some((entry) => isNear(entry, ranked))) return { given: [], relevant: 0 };
  const bar = Math.max(minMet, shareOfBest * best);
  const worthy = ranked.filter(
    (entry) => !entry.onlyAsks && (entry.chance >= minChance || (entry.telling && entry.meets >= bar)),
  );
  const given: RankedChunk[] = [];
  let believed = 0;
  for (const entry of worthy) {
    const isLong = Math.max(1, entry.chunk.content.length / usualLength);
    if (given.length > 0 && believed >= enough && entry.meets < bar) break;
    if (given.length === 0 || entry.chance / isLong >= minChance || entry.meets >= bar) given.push(entry);
    believed += entry.chance;
  }
  return { given, relevant: worthy.length };
}

/** The best pieces for one who chooses among them, whatever they meet unless a bar is set; what only asks is none. */
export function picked(
  ranked: readonly RankedChunk[],
  { most, meets, ids }: NonNullable<RecallRequest['admit']>,
): RankedChunk[] {
  const wanted = ids === undefined ? undefined : new Set(ids);
  const meetsBar = (entry: RankedChunk): boolean =>
    meets === undefined ||
    (entry.telling && entry.meets >= meets) ||
    (isNear(entry, ranked) && (entry.parts.nearness ?? 0) >= meets);
  return ranked
    .filter((entry) => !entry.onlyAsks && wanted?.has(entry.chunk.id) !== false && meetsBar(entry))
    .slice(0, most);
}

function isNear({ parts }: RankedChunk, among: readonly RankedChunk[]): boolean {
  const most = Math.sqrt(Math.max(0, among.length - 1));
  const standsOut =
    among.length < minNear.among ||
    (parts.standing ?? 0) >= Math.min(minNear.deviations, minNear.ofMost * most);
  return standsOut && (parts.nearness ?? 0) >= minNear.similarity;
}
