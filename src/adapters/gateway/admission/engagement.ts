// How far the bot takes part in what a message belongs to: the thread between the two, one with others, or nothing of its own.

import type { Ledger } from '#adapters/gateway/ledger/ledger.ts';
import type { ChannelAccess } from '#adapters/gateway/terms/access-types.ts';
import type { MessageEvent } from '#adapters/gateway/terms/inbound.ts';
import { type Engagement, isPlace } from './admission-rules.ts';
import { answerIn } from './request-answer.ts';

/**
 * Notes who speaks in a thread, and says how far the bot takes part in it. Inside of the transaction of the message; `person` is its
 * author, where the bot has met them.
 */
export function engagement(
  { event, person, access }: { event: MessageEvent; person: string | undefined; access: ChannelAccess },
  { ledger, now }: { ledger: Pick<Ledger, 'inbox' | 'company' | 'postedRequests'>; now: number },
): Engagement {
  const { address, actor, files, text, takenPart } = event;
  if (person !== undefined && ledger.inbox.hasAlbum(event, person)) return 'alone';
  if (address.kind === 'dm' || address.thread === undefined || actor.isBot || !isPlace(event, access))
    return 'none';
  const isAlone = ledger.company.isAloneIn(event, now) && takenPart !== 'others';
  if (event.underBot !== true && takenPart === undefined && !ledger.inbox.knows(address)) return 'none';
  if (isAlone) return 'alone';
  const isAnswer = (): boolean =>
    files.length === 0 &&
    ledger.postedRequests
      .openAt(address)
      .some(
        (asked) =>
          (asked.request.kind === 'permission' || asked.person === person) &&
          answerIn(text, asked) !== undefined,
      );
  return isAnswer() ? 'alone' : 'others';
}

/** The message as it counts: below a message of the bot's others talk to each other too, and do not turn to the bot by that. */
export function asEngaged(event: MessageEvent, engaged: Engagement): MessageEvent {
  return event.underBot === true && engaged === 'others' ? { ...event, addressed: 'none' } : event;
}
