// Exchanges that are no longer stored whole: in which summary each is, found by who said it where, and taken out of it when it is forgotten.
import type { Sql } from '#base/sql/sql.ts';
import type { Synchronous, Work } from '#base/sql/work.ts';
import { checkedSelection, selectionParameters, writtenBy } from '#memory/chunks/selection.ts';
import { readingIn, type ScopeFilter } from '#memory/tables/audience.ts';
import { createBury, tombstoneOf } from '#memory/tables/tombstones.ts';
import type { Selection } from '#memory/types/maintenance.ts';
import type { Audience } from '#memory/types/scope.ts';
import { plainWords } from '#memory/words/tokens.ts';
import type { RecordWork } from './records.ts';
import { createSummaryLines, type Shortened } from './summary-lines.ts';

/** An exchange that was taken away, by one of its pieces. */
export interface EpisodeSource {
  chunkID: string;
  sourceKey: string;
  audience: Audience;
  partition: string | null;
  contentHash: string;
  person: string;
  chat: string;
  sessionID: string;
  runID: string;
  projectID: string | null;
  at: number;
  /** Claims that lines of files were made of. */
  claims: readonly string[];
}

/** A source that is meant by a selection, with its summary; none where nothing is in its place. */
export interface MeantSource {
  chunkID: string;
  audience: Audience;
  recordID: string | undefined;
}

export interface EpisodeWork {
  /** Notes where exchanges went, in the caller's transaction. */
  add(sources: readonly EpisodeSource[], recordID: string | undefined): Work<void>;
  /** The summary that holds an exchange, by its key; undefined for one that was never taken away, null where nothing is in its place. */
  placeOf(sourceKey: string): Work<string | null | undefined>;
  /** The sources that a selection means. */
  select(selection: Selection, readable: ScopeFilter): Work<MeantSource[]>;
  /** The sources, of every audience, that these marks stand for. */
  marked(marks: ReadonlySet<string>): Work<MeantSource[]>;
  /** The records, other than summaries, that were made of these pieces. */
  madeOf(chunkIDs: readonly string[]): Work<string[]>;
  /**
   * Forgets sources in the caller's transaction: nothing brings them back. The summaries that hold them, without their lines; undefined in
   * the place of one that has none left, or cannot be made again.
   */
  forget(sources: readonly MeantSource[], at: number): Work<Shortened[]>;
  /** The lines of summaries that these are in. */
  textsOf(sources: readonly MeantSource[]): Work<string[]>;
  /** Claims of these sources, and of those that these records are the summaries of. */
  claimsOf(sources: readonly MeantSource[], recordIDs: readonly string[]): Work<string[]>;
  /** Forgets all that these records are the summaries of, in the caller's transaction. */
  forgetWhole(recordIDs: readonly string[], at: number): Work<void>;
  /** These summaries are evicted: nothing is in the place of their sources, in the caller's transaction. */
  orphan(recordIDs: readonly string[]): Work<void>;
}

/** The same where nothing is waited for. */
export type Episodes = Synchronous<EpisodeWork>;

interface SourceRow {
  chunk_id: string;
  of_record: string;
  audience: string;
  content_hash: string;
}

const sourceRows = 'SELECT chunk_id, of_record, audience, content_hash FROM memory_episode_sources';

/** The statements over one database. */
export function createEpisodes(sql: Sql, records: Pick<RecordWork, 'get'>): EpisodeWork {
  const { dialect } = sql;
  const { inPartition, ofProject, ownAudience, writtenSince } = readingIn(dialect);
  const lines = createSummaryLines(records);
  const add = sql.prepare<[object], never>(
    `INSERT INTO memory_episode_sources (chunk_id, of_record, source_key, line, audience, partition, content_hash, person,
       chat, session_id, run_id, project_id, at_ms, claims)
     VALUES (@chunkID, @recordID, @sourceKey, 0, @audience, @partition, @contentHash, @person, @chat, @sessionID, @runID,
       @projectID, @at, @claims) ON CONFLICT (chunk_id) DO NOTHING`,
  );
  const placeOf = sql.pluck<[string], string>(
    'SELECT of_record FROM memory_episode_sources WHERE source_key = ? LIMIT 1',
  );
  const meant = sql.prepare<[object], SourceRow>(
    `${sourceRows} WHERE ${ownAudience} AND ${writtenSince('at_ms')} AND ${inPartition}
       AND (@ids IS NULL OR chunk_id IN ${dialect.texts('@ids')})
       AND ${writtenBy(dialect, 'person or agent')} AND (@belongs IS NULL OR ${ofProject('@belongs')})
       AND (@from IS NULL OR at_ms >= @from) AND (@until IS NULL OR at_ms < @until)`,
  );
  const all = sql.prepare<[], SourceRow>(sourceRows);
  const derived = sql.pluck<[string], string>(
    `SELECT DISTINCT memory_records.id FROM memory_records CROSS JOIN ${dialect.eachText('memory_records.evidence', 'piece')}
     WHERE kind <> 'episode' AND piece.value IN ${dialect.texts('?')}`,
  );
  const byIDs = sql.prepare<[string], SourceRow>(`${sourceRows} WHERE chunk_id IN ${dialect.texts('?')}`);
  const inRecords = `of_record <> '' AND of_record IN ${dialect.texts('?')}`;
  const ofRecords = sql.prepare<[string], SourceRow>(`${sourceRows} WHERE ${inRecords}`);
  const claims = sql.pluck<[string, string], string>(
    `SELECT DISTINCT claim.value FROM memory_episode_sources CROSS JOIN ${dialect.eachText('claims', 'claim')}
     WHERE chunk_id IN ${dialect.texts('?')} OR (${inRecords})`,
  );
  const remove = sql.prepare<[string], never>(
    `DELETE FROM memory_episode_sources WHERE chunk_id IN ${dialect.texts('?')}`,
  );
  const orphan = sql.prepare<[string], never>(
    `UPDATE memory_episode_sources SET of_record = '' WHERE of_record IN ${dialect.texts('?')}`,
  );
  const bury = createBury(sql);
  function* buryAll(rows: readonly SourceRow[], at: number): Work<void> {
    for (const row of rows)
      yield* bury(tombstoneOf({ audience: row.audience as Audience, contentHash: row.content_hash }), at); // `add` alone writes it
    yield* remove.run(JSON.stringify(rows.map(({ chunk_id }) => chunk_id)));
  }
  return {
    *add(sources, recordID = '') {
      for (const source of sources)
        yield* add.run({
          ...source,
          recordID,
          at: Math.round(source.at),
          claims: JSON.stringify(source.claims),
        });
    },
    *placeOf(sourceKey) {
      const place = yield* placeOf.get(sourceKey);
      return place === '' ? null : place;
    },
    *select(selection, readable) {
      const checked = checkedSelection(selection);
      const { ids, project, source, from, until, words, kind, key, tag } = checked;
      if ([source, kind, key, tag].some((value) => value !== undefined)) return [];
      const rows = yield* meant.all({
        ...readable.parameters,
        ids: ids === undefined ? null : JSON.stringify(ids),
        ...selectionParameters(checked),
        belongs: project ?? null,
        from: from ?? null,
        until: until ?? null,
      });
      const sought = plainWords(words ?? '');
      const byPiece =
        words === undefined
          ? undefined
          : yield* lines.byPiece(new Set(rows.map(({ of_record }) => of_record)));
      return rows
        .filter(({ chunk_id }) => {
          if (byPiece === undefined) return true;
          const held = new Set(plainWords(byPiece.get(chunk_id) ?? ''));
          return sought.length > 0 && sought.every((word) => held.has(word));
        })
        .map(meantSourceOf);
    },
    *marked(marks) {
      return (yield* all.all())
        .map((row) => ({ source: meantSourceOf(row), contentHash: row.content_hash }))
        .filter(({ source, contentHash }) => marks.has(tombstoneOf({ ...source, contentHash })))
        .map(({ source }) => source);
    },
    *madeOf(chunkIDs) {
      return chunkIDs.length === 0 ? [] : yield* derived.all(JSON.stringify(chunkIDs));
    },
    *forget(sources, at) {
      const gone = chunksOf(sources);
      yield* buryAll(yield* byIDs.all(JSON.stringify([...gone])), at);
      return yield* lines.without(summariesOf(sources), gone);
    },
    textsOf: (sources) => lines.textsOf(summariesOf(sources), chunksOf(sources)),
    claimsOf: (sources, recordIDs) =>
      claims.all(JSON.stringify([...chunksOf(sources)]), JSON.stringify(recordIDs)),
    *forgetWhole(recordIDs, at) {
      yield* buryAll(yield* ofRecords.all(JSON.stringify(recordIDs)), at);
    },
    *orphan(recordIDs) {
      yield* orphan.run(JSON.stringify(recordIDs));
    },
  };
}

function meantSourceOf({ chunk_id, audience, of_record }: SourceRow): MeantSource {
  return {
    chunkID: chunk_id,
    audience: audience as Audience, // `add` alone writes it
    recordID: of_record === '' ? undefined : of_record,
  };
}

function chunksOf(sources: readonly MeantSource[]): Set<string> {
  return new Set(sources.map(({ chunkID }) => chunkID));
}

function summariesOf(sources: readonly MeantSource[]): Set<string> {
  return new Set(sources.flatMap(({ recordID }) => recordID ?? []));
}
