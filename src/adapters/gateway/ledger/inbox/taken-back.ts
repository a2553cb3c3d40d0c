// Messages of rooms that were changed or deleted, until the engine knows: an import may have brought them into memory.
import { createRareRows } from '#base/sqlite/rare-rows.ts';
import type { Sqlite } from '#base/sqlite/sqlite.ts';
import type { ForgottenTurns } from '#engine/wire/runs/amendment.ts';

export interface TakenBack {
  add(audience: ForgottenTurns['audience'], nativeID: string): void;
  /** Those of one audience, at most 1,000, and of none of `except`; undefined when there are none at all. */
  next(except?: readonly string[]): ForgottenTurns | undefined;
  done(turns: ForgottenTurns): void;
}

/** The table `taken_back`: messages that were deleted and that memory has to forget. */
export function createTakenBack(database: Sqlite): TakenBack {
  const insert = database.prepare<[string, string]>(
    'INSERT INTO taken_back (audience, native_id) VALUES (?, ?) ON CONFLICT DO NOTHING',
  );
  const first = database
    .prepare<[string], ForgottenTurns['audience']>(
      `SELECT audience FROM taken_back WHERE audience > '' AND audience NOT IN (SELECT value FROM json_each(?))
       ORDER BY audience LIMIT 1`,
    )
    .pluck();
  const of = database
    .prepare<[string], string>('SELECT native_id FROM taken_back WHERE audience = ? LIMIT 1000')
    .pluck();
  const remove = database.prepare<[string, string]>(
    'DELETE FROM taken_back WHERE audience = ? AND native_id IN (SELECT value FROM json_each(?))',
  );
  const some = createRareRows(database, "taken_back WHERE audience > ''");
  return {
    add(audience, nativeID) {
      some.written();
      insert.run(audience, nativeID);
    },
    next(except = []) {
      if (!some.exist()) return undefined;
      const audience = first.get(JSON.stringify(except));
      return audience && { audience, message_ids: of.all(audience) };
    },
    done: ({ audience, message_ids }) => void remove.run(audience, JSON.stringify(message_ids)),
  };
}
