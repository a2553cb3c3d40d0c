// Imported files: known by the hash of what was in them, replaced as a whole, and never brought back once forgotten. Not their formats.
import type { Clock } from '#base/clock.ts';
import type { NewId } from '#base/ids.ts';
import { sqliteSql } from '#base/sql/sqlite-sql.ts';
import { finish } from '#base/sql/work.ts';
import type { Sqlite } from '#base/sqlite/sqlite.ts';
import { sameProject } from '#memory/tables/audience.ts';
import type { Audit } from '#memory/tables/audit.ts';
import { retryWhileLocked } from '#memory/tables/retry-while-locked.ts';
import { forgottenInTransaction, type IsForgotten } from '#memory/tables/tombstones.ts';
import type { Audience } from '#memory/types/scope.ts';
import { passageHash } from '#memory/words/content-hash.ts';
import { type Chunk, chunkToRow } from './chunk-row.ts';
import type { Chunks } from './chunks.ts';
import { sourceHashOf, storedPassages } from './shared-passages.ts';

/** A file as memory knows it. */
export interface SourceFile {
  key: string;
  path: string;
  audience: string;
  projectID: string | undefined;
  format: string;
  contentHash: string;
}

/** What distinguishes imports, and a folder or a file. */
export type SourcePlace = Omit<SourceFile, 'contentHash' | 'key'>;

/** A chunk before it has an id, a place and its hashes. */
export type NewChunk = Omit<
  Chunk,
  'id' | 'sourceKey' | 'ordinal' | 'sourceHash' | 'contentHash' | 'createdAt'
>;

/** Some of a file's chunks, in order. */
export interface ChunkBatch {
  file: SourceFile;
  drafts: readonly NewChunk[];
  /** How many of the file's chunks came before. */
  from: number;
  /** After the last part the file counts as imported; an interrupted import begins it again. */
  isLast: boolean;
}

interface WrittenSource {
  /** Chunks that are new rows, also where they replace the same words of an earlier version. */
  stored: number;
  /** Of those, how many replace the same words. */
  again: number;
  /** Passages whose words this audience has already, from another file: they are noted, and stay when that file goes. */
  known: number;
  /** Chunks that were forgotten before, and did not come back. */
  forgotten: number;
  /** Chunks of earlier versions that went. */
  removed: number;
}

export interface Sources {
  /** True when the file was imported whole with exactly this content, and all of it is still stored. */
  isUnchanged(file: SourceFile): boolean;
  /** How many passages are stored of the file with this key. */
  count(key: string): number;
  /** How many files were imported, and how many of them have no passage that is stored. */
  status(): { files: number; withoutPassages: number };
  /** Replaces what is stored of the files by these parts, in one transaction; the first part of a file takes away what no other file has. */
  write(parts: readonly ChunkBatch[]): Promise<WrittenSource>;
  /** The files of this audience, project and format that were imported from below `path`, or from there. */
  below(of: SourcePlace): { key: string; path: string; contentHash: string }[];
  /** Removes files of this audience, project and format below `path` that are not among the given keys; how many went, with how many chunks. What another file has too stays, as that file's. */
  dropMissing(of: SourcePlace, present: ReadonlySet<string>): Promise<{ files: number; chunks: number }>;
}

/** The imported files of one open database. */
export function createImportedSources(parts: {
  database: Sqlite;
  chunks: Chunks;
  clock: Clock;
  newId: NewId;
  audit: Audit;
}): Sources {
  const { database, chunks, clock, newId, audit } = parts;
  const { shared } = chunks;
  const queries = createSourceQueries(database);
  const note = database.prepare<[object]>(
    `INSERT INTO memory_sources (key, path, audience, project_id, format, content_hash, chunks, imported_at_ms)
     VALUES (@key, @path, @audience, @projectID, @format, @hash, @chunks, @now)
     ON CONFLICT (key) DO UPDATE SET content_hash = @hash, chunks = @chunks, imported_at_ms = @now`,
  );
  const rowsOf = database.prepare<[string], { row: number; content_hash: string }>(
    'SELECT row, content_hash FROM global_memory_chunks WHERE source_key = ?',
  );
  const dropSource = database.prepare<[string]>('DELETE FROM memory_sources WHERE key = ?');
  const forgotten = forgottenInTransaction(sqliteSql(database));

  /** The key says which file it was, and no word of what was in it. */
  const noteImport = (file: SourceFile, detail: { stored: number; removed: number }): void =>
    void audit.add({
      action: 'import',
      by: { name: 'import' },
      audience: file.audience as Audience, // checked where the import was asked for
      ids: [file.key],
      detail,
    });
  /** Hashes of the chunks that went for files whose last part is yet to come. */
  const replaced = new Map<string, ReadonlySet<string>>();
  const clear = (key: string): ReadonlySet<string> => {
    shared.drop(key);
    const gone = rowsOf.all(key).filter(({ row }) => !shared.handOver(row));
    for (const { row } of gone) chunks.replace(row);
    return new Set(gone.map(({ content_hash }) => content_hash));
  };
  const insert = (
    { file, drafts, from }: ChunkBatch,
    {
      isForgotten,
      gone,
      written,
    }: { isForgotten: IsForgotten; gone: ReadonlySet<string>; written: WrittenSource },
  ): void => {
    for (const [index, draft] of drafts.entries()) {
      const content = contentOf(file, draft, from + index);
      if (finish(isForgotten(content))) {
        written.forgotten += 1;
        continue;
      }
      const chunk = { ...content, id: newId('mem'), createdAt: clock.now() };
      if (chunks.insert(chunkToRow(chunk)) === undefined) {
        shared.note(chunk);
        written.known += 1;
        continue;
      }
      written.stored += 1;
      if (gone.has(content.contentHash)) written.again += 1;
    }
  };
  const write = database.transaction((all: readonly ChunkBatch[]): WrittenSource => {
    const written: WrittenSource = { stored: 0, again: 0, known: 0, forgotten: 0, removed: 0 };
    const isForgotten = finish(forgotten());
    for (const part of all) {
      const { file, from, isLast } = part;
      const gone = from === 0 ? clear(file.key) : (replaced.get(file.key) ?? new Set());
      if (from === 0) written.removed += gone.size;
      insert(part, { isForgotten, gone, written });
      const chunksNow = isLast ? queries.count(file.key) : 0;
      note.run({
        ...file,
        projectID: file.projectID ?? null,
        hash: isLast ? file.contentHash : '',
        chunks: chunksNow,
        now: clock.now(),
      });
      replaced.set(file.key, gone);
      if (!isLast) continue;
      replaced.delete(file.key);
      noteImport(file, { stored: chunksNow, removed: gone.size });
    }
    return written;
  });
  const drop = database.transaction((key: string): number => {
    const { size } = clear(key);
    dropSource.run(key);
    return size;
  });

  return {
    ...queries,
    write: (all) => retryWhileLocked(clock, () => write.immediate(all)),
    async dropMissing(of, present) {
      const gone = queries.below(of).filter(({ key }) => !present.has(key));
      let removed = 0;
      for (const { key, path } of gone) {
        const chunks = await retryWhileLocked(clock, () => drop.immediate(key));
        noteImport({ ...of, key, path, contentHash: '' }, { stored: 0, removed: chunks });
        removed += chunks;
      }
      return { files: gone.length, chunks: removed };
    },
  };
}

/** What is asked of the files without a change to them. */
function createSourceQueries(database: Sqlite): Pick<Sources, 'below' | 'status' | 'isUnchanged' | 'count'> {
  const hashOf = database
    .prepare<[string], string>('SELECT content_hash FROM memory_sources WHERE key = ?')
    .pluck();
  const isWhole = database
    .prepare<[string], number>(`SELECT chunks = ${storedPassages} FROM memory_sources WHERE key = ?`)
    .pluck();
  const countOf = database
    .prepare<[string], number>(`SELECT ${storedPassages} FROM (SELECT ? AS key)`)
    .pluck();
  const sourcesOf = database.prepare<[object], ReturnType<Sources['below']>[number]>(
    `SELECT key, path, content_hash AS contentHash FROM memory_sources
     WHERE audience = @audience AND ${sameProject('@projectID')} AND format = @format`,
  );
  const countFiles = database.prepare<[], ReturnType<Sources['status']>>(
    `SELECT count(*) AS files, coalesce(sum(NOT EXISTS (SELECT 1 FROM global_memory_chunks WHERE source_key = key)
       AND NOT EXISTS (SELECT 1 FROM memory_shared_passages WHERE source_key = key)), 0) AS withoutPassages FROM memory_sources`,
  );
  const below: Sources['below'] = ({ audience, projectID = null, format, path: root }) =>
    sourcesOf.all({ audience, projectID, format }).filter(({ path }) => isBelow(path, root));

  return {
    below,
    status: () => countFiles.get() ?? { files: 0, withoutPassages: 0 },
    isUnchanged: (file) => hashOf.get(file.key) === file.contentHash && isWhole.get(file.key) === 1,
    count: (key) => countOf.get(key) ?? 0,
  };
}

function isBelow(path: string, root: string): boolean {
  return path === root || path.startsWith(root.endsWith('/') ? root : `${root}/`);
}

function contentOf(file: SourceFile, draft: NewChunk, ordinal: number): Omit<Chunk, 'id' | 'createdAt'> {
  return {
    ...draft,
    sourceKey: file.key,
    ordinal,
    sourceHash: sourceHashOf(file.key, ordinal),
    contentHash: passageHash(draft),
  };
}

export interface ImportedTurns {
  /** Ids of the memories that these messages of this audience became. */
  idsOf(audience: Audience, messageIDs: readonly string[]): string[];
}

/** The turns of one open database. */
export function createImportedTurns(database: Sqlite): ImportedTurns {
  const find = database
    .prepare<[string, string], string>(
      `SELECT id FROM global_memory_chunks
       WHERE source = 'turn' AND audience = ? AND json_extract(message_ids, '$[0]') = ?`,
    )
    .pluck();
  return {
    idsOf: (audience, messageIDs) => messageIDs.flatMap((messageID) => find.all(audience, messageID)),
  };
}
