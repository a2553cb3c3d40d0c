// The door of the gateway: whom it lets in, and what the others are told, seldom and in words. Decided before anything of a message is kept.
import type { Address } from '#adapters/gateway/address.ts';
import type { Channel } from '#adapters/gateway/channel.ts';
import { commandOf } from '#adapters/gateway/commands/parse.ts';
import type { Connection } from '#adapters/gateway/delivery/connection.ts';
import type { Sender } from '#adapters/gateway/delivery/sender.ts';
import { type Ephemeral, ephemeralPart } from '#adapters/gateway/ephemeral-part.ts';
import type { MessageEvent } from '#adapters/gateway/inbound.ts';
import type { Knock } from '#adapters/gateway/ledger/knocks.ts';
import type { Ledger } from '#adapters/gateway/ledger/ledger.ts';
import type { Clock } from '#base/clock.ts';
import type { NewId } from '#base/ids.ts';
import type { Log } from '#base/log.ts';
import { codeIn, newCode } from './code.ts';
import { decideDirect, decideRoom, type Engagement, type Refusal, rulesFor, type Verdict } from './decide.ts';
import { askingWho } from './shared-names.ts';
import type { ChannelAccess } from './terms.ts';
import { codeWords, fullWords, refusalWords, usedUpWords, welcomeWords } from './words.ts';

export interface DoorOptions {
  ledger: Ledger;
  sender: Pick<Sender, 'deliver'>;
  connectionOf: (address: Address) => Connection | undefined;
  clock: Clock;
  newId: NewId;
  log: Log;
}

export interface Door {
  /**
   * Whether this message is let in, changing nothing. Inside of a transaction, with `refuse`.
   */
  knock(event: MessageEvent, access: ChannelAccess, engaged: Engagement): Verdict;
  /** Keeps the id of a refused message and what its sender is told, if anything; what is to be done after the commit. */
  refuse(event: MessageEvent, why: Refusal, usedUp?: string): () => void;
  /** Says something in a chat; resolves once that is on record. */
  tell(address: Address, words: string): Promise<void>;
  /** Tells everybody who was let in, and was not told yet, that they are. */
  welcome(): Promise<void>;
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
/** So long a code is good. */
export const codeMs = hourMs;
/** Codes that wait at one bot account. */
const mostPending = 3;
/** A stranger who writes on is told nothing new for so long. */
const quietMs: Readonly<Record<Refusal, number>> = {
  code: 10 * minuteMs,
  'not listed': hourMs,
  off: hourMs,
  'not known here': hourMs,
  'not an owner': hourMs,
  'used up': hourMs,
};
/** Strangers that one bot account tells something within an hour: whoever sends a thousand of them gets no thousand messages out. */
const mostToldPerHour = 20;
/** Codes that somebody who is not known may try within an hour. */
const mostLinks = 6;
/** Whoever was turned away gets no new code for so long. */
const deniedMs = 30 * dayMs;
/** So long it is known that a message was refused: platforms tell of messages again within days. */
const refusedMs = 7 * dayMs;

/** The door of one gateway. */
export function createDoor(options: DoorOptions): Door {
  const { ledger, sender, connectionOf, clock, newId, log } = options;
  const { knocks, persons } = ledger;

  /** Whoever is known elsewhere may say so with a code, also where strangers are not let in; a few times an hour. */
  const isLinking = (event: MessageEvent, access: ChannelAccess): boolean => {
    const { address, actor } = event;
    if (access.directMessages !== 'pairing' && access.directMessages !== 'open') return false;
    const said = commandOf(event);
    if (said?.name !== 'link' || codeIn(said.args.split(/\s+/)[0] ?? '') === undefined) return false;
    const person = ledger.people.known(address.platform, actor.id);
    if (person === undefined) return true;
    return ledger.inbox.saidIn(address, { person, since: clock.now() - hourMs }) < mostLinks;
  };

  /** Puts words into the outbox, inside of a transaction; the row's id, or undefined where the channel is switched off. */
  const tell = (
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

  /** The words for a refused person and what is then known of them; undefined when they were told lately, or too many were. */
  const answerTo = (
    event: MessageEvent,
    why: Refusal,
    what = '',
  ): { words: string; knock: Knock } | undefined => {
    const { address, actor } = event;
    const { platform, account } = address;
    const at = { platform, account, userID: actor.id };
    const now = clock.now();
    const known = knocks.get(at);
    const asked = event.placeholder !== undefined; // a command that shows "thinking" until it is answered
    const pending = known?.state === 'pending' && (known.expiresAtMs ?? 0) > now;
    if (known?.state === 'denied' && why === 'code' && now - known.toldAtMs < deniedMs)
      return asked ? { words: refusalWords('not listed'), knock: known } : undefined;
    // a code that is over is news for whoever has it
    const quiet = known?.state === 'pending' && !pending ? 0 : quietMs[why];
    if (known !== undefined && now - known.toldAtMs < quiet && !asked) return undefined;
    if (knocks.toldSince(at, now - hourMs) >= mostToldPerHour && !asked) return undefined;
    const told = { ...at, name: actor.name, address, toldAtMs: now };
    const none = { state: 'told', code: undefined, expiresAtMs: undefined } as const;
    if (why !== 'code') {
      const words = why === 'used up' ? usedUpWords(what) : askingWho(refusalWords(why), platform, actor);
      return { words, knock: { ...told, ...(pending ? known : none), toldAtMs: now } };
    }
    if (pending && known.code !== undefined)
      return { words: codeWords(known.code), knock: { ...known, ...told } };
    if (knocks.pending(now, at).length >= mostPending)
      return { words: fullWords, knock: { ...told, ...none } };
    const code = newCode();
    return { words: codeWords(code), knock: { ...told, state: 'pending', code, expiresAtMs: now + codeMs } };
  };

  return {
    knock(event, access, engaged) {
      const { actor, address } = event;
      const standing = persons.standing(address.platform, actor.id);
      if (actor.isBot) return knockOfBot(event, access, ledger, clock.now());
      return address.kind === 'dm'
        ? isLinking(event, access)
          ? { kind: 'admitted', role: standing.role ?? 'guest' }
          : decideDirect(event, { standing, access })
        : decideRoom(event, { standing, access, engaged });
    },
    refuse(event, why, what) {
      const { address, nativeID, actor } = event;
      const now = clock.now();
      if (!knocks.refuse({ address, nativeID, at: now, forgetBefore: now - refusedMs })) return () => {};
      const answer = answerTo(event, why, what);
      if (answer === undefined) return () => {};
      knocks.put(answer.knock);
      knocks.forget(now - deniedMs);
      const replyTo = address.kind === 'dm' ? undefined : nativeID;
      const id = tell(address, answer.words, { replyTo, answers: event });
      return () => {
        log.info({ platform: address.platform, user: actor.id, why }, 'somebody was refused');
        if (id !== undefined) void sender.deliver(id, address);
      };
    },
    async tell(address, words) {
      const id = await ledger.commit(() => tell(address, words));
      if (id !== undefined) void sender.deliver(id, address);
    },
    async welcome() {
      for (const knock of knocks.approved()) {
        const { address } = knock;
        if (connectionOf(address) === undefined) continue; // its channel is switched off: told when it is back
        const { name, role } = persons.standing(knock.platform, knock.userID);
        const id = await ledger.commit(() => {
          if (knocks.get(knock)?.state !== 'approved') return undefined; // told by another round meanwhile
          knocks.remove(knock);
          return tell(address, welcomeWords({ name, role }, address));
        });
        if (id !== undefined) void sender.deliver(id, address);
      }
    },
  };
}

/** How the sender of a command alone is told that it is refused; what others say is refused where it was said. */
function ephemeralTo(event: MessageEvent, channel: Channel): Ephemeral | undefined {
  const isCommand = event.placeholder !== undefined || event.answerAt !== undefined;
  return event.address.kind !== 'dm' && (isCommand || commandOf(event) !== undefined)
    ? channel.ephemeralFor?.(event)
    : undefined;
}

/**
 * Another bot: only one that is named, in rooms, by name or answer, and no more often than the budget says. It is told nothing when
 * it is not, since two bots that refuse each other in words would go on for ever.
 */
function knockOfBot(event: MessageEvent, access: ChannelAccess, ledger: Ledger, now: number): Verdict {
  const { actor, address } = event;
  const { allowed, perHour } = access.bots;
  if (address.kind === 'dm' || !allowed.includes(actor.id)) return { kind: 'unmeant' };
  const called = event.addressed !== 'none' || rulesFor(event, access).answers === 'everything';
  if (!called) return { kind: 'unmeant' };
  const verdict = decideRoom(
    { ...event, addressed: 'mention' },
    { standing: { key: undefined, name: undefined, role: 'guest' }, access, engaged: 'none' },
  );
  if (verdict.kind !== 'admitted') return { kind: 'unmeant' };
  const person = ledger.people.known(address.platform, actor.id);
  const said = person === undefined ? 0 : ledger.inbox.saidIn(address, { person, since: now - hourMs });
  return said < perHour ? { kind: 'admitted', role: 'guest' } : { kind: 'unmeant' };
}
