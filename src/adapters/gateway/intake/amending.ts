// What happens to an accepted message when it is edited or deleted on its platform. Called inside the transaction of the event.

import type { InboxRow } from '#adapters/gateway/ledger/inbox/inbox-row.ts';
import type { Ledger } from '#adapters/gateway/ledger/ledger.ts';
import { type Address, formatAddress, roomOf } from '#adapters/gateway/terms/address.ts';
import type { AcceptResult, DeleteEvent, EditEvent } from '#adapters/gateway/terms/inbound.ts';
import { asWords } from '#engine/wire/channels/notes.ts';
import type { Rerun } from './reruns.ts';

interface Outcome {
  accepted: AcceptResult;
  /** Runs once it is committed. */
  notify?: () => void;
}

interface Amending {
  /**
   * A waiting message gets its new words. One whose run has begun gets them in its session and in memory, and the model learns of it with
   * the lane's next message; no run is started. A note that the message saved is forgotten, and the person is told what to write.
   * `masked` are the new words without secrets.
   */
  edit(event: EditEvent, masked: string): Outcome;
  /**
   * A waiting message is not answered. One whose run has begun is forgotten, in its session and in memory, and so is a note that it saved.
   */
  remove(event: DeleteEvent): Outcome;
}

/**
 * Edits and deletions over a ledger. `amended` and `noteForgotten` are called after a commit: `amended` where it leaves something for the engine to do,
 * `noteForgotten` for a command whose saved note was deleted with its change. `rerun` is asked within the transaction.
 */
export function createAmending(
  ledger: Pick<
    Ledger,
    'inbox' | 'corrections' | 'amendments' | 'savedNotes' | 'takenBack' | 'chatMigrations'
  >,
  {
    amended,
    noteForgotten,
    rerun,
  }: { amended: () => void; noteForgotten: (row: InboxRow) => void; rerun: Rerun },
): Amending {
  const { inbox, corrections, amendments, savedNotes } = ledger;

  const editRow = (row: InboxRow, { text, at }: EditEvent, masked: string): boolean => {
    const { id: inboxID, lane, state } = row;
    const was = row.event.text;
    if (row.deletedAt !== undefined || was === text || was === masked) return false;
    if (row.kind === 'command') return savedNotes.gone(inboxID);
    switch (state) {
      case 'waiting':
        inbox.setText(inboxID, text);
        return true;
      case 'taken':
      case 'answered':
        corrections.save({ inboxID, lane, was, text, masked, at });
        // what is answered is stored without secrets
        inbox.setText(inboxID, masked);
        // as the prompt has them
        amendments.add({ inboxID, was: asWords(was), now: asWords(masked), at });
        return true;
      case 'refused':
      case 'cancelled':
        return false;
    }
  };

  const removeRow = (row: InboxRow, at: number): boolean => {
    const { id: inboxID, state } = row;
    if (row.deletedAt !== undefined) return false;
    // what a command did stays done, except for a note that it saved
    if (row.kind === 'command') return savedNotes.gone(inboxID);
    switch (state) {
      case 'waiting':
        inbox.settle([inboxID], 'cancelled');
        inbox.erase(inboxID, at);
        return true;
      case 'taken':
      case 'answered':
        amendments.add({ inboxID, was: asWords(row.event.text), now: null, at });
        corrections.drop(inboxID);
        inbox.erase(inboxID, at);
        return true;
      case 'refused':
      case 'cancelled':
        inbox.erase(inboxID, at);
        return false;
    }
  };

  /** A history that was imported may hold the message, as one of its thread or of the room, and other messages may quote it. */
  const takeBack = (address: Address, nativeID: string): void => {
    const home = ledger.chatMigrations.originalAddress(address);
    for (const place of new Set([roomOf(home), formatAddress(home)]))
      ledger.takenBack.add(`room:${place}`, nativeID);
  };

  /** Every row in which the message is or was answered. */
  const each = (
    { address, nativeID }: EditEvent | DeleteEvent,
    change: (row: InboxRow) => boolean,
  ): Outcome => {
    const rows = inbox.findAll(address, nativeID);
    const changed = rows.filter(change);
    inbox.unquote(address, nativeID);
    if (address.kind !== 'dm') takeBack(address, nativeID);
    else if (changed.length === 0) return { accepted: 'ignored' };
    else
      for (const person of new Set(rows.map((row) => row.person)))
        ledger.takenBack.add(`person:${person}`, nativeID);
    return { accepted: changed.length === 0 ? 'ignored' : 'accepted', notify: amended };
  };

  return {
    edit(event, masked) {
      const forgotten: InboxRow[] = [];
      const after: (() => void)[] = [];
      const outcome = each(event, (row) => {
        const changed = editRow(row, event, masked);
        if (changed && row.kind === 'command') forgotten.push(row);
        const again = changed && row.kind === 'message' && row.state === 'answered' && rerun(row, event);
        if (typeof again === 'function') after.push(again);
        return changed;
      });
      return {
        ...outcome,
        notify() {
          outcome.notify?.();
          forgotten.forEach(noteForgotten);
          for (const each of after) each();
        },
      };
    },
    remove: (event) => each(event, (row) => removeRow(row, event.at)),
  };
}
