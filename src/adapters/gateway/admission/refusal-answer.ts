// What a person who is refused reads, seldom: a code, or why not; and what is known of them from then on.

import type { Ledger } from '#adapters/gateway/ledger/ledger.ts';
import type { PairingRequest } from '#adapters/gateway/ledger/people/pairing-requests.ts';
import type { Phrases } from '#adapters/gateway/phrases/en.ts';
import { newCode } from '#adapters/gateway/terms/code.ts';
import type { MessageEvent } from '#adapters/gateway/terms/inbound.ts';
import { askingWho } from '#adapters/gateway/terms/shared-names.ts';
import type { Clock } from '#base/clock.ts';
import type { RefusalReason } from './admission-rules.ts';
import type { UsedUp } from './limits.ts';
import { codeMessage, refusalMessage, usedUpMessage } from './messages.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** So long a code is good. */
const codeMs = hourMs;

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
  'retry of others': hourMs,
  'delete of others': hourMs,
  'stop of others': hourMs,
  'used up': hourMs,
};

/** Strangers that one bot account answers within an hour: a thousand strangers do not make it write a thousand messages. */
const maxRefusalsPerHour = 20;

/** Anyone who was turned away gets no new code for this long. */
export const deniedMs = 30 * dayMs;

/** Inside a transaction, changing nothing; undefined when they were answered lately, or too many people were. */
type RefusalAnswer = (
  event: MessageEvent,
  refused: RefusalReason | UsedUp,
) => { words: string; pairingRequest?: PairingRequest } | undefined;

/** Chooses what a refused sender reads; `phrasesTo` returns the language of the sender, or of the room where others read along. */
export function createRefusalAnswer({
  pairingRequests,
  phrasesTo,
  clock,
}: {
  pairingRequests: Ledger['pairingRequests'];
  phrasesTo: (event: MessageEvent) => Phrases;
  clock: Clock;
}): RefusalAnswer {
  return (event, refused) => {
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
    if (known?.state === 'denied' && why === 'code' && now - known.notifiedAtMs < deniedMs)
      return asked ? { words: refusalMessage('not listed', phrases), pairingRequest: known } : undefined;
    // that a code has expired is news for the person who has it
    const isOver = known?.state === 'pending' && !pending;
    const isNews = known === undefined || isOver || now - known.notifiedAtMs >= quietMs[why];
    if (!isNews && !asked) return undefined;
    if (pairingRequests.answeredSince(at, now - hourMs) >= maxRefusalsPerHour && !asked) return undefined;
    const notified = {
      ...at,
      name: actor.name,
      address,
      notifiedAtMs: now,
      locale: actor.locale ?? known?.locale,
    };
    const none = { state: 'told', code: undefined, expiresAtMs: undefined } as const;
    if (refused !== 'code') {
      const words =
        typeof refused === 'string'
          ? askingWho(refusalMessage(refused, phrases), { platform, actor, phrases })
          : usedUpMessage(refused, phrases);
      return { words, pairingRequest: { ...notified, ...(pending ? known : none), notifiedAtMs: now } };
    }
    if (pending && known.code !== undefined)
      return { words: codeMessage(known.code, phrases), pairingRequest: { ...known, ...notified } };
    if (pairingRequests.pending(now, at).length >= maxPending)
      return { words: phrases.access.noCodeFree, pairingRequest: { ...notified, ...none } };
    const code = newCode();
    return {
      words: codeMessage(code, phrases),
      pairingRequest: { ...notified, state: 'pending', code, expiresAtMs: now + codeMs },
    };
  };
}
