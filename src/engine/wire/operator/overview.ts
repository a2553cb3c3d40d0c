// The status of a whole process: what `GET /status` returns and `/metrics` is made of.
import { z } from 'zod';
import { channelEntry } from '#engine/wire/channels/channel-report.ts';
import { activeMemoryCounts } from '#engine/wire/memory/active-memory.ts';
import { dreamingStatus, memoryFilesStatus } from '#engine/wire/memory/memory-files.ts';
import { learnedModel } from '#engine/wire/runs/provider.ts';
import { usageSum } from '#engine/wire/runs/usage.ts';
import { scheduleStanding } from '#engine/wire/schedules/schedule-standing.ts';
import { teamStanding } from '#engine/wire/teams/team-standing.ts';
import { mcpStanding } from './mcp-standing.ts';
import { storageStanding } from './storage-standing.ts';

const ms = z.number().describe('Milliseconds since the epoch');
/** Sums that are no group's. */
const sums = usageSum.omit({ day: true, sessionID: true, of: true, title: true });

export const overview = z.object({
  version: z.string(),
  startedAtMs: ms,
  ready: z.boolean().describe('As `/global/health` says it'),
  problems: z.array(
    z.object({
      component: z.string().describe('What does not work: a database, a folder, a server'),
      message: z.string(),
      hint: z.string().nullable(),
      sinceMs: ms,
      damaged: z.literal(true).optional().describe('The file itself is damaged, and has to be fixed'),
    }),
  ),
  config: z
    .object({
      readAtMs: ms,
      pendingRestart: z.array(z.string()).describe('Keys that were changed and hold at the next start'),
      error: z.string().nullable().describe('Why the config cannot be used as it is now'),
    })
    .describe('The config file, as it was read last'),
  channels: z
    .record(z.string(), channelEntry)
    .describe('By channel; `remote` where another process has them'),
  lanes: z
    .object({
      active: z.number().describe('Sessions in which something is in progress'),
      waiting: z.number().describe('Sessions in which a message waits to be begun'),
      changes: z
        .number()
        .describe('Edits, deletions and rooms that opened or closed, which memory does not have yet'),
      unremembered: z
        .number()
        .describe('Answers that are in their chats, and which memory has refused so far'),
    })
    .nullable()
    .describe('Null where the channels run somewhere else'),
  mcp: mcpStanding
    .optional()
    .describe('Programs that read and write memory over MCP; absent where the channels run somewhere else'),
  engine: z
    .object({
      model: z.string(),
      activeRuns: z.array(z.object({ runID: z.string(), sessionID: z.string(), startedAtMs: ms })),
      pendingRequests: z.number().describe('Permissions and questions that wait for a person'),
      schedules: scheduleStanding.optional(),
      teams: teamStanding.optional().describe('Absent where there are none'),
      activeMemory: activeMemoryCounts
        .optional()
        .describe('Looks into memory before answers, since the start; absent where they are off'),
      learned: z
        .array(learnedModel)
        .optional()
        .describe('What models taught by refusing requests; absent when they taught nothing'),
      today: sums.describe('Runs that began today (UTC)'),
      total: sums.describe('All runs that there ever were, also of sessions that were deleted'),
    })
    .nullable()
    .describe('Null where the engine runs somewhere else'),
  memory: z
    .object({
      chunks: z.number(),
      vectors: z.number(),
      embedding: z.string().describe('The embedding model, or that there is none'),
      waiting: z.number().describe('Passages that wait for their vector'),
      refused: z
        .array(z.object({ words: z.string(), texts: z.number() }))
        .describe('Passages that the embedding model refused, by its reason'),
      files: memoryFilesStatus.optional(),
      dreaming: dreamingStatus.optional(),
      degraded: z.array(z.string()).describe('What memory has to do without'),
    })
    .nullable()
    .describe('Null where the engine runs somewhere else, or while memory cannot be used'),
  storage: storageStanding.optional(),
  stored: z
    .object({
      inbox: z.number().nullable().describe('Messages that came in'),
      outbox: z.number().nullable().describe('Answers and notices'),
      events: z.number().nullable(),
      audit: z.number().nullable().describe('Lines of the audit of memory'),
    })
    .optional()
    .describe('Rows of what only grows, within its `retention`; null for what is somewhere else'),
});
export type StatusReport = z.infer<typeof overview>;

/** Who can tell. */
export interface StatusProvider {
  /** Called at each request. */
  overview(): Promise<StatusReport>;
  /** The same in Prometheus' text format. */
  metrics(): Promise<{ type: string; text: string }>;
}
