// Storing an exchange: cleaned, cut into pieces, and written once over row and full text.
import type { NewId } from '#base/ids.ts';
import type { Work } from '#base/sql/work.ts';
import type { AuditWork } from '#memory/tables/audit.ts';
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

type Words = ReturnType<typeof cleanExchange>;

/** An exchange as it is stored, or that there is nothing to store of it. */
export type Cleaned = Masked & { words: Words; isEmpty: boolean };

/** The exchange without what is not new in it: done before a transaction begins. */
export function cleaned(one: Masked): Cleaned {
  const words = cleanExchange(one.exchange);
  return { ...one, words, isEmpty: words.userText === '' && words.assistantText === '' };
}

/** Stores exchanges in the caller's transaction, and answers in their order. */
export type ArchiveWork = (exchanges: readonly Cleaned[]) => Work<ArchiveResult[]>;

/** The archive over one database. */
export function createArchive(
  parts: ChunkWriterDeps & {
    newId: NewId;
    audit: AuditWork;
    /** What is in the place of an exchange that a budget took away; undefined for any other. */
    takenTo: (key: string) => Work<string | null | undefined>;
  },
): ArchiveWork {
  const { chunks, newId, audit, takenTo } = parts;
  const save = createKeepPieces(parts);
  function* store({ exchange, masked, words, isEmpty }: Cleaned): Work<ArchiveResult> {
    if (isEmpty) return { status: 'nothing to store' };
    const known = yield* chunks.idsOfSource(exchange.key);
    if (known.length > 0) return { status: 'duplicate', chunkIDs: known };
    const place = yield* takenTo(exchange.key);
    if (place !== undefined) return { status: 'duplicate', chunkIDs: place === null ? [] : [place] };
    const pieces = splitExchange(words);
    const saved = yield* save(
      pieces.map((piece, ordinal) =>
        chunkOf(exchange, piece, { id: newId('mem'), ordinal, of: pieces.length }),
      ),
      { again: exchange.again === true },
    );
    if (saved === undefined) return { status: 'nothing to store' };
    yield* audit.add({
      action: 'archive',
      by: { name: 'gateway', runID: exchange.runID, sessionID: exchange.sessionID },
      audience: exchange.where.audience,
      ids: saved.chunkIDs,
      detail: { redactions: masked.length },
    });
    return saved;
  }
  return function* (exchanges) {
    const results: ArchiveResult[] = [];
    for (const one of exchanges) results.push(yield* store(one));
    return results;
  };
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
