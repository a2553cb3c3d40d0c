// The buttons below a proposed schedule. Pure.

import type { Phrases } from '#adapters/gateway/phrases/en.ts';
import type { Button } from '#adapters/gateway/terms/channel.ts';

/** The Yes and No buttons for the schedule with this id. */
export function scheduleChoices(
  id: string,
  { schedules: { yes, no } }: Pick<Phrases, 'schedules'>,
): Button[] {
  return [
    { id: `s:${id}:yes`, label: yes },
    { id: `s:${id}:no`, label: no },
  ];
}

/** The schedule and the answer that a pressed button means; undefined for any other button. */
export function scheduleChoiceIn(choice: string): { id: string; isYes: boolean } | undefined {
  const [, id, answer] = /^s:(sch_[0-9a-z]+):(yes|no)$/.exec(choice) ?? [];
  return id === undefined ? undefined : { id, isYes: answer === 'yes' };
}
