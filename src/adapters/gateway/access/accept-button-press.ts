// A pressed button: whether it may answer what it belongs to, decided in one transaction with its being stored.
import type { ButtonPressEvent, MessageEvent } from '#adapters/gateway/inbound.ts';
import type { InboxRow } from '#adapters/gateway/ledger/inbox.ts';
import type { Ledger } from '#adapters/gateway/ledger/ledger.ts';
import type { PostedRequest } from '#adapters/gateway/ledger/posted-requests.ts';
import type { Handoffs } from '#adapters/gateway/turns/handoffs.ts';
import { choiceFor, notYoursToAllow } from '#adapters/gateway/turns/request-text.ts';
import type { Approvers } from './approvers.ts';

export interface Chosen {
  /** The row to be obeyed; absent where the press answers nothing. */
  row?: InboxRow | undefined;
  /** What only the person who pressed is reported; undefined when it was taken. */
  words: string | undefined;
}

const over = (how: string): Chosen => ({ words: `This is over: ${how}.` });

interface ChooseDeps {
  ledger: Pick<Ledger, 'postedRequests' | 'inbox' | 'identities'>;
  approvers: Pick<Approvers, 'isApprover'>;
  handoffs: Pick<Handoffs, 'get'>;
  newInboxID: () => string;
  now: number;
}

/** Inside of a transaction. A press that is notified of again answers nothing again, and is not notified new. */
export function choose(event: ButtonPressEvent, deps: ChooseDeps): Chosen {
  const { ledger, approvers } = deps;
  const { address, actor, choice } = event;
  const nativeID = `press:${event.nativeID}`;
  if (ledger.inbox.find(address, nativeID) !== undefined) return { words: undefined };
  const [, draftID, decided] = /^h:([^:]+):(save|drop)$/.exec(choice) ?? [];
  if (draftID !== undefined) return decide(event, { draftID, decided: `handoff ${decided}`, ...deps });
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
  const row = take(event, { lane: asked.lane, person, text: `[pressed: ${text}]`, ...deps });
  ledger.postedRequests.answer(id, { inboxID: row.id, text });
  return { row, words: undefined };
}

/** The end of a handoff's draft is the command of the person who began it. */
function decide(
  event: ButtonPressEvent,
  { draftID, decided, ...deps }: ChooseDeps & { draftID: string; decided: string },
): Chosen {
  const draft = deps.handoffs.get(draftID);
  if (draft === undefined) return over('it was decided already, or I was started again since');
  const { address, actor } = event;
  const person = actor.isBot ? undefined : deps.ledger.identities.known(address.platform, actor.id);
  if (person !== draft.person) return { words: 'This handoff is for the person who began it.' };
  return { row: take(event, { lane: draft.lane, person, text: `/${decided}`, ...deps }), words: undefined };
}

/** Stores the press as a message of the inbox. */
function take(
  event: ButtonPressEvent,
  {
    lane,
    person,
    text,
    ledger,
    newInboxID,
    now,
  }: Pick<ChooseDeps, 'ledger' | 'newInboxID' | 'now'> & { lane: string; person: string; text: string },
): InboxRow {
  const { address, actor } = event;
  const nativeID = `press:${event.nativeID}`;
  const said: MessageEvent = {
    type: 'message',
    address,
    nativeID,
    at: event.at,
    actor,
    addressed: address.kind === 'dm' ? 'dm' : 'mention',
    text,
    files: [],
  };
  ledger.inbox.insert({ id: newInboxID(), lane, person, kind: 'command', event: said, receivedAt: now });
  const row = ledger.inbox.find(address, nativeID);
  if (row === undefined) throw new Error('a press that was stored is not there');
  return row;
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
