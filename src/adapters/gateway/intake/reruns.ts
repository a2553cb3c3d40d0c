// An edited question that was just answered: its answer is offered again, or made again at once.

import { rerunChoices, rerunProposal } from '#adapters/gateway/admission/rerun-choices.ts';
import type { InboxRow } from '#adapters/gateway/ledger/inbox/inbox-row.ts';
import { insertCommand, madeMessage } from '#adapters/gateway/ledger/inbox/made-message.ts';
import { withButtons } from '#adapters/gateway/requests/show-settled.ts';
import { commandNamer, written } from '#adapters/gateway/terms/command-names.ts';
import type { EditEvent } from '#adapters/gateway/terms/inbound.ts';
import type { SinkOptions } from './sink-options.ts';

/** A question that came longer ago was not just answered, in milliseconds. */
const justMs = 60 * 60_000;

/**
 * Takes in that a message, which has its new words, was edited after it was answered; inside the transaction of the edit. Gives what is to
 * be done after the commit; undefined where nothing is.
 */
export type Rerun = (row: InboxRow, event: EditEvent) => (() => void) | undefined;

/** Offers to answer again, once for each answer, or gives the command for it, as the channel's rules say. */
export function createRerun(options: SinkOptions): Rerun {
  const { ledger, connection, talk, clock, newId, book } = options;
  const { channel } = connection;

  /** The turn that answered it, where that is the newest of its lane and nothing is being answered there. */
  const newestTurn = ({ lane, person, turnID, receivedAt }: InboxRow): string | undefined => {
    if (turnID === undefined || clock.now() - receivedAt > justMs) return undefined;
    const isBusy =
      ledger.inbox.waiting(lane).length > 0 || ledger.turns.unanswered().some((turn) => turn.lane === lane);
    return isBusy || ledger.inbox.lastTurn(lane, person)?.turnID !== turnID ? undefined : turnID;
  };

  const offer = ({ address, person, event }: InboxRow, turnID: string): (() => void) | undefined => {
    const id = rerunProposal(turnID);
    if (ledger.proposals.has(id)) return undefined;
    const phrases = book.for({ address, person, locale: event.actor.locale });
    const words = phrases.sessions.editedAfterAnswer({ command: commandNamer(address, phrases) });
    const outboxID = newId('out');
    const parts = withButtons(channel.render(words), channel, rerunChoices(turnID, phrases)).map(
      (part, ordinal) => ({ part, key: `k${outboxID.slice(-20)}${ordinal.toString(36)}` }),
    );
    const replyTo = address.kind === 'dm' ? undefined : (event.retryOf ?? event.nativeID);
    ledger.outbox.insert({ id: outboxID, address, replyTo, parts, at: clock.now() });
    ledger.proposals.insert({ id, outboxID });
    return () => options.deliver(outboxID, address);
  };

  const command = (
    { address, lane, person, event: asked }: InboxRow,
    { about, edit }: { about: string; edit: EditEvent },
  ): (() => void) | undefined => {
    const event = madeMessage(
      { address, actor: asked.actor, at: edit.at },
      {
        ...{ nativeID: `edited:${edit.nativeID}:${edit.at}`, text: written(address, 'retry'), about },
        isTopic: asked.topic === true,
      },
    );
    const row = { id: newId('inb'), lane, person, event, receivedAt: clock.now() };
    const inserted = insertCommand(ledger.inbox, row);
    return inserted && (() => options.onAccepted({ lane, event, command: inserted }));
  };

  return (row, edit) => {
    const rule = talk().editReruns ?? 'ask';
    const turnID = rule === 'never' || row.event.due !== undefined ? undefined : newestTurn(row);
    if (turnID === undefined) return undefined;
    return rule === 'ask' ? offer(row, turnID) : command(row, { about: turnID, edit });
  };
}
