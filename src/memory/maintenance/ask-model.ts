// One call of the embedding model for texts that are stored, and whose fault a failure is: the model's or the texts'.

import { codeOf, errorMessage } from '#base/errors.ts';
import { anySignal } from '#base/waiting/async.ts';
import { type Embedder, noVector } from '#memory/types/embedding.ts';
import type { EmbeddingOutcome } from '#memory/vectors/embeddings.ts';

type EmbeddingResult =
  | { status: 'made'; outcomes: EmbeddingOutcome[] }
  /** The model embeds other texts, and not these. */
  | { status: 'refused'; words: string; isNoVector: boolean }
  /** The model worked right before it was asked for these, and does not after it. */
  | { status: 'lost'; words: string }
  | { status: 'model failed'; words: string }
  | { status: 'ended' };

/** How long one call of the model may take, in milliseconds. */
const timeoutMs = 60_000;
/** A text that every model takes. */
const harmless = 'parley';

/**
 * Asks for a vector of each text. After a failure it gets a harmless text, which shows whose fault it was;
 * after `since`, a failure of the model, that comes first, since these texts may be what it dies of.
 */
export async function askModel(
  embedder: Embedder,
  texts: readonly string[],
  { since, ending }: { since: 'success' | 'failure'; ending: AbortSignal },
): Promise<EmbeddingResult> {
  const failed = (error: unknown): EmbeddingResult =>
    ending.aborted ? { status: 'ended' } : { status: 'model failed', words: errorMessage(error) };
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
      return { status: 'refused', words: errorMessage(error), isNoVector: codeOf(error) === noVector };
    } catch {
      return since === 'failure' && !ending.aborted
        ? { status: 'lost', words: errorMessage(error) }
        : failed(error);
    }
  }
}

async function vectorsOf(
  embedder: Embedder,
  texts: readonly string[],
  ending: AbortSignal,
): Promise<Float32Array[]> {
  using within = anySignal(ending, AbortSignal.timeout(timeoutMs));
  const made = await embedder.embed(texts, { purpose: 'document', signal: within.signal });
  if (made.length !== texts.length) throw new Error(`expected ${texts.length} vectors, got ${made.length}`);
  return made.map((vector) => new Float32Array(vector));
}
