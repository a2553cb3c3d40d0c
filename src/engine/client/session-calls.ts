// The calls of the client about sessions: reading their messages, writing to them, and going back.

import type { AppendedMessage, PromptBody, PromptOrigin, PromptPart } from '#engine/wire/runs/prompt.ts';
import type { SessionContext } from '#engine/wire/sessions/context.ts';
import type { WireSession, WireSessionMessage } from '#engine/wire/sessions/message.ts';
import type { SessionDiff, SessionSnapshots } from '#engine/wire/sessions/snapshot.ts';
import type { SessionSummary, SummaryRequest } from '#engine/wire/sessions/summary.ts';
import type { TodoItem } from '#engine/wire/sessions/todo.ts';
import type { Query, Verbs, Within } from './request.ts';

export interface PromptOptions {
  model?: PromptBody['model'];
  agent?: string | undefined;
  /** Names or patterns: of its agent's tools, the run has only these. */
  toolAllowlist?: readonly string[] | undefined;
  /** Where it was written and by which person, when it comes from a chat. */
  origin?: PromptOrigin | undefined;
  /** Whether what the run asks reaches the person; see the engine's document. */
  canAsk?: boolean | undefined;
  /** How this run is to be answered: whether a tool is needed, how much of the conversation goes along, the temperature. */
  settings?: PromptBody['settings'];
  /** False: a run of this key that died with its process is not resumed. */
  retryInterrupted?: boolean | undefined;
  idempotencyKey?: string | undefined;
  signal?: AbortSignal | undefined;
}

interface SessionInput {
  title?: string | undefined;
  projectID?: string | undefined;
  directory?: string | undefined;
  /** Where its work is; the directory when absent. */
  workspaceRoot?: string | undefined;
  /** What answers where a prompt names no model. */
  model?: PromptBody['model'];
  /** The session that it is a child of. */
  parentID?: string | undefined;
  /** `api` when absent; what a `channel` session says is remembered once it is delivered. */
  sourceKind?: 'channel' | 'api' | undefined;
  sourceMetadata?: Record<string, unknown> | undefined;
}

const partsOf = (prompt: string | readonly PromptPart[]): readonly PromptPart[] =>
  typeof prompt === 'string' ? [{ type: 'text', text: prompt }] : prompt;

/** `sessions` of the client. */
export function sessionCalls({ get, post, json }: Verbs) {
  const at = (sessionID: string, rest = ''): string => `/session/${encodeURIComponent(sessionID)}${rest}`;
  const bodyOf = (
    prompt: string | readonly PromptPart[],
    { model, agent, toolAllowlist, origin, canAsk, settings }: PromptOptions,
  ) => ({
    parts: partsOf(prompt),
    model,
    agent,
    toolAllowlist,
    origin,
    canAsk,
    settings,
  });
  return {
    create: (input: SessionInput = {}, more: Within & { idempotencyKey?: string | undefined } = {}) =>
      post<WireSession>('/session', input, more),
    list: (query: Query = {}) => get<WireSession[]>('/session', query),
    get: (id: string) => get<WireSession>(at(id)),
    update: (id: string, change: { title?: string; archived?: boolean; shared?: boolean }) =>
      json<WireSession>(at(id), { method: 'PATCH', body: change }),
    archive: (id: string) => json<WireSession>(at(id), { method: 'PATCH', body: { archived: true } }),
    delete: (id: string) => json<{ ok: true }>(at(id), { method: 'DELETE' }),
    messages: (id: string, query: { reverted?: boolean } = {}) =>
      get<WireSessionMessage[]>(at(id, '/message'), query),
    /** Writes a message of a user and starts no run; the next prompt is answered with it in view. */
    append: (
      id: string,
      message: string | AppendedMessage['parts'],
      more: Within & { idempotencyKey?: string | undefined } = {},
    ) => post<WireSessionMessage>(at(id, '/message'), { parts: partsOf(message) }, more),
    /** Moves the session to another workspace root. */
    attach: (id: string, to: { targetWorkspace: string; reasonTag?: string | undefined }) =>
      post<WireSession>(at(id, '/attach'), {
        target_workspace: to.targetWorkspace,
        reason_tag: to.reasonTag,
      }),
    todos: (id: string) => get<TodoItem[]>(at(id, '/todo')),
    setTodos: (id: string, todos: TodoItem[]) =>
      json<TodoItem[]>(at(id, '/todo'), { method: 'PUT', body: { todos } }),
    activeRun: async (id: string, within: Within = {}) =>
      (await get<{ active: { runID: string; startedAtMs: number } | null }>(at(id, '/run'), {}, within))
        .active,
    /** Starts a run. A run that is active already is a ParleyClientError with its id in `details`. */
    promptAsync: (id: string, prompt: string | readonly PromptPart[], how: PromptOptions = {}) =>
      post<{ runID: string; messageID: string; attachEventStream: string; idempotentReplay?: true }>(
        at(id, '/prompt_async'),
        bodyOf(prompt, how),
        {
          query: { return: 'run', retry_interrupted: how.retryInterrupted },
          idempotencyKey: how.idempotencyKey,
          signal: how.signal,
        },
      ),
    /** Starts a run and waits: the last message is the answer. */
    promptSync: (id: string, prompt: string | readonly PromptPart[], how: PromptOptions = {}) =>
      post<WireSessionMessage[]>(at(id, '/prompt_sync'), bodyOf(prompt, how), {
        idempotencyKey: how.idempotencyKey,
        signal: how.signal,
        timedOut: true,
      }),
    cancel: (id: string, within: Within = {}) =>
      post<{ ok: true; cancelled: boolean }>(at(id, '/cancel'), {}, within),
    /** The same, as Tandem's client calls it. */
    abort: (id: string, within: Within = {}) =>
      post<{ ok: true; cancelled: boolean }>(at(id, '/abort'), {}, within),
    share: (id: string, shared = true) => post<WireSession>(at(id, '/share'), { shared }),
    cancelRun: (id: string, runID: string, within: Within = {}) =>
      post<{ ok: true; cancelled: boolean }>(at(id, `/run/${encodeURIComponent(runID)}/cancel`), {}, within),
    fork: (id: string, from: { messageID?: string } = {}) => post<WireSession>(at(id, '/fork'), from),
    children: (id: string) => get<WireSession[]>(at(id, '/children')),
    revert: (id: string, messageID: string) => post<WireSession>(at(id, '/revert'), { messageID }),
    unrevert: (id: string) => post<WireSession>(at(id, '/unrevert')),
    /** What stood before each revert, oldest first. */
    snapshots: (id: string) => get<SessionSnapshots>(at(id, '/snapshots')),
    /** What was set aside and what was written since the newest of them. */
    diff: (id: string) => get<SessionDiff>(at(id, '/diff')),
    /** Waits for the model that writes it; `keep` says what is to be in it above all. */
    summarize: (id: string, { keep, ...more }: Within & SummaryRequest = {}) =>
      post<SessionSummary>(at(id, '/summarize'), { keep }, { timedOut: true, ...more }),
    /** What the newest prompt held, part by part. */
    context: (id: string) => get<SessionContext>(at(id, '/context')),
  };
}
