// What an edit of a question that was just answered does, and the button below the offer to answer it again. Pure.

import type { Phrases } from '#adapters/gateway/phrases/en.ts';
import type { Button } from '#adapters/gateway/terms/channel.ts';

export const editRerunRules = ['ask', 'always', 'never'] as const;
export type EditReruns = (typeof editRerunRules)[number];

/** The name of the proposal to answer the messages of a turn again. */
export function rerunProposal(turnID: string): string {
  return `rerun:${turnID}`;
}

/** The button for the turn with this id. */
export function rerunChoices(turnID: string, { sessions }: Pick<Phrases, 'sessions'>): Button[] {
  return [{ id: `r:${turnID}`, label: sessions.answerAgain }];
}

/** The turn whose messages a pressed button has answered again; undefined for any other button. */
export function rerunChoiceIn(choice: string): string | undefined {
  return /^r:(trn_[0-9a-z]+)$/.exec(choice)?.[1];
}
