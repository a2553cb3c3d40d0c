// Imported files: known by the hash of what was in them, replaced as a whole, and never brought back once forgotten. Not their formats.
import type { Clock } from '#base/clock.ts';
import type { NewId } from '#base/ids.ts';
import type { Sqlite } from '#base/sqlite.ts';
import type { Audience } from '#memory/terms/scope.ts';
import type { Audit } from './audit.ts';
import type { Chunk } from './chunk-row.ts';
import type { Chunks } from './chunks.ts';
import { digestOf } from './content-hash.ts';
import { patiently } from './patience.ts';
import { createIsForgotten } from './tombstones.ts';
import type { Vectors } from './vectors.ts';

/** A file as memory knows it. */
export interface SourceFile {
  key: string;
  path: string;
  audience: string;
  projectID: string | undefined;
  format: string;
  contentHash: string;
}

/** A chunk before it has an id, a place and its hashes. */
export type Draft = Omit<Chunk, 'id' | 'sourceKey' | 'ordinal' | 'sourceHash' | 'contentHash' | 'createdAt'>;

export interface Sources {
  /** True when the file was imported whole with exactly this content. */
  isUnchanged(file: SourceFile): boolean;
  /**
   * Replaces what is stored of the file, a batch of chunks to a transaction. It counts as imported only when `drafts` was used
   * up, so that an interrupted import begins the file anew. `stored` and `removed` count chunks.
   */
  replace(file: SourceFile, drafts: AsyncIterable<Draft>): Promise<{ stored: number; removed: number }>;
  /** Removes files of this audience, project and format below `path` that are not among the given keys; how many went, with how many chunks. */
  dropMissing(
    of: Omit<SourceFile, 'contentHash' | 'key'>,
    present: ReadonlySet<string>,
  ): Promise<{ files: number; chunks: number }>;
}

/** Chunks that one transaction stores; the event loop turns in between. */
const batchSize = 128;

/** The imported files of one open database. */
export function createSources(parts: {
  database: Sqlite;
  chunks: Chunks;
  vectors: Vectors;
  clock: Clock;
  newId: NewId;
  audit: Audit;
}): Sources {
  const { database, chunks, vectors, clock, newId, audit } = parts;
  const hashOf = database
    .prepare<[string], string>('SELECT content_hash FROM memory_sources WHERE key = ?')
    .pluck();
  const write = database.prepare<[object]>(
    `INSERT INTO memory_sources (key, path, audience, project_id, format, content_hash, chunks, imported_at_ms)
     VALUES (@key, @path, @audience, @projectID, @format, @contentHash, @chunks, @now)
     ON CONFLICT (key) DO UPDATE SET content_hash = @contentHash, chunks = @chunks, imported_at_ms = @now`,
  );
  const rowsOf = database
    .prepare<[string], number>('SELECT row FROM global_memory_chunks WHERE source_key = ?')
    .pluck();
  const sourcesOf = database.prepare<[object], { key: string; path: string }>(
    `SELECT key, path FROM memory_sources
     WHERE audience = @audience AND project_id IS @projectID AND format = @format`,
  );
  const dropSource = database.prepare<[string]>('DELETE FROM memory_sources WHERE key = ?');
  const isForgotten = createIsForgotten(database);

  const note = (file: SourceFile, contentHash: string, count: number): void => {
    write.run({
      ...file,
      projectID: file.projectID ?? null,
      contentHash,
      chunks: count,
      now: clock.now(),
    });
  };
  /** The key tells which file it was to whoever has it, and no word of what was in it. */
  const noteImport = (file: SourceFile, detail: { stored: number; removed: number }): void =>
    void audit.add({
      action: 'import',
      by: { name: 'import' },
      audience: file.audience as Audience, // checked where the import was asked for
      ids: [file.key],
      detail,
    });
  const clear = (key: string): number => {
    const rows = rowsOf.all(key);
    for (const row of rows) {
      vectors.remove(row);
      chunks.remove(row);
    }
    return rows.length;
  };
  const begin = database.transaction((file: SourceFile): number => {
    note(file, '', 0);
    return clear(file.key);
  });
  const insert = database.transaction((file: SourceFile, drafts: readonly Draft[], from: number): number => {
    let stored = 0;
    for (const [index, draft] of drafts.entries()) {
      const chunk = chunkOf(file, draft, from + index);
      if (isForgotten(chunk) || chunks.has(chunk)) continue;
      vectors.add(chunks.insert({ ...chunk, id: newId('mem'), createdAt: clock.now() }), chunk.content);
      stored += 1;
    }
    return stored;
  });
  const drop = database.transaction((key: string): number => {
    const removed = clear(key);
    dropSource.run(key);
    return removed;
  });

  return {
    isUnchanged: (file) => hashOf.get(file.key) === file.contentHash,
    async replace(file, drafts) {
      const removed = await patiently(clock, () => begin.immediate(file));
      let [stored, seen] = [0, 0];
      let batch: Draft[] = [];
      const flush = async (): Promise<void> => {
        stored += await patiently(clock, () => insert.immediate(file, batch, seen));
        seen += batch.length;
        batch = [];
      };
      for await (const draft of drafts) {
        batch.push(draft);
        if (batch.length < batchSize) continue;
        await flush();
        await new Promise((resolve) => setImmediate(resolve));
      }
      await flush();
      await patiently(clock, () => {
        note(file, file.contentHash, stored);
        noteImport(file, { stored, removed });
      });
      return { stored, removed };
    },
    async dropMissing(of, present) {
      const gone = sourcesOf
        .all({ audience: of.audience, projectID: of.projectID ?? null, format: of.format })
        .filter(({ key, path }) => !present.has(key) && isBelow(path, of.path));
      let removed = 0;
      for (const { key, path } of gone) {
        const chunks = await patiently(clock, () => drop.immediate(key));
        noteImport({ ...of, key, path, contentHash: '' }, { stored: 0, removed: chunks });
        removed += chunks;
      }
      return { files: gone.length, chunks: removed };
    },
  };
}

function isBelow(path: string, root: string): boolean {
  return path === root || path.startsWith(root.endsWith('/') ? root : `${root}/`);
}

function chunkOf(file: SourceFile, draft: Draft, ordinal: number): Omit<Chunk, 'id' | 'createdAt'> {
  return {
    ...draft,
    sourceKey: file.key,
    ordinal,
    sourceHash: digestOf(file.key, String(ordinal)),
    contentHash: digestOf(...(draft.source === 'turn' ? turnOf(draft) : [draft.content]), ...reachOf(draft)),
  };
}

/** The same words at another place of a conversation are another turn; of a document, the same passage. */
function turnOf({ sessionID, messageIDs, speaker, content }: Draft): string[] {
  return [sessionID, ...messageIDs, speaker, content];
}

/** What is kept for less than all that its audience does is another memory there. */
function reachOf({ tier = 'global', sessionID, projectID = '' }: Draft): string[] {
  if (tier === 'global') return [];
  return [tier, tier === 'session' ? sessionID : projectID];
}
