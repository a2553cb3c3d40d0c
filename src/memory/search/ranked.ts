// One passage as the search has ranked it. A shape only.
import type { FoundChunk } from '#memory/chunks/chunk-row.ts';
import type { Why } from '#memory/types/recall.ts';

/** A chunk with its rank for one question. */
export interface RankedChunk {
  chunk: FoundChunk;
  /** When it was written, and repeated by those that are equal to it; the passages of it that are shown. */
  writtenAt: readonly number[];
  passages: readonly FoundChunk[];
  /** Other places with the same text; absent without any. */
  places?: readonly string[];
  /** 0 to 1: what results are shown with, in their order. */
  score: number;
  /** 0 to 1: how much of the question its own words meet; what recall admits by. */
  meets: number;
  /** Its share, 0 to 1, of the belief that one of all candidates is the answer. */
  chance: number;
  parts: Record<string, number>;
  /** Why it was found: few of those that are ranked are shown. */
  why: () => Why;
  /** It holds a telling word of the question in what was written, not only in its date or its speaker's name. */
  telling: boolean;
  /** All it does is ask; nobody answered. */
  onlyAsks: boolean;
}
