// The operations on sessions: made, listed, read, changed, branched off, taken back, summarized; their messages and to-do lists. Not runs.
import { z } from 'zod';
import {
  idList,
  integerParam,
  line,
  nothing,
  optionalID,
  pageFields,
  pageOf,
  partParam,
  switchParam,
} from '#engine/operations/fields.ts';
import { operation, type ServiceOf } from '#engine/operations/operation.ts';
import { appendedMessage, modelChoice, promptLimitBytes } from '#engine/wire/runs/prompt.ts';
import { sessionContext } from './context.ts';
import { withErrorText } from './error-text.ts';
import type { Page, SessionFilter } from './filters.ts';
import { type WireSession, wireSession, wireSessionMessage } from './message.ts';
import { sessionDiff, sessionSnapshots } from './snapshot.ts';
import { sessionSummary, summaryRequest } from './summary.ts';
import { todoList } from './todo.ts';

export interface CreateSession {
  title?: string | undefined;
  projectID?: string | undefined;
  directory?: string | undefined;
  /** Where its work is; the directory when absent. */
  workspaceRoot?: string | undefined;
  /** What answers where a prompt names no model. A ParleyError `unknown_model` for one that cannot be had. */
  model?: { providerID?: string | undefined; modelID: string } | undefined;
  /** The session that it is a child of. A ParleyError `session_not_found`. */
  parentID?: string | undefined;
  sourceKind?: 'channel' | 'api' | undefined;
  sourceMetadata?: Record<string, unknown> | undefined;
}

const sessionID = z.string();
const messageID = z.string().min(1).max(100);
const time = integerParam(0, Number.MAX_SAFE_INTEGER);
const flag = (usual: 'false' | 'all') =>
  z
    .enum(['true', 'false', 'all'])
    .default(usual)
    .transform((value) => (value === 'all' ? undefined : value === 'true'));

const listed = z.object({
  ...pageFields,
  title: partParam(300).describe('Part of the title'),
  ids: idList,
  source_kind: z.enum(['channel', 'api']).optional(),
  project_id: optionalID,
  parent_id: optionalID,
  archived: flag('false'),
  shared: flag('all'),
  platform: partParam(40).describe('Sessions of chats there'),
  chat: partParam(1_000).describe(
    'Canonical address of a chat that wrote in it; that of a room means its threads too',
  ),
  room: partParam().describe('Part of the name of a space, a room or a thread that wrote in it'),
  person: partParam().describe('Part of the name of someone who wrote in it'),
  agent: partParam().describe('Part of the name of an assistant that answered in it'),
  text: partParam(300).describe('Part of what was written in it'),
  from_ms: time.optional().describe('Something was written in it at this time or later'),
  until_ms: time.optional().describe('It began before then'),
  order: z.enum(['created', 'updated']).default('created').describe('The newest first, by this time'),
});

/** What concerns one session, by its id. */
const ofSession = { first: 'sessionID', named: 'session' } as const;
const one = { ...ofSession, about: 'The session', output: wireSession } as const;
const page = z.object({ sessions: z.array(wireSession), total: z.number() });

/** What clients ask of sessions: `client.sessions`. */
export const sessionOperations = {
  /** The same key gives the same session; a ParleyError `idempotency_key_reused` where it came with another input. */
  createSession: operation({
    effect: 'add',
    method: 'POST',
    path: '/session',
    summary: 'Makes a session',
    about: 'The session',
    input: z
      .object({
        title: line(300).optional(),
        projectID: line(200).optional(),
        directory: line(4096).optional(),
        workspaceRoot: line(4096).optional().describe('Where its work is; `directory` when absent'),
        model: modelChoice.optional().describe('What answers where a prompt names no model'),
        parentID: line(200).optional().describe('The session that it is a child of'),
        sourceKind: z.enum(['channel', 'api']).default('api'),
        sourceMetadata: z.record(z.string().max(100), z.unknown()).optional(),
      })
      .transform((given): CreateSession => given),
    output: wireSession,
    startsWork: true,
    call: 'create',
    unaudited: 'gives back what was sent',
  }),
  /** Without their messages. */
  findSessions: operation({
    effect: 'read',
    method: 'GET',
    path: '/session',
    summary: 'Lists sessions, newest first, without their messages; `x-total-count` counts all that fit',
    about: 'A page of sessions',
    input: listed.transform((query): SessionFilter & Page => {
      const { source_kind, project_id, parent_id, from_ms, until_ms, page, page_size, ...filter } = query;
      return {
        ...filter,
        ...{ sourceKind: source_kind, projectID: project_id, parentID: parent_id },
        ...{ fromMs: from_ms, untilMs: until_ms },
        ...pageOf({ page, page_size }),
      };
    }),
    output: page,
    counted: 'sessions',
    call: 'list',
  }),
  /** All of these with a session: a ParleyError `session_not_found`. */
  getSession: operation({
    ...one,
    effect: 'read',
    method: 'GET',
    path: '/session/:sessionID',
    summary: 'A session with its messages',
    input: z.object({ sessionID }),
    shown: (session: WireSession) => ({ ...session, messages: session.messages.map(withErrorText) }),
    call: 'get',
  }),
  updateSession: operation({
    ...one,
    effect: 'change',
    method: 'PATCH',
    path: '/session/:sessionID',
    summary: 'Renames, archives or shares a session, or undoes it',
    input: z.strictObject({
      sessionID,
      title: line(300).optional(),
      archived: z.boolean().optional(),
      shared: z.boolean().optional(),
    }),
    call: 'update',
  }),
  /** What it used of models stays counted. */
  deleteSession: operation({
    ...ofSession,
    effect: 'remove',
    method: 'DELETE',
    path: '/session/:sessionID',
    summary: 'Stops its run and removes the session with all that was written in it',
    about: 'It no longer exists',
    input: z.object({ sessionID }),
    output: nothing,
    call: 'delete',
  }),
  /** From then on `workspaceRoot` is that one, also for what its exchanges are archived with. */
  attachSession: operation({
    ...one,
    effect: 'change',
    method: 'POST',
    path: '/session/:sessionID/attach',
    summary: 'Moves a session to another workspace root; nothing changes where it is there already',
    input: z.strictObject({
      sessionID,
      target_workspace: line(4096).describe('The workspace root that the session has from then on'),
      reason_tag: line(200).optional().describe('`manual_attach` when absent'),
    }),
    call: 'attach',
  }),
  /** `total` counts the messages of the session that no revert set aside, where a page was asked for. A ParleyError `message_not_found`. */
  sessionMessages: operation({
    ...ofSession,
    effect: 'read',
    method: 'GET',
    path: '/session/:sessionID/message',
    summary:
      'The messages of a session, oldest first; `reverted=true` adds those that a revert set aside; with `limit` the newest, or those before one of them, and `x-total-count` counts all',
    about: 'Messages in ordered parts',
    input: z.object({
      sessionID,
      reverted: switchParam,
      limit: integerParam(1, 500).optional(),
      before: messageID.optional().describe('With `limit`: the id of a message'),
    }),
    output: z.object({ messages: z.array(wireSessionMessage), total: z.number().optional() }),
    counted: 'messages',
    shown: ({ messages, ...rest }) => ({ ...rest, messages: messages.map(withErrorText) }),
    call: 'messages',
  }),
  /**
   * Writes it also while a run is active; the same key gives the same message, and a ParleyError `idempotency_key_reused` where it came with
   * another one.
   */
  appendMessage: operation({
    ...ofSession,
    effect: 'add',
    method: 'POST',
    path: '/session/:sessionID/message',
    summary:
      'Appends a message of a user and starts no run, also while one is active; the next prompt is answered with it in view',
    about: 'The message',
    // as the Tandem wire has it: a message has no metadata
    input: z.strictObject({ sessionID, ...appendedMessage.shape, metadata: z.null().optional() }),
    output: wireSessionMessage,
    bodyLimitBytes: promptLimitBytes,
    startsWork: true,
    unaudited: 'shows no words',
    call: 'append',
  }),
  forkSession: operation({
    ...one,
    effect: 'add',
    method: 'POST',
    path: '/session/:sessionID/fork',
    summary: 'A new session with what was written up to and including a message (everything without one)',
    input: z.object({ sessionID, messageID: messageID.optional() }),
    startsWork: true,
    call: 'fork',
  }),
  sessionChildren: operation({
    ...ofSession,
    effect: 'read',
    method: 'GET',
    path: '/session/:sessionID/children',
    summary: 'The forks of a session, newest first',
    about: 'A page of sessions',
    input: z
      .object({ sessionID, ...pageFields })
      .transform(({ sessionID, ...page }): { sessionID: string } & Page => ({ sessionID, ...pageOf(page) })),
    output: page,
    counted: 'sessions',
    call: 'children',
  }),
  /**
   * A snapshot of what was written is stored: `unrevertSession` goes back to it, and sets aside what was written since. A ParleyError
   * `session_busy` while a run is active.
   */
  revertSession: operation({
    ...one,
    effect: 'change',
    method: 'POST',
    path: '/session/:sessionID/revert',
    summary: 'Sets a message and all after it aside',
    input: z.object({ sessionID, messageID }),
    call: 'revert',
  }),
  /** A ParleyError `nothing_to_unrevert` when there is none. */
  unrevertSession: operation({
    ...one,
    effect: 'change',
    method: 'POST',
    path: '/session/:sessionID/unrevert',
    summary:
      'Goes back to before the newest revert; what was written since is set aside, and comes back with a later call of this',
    input: z.object({ sessionID }),
    call: 'unrevert',
  }),
  sessionSnapshots: operation({
    ...ofSession,
    effect: 'read',
    method: 'GET',
    path: '/session/:sessionID/snapshots',
    summary: 'What stood in a session before each revert that can be taken back, oldest first',
    about: 'Snapshots',
    input: z.object({ sessionID }),
    output: sessionSnapshots,
    call: 'snapshots',
  }),
  sessionDiff: operation({
    ...ofSession,
    effect: 'read',
    method: 'GET',
    path: '/session/:sessionID/diff',
    summary: 'What was set aside and what was written since the newest snapshot of a session',
    about: 'The difference',
    input: z.object({ sessionID }),
    output: sessionDiff,
    call: 'diff',
  }),
  /** The present one when there is nothing new. A ParleyError `nothing_to_summarize`, or `summary_failed` when the model gave none. */
  summarizeSession: operation({
    ...ofSession,
    effect: 'change',
    method: 'POST',
    path: '/session/:sessionID/summarize',
    summary:
      'Summarizes all but the newest exchange; from then on prompts have the summary in their place, until a revert',
    about: 'The summary that now stands',
    input: summaryRequest.extend({ sessionID }),
    output: sessionSummary,
    startsWork: true,
    takesLong: true,
    call: 'summarize',
  }),
  /** A ParleyError `prompt_not_found` before there is one. */
  sessionContext: operation({
    ...ofSession,
    effect: 'read',
    method: 'GET',
    path: '/session/:sessionID/context',
    summary: 'What the newest prompt of a session held, part by part, and the window of its model',
    about: 'The parts with their sizes',
    input: z.object({ sessionID }),
    output: sessionContext,
    unaudited: 'shows no words',
    call: 'context',
  }),
  shareSession: operation({
    ...one,
    effect: 'change',
    method: 'POST',
    path: '/session/:sessionID/share',
    summary: 'Marks a session as shared',
    input: z.object({ sessionID, shared: z.boolean().default(true) }),
    call: 'share',
  }),
  unshareSession: operation({
    ...one,
    effect: 'change',
    method: 'DELETE',
    path: '/session/:sessionID/share',
    summary: 'Takes the mark away',
    input: z.object({ sessionID }),
    call: 'unshare',
  }),
  todos: operation({
    ...ofSession,
    effect: 'read',
    method: 'GET',
    path: '/session/:sessionID/todo',
    summary: 'The to-do list of a session',
    about: 'The list',
    input: z.object({ sessionID }),
    output: todoList,
    call: 'todos',
  }),
  setTodos: operation({
    ...ofSession,
    effect: 'change',
    method: 'PUT',
    path: '/session/:sessionID/todo',
    summary: 'Replaces the to-do list of a session',
    about: 'The list',
    input: z.object({ sessionID, todos: todoList }),
    output: todoList,
    call: 'setTodos',
  }),
};

export type SessionService = ServiceOf<typeof sessionOperations>;
