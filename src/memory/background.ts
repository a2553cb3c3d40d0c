// What an open memory does without being asked: it makes vectors of new text, and merges its index of words.

import { setImmediate } from 'node:timers/promises';
import type { Clock } from '#base/clock.ts';
import { createEmbeddingQueue } from '#memory/maintenance/embedding-queue.ts';
import type { Store } from '#memory/store/store.ts';
import { mergeInSteps } from '#memory/tables/full-text.ts';
import type { Embedder } from '#memory/types/embedding.ts';

/** How often it is looked for what other processes wrote, in milliseconds. */
const othersMs = 2_000;
/** How often it is looked whether the index of words is scattered, and how long others get the file between two parts of a merge. */
const [lookMs, pauseMs] = [30_000, 20];

interface Background {
  /** Something may have been written: it gets its vector. */
  nudge(): void;
  /** Stops; what is left stays in the file for the next start. */
  end(): Promise<void>;
}

/** Over one open store; `ahead`: also for what other processes write. */
export function startBackground(parts: {
  store: Store;
  embedder: Embedder | undefined;
  clock: Clock;
  ahead: boolean;
}): Background {
  const { store, embedder, clock, ahead } = parts;
  const { embeddings, fullText, retryWhileLocked, logSettled } = store;
  const queue =
    embedder === undefined || embeddings === undefined
      ? undefined
      : createEmbeddingQueue({ embedder, embeddings, clock, retryWhileLocked, logSettled });
  const closed = new AbortController();
  /** What another process writes gets its vector too: a command next to the program that has the model. */
  const lookForOthers = async (): Promise<void> => {
    if (queue === undefined || embeddings === undefined) return;
    // the server or the config may be another one since
    await retryWhileLocked(() => embeddings.askAgain());
    queue.nudge();
    for (;;) {
      await clock.sleep(othersMs, closed.signal);
      queue.nudge();
    }
  };
  /** A question looks for its words in fewer parts then. */
  const mergeWords = async (): Promise<void> => {
    while (!closed.signal.aborted) {
      await setImmediate();
      const steps = { atOnce: retryWhileLocked, pause: () => clock.sleep(pauseMs, closed.signal) };
      if (fullText.isScattered()) await mergeInSteps(fullText.mergeWords, steps);
      await clock.sleep(lookMs, closed.signal);
    }
  };
  /** A file that another process has locked, or a full disk, ends no loop: it continues a moment later. */
  const lasting = async (loop: () => Promise<void>): Promise<void> => {
    for (;;)
      try {
        return await loop();
      } catch {
        await setImmediate();
        if (closed.signal.aborted) return;
        await clock.sleep(lookMs, closed.signal).catch(() => {}); // which ends it when it is closed
      }
  };
  const loops = ahead ? [lookForOthers, mergeWords].map(lasting) : [];
  return {
    nudge: () => queue?.nudge(),
    async end() {
      closed.abort();
      await Promise.all([queue?.end(), ...loops]);
    },
  };
}
