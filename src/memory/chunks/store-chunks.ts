// The pieces of one exchange or note stored once, over row and words, and never what was forgotten.
import type { Clock } from '#base/clock.ts';
import type { Sql } from '#base/sql/sql.ts';
import type { Work } from '#base/sql/work.ts';
import { createIsForgotten, createUnbury } from '#memory/tables/tombstones.ts';
import { type Chunk, chunkToRow } from './chunk-row.ts';
import type { ChunkWork } from './chunks.ts';

type StoredPieces = { status: 'stored' | 'duplicate'; chunkIDs: string[] };

/** What storing pieces needs. */
export interface ChunkWriterDeps {
  sql: Sql;
  chunks: ChunkWork;
  clock: Clock;
}

/** See `createKeepPieces`. */
export type KeepPieces = (
  pieces: readonly Omit<Chunk, 'createdAt'>[],
  options?: { again?: boolean },
) => Work<StoredPieces | undefined>;

/**
 * Stores pieces inside of a transaction: `stored` when one of them was new, else `duplicate`, with the ids of those that hold
 * their contents now, in order; undefined when all of them were forgotten in their audience. `again` stores these too.
 */
export function createKeepPieces({ sql, chunks, clock }: ChunkWriterDeps): KeepPieces {
  const isForgotten = createIsForgotten(sql);
  const unbury = createUnbury(sql);
  return function* (pieces, { again = false } = {}) {
    if (again) for (const piece of pieces) yield* unbury(piece);
    let status: StoredPieces['status'] | undefined;
    const chunkIDs = new Set<string>();
    for (const piece of pieces) {
      if (yield* isForgotten(piece)) continue;
      status ??= 'duplicate';
      // who may read what is written openly now reads it as that, and nothing of when the room was closed
      const opened = piece.restricted ? undefined : yield* chunks.takeClosed(piece);
      const same = opened === undefined ? yield* chunks.seenAgain(piece) : undefined;
      const id = same ?? opened ?? piece.id;
      chunkIDs.add(id);
      if (same !== undefined) continue;
      yield* chunks.insert(chunkToRow({ ...piece, id, createdAt: clock.now() }));
      status = 'stored';
    }
    return status && { status, chunkIDs: [...chunkIDs] };
  };
}
