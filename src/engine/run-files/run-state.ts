// What a run has come to, folded from its events one by one. Pure; the same fold writes the state and replays it.
import { z } from 'zod';
import type { EngineEvent } from '#engine/wire/events/event.ts';
import { agentTree, treeAfter } from './agent-tree.ts';

const status = z.enum([
  'running',
  'awaiting_approval',
  'blocked',
  'completed',
  'failed',
  'cancelled',
  'interrupted',
]);

/** One line of `events.jsonl`. */
export const runFileEvent = z.object({
  event_id: z.string(),
  run_id: z.string(),
  /** Counts the run's own events from 1, without a gap. */
  seq: z.int().min(1),
  /** The event's place among all durable events of the engine. */
  source_seq: z.number(),
  ts_ms: z.number(),
  type: z.string(),
  status,
  revision: z.number(),
  /** The tool call that it is about. */
  step_id: z.string().optional(),
  payload: z.record(z.string(), z.unknown()),
});
export type RunFileEvent = z.infer<typeof runFileEvent>;

/** Of the files: what events make of a state and a board. No files have another one. */
export const runFilesFormat = 2;

/** `run_state.json`. */
export const runState = z.object({
  /** Looked at by the replay, which names another one: the rest is compared all the same. */
  format: z.unknown(),
  run_id: z.string(),
  session_id: z.string(),
  status,
  /** How often the state has changed: the number of events that are in it. */
  revision: z.number(),
  last_event_seq: z.number(),
  last_source_seq: z.number(),
  last_patch_seq: z.number(),
  started_at_ms: z.number(),
  finished_at_ms: z.number().optional(),
  why_next_step: z.string().optional(),
  steps: z.array(z.object({ step_id: z.string(), tool: z.string(), status: z.string() })),
  /** Of a run that has started others. */
  agents: agentTree.optional(),
});
export type RunState = z.infer<typeof runState>;

/** A run of which nothing is known yet. */
export function emptyState(runID: string): RunState {
  return {
    format: runFilesFormat,
    run_id: runID,
    session_id: '',
    status: 'running',
    revision: 0,
    last_event_seq: 0,
    last_source_seq: 0,
    last_patch_seq: 0,
    started_at_ms: 0,
    steps: [],
  };
}

/** The engine's event as the next one of the run's file. */
export function fileEventOf(state: RunState, event: EngineEvent): RunFileEvent {
  const { envelope, type, properties } = event;
  const part = type === 'message.part.updated' ? event.properties.part : undefined;
  return {
    event_id: envelope.event_id,
    run_id: state.run_id,
    seq: state.last_event_seq + 1,
    source_seq: envelope.seq ?? 0,
    ts_ms: envelope.occurred_at_ms,
    type,
    status: statusAfter(state, event),
    revision: state.revision + 1,
    ...(part?.type === 'tool' ? { step_id: part.id } : {}),
    payload: { ...properties },
  };
}

/** The state after the event; `patches` were made of it. */
export function foldEvent(state: RunState, event: RunFileEvent, patches: number): RunState {
  const { payload, step_id, ts_ms } = event;
  const begun = event.type === 'session.run.started';
  const ended = event.type === 'session.run.finished';
  const agents = treeAfter(state.agents, event);
  const steps = step_id === undefined ? state.steps : stepsAfter(state.steps, step_id, payload.part);
  return {
    ...state,
    session_id: typeof payload.sessionID === 'string' ? payload.sessionID : state.session_id,
    // what a line says of a run that is over is nothing of the run
    status: hasEnded(state) ? state.status : event.status,
    revision: event.revision,
    last_event_seq: event.seq,
    last_source_seq: event.source_seq,
    last_patch_seq: state.last_patch_seq + patches,
    started_at_ms: begun ? ts_ms : state.started_at_ms,
    ...(ended ? { finished_at_ms: ts_ms } : {}),
    why_next_step: ended || hasEnded(state) ? 'the run has ended' : reasonOf(event),
    steps: ended ? steps.map(endedStep) : steps,
    ...(agents === undefined ? {} : { agents }),
  };
}

/** Whether the run is over: what is decided about it later, as a question that its process left open, changes nothing of that. */
export function hasEnded({ finished_at_ms: at }: RunState): boolean {
  return at !== undefined;
}

function statusAfter(state: RunState, event: EngineEvent): RunFileEvent['status'] {
  if (hasEnded(state)) return state.status;
  switch (event.type) {
    case 'permission.asked':
      return 'awaiting_approval';
    case 'question.asked':
      return 'blocked';
    case 'session.run.finished': {
      const { status: end, error } = event.properties;
      if (error === 'interrupted') return 'interrupted';
      return end === 'completed' || end === 'cancelled' ? end : 'failed';
    }
    case 'session.run.started':
    case 'permission.replied':
    case 'question.replied':
      return 'running';
    default:
      return state.status;
  }
}

function reasonOf({ type, status: now }: RunFileEvent): string {
  if (now === 'awaiting_approval') return 'waits for approval to use a tool';
  if (now === 'blocked') return 'waits for an answer';
  return type === 'session.run.started' ? 'the model is asked' : 'the model continues';
}

/** No step of a run that is over runs on: what it began is begun again, or not, in the run that goes on with it. */
function endedStep(step: RunState['steps'][number]): RunState['steps'][number] {
  return step.status === 'running' || step.status === 'pending' ? { ...step, status: 'interrupted' } : step;
}

const toolPart = z.object({ tool: z.string(), state: z.string() });

function stepsAfter(steps: RunState['steps'], step_id: string, part: unknown): RunState['steps'] {
  const { data } = toolPart.safeParse(part);
  if (data === undefined) return steps;
  const step = { step_id, tool: data.tool, status: data.state };
  const at = steps.findIndex((each) => each.step_id === step_id);
  return at < 0 ? [...steps, step] : steps.with(at, step);
}
