// The vector of a question, asked of the model while someone waits: quickly or not at all.

import { type Clock, type MonotonicMs, momentIn, msUntil } from '#base/clock.ts';
import { errorMessage } from '#base/errors.ts';
import type { Embedder } from './types/embedding.ts';
import { type Awaitable, type Embeddings, faultOf } from './vectors/embeddings.ts';

export interface QuestionVectors {
  /** The vector as it is compared, or why there is none, as text. */
  of(text: string): Promise<{ vector?: Float32Array | undefined; degraded: string[] }>;
}

/** How long a question waits for its vector, and how long a model that failed is left alone, in milliseconds. */
const timeoutMs = 2_000;
const restMs = 30_000;
const maxEntries = 50;

/** Over the configured model; only words are searched when it does not answer in time. */
export function createQuestionVectors(parts: {
  embedder: Embedder;
  embeddings: Awaitable<Pick<Embeddings, 'any' | 'question'>>;
  clock: Clock;
}): QuestionVectors {
  const { embedder, embeddings, clock } = parts;
  const saved = new Map<string, Float32Array>();
  let failure: { words: string; until: MonotonicMs } | undefined;
  return {
    async of(text) {
      const known = saved.get(text);
      if (known !== undefined) return { vector: known, degraded: [] };
      if (text.trim() === '' || !(await embeddings.any())) return { degraded: [] };
      if (failure !== undefined && msUntil(clock, failure.until) > 0)
        return { degraded: [`no embeddings (${failure.words})`] };
      try {
        const signal = AbortSignal.timeout(timeoutMs);
        const [made] = await embedder.embed([text], { purpose: 'query', signal });
        const vector = await embeddings.question(made ?? []);
        if (vector === undefined) throw new Error(faultOf(made ?? [], embedder.identity.dimensions));
        if (saved.size >= maxEntries) saved.delete(saved.keys().next().value ?? '');
        saved.set(text, vector);
        failure = undefined;
        return { vector, degraded: [] };
      } catch (error) {
        failure = { words: errorMessage(error), until: momentIn(clock, restMs) };
        return { degraded: [`no embeddings (${failure.words})`] };
      }
    },
  };
}
