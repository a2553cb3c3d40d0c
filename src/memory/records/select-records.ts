// The records that a selection means, with all their versions, or with those of a run: those it names, and those made of what it names.
import type { Sql } from '#base/sql/sql.ts';
import type { Work } from '#base/sql/work.ts';
import { checkedSelection, selectionParameters, writtenBy } from '#memory/chunks/selection.ts';
import { readingIn, type ScopeFilter } from '#memory/tables/audience.ts';
import type { Selection } from '#memory/types/maintenance.ts';
import { comparableText } from '#memory/words/content-hash.ts';
import { indexText, queryTokens } from '#memory/words/tokens.ts';
import type { EpisodeWork } from './episodes.ts';
import type { KnowledgeWork } from './knowledge.ts';
import { tagsOf } from './record-of-note.ts';
import type { StoredRecord } from './record-row.ts';
import { createRecordSearch } from './record-search.ts';
import type { RecordWork } from './records.ts';
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
) => Work<MeantRecords>;

/** Selecting in one database. */
export function createSelectRecords(
  sql: Sql,
  parts: { records: RecordWork; knowledge: KnowledgeWork; episodes: EpisodeWork },
): SelectRecords {
  const { records, knowledge, episodes } = parts;
  const { dialect } = sql;
  const { texts } = dialect;
  const { ofProject, record: readable } = readingIn(dialect);
  const search = createRecordSearch(sql);
  const origin = dialect.member('metadata', 'source');
  const named = sql.pluck<[object], string>(
    `SELECT id FROM memory_records WHERE ${readable}
       AND (@ids IS NULL OR id IN ${texts('@ids')})
       AND ${writtenBy(dialect, 'user_id')}
       AND (@belongs IS NULL OR ${ofProject('@belongs')})
       AND (@source IS NULL OR ${dialect.sameInAnyCase(origin, '@source')})
       -- of a summary of several exchanges the lines are meant that fit, not the whole of it
       AND (@ids IS NOT NULL OR @kind IS NOT NULL OR kind <> 'episode' OR (@from IS NULL AND @until IS NULL AND @words IS NULL))
       -- a summary of lessons or decisions goes with them
       AND (@kind IS NULL OR kind = @kind OR (kind = 'episode' AND ${origin} = @kind)) AND (@key IS NULL OR record_key = @key)
       AND (@tag IS NULL OR @tag IN ${texts('tags')})
       -- what a record was before means it no longer: a tag that was taken away forgets nothing
       AND ((@kind IS NULL AND @key IS NULL AND @tag IS NULL) OR NOT EXISTS (SELECT 1 FROM memory_records AS later
         WHERE later.lineage_id = memory_records.lineage_id AND later.version > memory_records.version))
       AND (@from IS NULL OR created_at_ms >= @from)
       AND (@until IS NULL OR created_at_ms < @until)
       AND (@words IS NULL OR ${search.has('@words')} OR id IN ${texts('@called')})`,
  );
  const madeOf = sql.pluck<[object], string>(
    `WITH meant AS (SELECT id, source_key FROM global_memory_chunks WHERE row IN ${dialect.numbers('@rows')})
     SELECT source_key FROM meant
     UNION SELECT memory_records.id FROM memory_records CROSS JOIN ${dialect.eachText('memory_records.evidence', 'piece')}
       WHERE piece.value IN (SELECT id FROM meant) OR piece.value IN ${texts('@versions')}`,
  );
  const rowsOf = sql.pluck<[string], number>(
    `SELECT row FROM global_memory_chunks WHERE source_key IN ${texts('?')}`,
  );
  const versionsOfRun = createVersionsOfRun(sql);
  /** Of versions that hold no longer there are no rows, and yet records were made of them. */
  function* derivedFrom(of: readonly number[], versions: readonly string[] = []): Work<string[]> {
    if (of.length + versions.length === 0) return [];
    return yield* madeOf.all({ rows: JSON.stringify(of), versions: JSON.stringify(versions) });
  }
  /** Records whose knowledge is called by all of these words, whatever they say themselves. */
  function* calledBy(stems: readonly string[], filter: ScopeFilter): Work<string[]> {
    return (yield* knowledge.called(filter)).flatMap(({ recordID, words }) => {
      const held = new Set(indexText(words).split(/\s+/));
      return stems.every((stem) => held.has(stem)) ? [recordID] : [];
    });
  }
  function* own(checked: ReturnType<typeof checkedSelection>, filter: ScopeFilter): Work<string[]> {
    const { ids, project, source, from, until, words } = checked;
    const stems = words === undefined ? [] : queryTokens(words, 64).map(({ form }) => form);
    if (words !== undefined && stems.length === 0) return [];
    return yield* named.all({
      ...filter.parameters,
      ids: ids === undefined ? null : JSON.stringify(ids),
      ...selectionParameters(checked),
      ...{ belongs: project ?? null, source: source ?? null },
      kind: checked.kind ?? null,
      key: checked.key === undefined ? null : comparableText(checked.key),
      tag: checked.tag === undefined ? null : (tagsOf([checked.tag])[0] ?? ''),
      from: from ?? null,
      until: until ?? null,
      words: words === undefined ? null : search.all(stems.map((stem) => [stem])),
      called: JSON.stringify(words === undefined ? [] : yield* calledBy(stems, filter)),
    });
  }
  return function* (selection, filter, rows, taken = []) {
    const checked = checkedSelection(selection);
    const isOfRun = checked.run !== undefined;
    const first = [...(yield* own(checked, filter)), ...(yield* derivedFrom(rows))];
    // what was made of what was made of it, too
    for (let meant = [...first, ...(yield* episodes.madeOf(taken))]; ; ) {
      const lineages = yield* records.lineages(meant);
      const versions = isOfRun ? yield* versionsOfRun(lineages, meant, rows) : lineages;
      const ids = new Set(versions.map(({ id }) => id));
      const found = yield* rowsOf.all(JSON.stringify([...ids]));
      const further: string[] = [];
      for (const id of yield* derivedFrom(found, [...ids]))
        if (!ids.has(id) && (yield* records.get(id)) !== undefined) further.push(id);
      if (further.length === 0) return { versions, rows: found };
      meant = [...ids, ...further];
    }
  };
}
