// Passages that several imported files have: one file has the chunk, and the place of each other one is noted. Not the files themselves.
import { z } from 'zod';
import { parseJson } from '#base/json.ts';
import type { Sql } from '#base/sql/sql.ts';
import type { Work } from '#base/sql/work.ts';
import { createRowStatement } from '#memory/tables/row-statement.ts';
import type { Audience, Tier } from '#memory/types/scope.ts';
import { userTextOf } from '#memory/words/embedded-text.ts';
import { type Chunk, type ChunkRow, chunkToRow, messageIDsOf, type Source } from './chunk-row.ts';

/** Is told before and after the words of a row are written anew. */
interface ChangedWords {
  changes(row: number): Work<unknown>;
  rewritten(row: number, words: ChunkRow): Work<unknown>;
}

export interface SharedPassageWork {
  /** Notes that a file has the passage of this chunk, which another file stored. An open file takes the chunk over from a closed one. */
  note(chunk: Omit<Chunk, 'id' | 'createdAt'>): Work<void>;
  /** Gives the chunk to another file that has its passage; false when no other one has it. */
  handOver(row: number): Work<boolean>;
  /** Counts the chunk out of the files that have it: it goes permanently. */
  forget(row: number): Work<void>;
  /** The passage of a chunk whose words become those of another chunk with this hash; `forget` follows for the chunk itself. */
  merge(row: number, contentHash: string): Work<void>;
  /** The words of the chunk change, and its hash with them. */
  rename(row: number, contentHash: string): Work<void>;
  /** Drops what is noted of a file. */
  drop(sourceKey: string): Work<number>;
  /** The files that have the passage of this chunk. */
  filesOf(row: number): Work<string[]>;
}

/** In what the chunk of one file differs from that of another one with the same words. */
const placeSchema = z.object({
  space: z.string().optional(),
  at: z.number(),
  lastWrittenAt: z.number(),
  speaker: z.string(),
  person: z.string(),
  platform: z.string(),
  chat: z.string(),
  sessionID: z.string(),
  projectID: z.string().optional(),
  messageIDs: z.array(z.string()),
  metadata: z.object({ pieces: z.number() }),
});

interface NotedPassage {
  source_key: string;
  ordinal: number;
  restricted: 0 | 1;
  place: string;
}

/** SQL: how many passages of the file `key` are stored, as chunks of its own and as passages that it shares. */
export const storedPassages = `(SELECT count(*) FROM global_memory_chunks WHERE source_key = key)
  + (SELECT count(*) FROM memory_shared_passages AS shared WHERE source_key = key AND EXISTS (SELECT 1
       FROM global_memory_chunks AS chunk WHERE chunk.audience = shared.audience AND chunk.content_hash = shared.content_hash))`;

/** By what two files' passages of the same place are told apart; the key is a hash, and in this order rows of a file stand together in the index. */
export function sourceHashOf(sourceKey: string, ordinal: number): string {
  return `${sourceKey}/${String(ordinal).padStart(9, '0')}`;
}

/** Over one database; each call is part of the caller's transaction. */
export function createSharedPassages(sql: Sql, words: ChangedWords): SharedPassageWork {
  const whole = sql.prepare<[number], ChunkRow>('SELECT * FROM global_memory_chunks WHERE row = ?');
  const holderOf = sql.prepare<[string, string], { row: number; restricted: 0 | 1 }>(
    `SELECT row, restricted FROM global_memory_chunks WHERE audience = ? AND content_hash = ?
       AND source_key IN (SELECT key FROM memory_sources)`,
  );
  const add = sql.prepare<[object], never>(
    `INSERT INTO memory_shared_passages (source_key, ordinal, audience, content_hash, restricted, place)
     VALUES (@sourceKey, @ordinal, @audience, @contentHash, @restricted, @place)`,
  );
  const remove = sql.prepare<[string, number], never>(
    'DELETE FROM memory_shared_passages WHERE source_key = ? AND ordinal = ?',
  );
  const dropFile = sql.prepare<[string], never>('DELETE FROM memory_shared_passages WHERE source_key = ?');
  // what is open is read by those who read what is closed, too
  const notedOf = sql.prepare<[string, string], NotedPassage>(
    `SELECT source_key, ordinal, restricted, place FROM memory_shared_passages
     WHERE audience = ? AND content_hash = ? ORDER BY restricted, source_key, ordinal`,
  );
  const renameAll = sql.prepare<[string, string, string], never>(
    'UPDATE memory_shared_passages SET content_hash = ? WHERE audience = ? AND content_hash = ?',
  );
  const isFile = sql.pluck<[string], 1>('SELECT 1 FROM memory_sources WHERE key = ?');
  const count = sql.prepare<[number, string], never>(
    'UPDATE memory_sources SET chunks = chunks + ? WHERE key = ?',
  );
  const write = createRowStatement<ChunkRow>(
    sql,
    (columns) =>
      `UPDATE global_memory_chunks SET ${columns.map((column) => `${column} = ?`).join(', ')} WHERE row = ?`,
  );
  const addAs = (chunk: Omit<Chunk, 'id' | 'createdAt'>): Work<number> => {
    const { sourceKey, ordinal, audience, contentHash, restricted } = chunk;
    // of the chunk only what names its place
    const place = JSON.stringify(placeSchema.parse(chunk));
    return add.run({ sourceKey, ordinal, audience, contentHash, restricted: restricted ? 1 : 0, place });
  };
  function* handOver(row: number): Work<boolean> {
    const stored = yield* whole.get(row);
    const heir = stored && (yield* notedOf.get(stored.audience, stored.content_hash));
    if (stored === undefined || heir === undefined) return false;
    yield* remove.run(heir.source_key, heir.ordinal);
    const { source_key: sourceKey, ordinal } = heir;
    const chunk: Chunk = {
      ...chunkOf(stored),
      space: undefined,
      projectID: undefined,
      ...parseJson(heir.place, placeSchema, 'place'),
      ...{
        sourceKey,
        ordinal,
        sourceHash: sourceHashOf(sourceKey, ordinal),
        restricted: heir.restricted === 1,
      },
    };
    yield* words.changes(row);
    const written = chunkToRow({ ...chunk, about: aboutOf(chunk) });
    yield* write(written, row);
    yield* words.rewritten(row, written);
    return true;
  }
  function* rename(row: number, contentHash: string): Work<void> {
    const stored = yield* whole.get(row);
    if (stored !== undefined) yield* renameAll.run(contentHash, stored.audience, stored.content_hash);
  }
  function* filesOf(row: number): Work<string[]> {
    const stored = yield* whole.get(row);
    if (stored === undefined) return [];
    const noted = yield* notedOf.all(stored.audience, stored.content_hash);
    return [stored.source_key, ...noted.map(({ source_key }) => source_key)];
  }
  return {
    *note(chunk) {
      yield* addAs(chunk);
      const holder = yield* holderOf.get(chunk.audience, chunk.contentHash);
      if (chunk.restricted || holder?.restricted !== 1) return;
      const stored = yield* whole.get(holder.row);
      if (stored === undefined) return;
      yield* addAs(chunkOf(stored));
      yield* handOver(holder.row);
    },
    handOver,
    *forget(row) {
      const stored = yield* whole.get(row);
      if (stored === undefined) return;
      for (const key of yield* filesOf(row)) yield* count.run(-1, key);
      for (const { source_key, ordinal } of yield* notedOf.all(stored.audience, stored.content_hash))
        yield* remove.run(source_key, ordinal);
    },
    *merge(row, contentHash) {
      yield* rename(row, contentHash);
      const stored = yield* whole.get(row);
      if (stored === undefined || (yield* isFile.get(stored.source_key)) === undefined) return;
      yield* addAs({ ...chunkOf(stored), contentHash });
      yield* count.run(1, stored.source_key); // which `forget` counts out again
    },
    rename,
    drop: (sourceKey) => dropFile.run(sourceKey),
    filesOf,
  };
}

/** The chunk of a row, without the words that are not in its text. */
function chunkOf(row: ChunkRow): Chunk {
  const source = row.source as Source; // the table's own CHECK allows only these values
  return {
    id: row.id,
    source,
    audience: row.audience as Audience, // the table's own CHECK allows only this form
    space: row.space ?? undefined,
    restricted: row.restricted === 1,
    partition: row.partition ?? undefined,
    tier: row.tier as Tier, // the table's own CHECK allows only these values
    expiresAt: row.expires_at_ms ?? undefined,
    sourceKey: row.source_key,
    ordinal: row.ordinal,
    sourceHash: row.source_hash,
    contentHash: row.content_hash,
    at: row.at_ms,
    lastWrittenAt: row.last_said_at_ms,
    createdAt: row.created_at_ms,
    speaker: row.speaker,
    person: row.person,
    platform: row.platform,
    chat: row.chat,
    sessionID: row.session_id,
    projectID: row.project_id ?? undefined,
    workspaceRoot: row.workspace_root ?? undefined,
    runID: row.run_id,
    messageIDs: messageIDsOf({ messageIDList: row.message_ids }),
    tokenCount: row.token_count,
    content: row.content,
    userText: userTextOf({ source, content: row.content, userText: row.user_text, assistantText: '' }),
    assistantText: row.assistant_text,
    about: '',
    metadata: parseJson(row.metadata, placeSchema.shape.metadata, 'metadata'),
  };
}

/** A document is found by the name of its file and by its headings, which its content begins with. */
function aboutOf({ source, speaker, content, userText }: Chunk): string {
  if (source !== 'document') return '';
  return `${speaker}\n${content.slice(0, Math.max(0, content.length - userText.length - 1))}`;
}
