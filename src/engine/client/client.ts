// The engine's typed client, published as `parley-gateway/client`. It knows the wire's types and nothing else of this program.
import type { Amendment } from '#engine/wire/amendment.ts';
import type { Abilities, AbilitiesQuery } from '#engine/wire/commands.ts';
import type { EngineEvent } from '#engine/wire/event.ts';
import type { WireSession, WireSessionMessage } from '#engine/wire/message.ts';
import type { StatusReport } from '#engine/wire/overview.ts';
import type { PromptBody, PromptOrigin, PromptPart } from '#engine/wire/prompt.ts';
import type { Run } from '#engine/wire/run.ts';
import type { ForgetSaid, SaidExport, SaidForgotten } from '#engine/wire/said.ts';
import type { SessionDiff, SessionSnapshots } from '#engine/wire/snapshot.ts';
import type { SessionSummary } from '#engine/wire/summary.ts';
import type { TodoItem } from '#engine/wire/todo.ts';
import type { UsageSum } from '#engine/wire/usage.ts';
import { channelCalls } from './channel-calls.ts';
import { memoryCalls } from './memory-calls.ts';
import { operatorCalls } from './operator-calls.ts';
import { providerCalls } from './provider-calls.ts';
import { rangeHeader } from './range-header.ts';
import {
  type ClientOptions,
  createSendWithMessages,
  ParleyClientError,
  type Query,
  type RequestOptions,
} from './request.ts';
import { requestCalls } from './request-calls.ts';
import { hookCalls, scheduleCalls } from './schedule-calls.ts';
import { type StreamOptions, streamEvents } from './stream.ts';
import { teamCalls } from './team-calls.ts';

export { createSendWithMessages, ParleyClientError, type RequestOptions };

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
  /** False: a run of this key that died with its process is not started again; `words only`: nor is one that had called a tool. */
  retryInterrupted?: boolean | 'words only' | undefined;
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

interface Within {
  signal?: AbortSignal | undefined;
}

/** What the engine refused (status, code, words, details), when that is what was thrown. */
export function refusalOf(error: unknown): ParleyClientError | undefined {
  return error instanceof ParleyClientError ? error : undefined;
}

export type ParleyClient = ReturnType<typeof createClient>;

/**
 * A client of the engine at `baseUrl`. Each call throws a ParleyClientError when the engine refuses, and one with the code
 * `ENGINE_UNREACHABLE` and the status 0 when nothing answers there.
 */
export function createClient(options: ClientOptions) {
  const send = createSendWithMessages(options);
  const json = async <T>(path: string, asked?: RequestOptions): Promise<T> =>
    (await (await send(path, asked)).json()) as T; // as the engine's document promises
  const get = <T>(path: string, query?: Query, more: RequestOptions = {}): Promise<T> =>
    json<T>(path, { query, ...more });
  const post = <T>(path: string, body: unknown = {}, more: RequestOptions = {}): Promise<T> =>
    json<T>(path, { method: 'POST', body, ...more });
  const at = (sessionID: string, rest = ''): string => `/session/${encodeURIComponent(sessionID)}${rest}`;
  const bodyOf = (
    said: string | readonly PromptPart[],
    { model, agent, toolAllowlist, origin, canAsk, settings }: PromptOptions,
  ) => ({
    parts: typeof said === 'string' ? [{ type: 'text', text: said }] : said,
    model,
    agent,
    toolAllowlist,
    origin,
    canAsk,
    settings,
  });
  const uploadAt = (path: string): string => {
    const [channel = '', place = '', name = ''] = path.split('/');
    return `/upload/${encodeURIComponent(channel)}/${encodeURIComponent(place)}/${encodeURIComponent(name)}`;
  };

  return {
    sessions: {
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
      todos: (id: string) => get<TodoItem[]>(at(id, '/todo')),
      setTodos: (id: string, todos: TodoItem[]) =>
        json<TodoItem[]>(at(id, '/todo'), { method: 'PUT', body: { todos } }),
      activeRun: async (id: string, within: Within = {}) =>
        (await get<{ active: { runID: string; startedAtMs: number } | null }>(at(id, '/run'), {}, within))
          .active,
      /** Starts a run. A run that is active already is a ParleyClientError with its id in `details`. */
      promptAsync: (id: string, said: string | readonly PromptPart[], how: PromptOptions = {}) =>
        post<{ runID: string; messageID: string; attachEventStream: string; idempotentReplay?: true }>(
          at(id, '/prompt_async'),
          bodyOf(said, how),
          {
            query: { return: 'run', retry_interrupted: how.retryInterrupted },
            idempotencyKey: how.idempotencyKey,
            signal: how.signal,
          },
        ),
      /** Starts a run and waits: the last message is the answer. */
      promptSync: (id: string, said: string | readonly PromptPart[], how: PromptOptions = {}) =>
        post<WireSessionMessage[]>(at(id, '/prompt_sync'), bodyOf(said, how), {
          idempotencyKey: how.idempotencyKey,
          signal: how.signal,
          timedOut: true,
        }),
      cancel: (id: string, within: Within = {}) =>
        post<{ ok: true; cancelled: boolean }>(at(id, '/cancel'), {}, within),
      cancelRun: (id: string, runID: string, within: Within = {}) =>
        post<{ ok: true; cancelled: boolean }>(
          at(id, `/run/${encodeURIComponent(runID)}/cancel`),
          {},
          within,
        ),
      fork: (id: string, from: { messageID?: string } = {}) => post<WireSession>(at(id, '/fork'), from),
      children: (id: string) => get<WireSession[]>(at(id, '/children')),
      revert: (id: string, messageID: string) => post<WireSession>(at(id, '/revert'), { messageID }),
      unrevert: (id: string) => post<WireSession>(at(id, '/unrevert')),
      /** What was before each revert, oldest first. */
      snapshots: (id: string) => get<SessionSnapshots>(at(id, '/snapshots')),
      /** What was set aside and what was written since the newest of them. */
      diff: (id: string) => get<SessionDiff>(at(id, '/diff')),
      /** Waits for the model that writes it. */
      summarize: (id: string, more: Within & { idempotencyKey?: string | undefined } = {}) =>
        post<SessionSummary>(at(id, '/summarize'), {}, { timedOut: true, ...more }),
    },
    runs: {
      list: (query: Query = {}) => get<Run[]>('/runs', query),
      get: (runID: string, within: Within = {}) => get<Run>(`/runs/${encodeURIComponent(runID)}`, {}, within),
      /** Reports that the answer is in its chat: then the exchange of a channel session is remembered, once. */
      delivered: (
        runID: string,
        what: { deliveredAtMs: number; nativeIDs: readonly string[] },
        within: Within = {},
      ) => post<{ ok: true }>(`/runs/${encodeURIComponent(runID)}/delivered`, what, within),
      /** Says what happened to a message that the run answers: it was changed, or deleted. */
      amend: (runID: string, amendment: Amendment, within: Within = {}) =>
        post<{ ok: true }>(`/runs/${encodeURIComponent(runID)}/amend`, amendment, within),
      events: (runID: string, query: { after_seq?: number; limit?: number } = {}) =>
        get<EngineEvent[]>(`/runs/${encodeURIComponent(runID)}/events`, query),
      /** The run told again from its files, and whether that is what was stored about it. */
      replay: (runID: string, query: { upto_seq?: number; from_checkpoint?: boolean } = {}) =>
        get<Record<string, unknown>>(`/context/runs/${encodeURIComponent(runID)}/replay`, query),
      usage: (query: Query = {}) => get<UsageSum[]>('/usage', query),
    },
    /** Events as they happen, with reconnection; of a run to its end. */
    events: (filter: StreamOptions = {}): AsyncIterable<EngineEvent> => streamEvents(send, filter),
    ...requestCalls({ get, post, json }),
    artifacts: {
      bytes: async (id: string, within: Within = {}): Promise<Uint8Array> =>
        new Uint8Array(await (await send(`/artifact/${encodeURIComponent(id)}`, within)).arrayBuffer()),
      /** The file as a stream from byte `from` on, with status 206; from its beginning, with 200, when it is no longer the one with this `tag`. */
      open: (
        id: string,
        { from, tag }: { from: number; tag?: string },
        within: Within = {},
      ): Promise<Response> =>
        send(`/artifact/${encodeURIComponent(id)}`, {
          headers: from === 0 || tag === undefined ? {} : { range: `bytes=${from}-`, 'if-range': tag },
          timedOut: true,
          ...within,
        }),
    },
    /** Files that prompts may name; a path is `<channel>/<chat or person>/<name>`. */
    uploads: {
      /** The URL of a file that is there with this content (SHA-256 in hexadecimal). */
      find: (path: string, sha256: string, within: Within = {}) =>
        get<{ url: string }>(uploadAt(path), { sha256 }, within),
      /** The same; else how many bytes of it came before they were cut, which need not be sent again. */
      async look(
        path: string,
        sha256: string,
        within: Within = {},
      ): Promise<{ url: string } | { url?: undefined; received: number }> {
        try {
          return await get<{ url: string }>(uploadAt(path), { sha256 }, within);
        } catch (error) {
          if (!(error instanceof ParleyClientError) || error.code !== 'UPLOAD_NOT_FOUND') throw error;
          const { received } = error.details;
          return { received: typeof received === 'number' ? received : 0 };
        }
      },
      /**
       * Stores the bytes, of which those before `from` are there; the same ones twice are one file. `sent` is called with how many of
       * the others are on their way.
       */
      put: (
        path: string,
        file: { bytes: Uint8Array; sha256: string; from?: number; sent?: (bytes: number) => void },
        within: Within = {},
      ) =>
        json<{ url: string }>(uploadAt(path), {
          method: 'PUT',
          query: { sha256: file.sha256 },
          bytes: file.bytes.subarray(file.from ?? 0),
          headers: rangeHeader(file),
          sent: file.sent,
          timedOut: true,
          ...within,
        }),
    },
    memory: memoryCalls({ get, post, json }),
    ...teamCalls({ get, post }),
    schedules: scheduleCalls({ get, post, json }),
    hooks: hookCalls({ get, post, json }),
    /** All that persons said, or that was written in chats or sessions; waits until it is looked through. */
    said: {
      forget: (request: ForgetSaid) => post<SaidForgotten>('/said/forget', request, { timedOut: true }),
      export: (of: { persons: string[] }) => post<SaidExport>('/said/export', of, { timedOut: true }),
    },
    providers: providerCalls({ get, post }),
    agents: {
      /** Who answers in a place, and with which tools. */
      at: (place: AbilitiesQuery = {}, within: Within = {}) => get<Abilities>('/agent', place, within),
    },
    ...operatorCalls({ get, post, json }),
    ...channelCalls({ get, post, json }),
    /** How all of it is at this moment. */
    status: () => get<StatusReport>('/status'),
    health: (within: Within = {}) =>
      get<{
        healthy: boolean;
        ready: boolean;
        version: string;
        model?: string;
        activeRuns?: number;
        problems?: { component: string; message: string; hint?: string; damaged?: true }[];
      }>('/global/health', {}, within),
  };
}
