// What an earlier process left to do, as the ledger has it.
import { fileIn } from './file-part.ts';
import type { Ledger } from './ledger/ledger.ts';

/** Answers that have to be sent, turns without one, lanes and commands that wait; throws with a message when the disk refuses. */
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

/** Files that accepted answers still have to bring, by absolute path. */
export function filesToSend(ledger: Ledger): string[] {
  return findUnfinishedWork(ledger).outbox.flatMap(({ id }) =>
    (ledger.outbox.get(id)?.parts ?? []).flatMap(({ part }) => fileIn(part)?.path ?? []),
  );
}
