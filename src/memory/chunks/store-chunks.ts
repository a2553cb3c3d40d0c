// The pieces of one exchange or note stored once, over row and full text, and never what was forgotten.
import type { Clock } from '#base/clock.ts';
import type { Sqlite } from '#base/sqlite/sqlite.ts';
import { createIsForgotten, createUnbury } from '#memory/tables/tombstones.ts';
import { type Chunk, chunkToRow } from './chunk-row.ts';
import type { Chunks } from './chunks.ts';

type StoredPieces = { status: 'stored' | 'duplicate'; chunkIDs: string[] };

/** What storing pieces needs. */
export interface ChunkWriterDeps {
  database: Sqlite;
  chunks: Chunks;
  clock: Clock;
}

/**
 * Stores pieces inside of a transaction: `stored` when one of them was new, else `duplicate`, with the ids of those that hold
 * their contents now, in order; undefined when all of them were forgotten in their audience. `again` stores these too.
 */
export function createKeepPieces({ database, chunks, clock }: ChunkWriterDeps) {
  const isForgotten = createIsForgotten(database);
  const unbury = createUnbury(database);
  return (
    pieces: readonly Omit<Chunk, 'createdAt'>[],
    { again = false }: { again?: boolean } = {},
  ): StoredPieces | undefined => {
    if (again) pieces.forEach(unbury);
    const wanted = pieces.filter((piece) => !isForgotten(piece));
    if (wanted.length === 0) return undefined;
    let status: StoredPieces['status'] = 'duplicate';
    const chunkIDs = wanted.map((piece) => {
      // who may read what is written openly now reads it as that, and nothing of when the room was closed
      const opened = piece.restricted ? undefined : chunks.takeClosed(piece);
      const same = opened === undefined ? chunks.seenAgain(piece) : undefined;
      if (same !== undefined) return same;
      const id = opened ?? piece.id;
      chunks.insert(chunkToRow({ ...piece, id, createdAt: clock.now() }));
      status = 'stored';
      return id;
    });
    return { status, chunkIDs: [...new Set(chunkIDs)] };
  };
}
