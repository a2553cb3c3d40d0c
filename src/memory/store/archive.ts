// Keeping an exchange: cleaned, cut into pieces, and stored once over row, full text and vector. Not who decides that it was delivered.
import { createHash } from 'node:crypto';
import type { Clock } from '#base/clock.ts';
import type { NewId } from '#base/ids.ts';
import type { Sqlite } from '#base/sqlite.ts';
import { formatPassage } from '#memory/terms/block.ts';
import type { ArchiveResult, Exchange } from '#memory/terms/exchange.ts';
import type { Chunk } from './chunk-row.ts';
import type { Chunks } from './chunks.ts';
import { cleanExchange } from './clean-exchange.ts';
import { type Piece, splitExchange } from './split-exchange.ts';
import { tombstoneOf } from './tombstones.ts';
import type { Vectors } from './vectors.ts';

/** Takes an exchange and answers once it is committed; throws SQLite's own error when another process has the file locked. */
export type Archive = (exchange: Exchange) => ArchiveResult;

/** How many older chunks without a vector get one with each archived exchange. */
const catchUpWith = 64;

/** The archive over one open database. */
export function createArchive(parts: {
  database: Sqlite;
  chunks: Chunks;
  vectors: Vectors;
  clock: Clock;
  newId: NewId;
}): Archive {
  const { database, chunks, vectors, clock, newId } = parts;

  const isForgotten = database
    .prepare<[string], number>('SELECT 1 FROM memory_tombstones WHERE hash = ?')
    .pluck();
  const store = database.transaction((exchange: Exchange, pieces: readonly Piece[]): ArchiveResult => {
    const known = chunks.idsOfSource(exchange.key);
    if (known.length > 0) return { status: 'duplicate', chunkIDs: known };
    let stored = 0;
    const { audience } = exchange.where;
    const kept = pieces
      .map((piece, ordinal) => ({ piece, ordinal, contentHash: contentHashOf(exchange, piece) }))
      .filter(({ contentHash }) => isForgotten.get(tombstoneOf({ audience, contentHash })) === undefined);
    if (kept.length === 0) return { status: 'nothing to store' };
    const chunkIDs = kept.map(({ piece, ordinal, contentHash }) => {
      const same = chunks.seenAgain({
        audience,
        contentHash,
        at: Math.round(exchange.at),
      });
      if (same !== undefined) return same;
      const chunk = chunkOf(exchange, piece, {
        id: newId('mem'),
        ordinal,
        contentHash,
        pieces: pieces.length,
      });
      vectors.add(chunks.insert({ ...chunk, createdAt: clock.now() }), chunk.content);
      stored += 1;
      return chunk.id;
    });
    vectors.catchUp(catchUpWith);
    return { status: stored === 0 ? 'duplicate' : 'stored', chunkIDs: [...new Set(chunkIDs)] };
  });

  return (exchange) => {
    const clean = cleanExchange(exchange);
    if (clean.userText === '' && clean.assistantText === '') return { status: 'nothing to store' };
    return store.immediate(exchange, splitExchange(clean));
  };
}

function chunkOf(
  exchange: Exchange,
  piece: Piece,
  made: { id: string; ordinal: number; contentHash: string; pieces: number },
): Omit<Chunk, 'createdAt'> {
  return {
    id: made.id,
    source: 'exchange',
    audience: exchange.where.audience,
    space: exchange.where.space,
    restricted: exchange.where.restricted,
    sourceKey: exchange.key,
    ordinal: made.ordinal,
    sourceHash: digest(exchange.key, String(made.ordinal)),
    contentHash: made.contentHash,
    at: Math.round(exchange.at),
    lastSaidAt: Math.round(exchange.at),
    speaker: exchange.speaker.name,
    person: exchange.speaker.person,
    platform: exchange.platform,
    chat: exchange.chat,
    sessionID: exchange.sessionID,
    projectID: exchange.projectID,
    workspaceRoot: exchange.workspaceRoot,
    runID: exchange.runID,
    messageIDs: exchange.messageIDs,
    tokenCount: piece.tokens,
    content: formatPassage({
      speaker: exchange.speaker.name,
      said: piece.userText,
      answered: piece.assistantText,
    }),
    userText: piece.userText,
    assistantText: piece.assistantText,
    about: '',
    metadata: { pieces: made.pieces },
  };
}

/** Equal for the same words of the same person, whatever their case, spacing and Unicode form. */
function contentHashOf(exchange: Exchange, piece: Piece): string {
  const normal = (text: string): string => text.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim();
  return digest(exchange.speaker.person, normal(piece.userText), normal(piece.assistantText));
}

function digest(...fields: string[]): string {
  return createHash('sha256').update(JSON.stringify(fields)).digest('hex');
}
