// The buttons below a proposed schedule. Pure.
import type { Button } from '#adapters/gateway/channel.ts';
import type { Phrases } from '#adapters/gateway/phrases/en.ts';

/** Yes and no to the schedule with this id. */
export function scheduleChoices(
  id: string,
  { schedules: { yes, no } }: Pick<Phrases, 'schedules'>,
): Button[] {
  return [
    { id: `s:${id}:yes`, label: yes },
    { id: `s:${id}:no`, label: no },
  ];
}

/** What a pressed button says about which schedule; undefined for any other button. */
export function scheduleChoiceIn(choice: string): { id: string; isYes: boolean } | undefined {
  const [, id, answer] = /^s:(sch_[0-9a-z]+):(yes|no)$/.exec(choice) ?? [];
  return id === undefined ? undefined : { id, isYes: answer === 'yes' };
}
