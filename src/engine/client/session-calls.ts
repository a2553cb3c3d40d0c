// The calls of the client about sessions: their operations, and prompts.

import { activeRunOperations } from '#engine/wire/run-operations.ts';
import type { AppendedMessage, PromptBody, PromptOrigin, PromptPart } from '#engine/wire/runs/prompt.ts';
import type { WireSession, WireSessionMessage } from '#engine/wire/sessions/message.ts';
import { sessionOperations } from '#engine/wire/sessions/session-operations.ts';
import type { TodoItem } from '#engine/wire/sessions/todo.ts';
import { type CallsOf, operationCalls } from './operation-calls.ts';
import type { RequestOptions, Verbs, Within } from './request.ts';

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

type Calls = CallsOf<typeof sessionOperations & typeof activeRunOperations>;

/** `client.sessions`. */
export interface SessionClient extends Omit<Calls, 'append' | 'setTodos' | 'share' | 'active' | 'cancelRun'> {
  archive(id: string): Promise<WireSession>;
  /** Writes a message of a user and starts no run; the next prompt is answered with it in view. */
  append(
    id: string,
    message: string | AppendedMessage['parts'],
    more?: RequestOptions,
  ): Promise<WireSessionMessage>;
  setTodos(id: string, todos: TodoItem[]): Promise<TodoItem[]>;
  /** Marks it as shared, or takes the mark away. */
  share(id: string, shared?: boolean): Promise<WireSession>;
  /** Null where no run is active. */
  activeRun(id: string, within?: Within): Promise<{ runID: string; startedAtMs: number } | null>;
  cancelRun(id: string, runID: string, within?: Within): ReturnType<Calls['cancelRun']>;
  /** Starts a run. A run that is active already is a ParleyClientError with its id in `details`. */
  promptAsync(
    id: string,
    prompt: string | readonly PromptPart[],
    how?: PromptOptions,
  ): Promise<{ runID: string; messageID: string; attachEventStream: string; idempotentReplay?: true }>;
  /** Starts a run and waits: the last message is the answer. */
  promptSync(
    id: string,
    prompt: string | readonly PromptPart[],
    how?: PromptOptions,
  ): Promise<WireSessionMessage[]>;
}

const partsOf = <Part>(prompt: string | readonly Part[]): (Part | { type: 'text'; text: string })[] =>
  typeof prompt === 'string' ? [{ type: 'text', text: prompt }] : [...prompt];

export function sessionCalls({ post, json }: Verbs): SessionClient {
  const { active, ...calls } = operationCalls({ ...sessionOperations, ...activeRunOperations }, { json });
  const at = (sessionID: string, way: string): string => `/session/${encodeURIComponent(sessionID)}/${way}`;
  const bodyOf = (
    prompt: string | readonly PromptPart[],
    { model, agent, toolAllowlist, origin, canAsk, settings }: PromptOptions,
  ) => ({ parts: partsOf(prompt), model, agent, toolAllowlist, origin, canAsk, settings });
  return {
    ...calls,
    archive: (id) => calls.update(id, { archived: true }),
    append: (id, message, more = {}) => calls.append(id, { parts: partsOf(message) }, more),
    setTodos: (id, todos) => calls.setTodos(id, { todos }),
    share: (id, shared = true) => calls.share(id, { shared }),
    activeRun: async (id, within = {}) => (await active(id, {}, within)).active,
    cancelRun: (sessionID, runID, within = {}) => calls.cancelRun({ sessionID, runID }, within),
    promptAsync: (id, prompt, how = {}) =>
      post(at(id, 'prompt_async'), bodyOf(prompt, how), {
        query: { return: 'run', retry_interrupted: how.retryInterrupted },
        idempotencyKey: how.idempotencyKey,
        signal: how.signal,
      }),
    promptSync: (id, prompt, how = {}) =>
      post(at(id, 'prompt_sync'), bodyOf(prompt, how), {
        idempotencyKey: how.idempotencyKey,
        signal: how.signal,
        timedOut: true,
      }),
  };
}
