// Whether a newer statement says something else about the same thing. By words only: a rule that would rather refuse nothing than a true fact.
import { conceptsOf, similarity } from '#memory/words/statements.ts';
import { kind, kindsOf } from '#memory/words/word-kinds.ts';

/** Statements on one thing have this share of their words in common, and begin with the same words. */
const minSimilarity = 0.5;
const minOpening = 2;
/** Less is enough where only a number or a time differs. */
const minOfValues = 0.25;

/** True when both begin with the same words and each has words that the other lacks; where the older one has only other numbers and times, one common word is enough. */
export function saysOtherwise(older: string, newer: string): boolean {
  const [one, other] = [[...conceptsOf(older)], [...conceptsOf(newer)]];
  const [ones, others] = [new Set(one), new Set(other)];
  const onlyOlder = one.filter((word) => !others.has(word));
  const onlyNewer = other.filter((word) => !ones.has(word));
  if (onlyOlder.length === 0 || onlyNewer.length === 0) return false;
  let opening = 0;
  while (opening < one.length && one[opening] === other[opening]) opening += 1;
  // the same, with another number or day
  if (onlyOlder.every(isValue) && onlyNewer.some(isValue))
    return opening >= 1 && similarity(ones, others) >= minOfValues;
  return opening >= minOpening && similarity(ones, others) >= minSimilarity;
}

function isValue(word: string): boolean {
  return (kindsOf(word) & (kind.number | kind.time)) !== 0;
}
