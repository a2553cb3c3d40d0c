// Keeping an exchange: cleaned, cut into pieces, and stored once over row, full text and vector. Not who decides that it was delivered.
import type { NewId } from '#base/ids.ts';
import { formatPassage } from '#memory/terms/block.ts';
import type { ArchiveResult, Exchange } from '#memory/terms/exchange.ts';
import type { Audit } from './audit.ts';
import type { Chunk } from './chunk-row.ts';
import { cleanExchange } from './clean-exchange.ts';
import { comparableText, digestOf } from './content-hash.ts';
import { createKeepPieces, type KeepParts } from './keep-pieces.ts';
import { type Piece, splitExchange } from './split-exchange.ts';

/** Takes an exchange, and the kinds of the secrets that were masked in it, and answers once it is committed; throws SQLite's own error when another process has the file locked. */
export type Archive = (exchange: Exchange, masked: readonly string[]) => ArchiveResult;

/** How many older chunks without a vector get one with each archived exchange. */
const catchUpWith = 64;

/** The archive over one open database. */
export function createArchive(parts: KeepParts & { newId: NewId; audit: Audit }): Archive {
  const { database, chunks, vectors, newId, audit } = parts;
  const keep = createKeepPieces(parts);
  const store = database.transaction(
    (exchange: Exchange, pieces: readonly Piece[], masked: readonly string[]): ArchiveResult => {
      const known = chunks.idsOfSource(exchange.key);
      if (known.length > 0) return { status: 'duplicate', chunkIDs: known };
      const kept = keep(
        pieces.map((piece, ordinal) =>
          chunkOf(exchange, piece, { id: newId('mem'), ordinal, of: pieces.length }),
        ),
      );
      if (kept === undefined) return { status: 'nothing to store' };
      audit.add({
        action: 'archive',
        by: { name: 'gateway', runID: exchange.runID, sessionID: exchange.sessionID },
        audience: exchange.where.audience,
        ids: kept.chunkIDs,
        detail: { redactions: masked.length },
      });
      vectors.catchUp(catchUpWith);
      return kept;
    },
  );

  return (exchange, masked) => {
    const clean = cleanExchange(exchange);
    if (clean.userText === '' && clean.assistantText === '') return { status: 'nothing to store' };
    return store.immediate(exchange, splitExchange(clean), masked);
  };
}

function chunkOf(
  exchange: Exchange,
  piece: Piece,
  made: { id: string; ordinal: number; of: number },
): Omit<Chunk, 'createdAt'> {
  return {
    id: made.id,
    source: 'exchange',
    audience: exchange.where.audience,
    space: exchange.where.space,
    restricted: exchange.where.restricted,
    sourceKey: exchange.key,
    ordinal: made.ordinal,
    sourceHash: digestOf(exchange.key, String(made.ordinal)),
    contentHash: contentHashOf(exchange, piece),
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
    metadata: { pieces: made.of },
  };
}

/** Equal for the same words of the same person, whatever their case, spacing and Unicode form. */
function contentHashOf(exchange: Exchange, piece: Piece): string {
  return digestOf(
    exchange.speaker.person,
    comparableText(piece.userText),
    comparableText(piece.assistantText),
  );
}
