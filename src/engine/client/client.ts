// The engine's typed client, published as `parley-gateway/client`. It knows the wire's types and nothing else of this program.
import type { Abilities, AbilitiesQuery } from '#engine/wire/commands.ts';
import type { EngineEvent } from '#engine/wire/events/event.ts';
import type { StatusReport } from '#engine/wire/operator/overview.ts';
import type { ForgetSaid, SaidExport, SaidForgotten } from '#engine/wire/sessions/said.ts';
import { channelCalls } from './channel-calls.ts';
import { fileCalls } from './file-calls.ts';
import { memoryCalls } from './memory-calls.ts';
import { operatorCalls } from './operator-calls.ts';
import { providerCalls } from './provider-calls.ts';
import {
  type ClientOptions,
  createSendWithMessages,
  ParleyClientError,
  type Query,
  type RequestOptions,
  type Within,
} from './request.ts';
import { requestCalls } from './request-calls.ts';
import { runCalls } from './run-calls.ts';
import { hookCalls, scheduleCalls } from './schedule-calls.ts';
import { sessionCalls } from './session-calls.ts';
import { type StreamOptions, streamEvents } from './stream.ts';
import { teamCalls } from './team-calls.ts';

export type { PromptOptions } from './session-calls.ts';
export { createSendWithMessages, ParleyClientError, type RequestOptions };

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
  return {
    sessions: sessionCalls({ get, post, json }),
    runs: runCalls({ get, post }),
    /** Events as they happen, with reconnection; of a run to its end. */
    events: (filter: StreamOptions = {}): AsyncIterable<EngineEvent> => streamEvents(send, filter),
    ...requestCalls({ get, post, json }),
    ...fileCalls({ get, json }, send),
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
