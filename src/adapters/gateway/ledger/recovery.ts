// What an earlier process left to do, as the ledger has it.
import { fileIn } from '#adapters/gateway/terms/file-part.ts';
import type { Ledger } from './ledger.ts';

/**
 * Lists what an earlier process left unfinished: answers to send, messages without a turn, lanes and commands that wait. Throws a
 * ParleyError when the disk refuses.
 */
export function findUnfinishedWork(ledger: Ledger) {
  try {
    return {
      outbox: ledger.outbox.open(),
      turns: ledger.turns.unanswered(),
      lanes: ledger.inbox.lanesWaiting(),
      commands: ledger.inbox.commandsWaiting(),
    };
  } catch (error) {
    throw ledger.explain(error) ?? error;
  }
}

/** The absolute paths of the files that unsent answers still need. */
export function filesToSend(ledger: Ledger): string[] {
  return findUnfinishedWork(ledger).outbox.flatMap(({ id }) =>
    (ledger.outbox.get(id)?.parts ?? []).flatMap(({ part }) => fileIn(part)?.path ?? []),
  );
}
