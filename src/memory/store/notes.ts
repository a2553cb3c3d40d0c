// Keeping a note: without memory blocks, cut into pieces, and stored once over row, full text and vector. Not exchanges, and not who may note.
import type { NewId } from '#base/ids.ts';
import { removeMemoryBlocks } from '#memory/terms/block.ts';
import type { Note, NoteResult } from '#memory/terms/note.ts';
import type { Chunk } from './chunk-row.ts';
import { comparableText, digestOf } from './content-hash.ts';
import { createKeepPieces, type KeepParts } from './keep-pieces.ts';
import { type Piece, splitExchange } from './split-exchange.ts';

/** Takes a note and answers once it is committed; throws SQLite's own error when another process has the file locked. */
export type PutNote = (note: Note) => NoteResult;

/** Putting notes into one open database. */
export function createPutNote(parts: KeepParts & { newId: NewId }): PutNote {
  const { database, newId } = parts;
  const keep = createKeepPieces(parts);
  const store = database.transaction((note: Note, pieces: readonly Piece[]): NoteResult => {
    const key = newId('mem');
    const made = (ordinal: number) => ({
      id: ordinal === 0 ? key : newId('mem'),
      key,
      ordinal,
      of: pieces.length,
    });
    return (
      keep(pieces.map((piece, ordinal) => chunkOf(note, piece, made(ordinal)))) ?? { status: 'forgotten' }
    );
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
  made: { id: string; key: string; ordinal: number; of: number },
): Omit<Chunk, 'createdAt'> {
  return {
    id: made.id,
    source: note.kind,
    audience: note.where.audience,
    space: note.where.space,
    restricted: note.where.restricted,
    sourceKey: made.key,
    ordinal: made.ordinal,
    sourceHash: digestOf(made.key, String(made.ordinal)),
    contentHash: contentHashOf(piece.userText),
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
    metadata: { pieces: made.of },
  };
}

/** Equal for the same words, whoever noted them and whatever their case, spacing and Unicode form. */
function contentHashOf(text: string): string {
  return digestOf('note', comparableText(text));
}
