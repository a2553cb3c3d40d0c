// One call of the embedding model for texts that are kept, and whose fault a failure is: the model's, or the texts'. Not what follows from it.
import { either } from '#base/async.ts';
import { codeOf, wordsOf } from '#base/errors.ts';
import type { Outcome } from '#memory/store/embeddings.ts';
import type { Embedder } from '#memory/terms/embedding.ts';

export type Asked =
  | { status: 'made'; outcomes: Outcome[] }
  /** The model embeds other texts, and not these. */
  | { status: 'refused'; words: string }
  /** The model worked right before it was asked for these, and does not after it. */
  | { status: 'lost'; words: string }
  | { status: 'model failed'; words: string }
  | { status: 'ended' };

/** How long one call of the model may take, in milliseconds. */
const patienceMs = 60_000;
/** A text that every model takes. */
const harmless = 'parley';

/**
 * Asks for a vector of each text. After a failure the model is asked for the vector of a harmless text, which tells whose fault it was;
 * `since` a failure of the model, it is asked for that first, since these texts may be what it dies of.
 */
export async function askModel(
  embedder: Embedder,
  texts: readonly string[],
  { since, ending }: { since: 'success' | 'failure'; ending: AbortSignal },
): Promise<Asked> {
  const failed = (error: unknown): Asked =>
    ending.aborted ? { status: 'ended' } : { status: 'model failed', words: wordsOf(error) };
  try {
    if (since === 'failure') await vectorsOf(embedder, [harmless], ending);
  } catch (error) {
    return failed(error);
  }
  try {
    return { status: 'made', outcomes: await vectorsOf(embedder, texts, ending) };
  } catch (error) {
    if (ending.aborted || codeOf(error) === 'embedding_unavailable') return failed(error);
    try {
      await vectorsOf(embedder, [harmless], ending);
      return { status: 'refused', words: wordsOf(error) };
    } catch {
      return since === 'failure' && !ending.aborted
        ? { status: 'lost', words: wordsOf(error) }
        : failed(error);
    }
  }
}

async function vectorsOf(
  embedder: Embedder,
  texts: readonly string[],
  ending: AbortSignal,
): Promise<Float32Array[]> {
  using within = either(ending, AbortSignal.timeout(patienceMs));
  const made = await embedder.embed(texts, { purpose: 'keep', signal: within.signal });
  if (made.length !== texts.length) throw new Error(`expected ${texts.length} vectors, got ${made.length}`);
  return made.map((vector) => new Float32Array(vector));
}
