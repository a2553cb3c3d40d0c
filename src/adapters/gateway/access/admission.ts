// The admission of the gateway: who may talk to it, and what the others read, seldom and as a sentence. Decided before anything of a message is stored.
import type { Address } from '#adapters/gateway/address.ts';
import type { Channel } from '#adapters/gateway/channel.ts';
import { commandOf } from '#adapters/gateway/commands/parse.ts';
import type { Connection } from '#adapters/gateway/delivery/connection.ts';
import type { Sender } from '#adapters/gateway/delivery/sender.ts';
import { type Ephemeral, ephemeralPart } from '#adapters/gateway/ephemeral-part.ts';
import type { MessageEvent } from '#adapters/gateway/inbound.ts';
import type { Ledger } from '#adapters/gateway/ledger/ledger.ts';
import type { PairingRequest } from '#adapters/gateway/ledger/pairing-requests.ts';
import type { Phrases } from '#adapters/gateway/phrases/en.ts';
import type { PhraseBook } from '#adapters/gateway/phrases/phrase-book.ts';
import type { Clock } from '#base/clock.ts';
import type { NewId } from '#base/ids.ts';
import type { Log } from '#base/log.ts';
import type { ChannelAccess } from './access-types.ts';
import {
  type AdmissionResult,
  decideDirect,
  decideRoom,
  type Engagement,
  type RefusalReason,
  rulesFor,
} from './admission-rules.ts';
import { codeIn, newCode } from './code.ts';
import type { UsedUp } from './limits.ts';
import { codeMessage, refusalMessage, usedUpMessage, welcomeMessage } from './messages.ts';
import { askingWho } from './shared-names.ts';

export interface AdmissionOptions {
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
   * Stores the id of a refused message and the answer to its sender, if there is one; returns what is to be done after the commit.
   */
  refuse(event: MessageEvent, why: RefusalReason | UsedUp): () => void;
  /** Says something in a chat; resolves once that is on record. */
  notify(address: Address, words: string): Promise<void>;
  /** Notifies everyone who was admitted and does not know it yet. */
  welcome(): Promise<void>;
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
/** So long a code is good. */
export const codeMs = hourMs;
/** Codes that wait at one bot account. */
const maxPending = 3;
/** A stranger who writes again gets no new answer for so long. */
const quietMs: Readonly<Record<RefusalReason | 'used up', number>> = {
  code: 10 * minuteMs,
  'not listed': hourMs,
  off: hourMs,
  'not known here': hourMs,
  'not an owner': hourMs,
  'not here': 0,
  'used up': hourMs,
};
/** Strangers that one bot account answers within an hour: a thousand strangers do not make it write a thousand messages. */
const maxToldPerHour = 20;
/** Codes that someone who is not known may try within an hour. */
const maxLinks = 6;
/** Anyone who was turned away gets no new code for so long. */
const deniedMs = 30 * dayMs;
/** How long a refused message is remembered: platforms report messages again within days. */
const refusedMs = 7 * dayMs;

/** The door of one gateway. */
export function createAdmission(options: AdmissionOptions): Admission {
  const { ledger, sender, connectionOf, book, clock, newId, log } = options;
  const { pairingRequests, persons } = ledger;

  /** Anyone who is known somewhere else may say so with a code, also where strangers are not admitted; a few times an hour. */
  const isLinking = (event: MessageEvent, access: ChannelAccess): boolean => {
    const { address, actor } = event;
    if (access.directMessages !== 'pairing' && access.directMessages !== 'open') return false;
    const said = commandOf(event);
    if (said?.name !== 'link' || codeIn(said.args.split(/\s+/)[0] ?? '') === undefined) return false;
    const person = ledger.identities.known(address.platform, actor.id);
    if (person === undefined) return true;
    return ledger.inbox.saidIn(address, { person, since: clock.now() - hourMs }) < maxLinks;
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

  /** The words for a refused person and what is then known of them; undefined when they were informed lately, or too many were. */
  const answerTo = (
    event: MessageEvent,
    refused: RefusalReason | UsedUp,
  ): { words: string; pairingRequest?: PairingRequest } | undefined => {
    const { address, actor } = event;
    const phrases = phrasesTo(event);
    const why = typeof refused === 'string' ? refused : 'used up';
    // it says nothing of the person, and is shown to nobody else
    if (refused === 'not here') return { words: refusalMessage(refused, phrases) };
    const { platform, account } = address;
    const at = { platform, account, userID: actor.id };
    const now = clock.now();
    const known = pairingRequests.get(at);
    const asked = event.placeholder !== undefined; // a command that shows "thinking" until it is answered
    const pending = known?.state === 'pending' && (known.expiresAtMs ?? 0) > now;
    if (known?.state === 'denied' && why === 'code' && now - known.toldAtMs < deniedMs)
      return asked ? { words: refusalMessage('not listed', phrases), pairingRequest: known } : undefined;
    // that a code has expired is news for the person who has it
    const isOver = known?.state === 'pending' && !pending;
    const isNews = known === undefined || isOver || now - known.toldAtMs >= quietMs[why];
    if (!isNews && !asked) return undefined;
    if (pairingRequests.toldSince(at, now - hourMs) >= maxToldPerHour && !asked) return undefined;
    const told = { ...at, name: actor.name, address, toldAtMs: now, locale: actor.locale ?? known?.locale };
    const none = { state: 'told', code: undefined, expiresAtMs: undefined } as const;
    if (refused !== 'code') {
      const words =
        typeof refused === 'string'
          ? askingWho(refusalMessage(refused, phrases), { platform, actor, phrases })
          : usedUpMessage(refused, phrases);
      return { words, pairingRequest: { ...told, ...(pending ? known : none), toldAtMs: now } };
    }
    if (pending && known.code !== undefined)
      return { words: codeMessage(known.code, phrases), pairingRequest: { ...known, ...told } };
    if (pairingRequests.pending(now, at).length >= maxPending)
      return { words: phrases.access.noCodeFree, pairingRequest: { ...told, ...none } };
    const code = newCode();
    return {
      words: codeMessage(code, phrases),
      pairingRequest: { ...told, state: 'pending', code, expiresAtMs: now + codeMs },
    };
  };

  return {
    decide(event, access, engaged) {
      const { actor, address } = event;
      const standing = persons.standing(address.platform, actor.id);
      if (actor.isBot) return decideOnBot(event, access, ledger, clock.now());
      return address.kind === 'dm'
        ? isLinking(event, access)
          ? { kind: 'admitted', role: standing.role ?? 'guest' }
          : decideDirect(event, { standing, access })
        : decideRoom(event, { standing, access, engaged });
    },
    refuse(event, refused) {
      const { address, nativeID, actor } = event;
      const now = clock.now();
      if (!pairingRequests.refuse({ address, nativeID, at: now, forgetBefore: now - refusedMs }))
        return () => {};
      const answer = answerTo(event, refused);
      if (answer === undefined) return () => {};
      if (answer.pairingRequest !== undefined) pairingRequests.put(answer.pairingRequest);
      pairingRequests.forget(now - deniedMs);
      const replyTo = address.kind === 'dm' ? undefined : nativeID;
      const id = notify(address, answer.words, { replyTo, answers: event });
      return () => {
        log.info({ platform: address.platform, user: actor.id, refused }, 'someone was refused');
        if (id !== undefined) void sender.deliver(id, address);
      };
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
  const said = person === undefined ? 0 : ledger.inbox.saidIn(address, { person, since: now - hourMs });
  return said < perHour ? { kind: 'admitted', role: 'guest' } : { kind: 'unmeant' };
}
