// Which rows of the ledger are to be masked, and where words of people are in them.
import type { Sqlite } from '#base/sqlite/sqlite.ts';
import { createStoredValues, type StoredValues } from '#base/sqlite/stored-values.ts';

/** The rows of one table. */
export interface MaskRows {
  /**
   * Ids of rows that nobody needs as they were written any more, without those of `except`, as JSON; `abandoned`: changes of messages that
   * no turn has seen until then.
   */
  due(when: { abandoned: number; except: string; limit: number }): (string | number)[];
  values: StoredValues<{ ids: string }>;
  done(ids: readonly (string | number)[]): void;
}

/** Rows of turns that were answered, where the answer is in its chat or has failed permanently. */
const isOver = (turn: string): string =>
  `NOT EXISTS (SELECT 1 FROM turns WHERE turns.id = ${turn} AND turns.state = 'running')
   AND NOT EXISTS (SELECT 1 FROM outbox WHERE outbox.turn_id = ${turn} AND outbox.state IN ('open', 'handing over'))`;
/** What is asked is edited once more when it is over, by the words of the message that asks. */
const isAsking = (column: 'outbox_id' | 'notice_id'): string =>
  `outbox.id IN (SELECT ${column} FROM posted_requests WHERE masked = 0 AND state <> 'over' AND ${column} IS NOT NULL)`;
const listed = 'IN (SELECT value FROM json_each(:ids))';

/** Statements that read and mask each table that stores words, over a database with `maskSchema`. */
export function createMaskRows(database: Sqlite): MaskRows[] {
  const of = (
    table: string,
    {
      due,
      ...place
    }: {
      due: string;
      from?: string;
      key?: string;
      text?: string[];
      json?: string[];
      jsonKeys?: string[];
      where?: string;
    },
  ): MaskRows => {
    const find = database
      .prepare<object, string | number>(
        `SELECT id FROM ${table} WHERE masked = 0 AND (:abandoned >= 0) AND ${due}
           AND id NOT IN (SELECT value FROM json_each(:except)) ORDER BY id LIMIT :limit`,
      )
      .pluck();
    const done = database.prepare<[string]>(
      `UPDATE ${table} SET masked = 1 WHERE id IN (SELECT value FROM json_each(?))`,
    );
    const { from = table, key = 'id', where = `id ${listed}`, text = [], json = [], jsonKeys } = place;
    return {
      due: (when) => find.all(when),
      values: createStoredValues(database, [{ table: from, key, text, json, jsonKeys, where }]),
      done: (ids) => void done.run(JSON.stringify(ids)),
    };
  };
  return [
    // the platform's ids and those of files stay as they are
    of('inbox', {
      due: `state IN ('answered', 'refused', 'cancelled') AND ${isOver('inbox.turn_id')}`,
      json: ['event'],
      jsonKeys: ['text', 'shared'],
    }),
    of('outbox', {
      due: `state IN ('done', 'failed') AND NOT ${isAsking('outbox_id')} AND NOT ${isAsking('notice_id')}`,
      from: 'outbox_parts',
      key: 'rowid',
      where: `outbox_id ${listed}`,
      text: ['text'],
      json: ['body'],
    }),
    of('corrections', {
      due: `(edited_at_ms <= :abandoned OR (turn_id IS NOT NULL AND ${isOver('corrections.turn_id')}))`,
      text: ['text'],
    }),
    of('posted_requests', {
      due: "state = 'over'",
      json: ['request', 'answers'],
      text: ['outcome', 'behalf'],
    }),
  ];
}
