// All that persons said, or that was written in chats or sessions: counted, forgotten and given out, in memory and in conversations. Shapes only.
import { z } from 'zod';
import { forgetReason } from '#engine/wire/memory/memory.ts';
import { ratings } from '#engine/wire/runs/feedback.ts';
import { personTimes, schedule } from '#engine/wire/schedules/schedule.ts';
import { spawnApproval } from '#engine/wire/teams/team.ts';

const keys = z.array(z.string().min(1).max(1_000)).max(1_000).optional();

/** Whose words: exactly one of the three. */
const contentSelection = z
  .strictObject({
    persons: keys.describe('`per_...`, and `platform:ID` as imported histories name accounts'),
    chats: keys.describe('Canonical addresses; that of a room means its threads too'),
    sessions: keys,
  })
  .refine((by) => Object.values(by).filter((each) => (each?.length ?? 0) > 0).length === 1, {
    message: 'expected exactly one of persons, chats and sessions',
  });
export type ContentOf = z.infer<typeof contentSelection>;

export const forgetContent = z.strictObject({
  of: contentSelection,
  apply: z.boolean().default(false).describe('False counts, and changes nothing'),
  reason: forgetReason,
});
export type ForgetContent = z.infer<typeof forgetContent>;

export const contentForgotten = z.object({
  applied: z.boolean(),
  /** Entries of memory. */
  memories: z.number(),
  /** Conversations in which nobody else spoke: they go whole. */
  sessions: z.number(),
  /** Messages and answers, those of such conversations included. */
  messages: z.number(),
  /** Schedules, and settings of time zone and quiet hours. */
  schedules: z.number(),
  /** Runs whose files, events and artifacts go. */
  runs: z.number(),
  /** Ids of the conversations that went, or would go, whole. */
  session_ids: z.array(z.string()),
  /** What was still found afterwards, as text. */
  remains: z.array(z.string()),
});
export type ContentForgotten = z.infer<typeof contentForgotten>;

export const contentExport = z.object({
  memories: z.array(
    z.object({
      id: z.string(),
      at_ms: z.number(),
      source: z.string(),
      audience: z.string(),
      chat: z.string(),
      text: z.string(),
    }),
  ),
  schedules: z.array(schedule),
  /** Time zone and quiet hours. */
  times: personTimes,
  /** Agents that wait for a person's approval, of what the persons said. */
  spawn_approvals: z.array(spawnApproval),
  /** What the persons think of answers, oldest first. */
  feedback: z.array(
    z.object({ run_id: z.string(), at_ms: z.number(), rating: z.enum(ratings), emoji: z.string() }),
  ),
  /** What the persons said in conversations, without what it quotes, and what was answered; oldest first. */
  messages: z.array(
    z.object({
      session_id: z.string(),
      at_ms: z.number(),
      role: z.enum(['user', 'assistant']),
      text: z.string(),
    }),
  ),
  /** The memory files of the persons, whole. */
  memory_files: z.array(z.object({ path: z.string(), text: z.string() })),
});
export type ContentExport = z.infer<typeof contentExport>;
