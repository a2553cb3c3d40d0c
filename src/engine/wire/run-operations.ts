// The operations on runs: listed, read, told again, stopped, and what is reported of their messages and answers. Not starting them.
import { type ZodType, z } from 'zod';
import {
  idList,
  integerParam,
  nothing,
  optionalID,
  pageFields,
  pageOf,
  partParam,
  switchParam,
} from '#engine/operations/fields.ts';
import { operation, type ServiceOf } from '#engine/operations/operation.ts';
import type { EngineEvent } from './events/event.ts';
import { wireEvent } from './events/event-schema.ts';
import { amendment } from './runs/amendment.ts';
import { runFeedback } from './runs/feedback.ts';
import { runReplay } from './runs/replay.ts';
import { type Run, runStatuses, wireRun } from './runs/run.ts';
import { runPrompt } from './runs/run-prompt.ts';
import type { Page } from './sessions/filters.ts';

export interface RunFilter {
  sessionID?: string | undefined;
  status?: Run['status'] | undefined;
  /** Only runs in rooms that everyone of their space may open. */
  open?: true | undefined;
  /** Only these; those that no longer exist are missing. */
  ids?: readonly string[] | undefined;
  /** Part of the name of who asked. */
  person?: string | undefined;
  /** Canonical address of the chat that asked; that of a room means its threads too. */
  chat?: string | undefined;
  /** Part of the name of the space, the room or the thread that asked. */
  room?: string | undefined;
  /** Parts of their names. */
  agent?: string | undefined;
  model?: string | undefined;
  /** Begun at that time or later; milliseconds since the epoch. */
  fromMs?: number | undefined;
  /** Those that worked so long or longer, in milliseconds; waiting for people is not work. */
  leastMs?: number | undefined;
  /** Newest, longest or dearest first; the newest when absent. */
  order?: 'started' | 'duration' | 'cost' | undefined;
}

const activeRun = z.object({
  runID: z.string(),
  sessionID: z.string(),
  startedAtMs: z.number(),
  lastActivityAtMs: z.number(),
});

const ms = integerParam(0, Number.MAX_SAFE_INTEGER).optional();

const listed = z.object({
  ...pageFields,
  sessionID: optionalID,
  status: z.enum(runStatuses).optional(),
  ids: idList,
  person: partParam().describe('Part of the name of who asked'),
  chat: partParam(1_000).describe('Canonical address; that of a room means its threads too'),
  room: partParam().describe('Part of the name of the space, the room or the thread'),
  agent: partParam().describe('Part of its name'),
  model: partParam().describe('Part of its name'),
  from_ms: ms.describe('Begun at that time or later'),
  least_ms: ms.describe('Those that worked so long or longer; waiting for people is not work'),
  order: z
    .enum(['started', 'duration', 'cost'])
    .default('started')
    .describe('The newest, longest or dearest first'),
});

const runID = z.string();
/** What concerns one run, by its id: a ParleyError `run_not_found` where there is none. */
const ofRun = { first: 'runID', named: 'run' } as const;
/** Each event is of a type with properties of its own, which the frame in the document does not show. */
const events = z.array(wireEvent) as unknown as ZodType<EngineEvent[]>;

/** What clients ask of runs: `client.runs`. */
export const runOperations = {
  listRuns: operation({
    effect: 'read',
    method: 'GET',
    path: '/runs',
    summary: 'Lists runs; `x-total-count` counts all that fit',
    about: 'A page of runs',
    input: listed.transform(({ from_ms, least_ms, page, page_size, ...filter }): RunFilter & Page => ({
      ...filter,
      ...{ fromMs: from_ms, leastMs: least_ms },
      ...pageOf({ page, page_size }),
    })),
    output: z.object({ runs: z.array(wireRun), total: z.number() }),
    counted: 'runs',
    call: 'list',
  }),
  getRun: operation({
    ...ofRun,
    effect: 'read',
    method: 'GET',
    path: '/runs/:runID',
    summary: 'A run: status, failure, model, tokens and cost',
    about: 'The run',
    input: z.object({ runID }),
    output: wireRun,
    call: 'get',
  }),
  runEvents: operation({
    ...ofRun,
    effect: 'read',
    method: 'GET',
    path: '/runs/:runID/events',
    summary: 'The durable events of a run, in order',
    about: 'A page of events',
    input: z.object({
      runID,
      after_seq: integerParam(0, Number.MAX_SAFE_INTEGER).default(0),
      limit: integerParam(1, 1000).default(200),
    }),
    output: events,
    call: 'events',
  }),
  /** A ParleyError `prompt_not_found` where that is not known. */
  runPrompt: operation({
    ...ofRun,
    effect: 'read',
    method: 'GET',
    path: '/runs/:runID/prompt',
    summary:
      'What the prompt of a run was made of: sections with sizes, and passages of memory with their sources',
    about: 'The prompt',
    input: z.object({ runID }),
    output: runPrompt,
    call: 'prompt',
  }),
  /** Files that are not there are first written from the database; a ParleyError `run_files_not_found` when that has no events of it either. */
  replayRun: operation({
    ...ofRun,
    effect: 'read',
    method: 'GET',
    path: '/context/runs/:runID/replay',
    summary:
      'A run told again from its files, and each field in which they differ from each other or from the database',
    about: 'State, board and differences',
    input: z.object({
      runID,
      upto_seq: ms.describe('The last event that is told again; all when absent'),
      from_checkpoint: switchParam,
    }),
    output: runReplay,
    call: 'replay',
  }),
  /**
   * The session no longer holds the old words, nor do summaries. Of a changed message the exchange is archived with the new words; of a
   * deleted one it is forgotten, with what was made of it. Once, however often it is called.
   */
  amend: operation({
    ...ofRun,
    effect: 'change',
    method: 'POST',
    path: '/runs/:runID/amend',
    summary:
      'Reports that a message which the run answers was changed or deleted; it counts once, however often it is reported',
    about: 'The session and memory hold the new words, or none',
    input: amendment.extend({ runID }),
    output: nothing,
    call: 'amend',
  }),
  /** Once, however often it is called. */
  noteFeedback: operation({
    ...ofRun,
    effect: 'change',
    method: 'POST',
    path: '/runs/:runID/feedback',
    summary: 'Notes what a person thinks of the answer of a run, or that they take it back',
    about: 'It is stored with the run',
    input: runFeedback.extend({ runID }),
    output: nothing,
    call: 'noteFeedback',
  }),
  /**
   * The session, and the copies of it in forks, no longer have it, and memory has no more than what was asked, without what the run noted.
   * Once, however often it is called. A ParleyError `run_not_ended`.
   */
  deleteAnswer: operation({
    ...ofRun,
    effect: 'remove',
    method: 'DELETE',
    path: '/runs/:runID/answer',
    summary:
      'Deletes the answer of a run that has ended from its conversation and from memory; what was asked stays',
    about: 'Nothing has it any more',
    input: z.object({ runID }),
    output: nothing,
    call: 'deleteAnswer',
  }),
  delivered: operation({
    effect: 'change',
    method: 'POST',
    path: '/runs/:runID/delivered',
    summary:
      'Confirms that the answer of a run is in its chat. The exchange is then remembered, once, however often this is called',
    about: 'It is remembered',
    input: z.object({
      runID,
      deliveredAtMs: z.number(),
      nativeIDs: z.array(z.string().max(200)).max(1000).describe("The platform's ids of its parts"),
    }),
    output: nothing,
    unaudited: 'shows no words',
    call: 'delivered',
    first: 'runID',
  }),
  activeBySession: operation({
    effect: 'read',
    method: 'GET',
    path: '/session/status',
    summary: 'The active run of each session that has one, by session',
    about: 'By session id',
    input: z.object({}),
    output: z.record(z.string(), activeRun),
    unaudited: 'shows no words',
    call: 'active',
  }),
};

const stopped = {
  output: z.object({ ok: z.literal(true), cancelled: z.boolean() }),
  unaudited: 'shows no words',
} as const;
const stopOfSession = {
  ...stopped,
  first: 'sessionID',
  named: 'session',
  effect: 'change',
  method: 'POST',
  summary: 'Stops the active run of a session; answers once its work has stopped',
  about: 'Whether there was a run to stop',
  input: z.object({ sessionID: z.string() }),
} as const;

/** What clients ask of the active run of a session, beside the rest of `client.sessions`. */
export const activeRunOperations = {
  activeRun: operation({
    first: 'sessionID',
    named: 'session',
    effect: 'read',
    method: 'GET',
    path: '/session/:sessionID/run',
    summary: 'The active run of a session, or null',
    about: 'The run',
    input: z.object({ sessionID: z.string() }),
    output: z.object({ active: activeRun.nullable() }),
    unaudited: 'shows no words',
    call: 'active',
  }),
  stopSession: operation({ ...stopOfSession, path: '/session/:sessionID/cancel', call: 'cancel' }),
  /** The same, as Tandem calls it. */
  abortSession: operation({ ...stopOfSession, path: '/session/:sessionID/abort', call: 'abort' }),
  stopRun: operation({
    ...stopped,
    named: 'run',
    effect: 'change',
    method: 'POST',
    path: '/session/:sessionID/run/:runID/cancel',
    summary: 'Stops this run, and no other; answers once its work has stopped',
    about: 'Whether it was active',
    input: z.object({ sessionID: z.string(), runID }),
    call: 'cancelRun',
  }),
};

/** Reports that the platform has the last part of a run's answer. */
export type Delivery = z.output<(typeof runOperations)['delivered']['input']>;

export type RunService = ServiceOf<typeof runOperations & typeof activeRunOperations>;
