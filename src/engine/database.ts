// The engine's own database.
import type { Clock } from '#base/clock.ts';
import { firstTables, type Migration, openSqlite, type Sqlite } from '#base/sqlite/sqlite.ts';
import { addProjectForm } from '#memory/types/project-form.ts';
import { conversationTables } from './tables/conversation-tables.ts';
import { workTables } from './tables/work-tables.ts';

/** In order, never edited once shipped: a change of a table is a new entry. */
export const engineMigrations: readonly Migration[] = [firstTables(conversationTables + workTables)];

/** Opens `engine.sqlite`, brought to the newest version; throws as `openSqlite` does. */
export function openEngineDatabase(path: string, clock: Clock): Sqlite {
  return openSqlite({
    path,
    migrations: engineMigrations,
    clock,
    prepare(opened) {
      // what is masked or removed is overwritten in the file
      opened.pragma('secure_delete = ON');
      addProjectForm(opened);
    },
  });
}
