// What a person who looks after the program asks of the engine: pages of messages, use over time, and who opened what.
import type { Sqlite } from '#base/sqlite.ts';
import type { Memory } from '#memory/types/contract.ts';
import type { RunTables } from './runs/run-tables.ts';
import { createUsageSeries } from './runs/usage-series.ts';
import type { Sessions } from './sessions/sessions.ts';
import type { EngineService } from './wire/service.ts';

/** The calls; see the engine's contract. */
export function createInsight({
  database,
  tables,
  sessions,
  memory,
}: {
  database: Sqlite;
  tables: RunTables;
  sessions: Sessions;
  memory: Pick<Memory, 'noteRead'>;
}): Pick<EngineService, 'messagePage' | 'usageSeries' | 'noteOpened'> {
  const series = createUsageSeries(database);
  return {
    messagePage: (sessionID, page) => sessions.messagePage(sessionID, page),
    usageSeries: async (query) => series(query),
    async noteOpened(sessionID, by) {
      const place = tables.conversation.sessions.get(sessionID)?.place;
      if (place?.private !== true) return;
      const [kind = 'room', key = ''] = place.audience.split(/:(.*)/s);
      const audience = `${kind === 'person' ? 'person' : 'room'}:${key}` as const;
      const shown = [{ id: sessionID, audience }];
      await memory.noteRead({ by: { name: by, sessionID }, how: 'opened the conversation', shown });
    },
  };
}
