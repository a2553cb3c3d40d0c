// How much a memory holds, what is still to be done to it and what it cannot do.
import type { Store } from '#memory/store/store.ts';
import type { MemoryStatus } from '#memory/types/contract.ts';

/** The status of one open store, with its imported files where that is asked for: it takes a look at each. */
export function statusOf(
  { chunks, embeddings, extensionMissing, responses, sources }: Store,
  withImported: boolean,
): MemoryStatus {
  const imported = withImported ? sources.status() : { files: 0, withoutPassages: 0 };
  const inJavaScript =
    embeddings === undefined || extensionMissing === undefined
      ? []
      : [`sqlite-vec cannot be loaded (${extensionMissing}): vectors are compared in JavaScript`];
  return {
    chunks: chunks.count(),
    vectors: embeddings?.count() ?? 0,
    embedding: embeddings?.name ?? 'none: no embedding model',
    waiting: embeddings?.behind() ?? 0,
    refused: embeddings?.refused() ?? [],
    responses: responses.count(),
    ...(imported.files > 0 && { imported }),
    degraded: [...(embeddings?.degraded() ?? []), ...inJavaScript],
  };
}
