// Lists of runs as people look for them, and what each was asked: by whom, where, in which words. Runs that begin and end are in run-rows.ts.
import { memoize } from '#base/caches/memoize.ts';
import { defined } from '#base/json.ts';
import type { Sqlite } from '#base/sqlite/sqlite.ts';
import { truncate } from '#base/text.ts';
import type { PlaceNameTable } from '#engine/sessions/place-names.ts';
import { chatsOf } from '#engine/sessions/place-names.ts';
import { inRanges, maxLists, openSession, partOf, sqlFilterOf } from '#engine/sessions/session-filter.ts';
import { withoutNotes } from '#engine/wire/channels/notes.ts';
import type { RunFilter } from '#engine/wire/run-operations.ts';
import type { AskedOfRun } from '#engine/wire/runs/run.ts';
import type { Page } from '#engine/wire/sessions/filters.ts';
import { type RunRow, runFromRow, type StoredRun } from './run-row.ts';

export interface RunList {
  /** In the order of the filter; the newest first without one. */
  page(filter: RunFilter, page: Page): StoredRun[];
  count(filter: RunFilter): number;
  askedOf(run: Pick<StoredRun, 'runID' | 'userMessageID' | 'origin'>): AskedOfRun;
}

/** Characters of a question that a list shows. */
const questionChars = 300;

/**
 * SQL for the milliseconds in which the run of a row of `runs` waited for people; requests that overlap count once. A request that is open
 * is not counted: nobody knows yet how long it waits.
 */
export const waitedSql = `(SELECT coalesce(sum(max(0, until_ms - max(from_ms, coalesce(before_ms, 0)))), 0) FROM (
  SELECT q.requested_at_ms AS from_ms, q.settled_at_ms AS until_ms, max(q.settled_at_ms) OVER (
    ORDER BY q.requested_at_ms, q.position ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS before_ms
  FROM requests q WHERE q.user_message_id = runs.user_message_id AND q.run_id = runs.id AND q.settled_at_ms IS NOT NULL))`;

/** SQL for the milliseconds that a run worked; null while it does. */
const workedSql = `(finished_at_ms - started_at_ms - ${waitedSql})`;

const conditions = {
  ...{ session: 'session_id = :session', status: 'status = :status' },
  open: openSession('runs.session_id'),
  ids: 'id IN (SELECT value FROM json_each(:ids))',
  person: "json_extract(origin, '$.speaker.name') LIKE :person ESCAPE '\\'",
  chat: inRanges('chat', 'r.id'),
  room: inRanges('room', 'r.id'),
  agent: "agent LIKE :agent ESCAPE '\\'",
  model: "model_id LIKE :model ESCAPE '\\'",
  from: 'started_at_ms >= :from',
  least: `${workedSql} >= :least`,
};
type FilterParameters = Record<keyof typeof conditions, string | number | null>;

const orders = {
  started: 'position DESC',
  duration: `${workedSql} DESC, position DESC`,
  cost: '(SELECT cost_micro_usd FROM run_usage u WHERE u.run_id = runs.id) DESC, position DESC',
};

/** Statements over the engine's open database; `names` finds rooms by what their platforms call them. */
export function createRunList(database: Sqlite, names: Pick<PlaceNameTable, 'of' | 'rangesOf'>): RunList {
  const parametersOf = (filter: RunFilter): FilterParameters => ({
    session: filter.sessionID ?? null,
    status: filter.status ?? null,
    open: filter.open === undefined ? null : 1,
    ids: filter.ids === undefined ? null : JSON.stringify(filter.ids),
    person: partOf(filter.person),
    chat: filter.chat === undefined ? null : JSON.stringify(chatsOf(filter.chat)),
    room: filter.room === undefined ? null : JSON.stringify(names.rangesOf(filter.room)),
    agent: partOf(filter.agent),
    model: partOf(filter.model),
    from: filter.fromMs ?? null,
    least: filter.leastMs ?? null,
  });
  const pageOf = memoize(maxLists, (tail) =>
    database.prepare<FilterParameters & Page, RunRow>(
      `SELECT * FROM runs WHERE ${tail} LIMIT :limit OFFSET :offset`,
    ),
  );
  const countOf = memoize(maxLists, (where) =>
    database.prepare<FilterParameters, number>(`SELECT count(*) FROM runs WHERE ${where}`).pluck(),
  );
  const asked = database.prepare<{ run: string }, { question: string | null; waited: number }>(
    `SELECT (SELECT group_concat(text, char(10)) FROM (SELECT substr(p.text, 1, 4000) AS text FROM parts p
         WHERE p.message_id = runs.user_message_id AND p.type = 'text' ORDER BY p.position LIMIT 10)) AS question,
       ${waitedSql} AS waited FROM runs WHERE id = :run`,
  );
  const helper = database
    .prepare<[string], string>('SELECT display_name FROM team_instances WHERE run_id = ?')
    .pluck();
  return {
    page(filter, wanted) {
      const of = parametersOf(filter);
      return pageOf(`${sqlFilterOf(conditions, of)} ORDER BY ${orders[filter.order ?? 'started']}`)
        .all({ ...of, ...wanted })
        .map(runFromRow);
    },
    count(filter) {
      const of = parametersOf(filter);
      return countOf(sqlFilterOf(conditions, of)).get(of) ?? 0;
    },
    askedOf({ runID, origin }) {
      const { question, waited = 0 } = asked.get({ run: runID }) ?? {};
      const words = withoutNotes(question ?? '').replaceAll(/\s+/g, ' ');
      return defined({
        question: words === '' ? undefined : truncate(words, questionChars),
        person: origin?.speaker.name,
        place: origin && { chat: origin.chat, ...defined({ names: names.of(origin.chat) }) },
        waitedMs: waited === 0 ? undefined : waited,
        helper: helper.get(runID),
      });
    },
  };
}
