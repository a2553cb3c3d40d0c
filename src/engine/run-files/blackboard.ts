// What a run has found out, as patches made of its events and a board folded from them. Pure.
import { z } from 'zod';
import type { RunFileEvent } from './run-state.ts';

/** One line of `blackboard_patches.jsonl`. */
export const blackboardPatch = z.object({
  patch_id: z.string(),
  run_id: z.string(),
  seq: z.int().min(1),
  source_event_seq: z.int().min(1),
  ts_ms: z.number(),
  op: z.enum([
    'add_fact',
    'add_decision',
    'add_open_question',
    'close_open_question',
    'add_artifact',
    'set_rolling_summary',
  ]),
  payload: z.record(z.string(), z.unknown()),
});
export type BlackboardPatch = z.infer<typeof blackboardPatch>;

const entries = z.array(z.record(z.string(), z.unknown()));

/** `blackboard.json`. */
export const blackboard = z.object({
  revision: z.number(),
  facts: entries,
  decisions: entries,
  open_questions: entries,
  artifacts: entries,
  rolling_summary: z.string(),
});
export type Blackboard = z.infer<typeof blackboard>;

/** A board on which nothing stands. */
export const emptyBoard: Blackboard = {
  revision: 0,
  facts: [],
  decisions: [],
  open_questions: [],
  artifacts: [],
  rolling_summary: '',
};

const part = z.object({
  type: z.string(),
  text: z.string().optional(),
  tool: z.string().optional(),
  state: z.string().optional(),
  artifact: z.record(z.string(), z.unknown()).optional(),
});

/** The patches that an event makes; `seq` of the first one follows `lastPatchSeq`. */
export function patchesOf(event: RunFileEvent, lastPatchSeq: number): BlackboardPatch[] {
  const { run_id, ts_ms } = event;
  return changesOf(event).map((change, index) => {
    const seq = lastPatchSeq + 1 + index;
    return {
      patch_id: `${event.event_id}-${seq}`,
      run_id,
      seq,
      source_event_seq: event.seq,
      ts_ms,
      ...change,
    };
  });
}

function changesOf({ type, payload }: RunFileEvent): Pick<BlackboardPatch, 'op' | 'payload'>[] {
  if (type === 'question.asked') return [{ op: 'add_open_question', payload }];
  if (type === 'permission.replied') return [{ op: 'add_decision', payload }];
  if (type === 'question.replied')
    return [
      { op: 'add_decision', payload },
      { op: 'close_open_question', payload: { id: payload.id } },
    ];
  if (type !== 'message.part.updated') return [];
  const { data } = part.safeParse(payload.part);
  if (data?.artifact !== undefined) return [{ op: 'add_artifact', payload: data.artifact }];
  if (data?.type === 'text') return [{ op: 'set_rolling_summary', payload: { text: data.text ?? '' } }];
  if (data?.type === 'tool' && data.state === 'completed')
    return [{ op: 'add_fact', payload: { tool: data.tool } }];
  return [];
}

/** The board after the patch. */
export function foldPatch(board: Blackboard, { seq, op, payload }: BlackboardPatch): Blackboard {
  const next = { ...board, revision: seq };
  switch (op) {
    case 'add_fact':
      return { ...next, facts: [...board.facts, payload] };
    case 'add_decision':
      return { ...next, decisions: [...board.decisions, payload] };
    case 'add_open_question':
      return { ...next, open_questions: [...board.open_questions, payload] };
    case 'close_open_question':
      return { ...next, open_questions: board.open_questions.filter(({ id }) => id !== payload.id) };
    case 'add_artifact':
      return { ...next, artifacts: [...board.artifacts, payload] };
    case 'set_rolling_summary':
      return { ...next, rolling_summary: typeof payload.text === 'string' ? payload.text : '' };
  }
}
