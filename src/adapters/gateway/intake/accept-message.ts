// A message that came in: decided on, and in the inbox within the transaction of its event.

import { asEngaged, engagement } from '#adapters/gateway/admission/engagement.ts';
import { limitUsedUp } from '#adapters/gateway/admission/limits.ts';
import { createPastes } from '#adapters/gateway/lanes/pastes.ts';
import { messageAudienceOf } from '#adapters/gateway/ledger/lane.ts';
import { createOpenRequests, isForUs } from '#adapters/gateway/requests/open-requests.ts';
import type { AcceptResult, MessageEvent } from '#adapters/gateway/terms/inbound.ts';
import { namePlace, namesOfMessage } from './name-places.ts';
import type { SinkOptions } from './sink-options.ts';

export interface Outcome {
  accepted: AcceptResult;
  /** What is done after the commit: runs once it is written: the answer is begun while the disk is waited for, without which nothing is sent. */
  notify?: () => void;
}

/** Decides on a message, inside a transaction; a message that came before is a duplicate. */
export function createAcceptMessage(options: SinkOptions): (event: MessageEvent) => Outcome {
  const { ledger, connection, clock } = options;
  const { platform } = connection.channel;
  const requests = createOpenRequests(options);
  const earlier = (): MessageEvent[] =>
    ledger.inbox.lanesWaiting().flatMap((lane) => ledger.inbox.waiting(lane).at(-1)?.event ?? []);
  const pastes = createPastes({ splitsAt: connection.channel.caps.splitsAt, earlier }, clock);

  /** Notes who was seen in which room, how open the room is and what it is called; whether it has another name now. */
  const see = (event: MessageEvent, person: string): boolean => {
    const place = messageAudienceOf(event, person, ledger.chatMigrations.originalAddress(event.address));
    ledger.identities.sighted(person, place, event.at);
    const at = event.room?.privateThread === true ? event.address : { ...event.address, thread: undefined };
    const { restricted } = ledger.rooms.seen(place, at);
    if (restricted && !place.restricted) options.reading.doubt(place.audience);
    return namePlace(ledger, { address: event.address, names: namesOfMessage(event, ledger) }, 'all');
  };

  return (given) => {
    const platformNow = connection.channel.now?.();
    const event = pastes.partOf(
      platformNow === undefined ? given : { ...given, delayMs: platformNow - given.at },
    );
    const goesOn = event.paste?.after !== undefined;
    // a line of a text that goes on is no command, whatever it begins with
    const isForUsNow = !goesOn && isForUs(event);
    const { address, actor, nativeID } = event;
    const ignored: Outcome = { accepted: 'ignored' };
    if (ledger.pairingRequests.isRefused(address, nativeID)) return ignored; // reported again, it is refused all the same
    const before = ledger.identities.known(platform, actor.id);
    const { access, sessions } = options.talk();
    const engaged = engagement({ event, person: before, access }, { ledger, now: clock.now() });
    const verdict = options.admission.decide(asEngaged(event, engaged), access, engaged);
    if (verdict.kind === 'refused')
      return { accepted: 'ignored', notify: options.admission.refuse(event, verdict.why) };
    if (verdict.kind === 'blocked')
      return { accepted: 'ignored', notify: () => options.admission.leaveUnanswered(event) };
    // a person who only talks to others in a room may be reminded of that room in private; other bots are not
    if (verdict.kind === 'outside' || (verdict.kind === 'unmeant' && actor.isBot)) return ignored;
    if (verdict.kind === 'admitted' && !isForUsNow && !goesOn) {
      const { role } = verdict;
      const limit = limitUsedUp(event, {
        ledger,
        limits: options.limits(),
        person: before,
        role,
        lane: () => options.assistants.laneOf(event, before ?? '', sessions),
        nameIn: options.assistants.nameIn,
        now: clock.now(),
      });
      if (limit !== undefined && ledger.inbox.find(address, nativeID) === undefined)
        return { accepted: 'ignored', notify: options.admission.refuse(event, limit) };
    }
    const person = ledger.identities.meet(platform, actor);
    const isNamed = address.kind !== 'dm' && see(event, person);
    if (verdict.kind === 'unmeant') return isNamed ? { ...ignored, notify: options.onAmended } : ignored;
    const lane = options.assistants.laneOf(event, person, sessions);
    const answer = requests.answeredBy(event, lane, person);
    const isUnaddressed = answer === undefined && !isForUsNow;
    const kind = isUnaddressed && !requests.isRefused(event, lane, person) ? 'message' : 'command';
    const id = options.newId('inb');
    const isNew = ledger.inbox.insert({ id, lane, person, kind, event, receivedAt: clock.now() });
    if (!isNew) {
      ledger.inbox.addFiles(event);
      return { accepted: 'duplicate' };
    }
    if (kind === 'message') pastes.accepted(event);
    if (answer !== undefined) ledger.postedRequests.answer(answer.id, { inboxID: id, text: answer.text });
    const command = kind === 'command' ? ledger.inbox.find(address, event.nativeID) : undefined;
    const notify = (): void => {
      options.log.debug({ inbox: id, platform, message: nativeID, lane }, 'message accepted');
      options.onAccepted({ lane, event, command });
      if (isNamed) options.onAmended();
    };
    return { accepted: 'accepted', notify };
  };
}
