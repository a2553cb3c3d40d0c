// A pressed button: whether it may answer what it belongs to, decided in one transaction with its being stored.
import { formatAddress } from '#adapters/gateway/address.ts';
import { written } from '#adapters/gateway/commands/naming.ts';
import type { ButtonPressEvent, MessageEvent } from '#adapters/gateway/inbound.ts';
import type { InboxRow } from '#adapters/gateway/ledger/inbox.ts';
import type { Ledger } from '#adapters/gateway/ledger/ledger.ts';
import type { PostedRequest } from '#adapters/gateway/ledger/posted-requests.ts';
import { scheduleChoiceIn } from '#adapters/gateway/schedules/choices.ts';
import { choiceFor, notYoursToAllow } from '#adapters/gateway/turns/request-text.ts';
import type { Approvers } from './approvers.ts';

export interface Chosen {
  /** The row to be obeyed; absent where the press answers nothing. */
  row?: InboxRow | undefined;
  /** What only the person who pressed is reported; undefined when it was taken. */
  words: string | undefined;
}

const over = (how: string): Chosen => ({ words: `This is over: ${how}.` });

/** Inside of a transaction. A press that is notified of again answers nothing again, and is not notified new. */
export function choose(
  event: ButtonPressEvent,
  {
    ledger,
    approvers,
    newInboxID,
    now,
  }: {
    ledger: Pick<Ledger, 'postedRequests' | 'inbox' | 'identities'>;
    approvers: Pick<Approvers, 'isApprover'>;
    newInboxID: () => string;
    now: number;
  },
): Chosen {
  const { address, actor, choice } = event;
  const nativeID = `press:${event.nativeID}`;
  if (ledger.inbox.find(address, nativeID) !== undefined) return { words: undefined };
  const scheduled = scheduleChoiceIn(choice);
  if (scheduled !== undefined) return chooseSchedule(event, scheduled, { ledger, newInboxID, now });
  const [, id = '', step, option] = /^a:([^:]+):(\d+):(\d+)$/.exec(choice) ?? [];
  const asked = ledger.postedRequests.get(id);
  if (asked === undefined) return over('I no longer know what this was about');
  const person = actor.isBot ? undefined : ledger.identities.known(address.platform, actor.id);
  if (person === undefined || !mayAnswer(asked, { person, approvers, event }))
    return {
      words: asked.request.kind === 'permission' ? notYoursToAllow : 'This question is not for you.',
    };
  if (asked.state !== 'open' || asked.answers.length !== Number(step))
    return over(asked.outcome ?? 'it was answered already');
  const text = choiceFor(asked, Number(option));
  if (text === undefined) return over('there is no such choice');
  const said: MessageEvent = {
    type: 'message',
    address,
    nativeID,
    at: event.at,
    actor,
    addressed: address.kind === 'dm' ? 'dm' : 'mention',
    text: `[pressed: ${text}]`,
    files: [],
  };
  const inboxID = newInboxID();
  ledger.inbox.insert({
    id: inboxID,
    lane: asked.lane,
    person,
    kind: 'command',
    event: said,
    receivedAt: now,
  });
  ledger.postedRequests.answer(id, { inboxID, text });
  return { row: ledger.inbox.find(address, nativeID), words: undefined };
}

/** The press of a button below a proposed schedule: a command of the person who pressed, which refuses what is not theirs. */
function chooseSchedule(
  event: ButtonPressEvent,
  { id, isYes }: { id: string; isYes: boolean },
  {
    ledger,
    newInboxID,
    now,
  }: { ledger: Pick<Ledger, 'inbox' | 'identities'>; newInboxID: () => string; now: number },
): Chosen {
  const { address, actor, at } = event;
  const nativeID = `tap:${event.nativeID}`;
  if (ledger.inbox.find(address, nativeID) !== undefined) return { words: undefined };
  const person = actor.isBot ? undefined : ledger.identities.known(address.platform, actor.id);
  if (person === undefined) return { words: 'This is not for you.' };
  const text = written(address, `remind ${isYes ? 'yes' : 'no'} ${id}`);
  const addressed = address.kind === 'dm' ? 'dm' : 'mention';
  const said: MessageEvent = {
    type: 'message',
    ...{ address, nativeID, at, actor, addressed, text },
    files: [],
  };
  const lane = formatAddress(address);
  ledger.inbox.insert({ id: newInboxID(), lane, person, kind: 'command', event: said, receivedAt: now });
  return { row: ledger.inbox.find(address, nativeID), words: undefined };
}

/** Leave is any approver's to give, a question its person's to answer. */
function mayAnswer(
  { request, person: asked }: PostedRequest,
  {
    person,
    approvers,
    event,
  }: { person: string; approvers: Pick<Approvers, 'isApprover'>; event: ButtonPressEvent },
): boolean {
  return request.kind === 'permission'
    ? approvers.isApprover(person, event.address.platform)
    : person === asked;
}
