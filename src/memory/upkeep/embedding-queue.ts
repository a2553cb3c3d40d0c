// Vectors made after the write was committed: what waits stands in the file, so that nothing is lost by a failure, a restart or another model.
import { either } from '#base/async.ts';
import type { Clock } from '#base/clock.ts';
import { wordsOf } from '#base/errors.ts';
import type { Embeddings } from '#memory/store/embeddings.ts';
import type { Embedder } from '#memory/terms/embedding.ts';

export interface EmbeddingQueue {
  /** Something may have been written. */
  nudge(): void;
  /** Stops after the call under way was given up; what waits stays in the file. */
  end(): Promise<void>;
}

/** How long one call of the model may take, in milliseconds. */
const patienceMs = 60_000;
/** Vectors that one transaction keeps, some milliseconds during which the program does nothing else. */
const keptAtOnce = 16;

/** Embeds what waits, a batch after another, and rests when nothing does. A failed call is tried again later, twice as late each time. */
export function createEmbeddingQueue(parts: {
  embeddings: Embeddings;
  embedder: Embedder;
  clock: Clock;
  /** Runs a write on the open file, again while another process has it locked. */
  patiently: <T>(write: () => T) => Promise<T>;
  /** Resolves when what was written is not just being carried from the log into the file. */
  logSettled(): Promise<void>;
}): EmbeddingQueue {
  const { embeddings, embedder, clock, patiently, logSettled } = parts;
  const ending = new AbortController();
  let running: Promise<void> | undefined;
  let isNudged = false;

  const one = async (): Promise<'more' | 'none'> => {
    const wait = embeddings.waitMs();
    if (wait > 0) await clock.sleep(wait, ending.signal);
    const chunks = embeddings.waiting(embedder.atOnce);
    if (chunks.length === 0) return 'none';
    const vectors = embeddings.known(chunks);
    const places = [...chunks.keys()].filter((place) => !vectors.has(place));
    try {
      if (places.length > 0) {
        using within = either(ending.signal, AbortSignal.timeout(patienceMs));
        const texts = places.map((place) => chunks[place]?.text ?? '');
        const made = await embedder.embed(texts, { purpose: 'keep', signal: within.signal });
        if (made.length !== texts.length)
          throw new Error(`expected ${texts.length} vectors, got ${made.length}`);
        for (const [index, place] of places.entries())
          vectors.set(place, new Float32Array(made[index] ?? []));
      }
    } catch (error) {
      if (ending.signal.aborted) return 'none';
      await patiently(() => embeddings.failed(wordsOf(error)));
      return 'more';
    }
    for (let from = 0; from < chunks.length && !ending.signal.aborted; from += keptAtOnce) {
      const some = chunks.slice(from, from + keptAtOnce);
      const theirs = new Map<number, Float32Array>();
      for (const place of some.keys()) {
        const vector = vectors.get(from + place);
        if (vector !== undefined) theirs.set(place, vector);
      }
      await patiently(() => embeddings.keep(some, theirs));
      await logSettled();
      await new Promise((resolve) => setImmediate(resolve));
    }
    return ending.signal.aborted ? 'none' : 'more';
  };
  const run = async (): Promise<void> => {
    do {
      isNudged = false;
      while (!ending.signal.aborted && (await one()) === 'more')
        await new Promise((resolve) => setImmediate(resolve));
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
