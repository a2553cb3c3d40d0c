// What this gateway stores of persons and chats, counted and forgotten: words in the ledger, files that came, files that were made to be sent.

import type { ContentCounts, ContentSelection } from '#adapters/gateway/ledger/inbox/content-rows.ts';
import { deleteFiles } from '#adapters/uploads/prune.ts';
import type { Ledger } from './ledger.ts';
import { filesToSend } from './recovery.ts';
import type { LedgerRetention } from './retention.ts';
import { sweepExports } from './sweep-exports.ts';

export interface LedgerForgotten extends ContentCounts {
  applied: boolean;
  remains: string[];
}

export interface LedgerContent {
  /**
   * Counts what is stored, or takes it out permanently; `sessionIDs` are deleted from the engine, and their chats begin new ones. What is being
   * answered at the moment is left, and said.
   */
  forget(request: {
    of: ContentSelection;
    apply: boolean;
    sessionIDs?: readonly string[] | undefined;
    /** The command that asks. */
    except?: string | undefined;
  }): Promise<LedgerForgotten>;
  /** As of the ledger's `retention`. */
  prune: LedgerRetention['prune'];
  /** How many rows there are. */
  count: LedgerRetention['count'];
}

/** Counts, deletes and prunes what a ledger and the folders next to it store about people and chats. */
export function createLedgerContent({
  ledger,
  uploadsFolder,
  exportsFolder,
  handoffs,
}: {
  ledger: Ledger;
  uploadsFolder: string;
  exportsFolder: string;
  /** Absent where no gateway runs: then there are none. */
  handoffs?: { forget(of: ContentSelection): void };
}): LedgerContent {
  return {
    prune: ledger.retention.prune,
    count: ledger.retention.count,
    async forget({ of, apply, sessionIDs = [], except }) {
      const counts = ledger.content.count(of, except);
      if (!apply) return { applied: false, ...counts, remains: [] };
      const paths = await ledger.commit(() => {
        ledger.content.unbind(sessionIDs);
        return ledger.content.forget(of, except);
      });
      handoffs?.forget(of);
      if (paths.length > 0)
        await deleteFiles(
          uploadsFolder,
          paths.map((path) => ({ path })),
        );
      await sweepExports(exportsFolder, filesToSend(ledger));
      ledger.emptyLog();
      const left = ledger.content.count(of, except);
      const remains = [
        ...(left.busy === 0 ? [] : [`${left.busy} messages are being answered; forget again when they are`]),
        ...(left.messages + left.answers + left.files === 0
          ? []
          : [`${left.messages} messages, ${left.answers} answers and ${left.files} files are still there`]),
      ];
      return { applied: true, ...counts, remains };
    },
  };
}
