// How something forgotten is known again without being kept: by a hash of its audience and content.
import { createHash } from 'node:crypto';
import type { Chunk } from './chunk-row.ts';

/** The mark that keeps a forgotten chunk from being stored again for the same audience. */
export function tombstoneOf(chunk: Pick<Chunk, 'audience' | 'contentHash'>): string {
  return createHash('sha256')
    .update(JSON.stringify([chunk.audience, chunk.contentHash]))
    .digest('hex');
}
