// A run as clients read it. What starts one is in prompt.ts.
import { z } from 'zod';
import { placeNames } from '#engine/wire/channels/place-names.ts';
import { artifact } from './artifact.ts';
import { standingFeedback } from './feedback.ts';
import { runNotice } from './notice.ts';
import { endedStatuses, tokenUsage } from './usage.ts';

export const failureCategories = [
  'user_cancelled',
  'timeout',
  'validation',
  'permission_denied',
  'authentication',
  'rate_limit',
  'tool_execution',
  'provider',
  'runtime',
] as const;

export const runStatuses = ['running', ...endedStatuses] as const;

/** What a run was asked, as far as that is known: shown where runs are listed or looked at. */
const askedOfRun = z.object({
  question: z.string().optional().describe('How what was asked begins, without what it quotes'),
  person: z.string().optional().describe('The name of who asked, as the platform shows it'),
  place: z
    .object({ chat: z.string(), names: placeNames.optional() })
    .optional()
    .describe('The chat that asked'),
  waitedMs: z.number().optional().describe('Milliseconds in which it waited for the answers of people'),
  helper: z.string().optional().describe("Of an agent of a mission: that agent's name"),
});
export type AskedOfRun = z.infer<typeof askedOfRun>;

/** A run as it stands: `running`, or ended exactly once. `interrupted` means that the process died under it. */
export const wireRun = z.object({
  runID: z.string(),
  sessionID: z.string(),
  status: z.enum(runStatuses),
  /** Of an interrupted run: the run that goes on with it, once there is one. */
  resumedBy: z.string().optional(),
  startedAtMs: z.number(),
  finishedAtMs: z.number().optional(),
  /** The whole answer of a completed run, and what was written before the end of any other. */
  text: z.string(),
  /** Set when the run did not complete: one plain sentence for people, and the reference that finds it in the log. */
  failure: z
    .object({
      category: z.enum(failureCategories),
      code: z.string(),
      message: z.string(),
      ref: z.string(),
      /** How long the provider asked to be left alone, in milliseconds. */
      waitMs: z.number().optional(),
      /** Tokens of a request that was too long, and of the model's window. */
      tokens: z.number().optional(),
      window: z.number().optional(),
      /** Of a model that sent nothing for too long: what was waited for, and for how many milliseconds. */
      silence: z.object({ awaited: z.enum(['accept', 'begin', 'continue']), ms: z.number() }).optional(),
    })
    .optional(),
  /** What the person has to know about the answer; absent when there is nothing. */
  notices: z.array(runNotice).optional(),
  /** Which model answered; after a fallback, the one that took over. */
  model: z.object({ providerID: z.string(), modelID: z.string() }).optional(),
  agent: z.string().optional(),
  usage: tokenUsage.optional(),
  /** What people think of the answer, oldest first; absent when nobody said so. */
  feedback: z.array(standingFeedback).optional(),
  /** Files that the run wrote for the person, in order; absent when there are none. */
  artifacts: z.array(artifact).optional(),
  deliveredAtMs: z.number().optional(),
  ...askedOfRun.shape,
});
export type Run = z.infer<typeof wireRun>;

/** The end of the run or, where its process died under it, of the last one that goes on with it; `endOf` waits for the end of one run. */
export async function endOfResumed(runID: string, endOf: (runID: string) => Promise<Run>): Promise<Run> {
  const run = await endOf(runID);
  return run.resumedBy === undefined ? run : endOfResumed(run.resumedBy, endOf);
}
