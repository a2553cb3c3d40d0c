// The engine's parts that look after what is stored about conversations, put together: whole sessions taken back or removed, secrets masked.
import type { Log } from '#base/log/log.ts';
import type { MaskText } from '#base/masked-value.ts';
import type { Secrets } from '#base/secrets.ts';
import type { Sqlite } from '#base/sqlite/sqlite.ts';
import type { Memory } from '#memory/types/contract.ts';
import type { Artifacts } from './artifacts/artifacts.ts';
import { type Branches, createBranches } from './conversations/branches.ts';
import { createContentService } from './conversations/content-service.ts';
import { createMasking, type Masking } from './conversations/masking.ts';
import type { RequestRows } from './permissions/request-rows.ts';
import type { RunFiles } from './run-files/run-files.ts';
import type { TeamSessions } from './runs/instance.ts';
import type { ResponseCache } from './runs/response-cache.ts';
import type { RunTables } from './runs/tables/run-tables.ts';
import type { Sessions } from './sessions/sessions.ts';
import type { ContentService } from './wire/sessions/content-operations.ts';

interface ContentParts {
  branches: Branches;
  masking: Masking;
  content: ContentService;
}

/** The rooms over one database; masking is to be started. */
export function createContentParts(options: {
  database: Sqlite;
  home: string;
  memory: Memory;
  secrets: Secrets;
  tables: RunTables;
  sessions: Sessions;
  requestRows: RequestRows;
  artifacts: Pick<Artifacts, 'forget'>;
  runFiles: RunFiles;
  responseCache: ResponseCache;
  /** Ends a session's run and waits until it has stopped. */
  stop(sessionID: string): Promise<unknown>;
  schedules: Parameters<typeof createContentService>[0]['schedules'];
  team: TeamSessions;
  mask: MaskText | undefined;
  log: Log;
}): ContentParts {
  const { tables, requestRows, artifacts, runFiles, responseCache, memory, stop, team } = options;
  const branches = createBranches(tables, {
    stop,
    endMemory: memory.endSession,
    team,
    forget(sessionID) {
      requestRows.removeSession(sessionID);
      const runIDs = tables.runs.idsOf(sessionID);
      const after = artifacts.forget(sessionID);
      return async () => {
        await after();
        await runFiles.remove(runIDs);
        await responseCache.forget(sessionID);
      };
    },
  });
  return {
    branches,
    masking: createMasking(options),
    content: createContentService({ ...options, branches }),
  };
}
