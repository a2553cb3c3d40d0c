// What memory needs of a model that turns texts into vectors. A layer above makes it; memory only calls it. Shapes, and the codes of failures.

/** Whose vectors they are, the server of a model that is not its provider's included in `model`: those of two identities are never compared, though they have the same dimensions. */
export interface EmbeddingIdentity {
  provider: string;
  model: string;
  dimensions: number;
}

/** The code of a rejection: the answer came, and holds what is no vector of numbers. */
export const noVector = 'embedding_no_vector';

/**
 * A model behind a network or in this process. `embed` resolves with a vector for each text, in order, or rejects; what it gives
 * is checked by the memory. A rejection with the code `embedding_unavailable` is not the texts' fault; any other one may be, and those with
 * the code of `noVector` are asked for once more later. A text that is asked about may need other words around it than one that is stored.
 */
export interface Embedder {
  identity: EmbeddingIdentity;
  /** Texts that are embedded in one call. */
  atOnce: number;
  embed(
    texts: readonly string[],
    options: { purpose: 'document' | 'query'; signal: AbortSignal },
  ): Promise<readonly (readonly number[])[]>;
  /** Ends what it holds, when the memory is closed; nothing is embedded after it. */
  close?(): Promise<void>;
}
