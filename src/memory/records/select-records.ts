// The records that a selection means, with all their versions, or with those of a run: those it names, and those made of what it names.
import type { Sqlite } from '#base/sqlite/sqlite.ts';
import { checkedSelection, selectionParameters, writtenBy } from '#memory/chunks/selection.ts';
import { ofProject, recordPredicate, type ScopeFilter } from '#memory/tables/audience.ts';
import { quoted } from '#memory/tables/word-query.ts';
import type { Selection } from '#memory/types/maintenance.ts';
import { comparableText } from '#memory/words/content-hash.ts';
import { indexText, queryTokens } from '#memory/words/tokens.ts';
import type { Episodes } from './episodes.ts';
import type { Knowledge } from './knowledge.ts';
import { tagsOf } from './record-of-note.ts';
import type { StoredRecord } from './record-row.ts';
import type { Records } from './records.ts';
import { createVersionsOfRun } from './versions-of-run.ts';

interface MeantRecords {
  /** Every version of each; of a selection by run only those that go with it. */
  versions: StoredRecord[];
  /** Rows of the chunks that they are found by. */
  rows: number[];
}

/** What the selection means next to the chunks that it means (`rows`). */
export type SelectRecords = (
  selection: Selection,
  readable: ScopeFilter,
  rows: readonly number[],
  /** Pieces of exchanges that are no longer stored whole. */
  taken?: readonly string[],
) => MeantRecords;

/** Selecting in one open database. */
export function createSelectRecords(
  database: Sqlite,
  { records, knowledge, episodes }: { records: Records; knowledge: Knowledge; episodes: Episodes },
): SelectRecords {
  const named = database
    .prepare<[object], string>(
      `SELECT id FROM memory_records WHERE ${recordPredicate}
         AND (@ids IS NULL OR id IN (SELECT value FROM json_each(@ids)))
         AND ${writtenBy('user_id')}
         AND (@belongs IS NULL OR ${ofProject('@belongs')})
         AND (@source IS NULL OR json_extract(metadata, '$.source') = @source COLLATE NOCASE)
         -- of a summary of several exchanges the lines are meant that fit, not the whole of it
         AND (@ids IS NOT NULL OR @kind IS NOT NULL OR kind <> 'episode' OR (@from IS NULL AND @until IS NULL AND @words IS NULL))
         -- a summary of lessons or decisions goes with them
         AND (@kind IS NULL OR kind = @kind OR (kind = 'episode' AND json_extract(metadata, '$.source') = @kind)) AND (@key IS NULL OR record_key = @key)
         AND (@tag IS NULL OR EXISTS (SELECT 1 FROM json_each(tags) WHERE value = @tag))
         -- what a record was before means it no longer: a tag that was taken away forgets nothing
         AND ((@kind IS NULL AND @key IS NULL AND @tag IS NULL) OR NOT EXISTS (SELECT 1 FROM memory_records AS later
           WHERE later.lineage_id = memory_records.lineage_id AND later.version > memory_records.version))
         AND (@from IS NULL OR created_at_ms >= @from)
         AND (@until IS NULL OR created_at_ms < @until)
         AND (@words IS NULL OR row IN (SELECT rowid FROM memory_records_fts WHERE memory_records_fts MATCH @words)
           OR id IN (SELECT value FROM json_each(@called)))`,
    )
    .pluck();
  const madeOf = database
    .prepare<[object], string>(
      `WITH meant AS (SELECT id, source_key FROM global_memory_chunks WHERE row IN (SELECT value FROM json_each(@rows)))
       SELECT source_key FROM meant
       UNION SELECT memory_records.id FROM memory_records, json_each(memory_records.evidence) AS of
         WHERE of.value IN (SELECT id FROM meant UNION SELECT value FROM json_each(@versions))`,
    )
    .pluck();
  const rowsOf = database
    .prepare<[string], number>(
      'SELECT row FROM global_memory_chunks WHERE source_key IN (SELECT value FROM json_each(?))',
    )
    .pluck();
  const versionsOfRun = createVersionsOfRun(database);
  return (selection, readable, rows, taken = []) => {
    const checked = checkedSelection(selection);
    const { ids, project, source, from, until, words } = checked;
    const stems = words === undefined ? [] : queryTokens(words, 64).map(({ form }) => form);
    const forms = stems.map(quoted);
    const none = words !== undefined && forms.length === 0;
    const own = none
      ? []
      : named.all({
          ...readable.parameters,
          ids: ids === undefined ? null : JSON.stringify(ids),
          ...selectionParameters(checked),
          ...{ belongs: project ?? null, source: source ?? null },
          kind: checked.kind ?? null,
          key: checked.key === undefined ? null : comparableText(checked.key),
          tag: checked.tag === undefined ? null : (tagsOf([checked.tag])[0] ?? ''),
          from: from ?? null,
          until: until ?? null,
          words: words === undefined ? null : forms.join(' AND '),
          called: JSON.stringify(words === undefined ? [] : calledBy(stems, readable)),
        });
    const isOfRun = checked.run !== undefined;
    /** Of versions that hold no longer there are no rows, and yet records were made of them. */
    const derivedFrom = (of: readonly number[], versions: readonly string[] = []): string[] =>
      of.length + versions.length === 0
        ? []
        : madeOf.all({ rows: JSON.stringify(of), versions: JSON.stringify(versions) });
    // what was made of what was made of it, too
    for (let meant = [...own, ...derivedFrom(rows), ...episodes.madeOf(taken)]; ; ) {
      const lineages = records.lineages(meant);
      const versions = isOfRun ? versionsOfRun(lineages, meant, rows) : lineages;
      const ids = new Set(versions.map(({ id }) => id));
      const found = rowsOf.all(JSON.stringify([...ids]));
      const further = derivedFrom(found, [...ids]).filter(
        (id) => !ids.has(id) && records.get(id) !== undefined,
      );
      if (further.length === 0) return { versions, rows: found };
      meant = [...ids, ...further];
    }
  };

  /** Records whose knowledge is called by all of these words, whatever they say themselves. */
  function calledBy(stems: readonly string[], readable: ScopeFilter): string[] {
    return knowledge.called(readable).flatMap(({ recordID, words }) => {
      const held = new Set(indexText(words).split(/\s+/));
      return stems.every((stem) => held.has(stem)) ? [recordID] : [];
    });
  }
}
