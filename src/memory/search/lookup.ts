// What is found by exact keys and by pins, next to what words and vectors find.

import type { Work } from '#base/sql/work.ts';
import { recordIDOf } from '#memory/chunks/entry.ts';
import type { StoredRecord } from '#memory/records/record-row.ts';
import type { RecordWork } from '#memory/records/records.ts';
import type { ScopeFilter } from '#memory/tables/audience.ts';
import type { RankedEntry } from '#memory/types/block.ts';
import { comparableText } from '#memory/words/content-hash.ts';
import type { RankedChunk } from './ranked.ts';

/** Records that one prompt gets because they are pinned, and the share of its memory that they take at most. */
const maxPinned = 12;
export const pinnedShare = 1 / 3;
/** A key is looked for in so many words of a text, and has so many at most. */
const [maxWords, longestKey] = [60, 6];
/** What a record meets at least whose key is in the question. */
const keyMeets = 0.6;

/** Whether a record has a key that is in the text. */
export function* isKeyed(
  records: Pick<RecordWork, 'keyed'>,
  text: string,
  readable: ScopeFilter,
): Work<boolean> {
  return (yield* records.keyed(keysIn(text), readable)).length > 0;
}

/** The same, with the records whose exact key is in the text before all others. */
export function* keyedFirst(
  ranked: RankedChunk[],
  { records, text, readable }: { records: Pick<RecordWork, 'keyed'>; text: string; readable: ScopeFilter },
): Work<RankedChunk[]> {
  if (!ranked.some(({ chunk }) => recordIDOf(chunk) !== undefined)) return ranked;
  const keyed = new Set((yield* records.keyed(keysIn(text), readable)).map(({ id }) => id));
  if (keyed.size === 0) return ranked;
  const isKeyed = ({ chunk }: RankedChunk): boolean => keyed.has(recordIDOf(chunk) ?? '');
  const top = ranked.reduce((most, { chance }) => Math.max(most, chance), 0);
  const first = ranked.filter(isKeyed).map((entry): RankedChunk => {
    const parts = { ...entry.parts, key: 1 };
    return { ...entry, score: 1, meets: Math.max(entry.meets, keyMeets), chance: top, telling: true, parts };
  });
  return [...first, ...ranked.filter((entry) => !isKeyed(entry))];
}

/** Every run of words of the text that could be a key. */
function keysIn(text: string): string[] {
  const words = comparableText(text).split(' ').slice(0, maxWords);
  const bare = words.map((word) => word.replace(/^[("'“‘]+|[)"'”’?!.,;:]+$/g, ''));
  const keys = new Set([words.join(' ')]);
  for (let from = 0; from < bare.length; from += 1)
    for (let length = 1; length <= longestKey && from + length <= bare.length; length += 1)
      keys.add(bare.slice(from, from + length).join(' '));
  keys.delete('');
  return [...keys];
}

/** Records that every prompt of the scope has, except sensitive ones, as entries of its block. */
export function* pinnedEntries(
  records: Pick<RecordWork, 'pinned'>,
  readable: ScopeFilter,
): Work<RankedEntry[]> {
  return (yield* records.pinned(readable, maxPinned))
    .filter(({ sensitivity }) => sensitivity !== 'sensitive')
    .map(entryOf);
}

function entryOf({ id, updatedAt, agent, platform, text, kind }: StoredRecord): RankedEntry {
  return {
    ...{ id, text, score: 1, speaker: agent, session: id },
    at: new Date(updatedAt).toISOString(),
    where: `${platform} pinned ${kind}`,
    section: 'project_facts',
  };
}
