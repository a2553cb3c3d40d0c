// Keeping a note: without memory blocks, cut into pieces, and stored once over row, full text and vector. Not exchanges, and not who may note.
import { createHash } from 'node:crypto';
import type { Clock } from '#base/clock.ts';
import type { NewId } from '#base/ids.ts';
import type { Sqlite } from '#base/sqlite.ts';
import { removeMemoryBlocks } from '#memory/terms/block.ts';
import type { Note, NoteResult } from '#memory/terms/note.ts';
import type { Chunk } from './chunk-row.ts';
import type { Chunks } from './chunks.ts';
import { type Piece, splitExchange } from './split-exchange.ts';
import { tombstoneOf } from './tombstones.ts';
import type { Vectors } from './vectors.ts';

/** Takes a note and answers once it is committed; throws SQLite's own error when another process has the file locked. */
export type PutNote = (note: Note) => NoteResult;

/** Putting notes into one open database. */
export function createPutNote(parts: {
  database: Sqlite;
  chunks: Chunks;
  vectors: Vectors;
  clock: Clock;
  newId: NewId;
}): PutNote {
  const { database, chunks, vectors, clock, newId } = parts;
  const isForgotten = database
    .prepare<[string], number>('SELECT 1 FROM memory_tombstones WHERE hash = ?')
    .pluck();
  const store = database.transaction((note: Note, pieces: readonly Piece[]): NoteResult => {
    const { audience } = note.where;
    const at = Math.round(note.at);
    const kept = pieces
      .map((piece, ordinal) => ({ piece, ordinal, contentHash: contentHashOf(piece.userText) }))
      .filter(({ contentHash }) => isForgotten.get(tombstoneOf({ audience, contentHash })) === undefined);
    if (kept.length === 0) return { status: 'forgotten' };
    const key = newId('mem');
    let stored = 0;
    const chunkIDs = kept.map(({ piece, ordinal, contentHash }) => {
      const same = chunks.seenAgain({ audience, contentHash, at });
      if (same !== undefined) return same;
      const made = { id: ordinal === 0 ? key : newId('mem'), key, ordinal, contentHash };
      const chunk = chunkOf(note, piece, { ...made, pieces: pieces.length });
      vectors.add(chunks.insert({ ...chunk, createdAt: clock.now() }), chunk.content);
      stored += 1;
      return chunk.id;
    });
    return { status: stored === 0 ? 'duplicate' : 'stored', chunkIDs: [...new Set(chunkIDs)] };
  });

  return (note) => {
    const text = removeMemoryBlocks(note.text).trim();
    if (text === '') return { status: 'nothing to store' };
    return store.immediate(note, splitExchange({ userText: text, assistantText: '' }));
  };
}

function chunkOf(
  note: Note,
  piece: Piece,
  made: { id: string; key: string; ordinal: number; contentHash: string; pieces: number },
): Omit<Chunk, 'createdAt'> {
  return {
    id: made.id,
    source: note.kind,
    audience: note.where.audience,
    space: note.where.space,
    restricted: note.where.restricted,
    sourceKey: made.key,
    ordinal: made.ordinal,
    sourceHash: digest(made.key, String(made.ordinal)),
    contentHash: made.contentHash,
    at: Math.round(note.at),
    lastSaidAt: Math.round(note.at),
    speaker: note.speaker.name,
    person: note.speaker.person,
    platform: note.platform,
    chat: note.chat,
    sessionID: note.sessionID,
    projectID: note.projectID,
    workspaceRoot: undefined,
    runID: note.runID,
    messageIDs: note.messageIDs,
    tokenCount: piece.tokens,
    content: piece.userText,
    userText: piece.userText,
    assistantText: '',
    about: '',
    metadata: { pieces: made.pieces },
  };
}

/** Equal for the same words, whoever noted them and whatever their case, spacing and Unicode form. */
function contentHashOf(text: string): string {
  return digest('note', text.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim());
}

function digest(...fields: string[]): string {
  return createHash('sha256').update(JSON.stringify(fields)).digest('hex');
}
