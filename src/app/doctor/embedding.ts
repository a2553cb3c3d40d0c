// The doctor on the memory's embedding model: whether it gives a vector, live. Says nothing where none is configured.
import { chooseEmbedder } from '#app/compose/embedder.ts';
import type { LoadedConfig } from '#app/config/load.ts';
import { errorMessage, hintOf } from '#base/errors.ts';
import { type Diagnostic, ok, warning } from './diagnostic.ts';

/** A model may have to be loaded first. */
const timeoutMs = 20_000;

/** Requests one vector from the embedding model. A failure is a warning, since memory then searches by words. */
export async function checkEmbedding(loaded: LoadedConfig): Promise<Diagnostic[]> {
  const lacking = (words: string, hint = 'Look at `memory.embedding` in the config.'): Diagnostic =>
    warning(`Memory is searched by words only: ${words}.`, hint);
  try {
    const { embedder, embedderMissing } = chooseEmbedder(loaded);
    if (embedderMissing !== undefined) return [lacking(embedderMissing)];
    if (embedder === undefined) return [];
    const { provider, model, dimensions } = embedder.identity;
    const name = `${provider}/${model}`;
    try {
      const signal = AbortSignal.timeout(timeoutMs);
      const [vector] = await embedder.embed(['parley'], { purpose: 'query', signal });
      return vector?.length === dimensions
        ? [ok(`${name} gives vectors of ${dimensions} numbers.`)]
        : [
            lacking(
              `${name} gave ${vector?.length ?? 0} numbers instead of ${dimensions}`,
              'Set `memory.embedding.dimensions` to what the model gives.',
            ),
          ];
    } finally {
      await embedder.close?.();
    }
  } catch (error) {
    return [lacking(errorMessage(error).replace(/\.$/, ''), hintOf(error))];
  }
}
