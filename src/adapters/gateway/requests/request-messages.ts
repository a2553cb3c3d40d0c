// The messages by which a run asks people: posted where the person is who may answer.
import type { Approvers, AskedAt } from '#adapters/gateway/admission/approvers.ts';
import { takenFor } from '#adapters/gateway/admission/look-alike.ts';
import type { Sender } from '#adapters/gateway/delivery/sender.ts';
import type { Ledger } from '#adapters/gateway/ledger/ledger.ts';
import type { PostedRequest, RequestSnapshot } from '#adapters/gateway/ledger/posted-requests.ts';
import type { Turn } from '#adapters/gateway/ledger/turns/turns.ts';
import type { Connection } from '#adapters/gateway/pace/connection.ts';
import type { Limiter } from '#adapters/gateway/pace/limiter.ts';
import type { Phrases } from '#adapters/gateway/phrases/en.ts';
import type { Address } from '#adapters/gateway/terms/address.ts';
import type { Channel } from '#adapters/gateway/terms/channel.ts';
import type { PhraseBook } from '#adapters/gateway/terms/phrase-book.ts';
import type { Clock } from '#base/clock.ts';
import { codeOf } from '#base/errors.ts';
import type { NewId } from '#base/ids.ts';
import type { Log } from '#base/log/log.ts';
import type { Engine } from '#engine/wire/contract.ts';
import {
  argumentsText,
  askText,
  behalfText,
  choicesOf,
  elsewhereText,
  inPhrases,
  roomText,
} from './request-text.ts';
import { withButtons } from './show-settled.ts';

export interface AskingTurn extends Pick<Turn, 'id' | 'lane' | 'address'> {
  person: string;
  /** As the platform shows them. */
  speaker: string;
}

export interface RequestRelayOptions {
  engine: Pick<Engine, 'permissions' | 'questions' | 'replyPermission' | 'replyQuestion' | 'rejectQuestion'>;
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

interface RequestMessages {
  /** Posts what a run asks, once; an approval that nobody may give is refused. */
  show(turn: AskingTurn, request: RequestSnapshot): Promise<void>;
  /** Puts the message that asks into the outbox, inside of a transaction; its id. */
  put(
    request: Pick<PostedRequest, 'id' | 'request' | 'answers' | 'address' | 'behalf' | 'person'>,
    channel: Channel,
  ): string;
}

/** Posts the requests of runs into chats; `whoOf` is the name of a person as others see it. */
export function createRequestMessages(
  options: RequestRelayOptions,
  whoOf: (of: Pick<PostedRequest, 'person'>, phrases: Phrases) => string,
): RequestMessages {
  const { engine, ledger, sender, connectionOf, approvers, redact, book, clock, newId } = options;

  const put: RequestMessages['put'] = (asked, channel) => {
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
    const shown = ours.kind === 'question' ? await inWords(ours, book.for(at)) : await withoutSecrets(ours);
    const outbox = await ledger.commit(() => {
      if (ledger.postedRequests.get(id) !== undefined) return []; // its run was begun again and asks the same
      const { key } = ledger.persons.standingOf(person);
      const speaker = { name: turn.speaker, looksLike: takenFor(turn.speaker, key, ledger.persons.list()) };
      const phrases = book.for(at);
      const whoMay = approvers.whoMay(address, phrases);
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
    }, 'written'); // after a power cut it is asked again
    for (const row of outbox) void sender.deliver(row.id, row.address);
  };

  /** With what a tool is given as others may see it. */
  const withoutSecrets = async <T extends { args?: unknown }>(request: T): Promise<T> => {
    const json = JSON.stringify(request.args ?? null, null, 1);
    const masked = await redact(json);
    if (masked === json) return request;
    try {
      return { ...request, args: JSON.parse(masked) };
    } catch {
      return { ...request, args: masked }; // what was masked went beyond one string of it
    }
  };

  const inWords = async (
    request: Extract<RequestSnapshot, { kind: 'question' }>,
    phrases: Phrases,
  ): Promise<RequestSnapshot> => {
    const questions = request.questions.map(async ({ interruptedCall, ...asked }) =>
      interruptedCall === undefined
        ? asked
        : inPhrases({ ...asked, interruptedCall: await withoutSecrets(interruptedCall) }, phrases),
    );
    return { ...request, questions: await Promise.all(questions) };
  };

  /** Nobody is there who may approve: the run continues without. */
  const refuseLeave = async (id: string): Promise<void> => {
    try {
      await engine.replyPermission({ requestID: id, reply: 'reject' });
    } catch (error) {
      if (codeOf(error) !== 'request_settled' && codeOf(error) !== 'request_not_found') throw error;
    }
  };

  return { show, put };
}

/** The request with its times by this process's clock, as if it had been made as it is shown: the engine's clock may be another one. */
function byOurClock(request: RequestSnapshot, now: number): RequestSnapshot {
  const { requestedAtMs, expiresAtMs } = request;
  return { ...request, requestedAtMs: now, expiresAtMs: now + (expiresAtMs - requestedAtMs) };
}
