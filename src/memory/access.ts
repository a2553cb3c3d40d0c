// One open memory file as every call reaches it: closed or open, its failures with a message, a damaged full text made again.
import { setImmediate as nextTurn, setImmediate } from 'node:timers/promises';
import { codeOf, errorMessage, ParleyError } from '#base/errors.ts';
import { storageCodeOf, storageHint } from '#base/files/disk-failures.ts';
import type { Store } from '#memory/store/store.ts';

export interface Access {
  /** The open store; a ParleyError `memory_closed` after `close`. */
  opened(): Store;
  /** Runs the work on the open store; once more with a full text that is made again, where that was damaged. */
  within<T>(work: (store: Store) => T | Promise<T>): Promise<T>;
  /** The same for a question, which waits for no index. */
  reading<T>(work: (store: Store) => Promise<T>): Promise<T>;
  /** What a question gets whose search met a damaged full text, which is made again after it; any other failure unchanged. */
  withoutFullText<T>(cause: unknown, answer: (store: Store) => T): T;
  /** Every later call rejects. The store stays open until `end`. */
  close(): void;
  /** Closes the store, once. */
  end(): Promise<void>;
}

/** Over one open store, whose file is `path`. */
export function createAccess(store: Store, path: string): Access {
  const { fullText, retryWhileLocked } = store;
  let isClosed = false;
  let building: Promise<void> | undefined;
  const opened = (): Store => {
    if (!isClosed) return store;
    throw new ParleyError('memory_closed', 'Expected an open memory, but it was closed.');
  };
  return {
    opened,
    async within(work) {
      await setImmediate();
      const open = opened();
      try {
        return await work(open);
      } catch (cause) {
        if (!fullText.isReason(cause)) throw withMessage(cause, path);
      }
      try {
        await retryWhileLocked(fullText.build);
        return await work(open);
      } catch (cause) {
        throw withMessage(cause, path);
      }
    },
    async reading(work) {
      await setImmediate();
      return work(opened());
    },
    withoutFullText(cause, answer) {
      if (isClosed || !fullText.isReason(cause)) throw withMessage(cause, path);
      const end = (): void => {
        building = undefined;
      };
      // where it cannot be written the next search meets the damage, and says it
      building ??= nextTurn()
        .then(() => retryWhileLocked(fullText.build))
        .then(end, end);
      return answer(store);
    },
    close() {
      isClosed = true;
    },
    async end() {
      await building;
      if (!store.database.open) return;
      store.close();
      await store.logSettled();
    },
  };
}

/** What SQLite cannot do is reported in words. What a constraint of a table refuses is the program's own mistake, and none of the file's. */
function withMessage(cause: unknown, path: string): unknown {
  const code = codeOf(cause);
  if (code?.startsWith('SQLITE_') !== true || /^SQLITE_CONSTRAINT_(?!TRIGGER)/.test(code)) return cause;
  return new ParleyError('memory_unusable', `The memory ${path} cannot be used: ${errorMessage(cause)}.`, {
    hint:
      code === 'SQLITE_CORRUPT_VTAB'
        ? 'Only an index is damaged: run "parley memory reindex".'
        : `Nothing was wiped. ${storageHint(storageCodeOf(cause))}`,
    cause,
  });
}
