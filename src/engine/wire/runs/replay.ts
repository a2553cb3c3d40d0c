// A run told again from its files, as HTTP and the client give it: how it went, and each field in which its files or the database differ.
import { z } from 'zod';

const state = z.looseObject({
  run_id: z.string(),
  session_id: z.string(),
  status: z.string(),
  last_event_seq: z.number(),
  steps: z.array(z.object({ step_id: z.string(), tool: z.string(), status: z.string() })),
});
const board = z.looseObject({ revision: z.number(), rolling_summary: z.string() });

const difference = z.object({
  file: z.string(),
  seq: z.number().optional().meta({ description: 'Of the event, patch or checkpoint' }),
  field: z
    .string()
    .meta({ description: 'Its path; empty where the whole is missing, or should not be there' }),
  expected: z.unknown().meta({ description: 'By the events, or by the database; what is long is cut' }),
  found: z.unknown(),
});
/** A field that is something else in a file than it must be by the events, or by the database. */
export type Difference = z.infer<typeof difference>;

/** Each true where something of the kind differs. */
const drift = z.object({
  mismatch: z.boolean().meta({ description: 'Whether any of them is true' }),
  status_mismatch: z.boolean(),
  why_next_step_mismatch: z.boolean(),
  step_count_mismatch: z.boolean(),
  agents_mismatch: z.boolean(),
  last_event_mismatch: z.boolean(),
  blackboard_revision_mismatch: z.boolean(),
  missing_lines_mismatch: z.boolean(),
  unreadable_lines_mismatch: z.boolean().meta({ description: 'Lines that no process has left torn' }),
  missing_files_mismatch: z.boolean(),
  events_mismatch: z.boolean(),
  patches_mismatch: z.boolean(),
  state_mismatch: z.boolean(),
  blackboard_mismatch: z.boolean(),
  checkpoints_mismatch: z.boolean(),
  run_mismatch: z.boolean().meta({ description: 'The run in the database ended otherwise' }),
});

const unreadableLine = z.object({
  file: z.string(),
  line: z.number().meta({ description: 'From 1' }),
  text: z.string().meta({ description: 'How it begins' }),
  torn: z
    .boolean()
    .meta({ description: 'It may be the beginning of a line that a process did not come to end' }),
});
/** A line that cannot be read: torn by a process that was killed, or written over by someone. */
export type UnreadableLine = z.infer<typeof unreadableLine>;

/** What was compared, and how it came out. */
const check = {
  drift,
  differences: z.array(difference).meta({ description: 'The first of them' }),
  differences_left_off: z.number(),
  missing_files: z.array(z.string()),
  not_looked_at: z.array(z.string()).meta({ description: 'What the answer says nothing about' }),
};
const runCheck = z.object(check);
export type RunCheck = z.infer<typeof runCheck>;

/** The answer of `GET /context/runs/{id}/replay`. */
export const runReplay = z.object({
  ok: z.literal(true),
  run_id: z.string(),
  from_checkpoint: z.boolean(),
  checkpoint_seq: z.number().nullable(),
  events_applied: z.number(),
  blackboard_patches_applied: z.number(),
  replay: state,
  replay_blackboard: board,
  persisted: state.nullable(),
  persisted_blackboard: board.nullable(),
  unreadable_lines: z.array(unreadableLine),
  missing_lines: z
    .number()
    .meta({ description: 'Events and patches that are not there though later ones are' }),
  ...check,
});
export type RunReplay = z.infer<typeof runReplay>;
