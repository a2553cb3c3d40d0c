// The admission of the gateway: who may talk to it, and what refused people read. It runs before anything of a message is stored.

import type { Sender } from '#adapters/gateway/delivery/sender.ts';
import type { Ledger } from '#adapters/gateway/ledger/ledger.ts';
import type { Connection } from '#adapters/gateway/pace/connection.ts';
import type { Phrases } from '#adapters/gateway/phrases/en.ts';
import type { ChannelAccess } from '#adapters/gateway/terms/access-types.ts';
import type { Address } from '#adapters/gateway/terms/address.ts';
import type { Channel } from '#adapters/gateway/terms/channel.ts';
import { codeIn } from '#adapters/gateway/terms/code.ts';
import { type Ephemeral, ephemeralPart } from '#adapters/gateway/terms/ephemeral-part.ts';
import type { MessageEvent } from '#adapters/gateway/terms/inbound.ts';
import { commandOf } from '#adapters/gateway/terms/parse-command.ts';
import type { PhraseBook } from '#adapters/gateway/terms/phrase-book.ts';
import type { Clock } from '#base/clock.ts';
import type { NewId } from '#base/ids.ts';
import type { Log } from '#base/log/log.ts';
import {
  type AdmissionResult,
  decideDirect,
  decideRoom,
  type Engagement,
  type RefusalReason,
  rulesFor,
} from './admission-rules.ts';
import type { UsedUp } from './limits.ts';
import { welcomeMessage } from './messages.ts';
import { createRefusalAnswer, deniedMs } from './refusal-answer.ts';

interface AdmissionOptions {
  ledger: Ledger;
  sender: Pick<Sender, 'deliver'>;
  connectionOf: (address: Address) => Connection | undefined;
  book: PhraseBook;
  clock: Clock;
  newId: NewId;
  log: Log;
}

export interface Admission {
  /**
   * Whether this message is admitted, changing nothing. Inside of a transaction, with `refuse`.
   */
  decide(event: MessageEvent, access: ChannelAccess, engaged: Engagement): AdmissionResult;
  /**
   * Stores the id of a refused message and the answer to its sender, if there is one; returns what is to be done after the commit. In rooms
   * the answer is below that message, or the one with the id `below`.
   */
  refuse(event: MessageEvent, why: RefusalReason | UsedUp, below?: string): () => void;
  /** Takes the sign down that an answer to a blocked account's command follows. */
  leaveUnanswered(event: MessageEvent): void;
  /** Says something in a chat; resolves once that is on record. */
  notify(address: Address, words: string): Promise<void>;
  /** Tells everyone who was admitted and does not know it yet. */
  welcome(): Promise<void>;
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
/** Codes that someone who is not known may try within an hour. */
const maxLinks = 6;
/** How long a refused message is remembered: platforms report messages again within days. */
const refusedMs = 7 * dayMs;

/** Admission of one gateway: decides who may talk to the bot, before a message is stored. */
export function createAdmission(options: AdmissionOptions): Admission {
  const { ledger, sender, connectionOf, book, clock, newId, log } = options;
  const { pairingRequests, persons } = ledger;

  /** Someone who is known elsewhere may say so with a code, also where strangers are not admitted; a few times an hour. */
  const isLinking = (event: MessageEvent, access: ChannelAccess): boolean => {
    const { address, actor } = event;
    if (access.directMessages !== 'pairing' && access.directMessages !== 'open') return false;
    const command = commandOf(event);
    if (command?.name !== 'link' || codeIn(command.args.split(/\s+/)[0] ?? '') === undefined) return false;
    const person = ledger.identities.known(address.platform, actor.id);
    if (person === undefined) return true;
    return ledger.inbox.fromPersonIn(address, { person, since: clock.now() - hourMs }) < maxLinks;
  };

  /** Puts words into the outbox, inside of a transaction; the row's id, or undefined where the channel is switched off. */
  const notify = (
    address: Address,
    words: string,
    to: { replyTo?: string | undefined; answers?: MessageEvent | undefined } = {},
  ): string | undefined => {
    const channel = connectionOf(address)?.channel;
    if (channel === undefined) return undefined;
    const id = newId('out');
    const { placeholder } = to.answers ?? {};
    const ephemeral = to.answers && ephemeralTo(to.answers, channel);
    const parts = channel.render(words).map((part, ordinal) => {
      const key = `k${id.slice(-20)}${ordinal.toString(36)}`;
      const preview = ordinal === 0 && placeholder !== undefined ? { key, nativeID: placeholder } : undefined;
      return { part: ephemeral === undefined ? part : ephemeralPart(part, ephemeral), key, preview };
    });
    ledger.outbox.insert({ id, address, replyTo: to.replyTo, parts, at: clock.now() });
    return id;
  };

  /** The language of the sender where only they read it, else that of the room. */
  const phrasesTo = (event: MessageEvent): Phrases => {
    const { address, actor } = event;
    const channel = connectionOf(address)?.channel;
    const isPrivate = channel !== undefined && ephemeralTo(event, channel) !== undefined;
    const person = ledger.identities.known(address.platform, actor.id);
    return book.for({ address, person, locale: actor.locale, isPrivate });
  };

  const answerTo = createRefusalAnswer({ pairingRequests, phrasesTo, clock });

  return {
    decide(event, access, engaged) {
      const { actor, address } = event;
      const standing = persons.standing(address.platform, actor.id);
      if (standing.blocked) return { kind: 'blocked' };
      if (actor.isBot) return decideOnBot(event, access, ledger, clock.now());
      return address.kind === 'dm'
        ? isLinking(event, access)
          ? { kind: 'admitted', role: standing.role ?? 'guest' }
          : decideDirect(event, { standing, access })
        : decideRoom(event, { standing, access, engaged });
    },
    refuse(event, refused, below = event.nativeID) {
      const { address, nativeID, actor } = event;
      const now = clock.now();
      if (!pairingRequests.refuse({ address, nativeID, at: now, forgetBefore: now - refusedMs }))
        return () => {};
      const answer = answerTo(event, refused);
      if (answer === undefined) return () => {};
      if (answer.pairingRequest !== undefined) pairingRequests.put(answer.pairingRequest);
      pairingRequests.forget(now - deniedMs);
      const replyTo = address.kind === 'dm' ? undefined : below;
      const id = notify(address, answer.words, { replyTo, answers: event });
      return () => {
        log.info({ platform: address.platform, user: actor.id, refused }, 'someone was refused');
        if (id !== undefined) void sender.deliver(id, address);
      };
    },
    leaveUnanswered({ address, placeholder }) {
      const channel = placeholder === undefined ? undefined : connectionOf(address)?.channel;
      if (channel === undefined || placeholder === undefined) return;
      channel.remove(address, placeholder).catch((error: unknown) => {
        log.debug({ words: channel.explain(error).words }, 'the sign of a command was not taken down');
      });
    },
    async notify(address, words) {
      const id = await ledger.commit(() => notify(address, words));
      if (id !== undefined) void sender.deliver(id, address);
    },
    async welcome() {
      for (const pairingRequest of pairingRequests.approved()) {
        const { address } = pairingRequest;
        if (connectionOf(address) === undefined) continue; // its channel is switched off: told when it is back
        const { name, role } = persons.standing(pairingRequest.platform, pairingRequest.userID);
        const id = await ledger.commit(() => {
          if (pairingRequests.get(pairingRequest)?.state !== 'approved') return undefined; // informed by another round before this one
          pairingRequests.remove(pairingRequest);
          const person = ledger.identities.known(pairingRequest.platform, pairingRequest.userID);
          const phrases = book.for({ address, person, locale: pairingRequest.locale });
          return notify(address, welcomeMessage({ name, role }, address, phrases));
        });
        if (id !== undefined) void sender.deliver(id, address);
      }
    },
  };
}

/** How only the sender of a command learns that it is refused; other messages are refused where they were written. */
function ephemeralTo(event: MessageEvent, channel: Channel): Ephemeral | undefined {
  const isCommand = event.placeholder !== undefined || event.answerAt !== undefined;
  return event.address.kind !== 'dm' && (isCommand || commandOf(event) !== undefined)
    ? channel.ephemeralFor?.(event)
    : undefined;
}

/**
 * Another bot: only one that is named, in rooms, by name or answer, and no more often than the budget says. It does not learn when
 * it is not, since two bots that refuse each other with a message would never stop.
 */
function decideOnBot(
  event: MessageEvent,
  access: ChannelAccess,
  ledger: Ledger,
  now: number,
): AdmissionResult {
  const { actor, address } = event;
  const { allowed, perHour } = access.bots;
  if (address.kind === 'dm' || !allowed.includes(actor.id)) return { kind: 'unmeant' };
  const called = event.addressed !== 'none' || rulesFor(event, access).respondTo === 'everything';
  if (!called) return { kind: 'unmeant' };
  const verdict = decideRoom(
    { ...event, addressed: 'mention' },
    { standing: { key: undefined, name: undefined, role: 'guest' }, access, engaged: 'none' },
  );
  if (verdict.kind !== 'admitted') return { kind: 'unmeant' };
  const person = ledger.identities.known(address.platform, actor.id);
  const accepted =
    person === undefined ? 0 : ledger.inbox.fromPersonIn(address, { person, since: now - hourMs });
  return accepted < perHour ? { kind: 'admitted', role: 'guest' } : { kind: 'unmeant' };
}
