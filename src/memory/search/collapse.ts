// Chunks that say the same thing shown once. Chunks that differ in a fact, a number, a negation or a person are both kept.

import { type FoundChunk, messageIDsOf } from '#memory/chunks/chunk-row.ts';
import { filePlatform } from '#memory/chunks/file-rows.ts';
import { fillers } from '#memory/words/word-classes.ts';
import type { RankedChunk } from './ranked.ts';

/** An answer of no more words than this next to an equal statement is an acknowledgement. */
const acknowledgement = 20;

/** The first `most` different ones of the ranked chunks; the best of each stays, counting in `parts.repeats` the equal ones. */
export function collapse(ranked: readonly RankedChunk[], most: number): RankedChunk[] {
  const saved = new Map<string, RankedChunk>();
  const exchanges = new Map<string, string>();
  const inFiles = createFileMeanings();
  for (const entry of ranked) {
    const { source, sourceKey } = entry.chunk;
    const own = inFiles(entry, meaningOf(entry));
    const key = source === 'exchange' ? (exchanges.get(sourceKey) ?? own) : own;
    exchanges.set(sourceKey, key);
    const same = saved.get(key);
    if (same !== undefined) saved.set(key, joined(same, entry));
    else if (saved.size === most) break;
    else saved.set(key, entry);
  }
  return [...saved.values()];
}

/** A repeated statement has the time of the last one; of a long exchange the passages that were found are shown, in their order. */
function joined(first: RankedChunk, repeat: RankedChunk): RankedChunk {
  const { chunk } = first;
  if (isPieceOf(repeat, first)) {
    if (first.passages.length === maxPassages) return first;
    const passages = [...first.passages, repeat.chunk].sort((a, b) => a.ordinal - b.ordinal);
    return {
      ...first,
      passages,
      chunk: { ...chunk, content: passages.map(({ content }) => content).join(gap) },
    };
  }
  const lastWrittenAt = Math.max(chunk.lastWrittenAt, repeat.chunk.lastWrittenAt);
  const repeats = (first.parts.repeats ?? 0) + 1;
  const writtenAt = [...first.writtenAt, ...repeat.writtenAt];
  const places = [...(first.places ?? []), placeText(repeat.chunk)];
  return {
    ...first,
    writtenAt,
    places,
    chunk: { ...chunk, lastWrittenAt },
    parts: { ...first.parts, repeats },
  };
}

/** Passages of one exchange that are shown together, and what is between them. */
const maxPassages = 3;
const gap = '\n[…]\n';

/** A line of a file and the first person who wrote the same are one entry. Of two people who wrote it, both are shown. */
function createFileMeanings(): (entry: RankedChunk, meaning: Meaning) => string {
  const known = new Map<string, { key: string; person: string | undefined }>();
  return ({ chunk }, { said, person }) => {
    const own = JSON.stringify([person, said]);
    const isFile = chunk.platform === filePlatform;
    const same = known.get(said);
    if (same === undefined) {
      known.set(said, { key: own, person: isFile ? undefined : person });
      return own;
    }
    if (isFile || same.person === person) return same.key;
    if (same.person !== undefined) return own;
    known.set(said, { ...same, person });
    return same.key;
  };
}

/** Where a chunk stands, as text: the file with its line, or the chat. */
export function placeText(chunk: FoundChunk): string {
  return chunk.platform === filePlatform ? `${chunk.sessionID}:${messageIDsOf(chunk)[0] ?? 1}` : chunk.chat;
}

const isPieceOf = ({ chunk }: RankedChunk, other: RankedChunk): boolean =>
  chunk.source === 'exchange' && chunk.sourceKey === other.chunk.sourceKey;

interface Meaning {
  person: string;
  said: string;
}

/** Equal for two chunks only when they say the same in the same order, courtesies and articles aside. */
function meaningOf({ chunk }: RankedChunk): Meaning {
  const said = bare(chunk.saidTerms);
  const answered = bare(chunk.answeredTerms);
  const told = said.length > 0 && !said.includes('?');
  const shownAnswer = told && answered.length <= acknowledgement ? [] : answered;
  return { person: chunk.person, said: JSON.stringify([said, shownAnswer]) };
}

function bare(indexed: string): string[] {
  return indexed
    .replaceAll('\n', ' ')
    .split(' ')
    .filter((word) => word !== '' && !fillers.has(word));
}
