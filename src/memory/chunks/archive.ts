// Storing an exchange: cleaned, cut into pieces, and written once over row and full text.
import type { NewId } from '#base/ids.ts';
import type { Audit } from '#memory/tables/audit.ts';
import { formatPassage } from '#memory/types/block.ts';
import type { ArchiveResult, Exchange } from '#memory/types/exchange.ts';
import { digestOf, passageHash } from '#memory/words/content-hash.ts';
import type { Chunk } from './chunk-row.ts';
import { cleanExchange } from './clean-exchange.ts';
import { type ExchangePiece, splitExchange } from './split-exchange.ts';
import { type ChunkWriterDeps, createKeepPieces } from './store-chunks.ts';

/** An exchange without its secrets, and the kinds of those that were masked in it. */
export interface Masked {
  exchange: Exchange;
  masked: readonly string[];
}

/**
 * Stores exchanges in one transaction, and answers in their order once it is committed: all of them, or none when it throws. SQLite's own
 * error says that another process has the file locked.
 */
export type Archive = (exchanges: readonly Masked[]) => ArchiveResult[];

type Words = ReturnType<typeof cleanExchange>;
type Cleaned = Masked & { words: Words };

/** The archive over one open database. */
export function createArchive(
  parts: ChunkWriterDeps & {
    newId: NewId;
    audit: Audit;
    /** What is in the place of an exchange that a budget took away; undefined for any other. */
    takenTo: (key: string) => string | null | undefined;
  },
): Archive {
  const { database, chunks, newId, audit, takenTo } = parts;
  const save = createKeepPieces(parts);
  const store = ({ exchange, masked, words }: Cleaned): ArchiveResult => {
    if (saysNothing(words)) return { status: 'nothing to store' };
    const known = chunks.idsOfSource(exchange.key);
    if (known.length > 0) return { status: 'duplicate', chunkIDs: known };
    const place = takenTo(exchange.key);
    if (place !== undefined) return { status: 'duplicate', chunkIDs: place === null ? [] : [place] };
    const pieces = splitExchange(words);
    const saved = save(
      pieces.map((piece, ordinal) =>
        chunkOf(exchange, piece, { id: newId('mem'), ordinal, of: pieces.length }),
      ),
      { again: exchange.again === true },
    );
    if (saved === undefined) return { status: 'nothing to store' };
    audit.add({
      action: 'archive',
      by: { name: 'gateway', runID: exchange.runID, sessionID: exchange.sessionID },
      audience: exchange.where.audience,
      ids: saved.chunkIDs,
      detail: { redactions: masked.length },
    });
    return saved;
  };
  // no savepoint around each of them: at every one FTS5 writes out what it gathered
  const storeAll = database.transaction((cleaned: readonly Cleaned[]): ArchiveResult[] => cleaned.map(store));

  return (exchanges) => {
    const cleaned = exchanges.map((one) => ({ ...one, words: cleanExchange(one.exchange) }));
    return cleaned.every(({ words }) => saysNothing(words))
      ? cleaned.map(store)
      : storeAll.immediate(cleaned);
  };
}

function saysNothing({ userText, assistantText }: Words): boolean {
  return userText === '' && assistantText === '';
}

function chunkOf(
  exchange: Exchange,
  piece: ExchangePiece,
  made: { id: string; ordinal: number; of: number },
): Omit<Chunk, 'createdAt'> {
  const chunk = {
    id: made.id,
    source: 'exchange' as const,
    audience: exchange.where.audience,
    space: exchange.where.space,
    restricted: exchange.where.restricted,
    partition: exchange.where.partition,
    sourceKey: exchange.key,
    ordinal: made.ordinal,
    sourceHash: digestOf(exchange.key, String(made.ordinal)),
    at: Math.round(exchange.at),
    lastWrittenAt: Math.round(exchange.at),
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
      userText: piece.userText,
      answered: piece.assistantText,
    }),
    userText: piece.userText,
    assistantText: piece.assistantText,
    about: '',
    metadata: { pieces: made.of },
  };
  return { ...chunk, contentHash: passageHash(chunk) };
}
