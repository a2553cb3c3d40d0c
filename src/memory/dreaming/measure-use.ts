// Which statements of the passages that a run was given its answer used. Pure: the measure is documented in docs/dreaming.md.

import type { Passage } from '#memory/chunks/passages.ts';
import type { NewRecall } from '#memory/recalls/recall-rows.ts';
import type { PassageUse } from '#memory/types/dreaming.ts';
import { conceptsOf, digestedQuestion, shareIn } from '#memory/words/statements.ts';
import { claimsIn, isShortTerm } from './short-term.ts';

/** An answer uses a statement that gives it this share of the words that the question has not. */
const minShare = 0.5;
/** So many of these words must be in the answer, or all where a statement has fewer. */
const minShared = 2;
const hasDigit = /\p{Nd}/u;
/** A text that is in every prompt holds a statement when it has this share of these words. */
const injectedShare = 0.8;

/** One recall for each statement that was used; `passages` are those of the use that exist in its audience. */
export function usedStatements(use: PassageUse, passages: readonly Passage[], day: string): NewRecall[] {
  const question = conceptsOf(use.question);
  const answer = conceptsOf(use.answer);
  const injected = use.injected.flatMap((text) => text.split('\n')).map(conceptsOf);
  const scores = new Map(use.passages.map(({ id, score }) => [id, score]));
  const inView = new Set(use.inView);
  const found = new Map<string, NewRecall>();
  for (const passage of passages) {
    if (!isShortTerm(passage) || inView.has(passage.runID) || passage.runID === use.runID) continue;
    const isCited = isNamed(passage, use.answer);
    for (const { text, claim } of claimsIn(passage)) {
      const concepts = conceptsOf(text);
      const fresh = new Set([...concepts].filter((word) => !question.has(word)));
      // the answer would have these words without the passage
      if (fresh.size === 0 || injected.some((line) => shareIn(fresh, line) >= injectedShare)) continue;
      const used = shareIn(fresh, answer);
      // an answer with another number used another statement
      if ([...fresh].some((word) => hasDigit.test(word) && !answer.has(word))) continue;
      const shared = Math.round(used * fresh.size);
      const overlaps = used >= minShare && shared >= Math.min(minShared, fresh.size);
      if (!overlaps && !(isCited && shared > 0)) continue;
      const before = found.get(claim);
      if (before !== undefined && before.used >= used) continue;
      found.set(claim, {
        audience: use.audience,
        claim,
        chunkID: passage.id,
        sourceKey: passage.sourceKey,
        concepts: concepts.size,
        day,
        queryHash: digestedQuestion(use.audience, use.question),
        score: Math.min(1, Math.max(0, scores.get(passage.id) ?? 0)),
        used,
        how: overlaps ? 'overlap' : 'cited',
        person: use.person,
        sessionID: use.sessionID,
        runID: use.runID,
        at: Math.round(use.at),
      });
    }
  }
  return [...found.values()];
}

/** The answer names the passage by its id, or by the path of its file. */
function isNamed({ id, platform, sessionID }: Passage, answer: string): boolean {
  return answer.includes(id) || (platform === 'file' && answer.includes(sessionID));
}
