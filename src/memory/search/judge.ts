// What no corpus of people talk teaches a ranking: questions to the assistant that stayed open, corrections, and what was written again. Not features.
import { parsePassage } from '#memory/types/block.ts';
import type { SearchEntry } from './entry.ts';
import type { SearchEvidence } from './evidence.ts';

/** What an exchange loses that only asks: e to this is how much less likely it is the answer. */
const openQuestion = 4;
/** How much better a correction is than what it corrects. */
const corrected = 0.5;
/** Exchanges whose own words meet the question alike, to this share, and whose scores are as close as this, are equals: the newer comes first. */
const equals = { meets: 0.02, scores: 1 };

const corrects =
  /^(?:\P{L}*)(?:no|nope|actually|correction|sorry|wait|rather|i meant|nein|doch nicht|eigentlich|korrektur|ich meinte|non|en fait|pardon|plut[oô]t|en realidad|perd[oó]n|quise decir|na verdade|desculpa|in realt[aà]|anzi|nee|eigenlijk|nej|egentligen|нет|на самом деле|不|不是|更正|いいえ|違います|訂正)(?!\p{L})/iu;

/** The scores by words as they count. */
export function judge(evidence: SearchEvidence, learned: Float64Array): Float64Array {
  const { entries } = evidence;
  const scores = learned.map((score, place) =>
    isOpenQuestion(entries[place]) ? score - openQuestion : score,
  );
  newestFirst(evidence, scores);
  for (const place of entries.keys())
    if (takesBack(evidence, place)) {
      const before = evidence.before[place] ?? -1;
      scores[place] = Math.max(scores[place] ?? 0, (scores[before] ?? 0) + corrected);
    }
  return scores;
}

/** True for an exchange that opens by taking back what the same person said before it, which has a word of the question: so has the correction then. */
export function takesBack({ entries, before, matches }: SearchEvidence, place: number): boolean {
  const [entry, last] = [entries[place], entries[before[place] ?? -1]];
  if (entry?.chunk.source !== 'exchange' || last?.chunk.person !== entry.chunk.person) return false;
  return (
    (matches[before[place] ?? -1]?.meets ?? 0) > 0 &&
    corrects.test(parsePassage(entry.chunk.content).userText)
  );
}

function isOpenQuestion(entry: SearchEntry | undefined): boolean {
  return entry?.onlyAsks === true && entry.chunk.source === 'exchange';
}

/** Gives the best score of equals to the newest of them. Turns of a conversation are never replaced by newer ones. */
function newestFirst({ entries, matches }: SearchEvidence, scores: Float64Array): void {
  const alike = Map.groupBy(
    [...entries.keys()].filter(
      (place) => entries[place]?.chunk.source === 'exchange' && (matches[place]?.meets ?? 0) > 0,
    ),
    (place) => Math.round((matches[place]?.meets ?? 0) / equals.meets),
  );
  for (const places of alike.values()) {
    const best = Math.max(...places.map((place) => scores[place] ?? 0));
    const close = places.filter((place) => best - (scores[place] ?? 0) < equals.scores);
    const sorted = close.map((place) => scores[place] ?? 0).sort((a, b) => b - a);
    const writtenAt = (place: number): number => entries[place]?.chunk.lastWrittenAt ?? 0;
    close.sort((a, b) => writtenAt(b) - writtenAt(a) || b - a);
    for (const [rank, place] of close.entries()) scores[place] = sorted[rank] ?? 0;
  }
}
