// The engine's own database: its tables in the order in which they came.
import type { Clock } from '#base/clock.ts';
import { type Migration, openSqlite, type Sqlite } from '#base/sqlite/sqlite.ts';
import { artifactMediaSchema, artifactSchema } from './artifacts/artifact-rows.ts';
import { runMaskSchema } from './conversations/mask-rows.ts';
import { distillSchema } from './distillation/distill-rows.ts';
import { flushSchema } from './distillation/flush-rows.ts';
import { eventTables } from './events/event-store.ts';
import { requestSchema, requestTeamSchema } from './permissions/request-rows.ts';
import { ruleSchema } from './permissions/rule-rows.ts';
import { promptSchema } from './runs/tables/prompt-rows.ts';
import {
  runGivenSchema,
  runModelSchema,
  runOutdatedSchema,
  runPartitionIndex,
  runPartitionSchema,
  runRequestSchema,
  runSchema,
  runToolSchema,
  seenRunsSchema,
} from './runs/tables/run-schema.ts';
import { endedSchema, usageSchema } from './runs/tables/usage-rows.ts';
import { firingSchema } from './schedules/firing-rows.ts';
import { hookSchema } from './schedules/hook-rows.ts';
import { scheduleSchema } from './schedules/schedule-rows.ts';
import { closedRoomsSchema } from './sessions/closed-rooms.ts';
import { partOriginIndex, partOriginSchema } from './sessions/part-rows.ts';
import { partWordsLaterSchema, partWordsSchema } from './sessions/part-words.ts';
import { placeNamesSchema } from './sessions/place-names.ts';
import { runChatIndex, sessionListIndexes } from './sessions/session-filter.ts';
import { sessionRequestSchema } from './sessions/session-rows.ts';
import { branchSchema, conversationSchema } from './sessions/sessions.ts';
import {
  summaryKeySchema,
  summaryNameSchema,
  summaryReachSchema,
  summarySchema,
} from './sessions/summary-rows.ts';
import { teamTablesSchema } from './teams/team-schema.ts';

/** In order, never edited once shipped: a change of a table is a new entry. */
export const engineMigrations: readonly Migration[] = [
  { name: 'events', up: eventTables },
  { name: 'conversations', up: conversationSchema },
  { name: 'runs', up: runSchema },
  { name: 'branches and usage', up: branchSchema + runModelSchema + usageSchema },
  { name: 'requests and artifacts', up: requestSchema + ruleSchema + artifactSchema },
  { name: 'summaries', up: summarySchema },
  { name: 'seen runs', up: seenRunsSchema },
  { name: 'tools of a run', up: runToolSchema },
  { name: 'summary keys', up: summaryKeySchema },
  { name: 'distilled exchanges', up: distillSchema },
  { name: 'how runs ended', up: endedSchema },
  { name: 'how far summaries reach', up: summaryReachSchema },
  { name: 'messages that parts belong to', up: partOriginSchema },
  { name: 'which runs are masked', up: runMaskSchema },
  { name: 'what was requested from runs and sessions', up: runRequestSchema + sessionRequestSchema },
  { name: 'messages that prompts quote', up: partOriginIndex },
  {
    name: 'standard names',
    up: `ALTER TABLE standing_rules RENAME TO permission_rules; ${summaryNameSchema}`,
  },
  { name: 'runs by their beginning', up: 'CREATE INDEX runs_by_start ON runs (started_at_ms);' },
  { name: 'what was found for a run', up: runGivenSchema },
  { name: 'memory flush', up: flushSchema },
  { name: 'schedules', up: scheduleSchema + firingSchema },
  { name: 'webhooks', up: hookSchema },
  { name: 'captions and voice of artifacts', up: artifactMediaSchema },
  { name: 'teams and missions', up: teamTablesSchema + requestTeamSchema },
  { name: 'what prompts were made of', up: promptSchema },
  { name: 'in which memory a run writes', up: runPartitionSchema },
  { name: 'the memories in which a session writes', up: runPartitionIndex },
  { name: 'sessions by their newest change', up: sessionListIndexes },
  { name: 'runs by their chat', up: runChatIndex },
  { name: 'texts by their characters', up: partWordsSchema },
  { name: 'texts are indexed a moment later', up: partWordsLaterSchema },
  { name: 'answers to words that changed', up: runOutdatedSchema },
  { name: 'rooms that are closed now', up: closedRoomsSchema },
  {
    // as learned.ts reads it, which is loaded by the first call of a model
    name: 'what models refused',
    up: `CREATE TABLE learned_models (
      model TEXT PRIMARY KEY,
      known TEXT NOT NULL,
      words TEXT NOT NULL,
      learned_at_ms INTEGER NOT NULL
    ) STRICT;
    ALTER TABLE runs ADD COLUMN notices TEXT;`,
  },
  { name: 'names of spaces, rooms and threads', up: placeNamesSchema },
];

/** Opens `engine.sqlite`, brought to the newest version; throws as `openSqlite` does. */
export function openEngineDatabase(path: string, clock: Clock): Sqlite {
  return openSqlite({
    path,
    migrations: engineMigrations,
    clock,
    // what is masked or removed is overwritten in the file
    prepare: (opened) => void opened.pragma('secure_delete = ON'),
  });
}
