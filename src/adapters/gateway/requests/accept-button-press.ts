// A pressed button: whether it may answer the request it belongs to, decided in the transaction that stores it.

import type { AdmissionResult } from '#adapters/gateway/admission/admission-rules.ts';
import type { Approvers } from '#adapters/gateway/admission/approvers.ts';
import { choiceFor } from '#adapters/gateway/admission/request-answer.ts';
import { rerunChoiceIn } from '#adapters/gateway/admission/rerun-choices.ts';
import type { InboxRow } from '#adapters/gateway/ledger/inbox/inbox-row.ts';
import { insertCommand, madeMessage } from '#adapters/gateway/ledger/inbox/made-message.ts';
import type { Ledger } from '#adapters/gateway/ledger/ledger.ts';
import type { PostedRequest } from '#adapters/gateway/ledger/posted-requests.ts';
import { written } from '#adapters/gateway/terms/command-names.ts';
import type { ButtonPressEvent, MessageEvent } from '#adapters/gateway/terms/inbound.ts';
import type { PhraseBook } from '#adapters/gateway/terms/phrase-book.ts';
import { handoffChoiceIn } from './handoff-drafts.ts';
import { missionChoiceIn } from './mission-progress.ts';
import { outcomeText } from './request-outcome.ts';
import { scheduleChoiceIn } from './schedule-choices.ts';

interface Chosen {
  /** The row to be obeyed; absent where the press answers nothing. */
  row?: InboxRow | undefined;
  /** A sentence for the person who pressed only; undefined when the press was taken. */
  words: string | undefined;
}

/** Stores what a pressed button answers, inside the caller's transaction. A press that the platform reports twice answers nothing again. */
export function choose(
  event: ButtonPressEvent,
  {
    ledger,
    approvers,
    decide,
    laneOf,
    book,
    newInboxID,
    now,
  }: {
    ledger: Pick<Ledger, 'postedRequests' | 'inbox' | 'identities'>;
    approvers: Pick<Approvers, 'isApprover'>;
    /** Whether a message of this person is admitted there. */
    decide: (said: MessageEvent) => AdmissionResult;
    laneOf: (said: MessageEvent, person: string) => string;
    book: PhraseBook;
    newInboxID: () => string;
    now: number;
  },
): Chosen {
  const { address, actor, choice } = event;
  const nativeID = `press:${event.nativeID}`;
  if (ledger.inbox.find(address, nativeID) !== undefined) return { words: undefined };
  if (decide(madeMessage(event, { nativeID, text: '' })).kind === 'blocked') return { words: undefined };
  const words = commandOfChoice(choice);
  if (words !== undefined)
    return chooseCommand(event, words, { ledger, decide, laneOf, book, newInboxID, now });
  const [, id = '', step, option] = /^a:([^:]+):(\d+):(\d+)$/.exec(choice) ?? [];
  const asked = ledger.postedRequests.get(id);
  const person = actor.isBot ? undefined : ledger.identities.known(address.platform, actor.id);
  const phrases = book.for({ address, person, locale: actor.locale, isPrivate: true });
  const { requests } = phrases;
  if (asked === undefined) return { words: requests.unknownRequest };
  if (person === undefined || !mayAnswer(asked, { person, approvers, event }))
    return {
      words: asked.request.kind === 'permission' ? requests.notAnApprover : requests.notYourQuestion,
    };
  if (asked.state !== 'open' || asked.answers.length !== Number(step))
    return { words: requests.over({ outcome: outcomeText(asked.outcome ?? 'answered', phrases) }) };
  const text = choiceFor(asked, Number(option));
  if (text === undefined) return { words: requests.noSuchChoice };
  const said = madeMessage(event, { nativeID, text: `[pressed: ${text}]` });
  const inboxID = newInboxID();
  const row = insertCommand(ledger.inbox, {
    ...{ id: inboxID, lane: asked.lane, person, event: said },
    receivedAt: now,
  });
  ledger.postedRequests.answer(id, { inboxID, text });
  return { row, words: undefined };
}

/** The command of a button below a proposal; undefined for any other button. */
function commandOfChoice(choice: string): string | undefined {
  const scheduled = scheduleChoiceIn(choice);
  if (scheduled !== undefined) return `remind ${scheduled.isYes ? 'yes' : 'no'} ${scheduled.id}`;
  const mission = missionChoiceIn(choice);
  if (mission !== undefined) return `mission stop ${mission}`;
  if (rerunChoiceIn(choice) !== undefined) return 'retry';
  const handedOver = handoffChoiceIn(choice);
  return handedOver === undefined ? undefined : `handoff ${handedOver.decided} ${handedOver.id}`;
}

/** The press of a button below a proposal: a command of the person who pressed, admitted as one is that they write. */
function chooseCommand(
  event: ButtonPressEvent,
  words: string,
  {
    ledger,
    decide,
    laneOf,
    book,
    newInboxID,
    now,
  }: {
    ledger: Pick<Ledger, 'inbox' | 'identities'>;
    decide: (said: MessageEvent) => AdmissionResult;
    laneOf: (said: MessageEvent, person: string) => string;
    book: PhraseBook;
    newInboxID: () => string;
    now: number;
  },
): Chosen {
  const { address, actor } = event;
  const nativeID = `tap:${event.nativeID}`;
  if (ledger.inbox.find(address, nativeID) !== undefined) return { words: undefined };
  const person = actor.isBot ? undefined : ledger.identities.known(address.platform, actor.id);
  if (person === undefined) {
    const { requests } = book.for({ address, locale: actor.locale, isPrivate: true });
    return { words: requests.notYourQuestion };
  }
  const about = rerunChoiceIn(event.choice);
  // only whom it answered has it answered again
  if (about !== undefined && ledger.inbox.ofTurn(about)[0]?.person !== person) {
    const { requests } = book.for({ address, person, locale: actor.locale, isPrivate: true });
    return { words: requests.notYourQuestion };
  }
  // as if it had been typed there: a press does not say whether a thread is a separate conversation
  const isTopic = ledger.inbox.lastIn(address, person)?.event.topic === true;
  const said = madeMessage(event, { nativeID, text: written(address, words), about, isTopic });
  const verdict = decide(said);
  if (verdict.kind !== 'admitted') {
    const { requests, access } = book.for({ address, person, locale: actor.locale, isPrivate: true });
    const why = verdict.kind === 'refused' ? verdict.why : undefined;
    if (why === 'not known here') return { words: access.notKnownHere };
    return { words: why === 'not an owner' ? access.notAnOwner : requests.notYourQuestion };
  }
  const lane = laneOf(said, person);
  const row = { id: newInboxID(), lane, person, event: said, receivedAt: now };
  return { row: insertCommand(ledger.inbox, row), words: undefined };
}

/** Any approver may approve; only its person answers a question. */
function mayAnswer(
  { request, person: asked }: PostedRequest,
  {
    person,
    approvers,
    event,
  }: { person: string; approvers: Pick<Approvers, 'isApprover'>; event: ButtonPressEvent },
): boolean {
  return request.kind === 'permission' ? approvers.isApprover(person, event.address) : person === asked;
}
