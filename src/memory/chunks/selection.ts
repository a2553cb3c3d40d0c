// The rows that a selection means, inside a scope.
import { z } from 'zod';
import { ParleyError } from '#base/errors.ts';
import { formatZodError } from '#base/json.ts';
import type { Sql, SqlDialect } from '#base/sql/sql.ts';
import type { Work } from '#base/sql/work.ts';
import { readingIn, type ScopeFilter } from '#memory/tables/audience.ts';
import { allOf, anyOf } from '#memory/tables/word-query.ts';
import type { Selection } from '#memory/types/maintenance.ts';
import { stemIn, stemmedLanguages } from '#memory/words/languages.ts';
import { queryTokens } from '#memory/words/tokens.ts';
import type { ChunkWork } from './chunks.ts';

const time = z.number().finite().optional();
const word = z.string().min(1);
const name = word.optional();
const names = z.union([word.transform((one) => [one]), z.array(word).min(1)]).optional();
const selectionSchema = z
  .strictObject({
    ids: z.array(z.string().min(1)).min(1).optional(),
    person: names,
    chat: names,
    session: names,
    run: name,
    agent: name,
    project: name,
    kind: name,
    key: name,
    tag: name,
    source: name,
    from: time,
    until: time,
    words: name,
  })
  .refine((selection) => Object.values(selection).some((value) => value !== undefined), {
    message:
      'expected at least one of ids, person, chat, session, run, agent, project, kind, key, tag, source, from, until, words',
  });

/** The selection as it is bound; a ParleyError `invalid_selection` for one that means everything or nothing. */
export function checkedSelection(selection: Selection): z.infer<typeof selectionSchema> {
  const checked = selectionSchema.safeParse(selection);
  const { from, until } = checked.data ?? {};
  if (from !== undefined && until !== undefined && from >= until)
    throw new ParleyError(
      'invalid_selection',
      `Expected a time that begins before it ends, received one from ${new Date(from).toJSON()} until ${new Date(until).toJSON()}.`,
      { hint: 'Name the earlier time first. Nothing was forgotten.' },
    );
  if (checked.success) return checked.data;
  throw new ParleyError(
    'invalid_selection',
    `The selection does not fit: ${formatZodError(checked.error).join('; ')}.`,
  );
}

/** The column with the agent that wrote a row, where a table has one, by the column that says who said it. */
const agentColumn = { person: undefined, 'person or agent': 'person', user_id: 'agent' } as const;

/** The condition of `selectionParameters` over a table whose column `by` says who said it: of what was summarized a person, or an agent. */
export function writtenBy(dialect: SqlDialect, by: keyof typeof agentColumn): string {
  const isAgent = (column: string): string => dialect.sameInAnyCase(column, '@agent');
  const column = agentColumn[by];
  const inAudience = (kind: string, names: string): string =>
    `audience IN (SELECT '${kind}:' || value FROM ${dialect.eachText(names, 'named')})`;
  return `(@agent IS NULL OR ${isAgent('partition')}${column === undefined ? '' : ` OR ${isAgent(column)}`}) AND
   (@person IS NULL OR ${by === 'user_id' ? by : 'person'} IN ${dialect.texts('@person')}
     OR ${inAudience('person', '@person')})
   AND (@chat IS NULL OR chat IN ${dialect.texts('@chat')} OR ${inAudience('room', '@chat')})
   AND (@session IS NULL OR session_id IN ${dialect.texts('@session')})
   AND (@run IS NULL OR run_id = @run)`;
}

/** By who, where, in which session and for which run, as `writtenBy` binds it. */
export function selectionParameters({
  person,
  chat,
  session,
  run,
  agent,
}: ReturnType<typeof checkedSelection>) {
  const list = (values: readonly string[] | undefined): string | null =>
    values === undefined ? null : JSON.stringify(values);
  return {
    person: list(person),
    chat: list(chat),
    session: list(session),
    run: run ?? null,
    agent: agent ?? null,
  };
}

/** More rows than this hold the words of a selection only for a text that selects nothing in particular. */
const maxWithWords = 1_000_000;

/** Rows of the scope, newest first. */
export type SelectWork = (selection: Selection, readable: ScopeFilter) => Work<number[]>;

/** The rows of the scope that hold all of these words; of more than `limit` the newest. */
export function* rowsWithWords(
  chunks: Pick<ChunkWork, 'rowsWith'>,
  { words, limit }: { words: string; limit: number },
  readable: ScopeFilter,
): Work<number[]> {
  const forms = queryTokens(words, 64).map(({ plain }) => {
    const stems = new Set(stemmedLanguages.map((language) => stemIn(language, plain)));
    return anyOf([...stems].map((word) => ({ type: 'word', in: 'text', word })));
  });
  return forms.length === 0 ? [] : yield* chunks.rowsWith(allOf(forms), readable, limit);
}

/** By which index the rows of a selection are found: by the first of these that it names, so that a large memory is not read whole. */
function conditions({ texts, numbers }: SqlDialect) {
  const sources = `(SELECT key FROM memory_sources WHERE path = @source OR substr(path, 1, length(@source) + 1) = @source || '/')`;
  return {
    ids: `id IN ${texts('@ids')}`,
    session: `session_id IN ${texts('@session')}`,
    // also what another file stored that these have too
    source: `(source_key IN ${sources} OR row IN (SELECT chunk.row FROM memory_shared_passages AS shared
      JOIN global_memory_chunks AS chunk USING (audience, content_hash) WHERE shared.source_key IN ${sources}))`,
    rows: `row IN ${numbers('@rows')}`,
    all: 'TRUE',
  };
}

/** Selecting in one database. Throws a ParleyError `invalid_selection` for one that means everything or nothing. */
export function createSelect(sql: Sql, chunks: Pick<ChunkWork, 'rowsWith'>): SelectWork {
  const { dialect } = sql;
  const { audience, ofProject } = readingIn(dialect);
  const found = conditions(dialect);
  const by = Object.entries(found).map(([name, condition]) => ({
    name,
    rows: sql.pluck<[object], number>(
      `SELECT row FROM global_memory_chunks
       WHERE ${condition} AND ${audience}
         AND (@ids IS NULL OR ${found.ids})
         AND ${writtenBy(dialect, 'person')}
         AND (@belongs IS NULL OR ${ofProject('@belongs')})
         AND (@source IS NULL OR ${found.source})
         AND (@from IS NULL OR at_ms >= @from)
         AND (@until IS NULL OR at_ms < @until)
         -- each line of a summary has its time
         AND ((@from IS NULL AND @until IS NULL) OR @ids IS NOT NULL OR source <> 'episode'
           OR NOT EXISTS (SELECT 1 FROM memory_episode_sources WHERE of_record = global_memory_chunks.source_key))
         AND (@rows IS NULL OR ${found.rows})
       ORDER BY at_ms DESC, row DESC`,
    ),
  }));
  return function* (selection, readable) {
    const checked = checkedSelection(selection);
    const { ids, project, source, from, until, words, kind, key, tag } = checked;
    // only records have these; the rows by which they are found go with them
    if ((kind ?? key ?? tag) !== undefined) return [];
    const rows =
      words === undefined
        ? null
        : JSON.stringify(yield* rowsWithWords(chunks, { words, limit: maxWithWords }, readable));
    const values: Record<string, unknown> = {
      ...readable.parameters,
      ids: ids === undefined ? null : JSON.stringify(ids),
      ...selectionParameters(checked),
      belongs: project ?? null,
      source: source?.replace(/\/+$/, '') ?? null,
      from: from ?? null,
      until: until ?? null,
      rows,
      all: true,
    };
    const { all: _always, ...bound } = values;
    const statement = by.find(({ name }) => (values[name] ?? null) !== null);
    return statement === undefined ? [] : yield* statement.rows.all(bound);
  };
}
