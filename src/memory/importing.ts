// Imports of one memory: here where they are small or unchanged, in a thread where they are large.

import { importPath, unchangedUnlessLarge } from '#memory/import/import-path.ts';
import type { Redact } from '#memory/secrets/redact.ts';
import type { Store } from '#memory/store/store.ts';
import type { ImportReport, ImportRequest } from '#memory/types/import.ts';
import { importJournal } from './import-journal.ts';
import type { MemoryWorker } from './worker-client.ts';

/** Chunks that an import stores in one transaction, some milliseconds during which the program does nothing else. */
export const chunksAtOnce = 16;

/** An import into the open memory. */
export function createImporting(parts: {
  redact: Redact;
  worker: MemoryWorker;
  /** Bytes from which on a thread does it. */
  bytes: number;
}): (store: Store, request: ImportRequest) => Promise<ImportReport> {
  const { redact, worker, bytes } = parts;
  return async (store, request) => {
    if (request.format === 'journal') return importJournal({ store: store.journaled, redact }, request);
    const { sources } = store;
    const { signal, onFile, ...rest } = request;
    const here = { sources, redact, atOnce: chunksAtOnce };
    // a worker that is up already takes small imports too: it has compiled and kept what an import needs
    const unchanged = worker.isUp() ? undefined : await unchangedUnlessLarge(here, request, bytes);
    if (unchanged !== undefined) return importPath({ ...here, unchanged }, request);
    return worker.call('import', rest, { signal, onNews: onFile });
  };
}
