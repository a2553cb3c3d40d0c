// The vector of a question, asked of the model while somebody waits: quickly or not at all. Not the vectors of what is kept.

import { type Clock, type MonotonicMs, momentIn, msUntil } from '#base/clock.ts';
import { wordsOf } from '#base/errors.ts';
import type { Embeddings } from './store/embeddings.ts';
import type { Embedder } from './terms/embedding.ts';

export interface QuestionVectors {
  /** The vector as it is compared, or why there is none, in words. */
  of(text: string): Promise<{ vector?: Float32Array | undefined; degraded: string[] }>;
}

/** How long a question waits for its vector, and how long a model that failed is left alone, in milliseconds. */
const patienceMs = 2_000;
const restMs = 30_000;
const mostKept = 50;

/** Over the configured model; words alone are searched when it does not answer in time. */
export function createQuestionVectors(parts: {
  embedder: Embedder;
  embeddings: Embeddings;
  clock: Clock;
}): QuestionVectors {
  const { embedder, embeddings, clock } = parts;
  const kept = new Map<string, Float32Array>();
  let failure: { words: string; until: MonotonicMs } | undefined;
  return {
    async of(text) {
      const known = kept.get(text);
      if (known !== undefined) return { vector: known, degraded: [] };
      if (text.trim() === '' || !embeddings.any()) return { degraded: [] };
      if (failure !== undefined && msUntil(clock, failure.until) > 0)
        return { degraded: [`no embeddings (${failure.words})`] };
      try {
        const signal = AbortSignal.timeout(patienceMs);
        const [made] = await embedder.embed([text], { purpose: 'ask', signal });
        const vector = embeddings.question(made ?? []);
        if (vector === undefined)
          throw new Error(
            `expected ${embedder.identity.dimensions} finite numbers, got ${made?.length ?? 0}`,
          );
        if (kept.size >= mostKept) kept.delete(kept.keys().next().value ?? '');
        kept.set(text, vector);
        failure = undefined;
        return { vector, degraded: [] };
      } catch (error) {
        failure = { words: wordsOf(error), until: momentIn(clock, restMs) };
        return { degraded: [`no embeddings (${failure.words})`] };
      }
    },
  };
}
