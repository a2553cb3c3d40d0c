// How something forgotten is known again without being kept: by a hash of its audience and content.
import type { Sqlite } from '#base/sqlite.ts';
import type { Chunk } from './chunk-row.ts';
import { digestOf } from './content-hash.ts';

type Content = Pick<Chunk, 'audience' | 'contentHash'>;

/** The mark that keeps a forgotten chunk from being stored again for the same audience. */
export function tombstoneOf({ audience, contentHash }: Content): string {
  return digestOf(audience, contentHash);
}

/** Whether this content was forgotten in its audience. */
export function createIsForgotten(database: Sqlite): (content: Content) => boolean {
  const find = database.prepare<[string]>('SELECT 1 FROM memory_tombstones WHERE hash = ?');
  const any = database.prepare<[]>('SELECT 1 FROM memory_tombstones LIMIT 1');
  return (content) => any.get() !== undefined && find.get(tombstoneOf(content)) !== undefined;
}
