// What a run asks people: shown to those who may answer, and the answer passed on.

import { aboutCall, answersOf, choiceOf, isComplete } from '#adapters/gateway/admission/request-answer.ts';
import type { InboxRow } from '#adapters/gateway/ledger/inbox/inbox-row.ts';
import type { PostedRequest } from '#adapters/gateway/ledger/posted-requests.ts';
import type { Phrases } from '#adapters/gateway/phrases/en.ts';
import type { Channel } from '#adapters/gateway/terms/channel.ts';
import { askingWho } from '#adapters/gateway/terms/shared-names.ts';
import { codeOf } from '#base/errors.ts';
import type { EngineEvent } from '#engine/wire/events/event.ts';
import { type AskingTurn, createRequestMessages, type RequestRelayOptions } from './request-messages.ts';
import { outcomeOf, type RequestOutcome } from './request-outcome.ts';
import { onlyChoicesText, plainName } from './request-text.ts';
import { createSettledView } from './show-settled.ts';

export interface RequestRelay {
  /** Shows what the run of a turn waits for, once. */
  pending(turn: AskingTurn, runID: string): Promise<void>;
  /** Follows the engine's events about requests; true while the run waits for a person, undefined for any other event. */
  onEvent(turn: AskingTurn, runID: string, event: EngineEvent): Promise<boolean | undefined>;
  /** Passes on the answer that a message gave; the message that its sender gets instead when it was not theirs, or too late. */
  answer(row: InboxRow, channel: Channel): Promise<string | undefined>;
  /** Shows in the chats what was settled, and ends what no turn waits for any more; never waited for. */
  showSettled(): void;
}

/** Whether the event is one that `received` handles. */
export function isAboutRequests({ type }: EngineEvent): boolean {
  return type.startsWith('permission.') || type.startsWith('question.');
}

/** Posts the requests of one gateway's runs into chats and passes the answers to the engine. */
export function createRequestRelay(options: RequestRelayOptions): RequestRelay {
  const { engine, ledger, sender, book, clock } = options;
  const whoOf = ({ person }: Pick<PostedRequest, 'person'>, { requests }: Phrases): string =>
    ledger.persons.standingOf(person).name ?? requests.anOwner;
  const view = createSettledView({ ...options, whoOf });
  const { show, put } = createRequestMessages(options, whoOf);
  /** What a power cut takes of this is asked, or said to be over, again; that it may stand is on disk before it is sent. */
  const commit = <T>(work: () => T): Promise<T> => ledger.commit(work, 'written');

  const settle = async (id: string, outcome: RequestOutcome): Promise<void> => {
    if (await commit(() => ledger.postedRequests.settle(id, outcome))) view.showAll();
  };

  /** What ended without an answer from here. */
  const ended = async (id: string, status: 'answered' | 'expired' | 'dropped'): Promise<void> => {
    const asked = ledger.postedRequests.get(id);
    if (status !== 'answered') return settle(id, status);
    if (asked?.state === 'open') await settle(id, 'inAnotherChat');
  };

  /** The answer belongs to its turn, whose answer settles it too; of a turn that has ended it has done its work. */
  const absorb = (row: InboxRow, { turnID }: PostedRequest): void => {
    if (ledger.turns.get(turnID)?.state === 'running') ledger.inbox.take([row.id], turnID);
    else ledger.inbox.settle([row.id], 'answered');
  };

  const passOn = async (asked: PostedRequest, row: InboxRow): Promise<void> => {
    const by = { person: row.person, name: row.event.actor.name };
    if (asked.request.kind === 'permission')
      return void (await engine.replyPermission({ requestID: asked.id, reply: choiceOf(asked), by }));
    const answer = answersOf(asked);
    if (answer === null) await engine.rejectQuestion({ requestID: asked.id, by });
    else await engine.replyQuestion({ requestID: asked.id, answer, by });
  };

  return {
    async pending(turn, runID) {
      const [permissions, questions] = await Promise.all([engine.permissions(), engine.questions()]);
      const waiting = [
        ...permissions.map((request) => ({ ...request, kind: 'permission' as const })),
        ...questions.map((request) => ({ ...request, kind: 'question' as const })),
      ];
      for (const request of waiting) if (request.runID === runID) await show(turn, request);
    },
    async onEvent(turn, runID, { type, properties }) {
      switch (type) {
        case 'permission.asked':
        case 'question.asked': {
          if (properties.runID !== runID) return undefined;
          await show(
            turn,
            'requestID' in properties
              ? { ...properties, kind: 'permission' }
              : { ...properties, kind: 'question' },
          );
          return true;
        }
        case 'permission.replied':
        case 'question.replied':
          if (properties.runID !== runID) return undefined;
          await ended('requestID' in properties ? properties.requestID : properties.id, properties.status);
          return false;
        default:
          return undefined;
      }
    },
    async answer(row, channel) {
      const asked = ledger.postedRequests.ofAnswer(row.id);
      // none of the choices about a call; or a number, in a room where the approval of someone else is waited for
      if (asked === undefined) {
        const { address, person, event, lane } = row;
        const phrases = book.for({ address, person });
        const ofCall = ledger.postedRequests
          .open()
          .flatMap((posted) =>
            posted.lane === lane && posted.person === person ? (aboutCall(posted) ?? []) : [],
          )
          .at(-1);
        if (ofCall !== undefined) return onlyChoicesText(ofCall, phrases);
        return askingWho(phrases.requests.notAnApprover, {
          platform: address.platform,
          actor: event.actor,
          phrases,
        });
      }
      if (asked.state === 'answered' && !isComplete(asked)) {
        const outboxID = await commit(() => {
          const next = put(asked, channel);
          ledger.postedRequests.askOn(asked.id, next);
          absorb(row, asked);
          return next;
        });
        void sender.deliver(outboxID, asked.address);
        view.showAnswered(asked);
        return undefined;
      }
      try {
        await passOn(asked, row);
      } catch (error) {
        if (codeOf(error) !== 'request_settled' && codeOf(error) !== 'request_not_found') throw error;
        const outcome = clock.now() >= asked.request.expiresAtMs ? 'expired' : 'dropped';
        await settle(asked.id, outcome);
        return book.for(row).requests.tooLate;
      }
      await commit(() => {
        ledger.postedRequests.settle(
          asked.id,
          outcomeOf(asked, plainName(row.event.actor.name, book.for(row).requests)),
        );
        absorb(row, asked);
      });
      view.showAll();
      return undefined;
    },
    showSettled() {
      if (ledger.postedRequests.isLeft()) ledger.transact(() => ledger.postedRequests.settleLeft('dropped'));
      view.showAll();
    },
  };
}
