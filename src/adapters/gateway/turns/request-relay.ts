// What a run asks people: shown to those who may answer, and the answer passed on.
import type { Approvers, AskedAt } from '#adapters/gateway/access/approvers.ts';
import { takenFor } from '#adapters/gateway/access/look-alike.ts';
import { askingWho } from '#adapters/gateway/access/shared-names.ts';
import type { Address } from '#adapters/gateway/address.ts';
import type { Channel } from '#adapters/gateway/channel.ts';
import type { Connection } from '#adapters/gateway/delivery/connection.ts';
import type { Limiter } from '#adapters/gateway/delivery/limiter.ts';
import type { Sender } from '#adapters/gateway/delivery/sender.ts';
import type { InboxRow } from '#adapters/gateway/ledger/inbox.ts';
import type { Ledger } from '#adapters/gateway/ledger/ledger.ts';
import type { PostedRequest, RequestSnapshot } from '#adapters/gateway/ledger/posted-requests.ts';
import type { Turn } from '#adapters/gateway/ledger/turns.ts';
import type { Phrases } from '#adapters/gateway/phrases/en.ts';
import type { PhraseBook } from '#adapters/gateway/phrases/phrase-book.ts';
import type { Clock } from '#base/clock.ts';
import { codeOf } from '#base/errors.ts';
import type { NewId } from '#base/ids.ts';
import type { Log } from '#base/log.ts';
import type { Engine } from '#engine/wire/contract.ts';
import type { EngineEvent } from '#engine/wire/event.ts';
import { choiceOf, isComplete } from './request-answer.ts';
import { type Outcome, outcomeOf } from './request-outcome.ts';
import {
  argumentsText,
  askText,
  behalfText,
  choicesOf,
  elsewhereText,
  plainName,
  roomText,
} from './request-text.ts';
import { createSettledView, withButtons } from './show-settled.ts';

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

export interface AskingTurn extends Pick<Turn, 'id' | 'lane' | 'address'> {
  person: string;
  /** As the platform shows them. */
  speaker: string;
}

export interface RequestRelayOptions {
  engine: Pick<Engine, 'permissions' | 'questions' | 'replyPermission' | 'replyQuestion'>;
  ledger: Ledger;
  sender: Sender;
  limiter: Limiter;
  connectionOf: (address: Address) => Connection | undefined;
  approvers: Pick<Approvers, 'requestedFor' | 'whoMay'>;
  /** Masks secrets in what tools are given, for every reader. */
  redact: (text: string) => Promise<string>;
  book: PhraseBook;
  clock: Clock;
  newId: NewId;
  log: Log;
  signal: AbortSignal;
}

/** Whether the event is one that `received` handles. */
export function isAboutRequests({ type }: EngineEvent): boolean {
  return type.startsWith('permission.') || type.startsWith('question.');
}

/** The requests of one gateway. */
export function createRequestRelay(options: RequestRelayOptions): RequestRelay {
  const { engine, ledger, sender, connectionOf, approvers, redact, book, clock, newId } = options;
  const whoOf = ({ person }: Pick<PostedRequest, 'person'>, { requests }: Phrases): string =>
    ledger.persons.standingOf(person).name ?? requests.anOwner;
  const view = createSettledView({ ...options, whoOf });
  /** What a power cut takes of this is asked, or said to be over, again; that it may stand is on disk before it is sent. */
  const commit = <T>(work: () => T): Promise<T> => ledger.commit(work, 'written');

  /** Puts the message that asks into the outbox, inside of a transaction; its id. */
  const put = (
    asked: Pick<PostedRequest, 'id' | 'request' | 'answers' | 'address' | 'behalf' | 'person'>,
    channel: Channel,
  ): string => {
    const phrases = book.for(asked);
    const before = argumentsText(asked, phrases);
    const texts = [
      ...(before === undefined ? [] : channel.render(before)),
      ...channel.render(askText(asked, { now: clock.now(), phrases })),
    ];
    const parts = withButtons(texts, channel, choicesOf(asked, phrases)).map((part, ordinal) => ({
      part,
      key: `q${asked.id.slice(-20)}${asked.answers.length.toString(36)}${ordinal.toString(36)}`,
    }));
    const id = newId('out');
    ledger.outbox.insert({ id, address: asked.address, parts, at: clock.now() });
    return id;
  };

  /** Notes for the chat whose run waits that someone else has the request for approval, inside of a transaction; the row's id. */
  const notice = (turn: AskingTurn, { id, tool, at }: { id: string; tool: string; at: AskedAt }): string => {
    const phrases = book.for(turn);
    const text = elsewhereText({ tool, who: whoOf(at, phrases) }, phrases);
    const parts = (connectionOf(turn.address)?.channel.render(text) ?? []).map((part, ordinal) => ({
      part,
      key: `n${id.slice(-20)}${ordinal.toString(36)}`,
    }));
    const outboxID = newId('out');
    ledger.outbox.insert({ id: outboxID, address: turn.address, parts, at: clock.now() });
    return outboxID;
  };

  const show = async (turn: AskingTurn, request: RequestSnapshot): Promise<void> => {
    const id = request.kind === 'permission' ? request.requestID : request.id;
    const { lane, person, address } = turn;
    const here = { lane, person, address };
    // a question is answered by those who spoke; approval is given only by those who may
    const at = request.kind === 'permission' ? approvers.requestedFor(here) : here;
    if (at === undefined) return refuseLeave(id);
    const connection = connectionOf(at.address);
    if (connection === undefined) return;
    const somewhereElse = at.lane !== lane;
    const isOwn = !somewhereElse && address.kind === 'dm';
    const ours = byOurClock(request, clock.now());
    const shown = ours.kind === 'question' ? ours : await withoutSecrets(ours);
    const outbox = await commit(() => {
      if (ledger.postedRequests.get(id) !== undefined) return []; // its run was begun again and asks the same
      const { key } = ledger.persons.standingOf(person);
      const speaker = { name: turn.speaker, looksLike: takenFor(turn.speaker, key, ledger.persons.list()) };
      const phrases = book.for(at);
      const whoMay = approvers.whoMay(address.platform, phrases);
      const inRoom = roomText(request.kind, { speaker, approvers: whoMay, phrases });
      const behalf = isOwn ? undefined : somewhereElse ? behalfText(speaker, address, phrases) : inRoom;
      const { lane: requestedLane, person: requestedPerson, address: requestAddress } = at;
      const place = { lane: requestedLane, person: requestedPerson, address: requestAddress, behalf };
      const outboxID = put({ id, request: shown, answers: [], ...place }, connection.channel);
      const noticeID =
        somewhereElse && request.kind === 'permission'
          ? notice(turn, { id, tool: request.tool, at })
          : undefined;
      const belowPreview = ledger.turns.previews(turn.id).length > 0;
      ledger.postedRequests.insert({
        id,
        turnID: turn.id,
        request: shown,
        ...place,
        belowPreview,
        outboxID,
        noticeID,
      });
      const first = { id: outboxID, address: requestAddress };
      return noticeID === undefined ? [first] : [first, { id: noticeID, address }];
    });
    for (const row of outbox) void sender.deliver(row.id, row.address);
  };

  /** With what a tool is given as others may see it. */
  const withoutSecrets = async <T extends { args: unknown }>(request: T): Promise<T> => {
    const json = JSON.stringify(request.args ?? null, null, 1);
    const masked = await redact(json);
    if (masked === json) return request;
    try {
      return { ...request, args: JSON.parse(masked) };
    } catch {
      return { ...request, args: masked }; // what was masked went beyond one string of it
    }
  };

  /** Nobody is there who may approve: the run continues without. */
  const refuseLeave = async (id: string): Promise<void> => {
    try {
      await engine.replyPermission(id, { reply: 'reject' });
    } catch (error) {
      if (codeOf(error) !== 'request_settled' && codeOf(error) !== 'request_not_found') throw error;
    }
  };

  const settle = async (id: string, outcome: Outcome): Promise<void> => {
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
      await engine.replyPermission(asked.id, { reply: choiceOf(asked), by });
    else await engine.replyQuestion(asked.id, { answer: [...asked.answers], by });
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
      // a number, in a room where the approval of someone else is waited for
      if (asked === undefined) {
        const { address, person, event } = row;
        const phrases = book.for({ address, person });
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

/** The request with its times by this process's clock, as if it had been made as it is shown: the engine's clock may be another one. */
function byOurClock(request: RequestSnapshot, now: number): RequestSnapshot {
  const { requestedAtMs, expiresAtMs } = request;
  return { ...request, requestedAtMs: now, expiresAtMs: now + (expiresAtMs - requestedAtMs) };
}
