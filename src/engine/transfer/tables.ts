// The tables that an export reads and an import writes, over one open database.
import type { Sqlite } from '#base/sqlite/sqlite.ts';
import { createArtifactRows } from '#engine/artifacts/artifact-rows.ts';
import { createTeamRows } from '#engine/missions/team-parts.ts';
import { createRequestRows } from '#engine/permissions/request-rows.ts';
import { createRunRows } from '#engine/runs/tables/run-rows.ts';
import { createUsageRows } from '#engine/runs/tables/usage-rows.ts';
import { createConversationRows } from '#engine/sessions/sessions.ts';

export type TransferTables = ReturnType<typeof transferTables>;

/** The rows over a database of the newest version. */
export function transferTables(database: Sqlite) {
  return {
    ...createConversationRows(database),
    runs: createRunRows(database),
    usage: createUsageRows(database),
    artifacts: createArtifactRows(database),
    requests: createRequestRows(database),
    teams: createTeamRows(database),
  };
}
