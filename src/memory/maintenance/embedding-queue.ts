// Vectors made after the write was committed: what waits stands in the file, so that nothing is lost by a failure, a restart or another model.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '#base/clock.ts';
import type { Embedder } from '#memory/types/embedding.ts';
import type { Awaitable, EmbeddingOutcome, Embeddings } from '#memory/vectors/embeddings.ts';
import { askModel } from './ask-model.ts';
import { createBatchSize } from './batch-size.ts';

/** The vectors of the model, in an open file or in a database that is waited for. */
type QueuedEmbeddings = Awaitable<
  Pick<Embeddings, 'waitMs' | 'waiting' | 'settle' | 'known' | 'failed' | 'works' | 'save'>
>;

interface EmbeddingQueue {
  /** Something may have been written. */
  nudge(): void;
  /** Stops after the call in progress was given up; what waits stays in the file. */
  end(): Promise<void>;
}

/** Vectors that one transaction writes, some milliseconds during which the program does nothing else. */
const batchSize = 16;
/** A text that is refused in a batch of one is tried twice more before it is skipped: a failure may have been chance. */
const triesAlone = 3;

/**
 * Embeds what waits, a batch after another, and rests when nothing does. A model that failed is asked again later, twice as late each
 * time. A batch that the model refuses, or dies of, is tried in smaller ones; a single text that it refuses or dies of each time is
 * marked with the reason and passed over.
 */
export function createEmbeddingQueue(parts: {
  embeddings: QueuedEmbeddings;
  embedder: Embedder;
  clock: Clock;
  /** Runs a write on the open file, again while another process has it locked. */
  retryWhileLocked: <T>(write: () => T) => Promise<T>;
  /** Resolves when what was written is not just being carried from the log into the file. */
  logSettled(): Promise<void>;
}): EmbeddingQueue {
  const { embeddings, embedder, clock, retryWhileLocked, logSettled } = parts;
  const ending = new AbortController();
  const size = createBatchSize(embedder.atOnce);
  let single = { row: 0, tries: 0 };
  let since: 'success' | 'failure' = 'success';
  let running: Promise<void> | undefined;
  let isNudged = false;

  /** What follows from a refusal of these texts. */
  const refused = (
    texts: readonly { row: number; text: string }[],
    why: Exclude<EmbeddingOutcome, Float32Array>,
  ): EmbeddingOutcome[] | 'later' => {
    const [first, ...others] = texts;
    if (first === undefined || others.length > 0) {
      size.refused(texts.length);
      return 'later';
    }
    single = { row: first.row, tries: single.row === first.row ? single.tries + 1 : 1 };
    if (single.tries < triesAlone) return 'later';
    size.passed();
    return [why];
  };
  /** The vectors of the texts that have none, or what keeps them from being made now. */
  const make = async (
    texts: readonly { row: number; text: string }[],
  ): Promise<EmbeddingOutcome[] | 'later' | 'ended'> => {
    const asked = await askModel(
      embedder,
      texts.map(({ text }) => text),
      { since, ending: ending.signal },
    );
    since = asked.status === 'model failed' || asked.status === 'lost' ? 'failure' : 'success';
    switch (asked.status) {
      case 'ended':
        return 'ended';
      case 'model failed':
        await retryWhileLocked(() => embeddings.failed(asked.words));
        return 'later';
      case 'made':
        size.succeeded(texts.length);
        return asked.outcomes;
      case 'lost':
        // it worked a moment ago, and comes back as soon as it did: it is not left alone for longer each time
        await retryWhileLocked(() => embeddings.works());
        await retryWhileLocked(() => embeddings.failed(asked.words));
        return refused(texts, { refusal: `the model breaks off over it each time (${asked.words})` });
      case 'refused':
        return refused(texts, { refusal: asked.words, isNoVector: asked.isNoVector });
    }
  };
  const one = async (): Promise<'more' | 'none'> => {
    const wait = await embeddings.waitMs();
    if (wait > 0) await clock.sleep(wait, ending.signal);
    const chunks = await embeddings.waiting(size.now());
    if (chunks.length === 0) {
      await retryWhileLocked(() => embeddings.settle());
      return 'none';
    }
    const outcomes = await embeddings.known(chunks);
    const unknown = [...chunks.entries()].filter(([place]) => !outcomes.has(place));
    if (unknown.length > 0) {
      const made = await make(unknown.map(([, chunk]) => chunk));
      if (made === 'ended') return 'none';
      if (made === 'later') return 'more';
      for (const [index, outcome] of made.entries()) {
        const place = unknown[index]?.[0];
        if (place !== undefined) outcomes.set(place, outcome);
      }
    }
    for (let from = 0; from < chunks.length && !ending.signal.aborted; from += batchSize) {
      const some = chunks.slice(from, from + batchSize);
      const theirs = new Map<number, EmbeddingOutcome>();
      for (const place of some.keys()) {
        const outcome = outcomes.get(from + place);
        if (outcome !== undefined) theirs.set(place, outcome);
      }
      await retryWhileLocked(() => embeddings.save(some, theirs));
      await logSettled();
      await nextTurn();
    }
    return ending.signal.aborted ? 'none' : 'more';
  };
  const run = async (): Promise<void> => {
    do {
      isNudged = false;
      while (!ending.signal.aborted && (await one()) === 'more');
    } while (isNudged && !ending.signal.aborted);
  };
  const nudge = (): void => {
    isNudged = true;
    if (ending.signal.aborted) return;
    running ??= run()
      // a locked or full disk is met, and told, by the next write; what waits is not lost
      .catch(() => {})
      .finally(() => {
        running = undefined;
      });
  };
  nudge();
  return {
    nudge,
    async end() {
      ending.abort();
      await running;
    },
  };
}
