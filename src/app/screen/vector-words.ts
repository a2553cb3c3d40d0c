// What an operator sees of the vectors in memory, as text: for `parley status`, `parley memory status` and the doctor.
import type { MemoryStatus } from '#memory/types/contract.ts';

type Vectors = Pick<MemoryStatus, 'chunks' | 'vectors' | 'embedding' | 'waiting' | 'refused'>;

/** How many vectors there are and of which model, or that there is no model. */
export function vectorWords({ vectors, embedding, waiting }: Vectors): string {
  if (embedding.startsWith('none')) return embedding;
  return `${vectors} (${embedding})${waiting === 0 ? '' : `, ${waiting} waiting`}`;
}

/** What the model refused and why, a sentence for each reason. */
export function refusalLines({ refused }: Pick<Vectors, 'refused'>): string[] {
  return refused.map(
    ({ words, texts }) => `The embedding model refused ${texts} ${texts === 1 ? 'text' : 'texts'}: ${words}.`,
  );
}

/** What to do about refused texts. */
export const refusalHint =
  'They are found by their words. "parley memory reindex" has the model asked for them again.';
