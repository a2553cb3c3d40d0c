// The rows of memory files: which file is indexed as of when, and its passages. Reads no file.
import type { Sqlite } from '#base/sqlite/sqlite.ts';
import { fileWords } from '#memory/tables/audience.ts';
import { createMergeWords, type MergeWords } from '#memory/tables/full-text.ts';
import { analyzerVersion } from '#memory/words/tokens.ts';
import { type Chunk, type ChunkRow, chunkToRow } from './chunk-row.ts';
import type { Chunks } from './chunks.ts';
import { createFileLines, type FileLines } from './file-lines.ts';

/** The platform of a passage of a memory file. */
export const filePlatform = 'file';

/** A file as it was indexed. */
export interface IndexedFile {
  key: string;
  path: string;
  folder: string;
  size: number;
  mtimeMs: number;
  ctimeMs: number;
  chunks: number;
  characters: number;
  /** Why it is refused; null for one that is indexed. */
  problem: string | null;
}

/** A passage before it has an id: known again by its content hash, which is unique in its file. */
export type FileChunk = Omit<Chunk, 'id' | 'createdAt'> & {
  /** The corpus that it is a page of. */
  corpus: string | undefined;
};

/** `sessions`, `memory`, or the corpus whose page the chunk is of: folders of memory have a hyphen in their name, a corpus has none. */
export function corpusOf({ platform, sessionID: path }: Pick<Chunk, 'platform' | 'sessionID'>): string {
  if (platform !== filePlatform) return 'sessions';
  const folder = path.slice(0, path.indexOf('/'));
  return folder.includes('-') || folder === 'everyone' ? 'memory' : folder;
}

export interface FileWrite {
  file: Omit<IndexedFile, 'chunks'>;
  chunks: readonly FileChunk[];
}

/** What one transaction does for one file: all of it, or one part after the other of a long one. */
export interface FileStep {
  file: Omit<IndexedFile, 'chunks'>;
  passages: readonly { chunk: FileChunk; ordinal: number; row: ChunkRow | undefined }[];
  /** Rows whose passage is no longer in the file. */
  stale: readonly StaleRow[];
  /** With the last step: how many passages the file has. Until then it counts as changed, so that a kill leaves it to the next run. */
  total: number | undefined;
}

interface StaleRow {
  row: number;
  hash: string;
}

export interface FileChanges {
  stored: number;
  unchanged: number;
  removed: number;
}

export interface FileRows extends FileLines {
  /** The row of a chunk with the words it is found by: what takes most of the time, and needs no transaction. */
  rowOf(chunk: FileChunk, made: { id: string; now: number }): ChunkRow;
  /** Whether the passage is stored in this form; where it is in its file, when it was made and the stamp of its version may differ. */
  isStored(row: ChunkRow): boolean;
  all(): IndexedFile[];
  /** The file of this key as it was indexed; undefined for one that is not. */
  indexed(key: string): IndexedFile | undefined;
  /** What is stored of a file: the hashes of its passages, and rows that are none of these chunks. */
  storedOf(write: FileWrite): { known: ReadonlySet<string>; stale: StaleRow[] };
  /** Writes steps in the caller's transaction; passages with the same words stay unchanged, or are exchanged with `again` where the step has a row. */
  write(
    steps: readonly FileStep[],
    options: { newId: () => string; now: number; again: boolean },
  ): FileChanges;
  /** Keys of passages whose file is unknown: a rebuild or a removal that was left. */
  orphans(): string[];
  /** Removes at most `limit` passages of a file in the caller's transaction, and with the last of them the file; how many went. */
  remove(key: string, limit: number): number;
  /** Changes when any file is indexed again. */
  fingerprint(): string;
  /** As `createMergeWords` has it. */
  mergeWords: MergeWords;
  /** After so many removals a merge costs less than what they left. */
  removalsAMerge(): number;
  /** The row of the passage with this line, or of the next one; undefined for a file without passages. */
  passageAt(key: string, line: number): number | undefined;
}

/** What is new in each row, and what `move` writes: words that an earlier version stored as this one makes them need only its stamp. */
const mayDiffer = new Set(['id', 'created_at_ms', 'ordinal', 'message_ids', 'last_said_at_ms', 'analyzer']);

/** The statements over one open database. */
export function createFileRows(database: Sqlite, chunks: Chunks): FileRows {
  const files = `SELECT key, path, folder, size, mtime_ms AS mtimeMs, ctime_ms AS ctimeMs, chunks, characters, problem FROM memory_files`;
  const all = database.prepare<[], IndexedFile>(`${files} ORDER BY path`);
  const indexed = database.prepare<[string], IndexedFile>(`${files} WHERE key = ?`);
  const chunksOf = database.prepare<[string], StaleRow>(
    'SELECT row, content_hash AS hash FROM global_memory_chunks WHERE source_key = ?',
  );
  const someOf = database
    .prepare<[string, number], number>('SELECT row FROM global_memory_chunks WHERE source_key = ? LIMIT ?')
    .pluck();
  const wholeOf = database.prepare<[string, string, string], ChunkRow & { row: number }>(
    'SELECT * FROM global_memory_chunks WHERE audience = ? AND content_hash = ? AND source_key = ?',
  );
  const sameOf = database
    .prepare<[string, string, string], number>(
      'SELECT row FROM global_memory_chunks WHERE audience = ? AND content_hash = ? AND source_key = ?',
    )
    .pluck();
  const isStill = database
    .prepare<[number, string, string], number>(
      'SELECT row FROM global_memory_chunks WHERE row = ? AND content_hash = ? AND source_key = ?',
    )
    .pluck();
  const move = database.prepare<[number, string, number, number | null, number]>(
    `UPDATE global_memory_chunks SET ordinal = ?, message_ids = ?, last_said_at_ms = ?, analyzer = coalesce(?, analyzer)
     WHERE row = ?`,
  );
  const put = database.prepare<[object]>(
    `INSERT INTO memory_files (key, path, folder, size, mtime_ms, ctime_ms, chunks, characters, problem, indexed_at_ms)
     VALUES (@key, @path, @folder, @size, @mtimeMs, @ctimeMs, @chunks, @characters, @problem, @now)
     ON CONFLICT (key) DO UPDATE SET path = @path, size = @size, mtime_ms = @mtimeMs, ctime_ms = @ctimeMs, chunks = @chunks,
       characters = @characters, problem = @problem, indexed_at_ms = @now`,
  );
  const orphans = database
    .prepare<[], string>(
      `SELECT DISTINCT source_key FROM global_memory_chunks
       WHERE platform = '${filePlatform}' AND source_key NOT IN (SELECT key FROM memory_files)`,
    )
    .pluck();
  const fingerprint = database
    .prepare<[], string>(
      `SELECT json_array(count(*), total(size), total(mtime_ms), total(chunks), max(indexed_at_ms)) FROM memory_files`,
    )
    .pluck();
  const linesOfRows = database.prepare<[string], { row: number; until: number }>(
    `SELECT row, CAST(message_ids ->> 1 AS INTEGER) AS until FROM global_memory_chunks WHERE source_key = ? ORDER BY ordinal`,
  );
  const drop = database.prepare<[string]>('DELETE FROM memory_files WHERE key = ?');
  const rowOf: FileRows['rowOf'] = (chunk, { id, now }) => {
    const row = chunkToRow({ ...chunk, id, createdAt: now });
    return { ...row, scope_terms: `${row.scope_terms} ${fileWords(chunk.corpus)}` };
  };
  return {
    ...createFileLines(database),
    rowOf,
    isStored(row) {
      const stored = wholeOf.get(row.audience, row.content_hash, row.source_key);
      return (
        stored !== undefined &&
        Object.entries(row).every(
          ([name, value]) => mayDiffer.has(name) || stored[name as keyof ChunkRow] === value,
        )
      );
    },
    all: () => all.all(),
    indexed: (key) => indexed.get(key),
    storedOf({ file, chunks }) {
      const stored = chunksOf.all(file.key);
      const wanted = new Set(chunks.map(({ contentHash }) => contentHash));
      return {
        known: new Set(stored.map(({ hash }) => hash)),
        stale: stored.filter(({ hash }) => !wanted.has(hash)),
      };
    },
    write(steps, { newId, now, again }) {
      const changes: FileChanges = { stored: 0, unchanged: 0, removed: 0 };
      for (const { file, passages, stale, total } of steps) {
        for (const { chunk, ordinal, row } of passages) {
          const same = sameOf.get(chunk.audience, chunk.contentHash, file.key);
          if (same !== undefined && !(again && row !== undefined)) {
            // only with `again` were its words compared with those of this version
            const stamp = again ? analyzerVersion : null;
            move.run(ordinal, JSON.stringify(chunk.messageIDs), chunk.lastWrittenAt, stamp, same);
            changes.unchanged += 1;
            continue;
          }
          if (same !== undefined) {
            chunks.replace(same);
            changes.removed += 1;
          }
          if (chunks.insert(row ?? rowOf(chunk, { id: newId(), now })) !== undefined) changes.stored += 1;
        }
        for (const { row, hash } of stale) {
          // another process may have taken it out in the meantime
          if (isStill.get(row, hash, file.key) === undefined) continue;
          chunks.replace(row);
          changes.removed += 1;
        }
        // no file has this size: until its last part is written, it is one that changed
        put.run({ ...file, size: total === undefined ? -1 : file.size, chunks: total ?? 0, now });
      }
      return changes;
    },
    orphans: () => orphans.all(),
    remove(key, limit) {
      const rows = someOf.all(key, limit);
      for (const row of rows) chunks.replace(row);
      if (rows.length < limit) drop.run(key);
      return rows.length;
    },
    fingerprint: () => fingerprint.get() ?? '',
    mergeWords: createMergeWords(database),
    removalsAMerge: () => Math.max(2_000, chunks.newest() / 8),
    passageAt(key, line) {
      const passages = linesOfRows.all(key);
      return (passages.find(({ until }) => until >= line) ?? passages.at(-1))?.row;
    },
  };
}
