// Imported turns by the platform's ids of their messages: for changes of a message after it was imported.
import type { Sqlite } from '#base/sqlite/sqlite.ts';
import type { Audience } from '#memory/types/scope.ts';

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
