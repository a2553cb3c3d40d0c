// How a request ended: stored as a word, and worded for each chat that shows it. Pure.

import { choiceOf } from '#adapters/gateway/admission/request-answer.ts';
import type { PostedRequest } from '#adapters/gateway/ledger/posted-requests.ts';
import type { Phrases } from '#adapters/gateway/phrases/en.ts';

type Ending = keyof Phrases['requests']['outcomes'];

/** An ending, and behind a colon who chose it where more than one person may. */
export type RequestOutcome = Ending | `${Ending}:${string}`;

/** The outcome of a request from its answer; in a room with the name of the person who gave it (`by`). */
export function outcomeOf(
  asked: Pick<PostedRequest, 'request' | 'answers' | 'address'>,
  by?: string,
): RequestOutcome {
  if (asked.request.kind === 'question') return 'answered';
  const choice = choiceOf(asked);
  return asked.address.kind === 'dm' || by === undefined ? choice : `${choice}:${by}`;
}

/** The outcome for people to read; one that an earlier version stored as a sentence is shown unchanged. */
export function outcomeText(stored: string, { requests }: Phrases): string {
  const [, ending = stored, name] = /^([A-Za-z]+):(.+)$/s.exec(stored) ?? [];
  if (!isEnding(ending, requests.outcomes)) return stored;
  const outcome = requests.outcomes[ending];
  return name === undefined ? outcome : requests.outcomeBy({ outcome, name });
}

function isEnding(word: string, outcomes: Phrases['requests']['outcomes']): word is Ending {
  return Object.hasOwn(outcomes, word);
}
