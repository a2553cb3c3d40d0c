// A firing as the gateway sees it: whose it is, the message it becomes, and what a chat is shown of it.

import { madeMessage } from '#adapters/gateway/ledger/inbox/made-message.ts';
import type { Ledger } from '#adapters/gateway/ledger/ledger.ts';
import type { TakenFiring } from '#adapters/gateway/ledger/turns/taken-firings.ts';
import type { Phrases } from '#adapters/gateway/phrases/en.ts';
import type { Address } from '#adapters/gateway/terms/address.ts';
import type { MessageEvent } from '#adapters/gateway/terms/inbound.ts';
import type { Firing } from '#engine/wire/schedules/schedule.ts';

/** From so much on something that was due is late, and says so; in milliseconds. */
const lateMs = 2 * 60_000;

/** Whose schedule it is, at this moment. */
interface Author {
  person: string;
  actor: MessageEvent['actor'];
  due: NonNullable<MessageEvent['due']>;
}

/** The author of a firing: the person of a schedule, or an account of no person for a hook. */
export function firingAuthor({ person, source_id }: Firing, { platform }: Address, ledger: Ledger): Author {
  if (person === null) {
    // a hook is a separate account, with no right and no memory of any person
    const actor = { id: `hook:${source_id}`, name: `webhook ${source_id}`, isBot: true };
    return { person: ledger.identities.meet(platform, actor), actor, due: { by: 'hook', name: source_id } };
  }
  const { userID, shownAs } = ledger.persons.standingOf(person);
  return { person, actor: { id: userID, name: shownAs, isBot: false }, due: { by: 'schedule' } };
}

/** The firing as a message of its author, in the place where they last wrote. */
export function eventOf(
  firing: Firing,
  address: Address,
  { author: { person, actor, due }, ledger, at }: { author: Author; ledger: Ledger; at: number },
): MessageEvent {
  const { room, topic, inReplies, nativeID, retryOf } = ledger.inbox.lastIn(address, person)?.event ?? {};
  return {
    ...madeMessage({ address, actor, at }, { nativeID: `due:${firing.id}`, text: firing.text }),
    due,
    ...(room === undefined ? {} : { room }),
    ...(topic === undefined ? {} : { topic }),
    // there an answer is visible only below what it answers
    ...(inReplies === undefined ? {} : { inReplies, retryOf: retryOf ?? nativeID }),
  };
}

/** The row that records a firing as taken. */
export const takenOf = ({ id, source, source_id, person }: Firing, address: Address): TakenFiring => ({
  ...{ id, source, sourceID: source_id, person: person ?? undefined },
  address,
});

/** The text of a firing: a reminder with the reason when it is late, or the hook's name with what it sent. */
export function firingText(
  firing: Firing,
  { event, now, phrases }: { event: MessageEvent; now: number; phrases: Phrases },
): string {
  const { address, actor } = event;
  const { schedules } = phrases;
  const { text, source, source_id, due_at_ms: due, released_at_ms: released, zone } = firing;
  if (source === 'hook') return schedules.hook({ name: source_id, text });
  const name = address.kind === 'dm' ? undefined : actor.name;
  const said = schedules.reminder({ text, name });
  const at = schedules.moment({ at: due, zone });
  if (now - released >= lateMs) return `${said}\n\n${schedules.late({ at })}`;
  if (released - due >= lateMs) return `${said}\n\n${schedules.afterQuiet({ at })}`;
  return said;
}
