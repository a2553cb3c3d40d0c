// What is forgotten of short-term memory with the passages that it was made of.
import type { ForgetDerived } from '#memory/files/forget-lines.ts';
import type { Store } from '#memory/store/store.ts';
import { claimOf, statementsOf } from '#memory/words/statements.ts';

/** Removes candidates, recalls and promotions in the caller's transaction; the lines of files that were made of the texts, and the ids of what went. */
export function forgetDerived(
  { recalls, promotions }: Store,
  { texts, hashes, claims: named, runIDs, sessionIDs, persons }: Parameters<ForgetDerived>[0],
): ReturnType<ForgetDerived> {
  const claims = [
    ...new Set([
      ...named,
      ...promotions.claimsOf(hashes),
      ...texts.flatMap(({ audience, text }) =>
        statementsOf(text).map((each) => claimOf(audience, each.text)),
      ),
    ]),
  ];
  const lines = promotions.linesOf(claims);
  const ids = [...recalls.idsOf(claims), ...promotions.idsOf(claims)];
  recalls.forget({ claims, runIDs, sessionIDs, persons });
  promotions.forget(claims);
  return { lines, ids };
}
