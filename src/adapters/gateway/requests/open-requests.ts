// What a run asks in a chat, and whether a message there answers it.

import type { Approvers } from '#adapters/gateway/admission/approvers.ts';
import { aboutCall, answerIn } from '#adapters/gateway/admission/request-answer.ts';
import type { Ledger } from '#adapters/gateway/ledger/ledger.ts';
import type { PostedRequest } from '#adapters/gateway/ledger/posted-requests.ts';
import type { MessageEvent } from '#adapters/gateway/terms/inbound.ts';
import { commandOf, nearMissOf } from '#adapters/gateway/terms/parse-command.ts';
import { predates } from '#adapters/gateway/turn-prompt/late.ts';
import type { Clock } from '#base/clock.ts';

interface OpenRequests {
  /** What a message answers, when the person is asked something here. */
  answeredBy(event: MessageEvent, lane: string, person: string): { id: string; text: string } | undefined;
  /**
   * A number, from someone who may not give the approval that this room waits for: they read so, and nobody else does. And what answers
   * none of the choices about a call, from the person who is to choose.
   */
  isRefused(event: MessageEvent, lane: string, person: string): boolean;
}

/** True for a command, a mistyped command, or a message from a place where the assistant cannot answer: none of them answers a request. */
export function isForUs(event: MessageEvent): boolean {
  return event.outside === true || commandOf(event) !== undefined || nearMissOf(event) !== undefined;
}

/** Finds the open request of a chat that a message answers. */
export function createOpenRequests({
  ledger,
  approvers,
  clock,
}: {
  ledger: Ledger;
  approvers: Pick<Approvers, 'isApprover'>;
  clock: Clock;
}): OpenRequests {
  const isOlder = (event: MessageEvent, { request }: PostedRequest): boolean =>
    predates({ writtenAt: event.at, receivedAt: clock.now(), event }, request.requestedAtMs);

  /** A call is not made twice by a number that was written before its question was there: it answered something else. */
  const isUnseen = (event: MessageEvent, posted: PostedRequest): boolean => {
    if (aboutCall(posted) === undefined) return false;
    const shownAs = ledger.outbox.get(posted.outboxID)?.parts.at(-1)?.nativeID;
    return shownAs === undefined || isEarlier(event.nativeID, shownAs);
  };

  /** What this person is asked here, in a room also what all who may approve are asked; the newest first. */
  const openTo = ({ address }: MessageEvent, lane: string, person: string): PostedRequest[] => {
    const open =
      address.kind === 'dm'
        ? [ledger.postedRequests.openFor(lane, person) ?? []].flat()
        : ledger.postedRequests.openAt(address);
    if (open.length === 0) return [];
    const isApprover = approvers.isApprover(person, address);
    // also of those who were asked in private: a role or a link may have ended since
    return open.filter((asked) =>
      asked.request.kind === 'permission' ? isApprover : asked.person === person,
    );
  };

  /** What the message may be an answer to: it was written after that was shown. */
  const askedBefore = (event: MessageEvent, lane: string, person: string): PostedRequest[] =>
    event.files.length > 0 || isForUs(event)
      ? []
      : openTo(event, lane, person).filter((posted) => !isOlder(event, posted) && !isUnseen(event, posted));

  return {
    answeredBy(event, lane, person) {
      for (const posted of askedBefore(event, lane, person)) {
        const text = answerIn(event.text, posted);
        if (text !== undefined) return { id: posted.id, text };
      }
      return undefined;
    },
    isRefused(event, lane, person) {
      if (event.files.length > 0 || event.text.trim() === '') return false;
      if (askedBefore(event, lane, person).some((posted) => aboutCall(posted) !== undefined)) return true;
      if (event.address.kind === 'dm') return false;
      return ledger.postedRequests
        .openAt(event.address)
        .some(
          (asked) =>
            asked.request.kind === 'permission' &&
            asked.lane === lane &&
            !isOlder(event, asked) &&
            answerIn(event.text, asked) !== undefined,
        );
    },
  };
}

/** Whether a platform gave one id before another in the same chat: theirs are numbers that rise, and nothing is known of other ids. */
export function isEarlier(one: string, other: string): boolean {
  const isNumber = (id: string): boolean => /^\d+(?:\.\d+)?$/.test(id);
  if (!isNumber(one) || !isNumber(other)) return false;
  return one.length === other.length ? one < other : one.length < other.length;
}
