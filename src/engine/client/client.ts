// The engine's typed client, published as `parley-gateway/client`. It knows the wire's types and nothing else of this program.

import {
  deliveryOperations,
  peopleOperations,
  storedOperations,
  tokenOperations,
} from '#engine/wire/channels/channel-operations.ts';
import type { ChannelEntry } from '#engine/wire/channels/channel-report.ts';
import type { EngineEvent } from '#engine/wire/events/event.ts';
import type { StatusReport } from '#engine/wire/operator/overview.ts';
import { runOperations } from '#engine/wire/run-operations.ts';
import {
  agentOperations,
  providerOperations,
  usageOperations,
} from '#engine/wire/runs/provider-operations.ts';
import { permissionOperations, questionOperations } from '#engine/wire/runs/request-operations.ts';
import {
  firingOperations,
  hookOperations,
  scheduleOperations,
} from '#engine/wire/schedules/schedule-operations.ts';
import { contentOperations, placeOperations } from '#engine/wire/sessions/content-operations.ts';
import type { WireMission } from '#engine/wire/teams/team.ts';
import { missionOperations, teamOperations } from '#engine/wire/teams/team-operations.ts';
import { fileCalls } from './file-calls.ts';
import { type MemoryClient, memoryCalls } from './memory-calls.ts';
import { type CallsOf, operationCalls } from './operation-calls.ts';
import { operatorCalls } from './operator-calls.ts';
import {
  type ClientOptions,
  createSendWithMessages,
  ParleyClientError,
  type Query,
  type RequestOptions,
  type Within,
} from './request.ts';
import { type SessionClient, sessionCalls } from './session-calls.ts';
import { type StreamOptions, streamEvents } from './stream.ts';

export type { CallsOf } from './operation-calls.ts';
export type { PromptOptions } from './session-calls.ts';
export { createSendWithMessages, ParleyClientError, type RequestOptions };

/** What the engine refused (status, code, words, details), when that is what was thrown. */
export function refusalOf(error: unknown): ParleyClientError | undefined {
  return error instanceof ParleyClientError ? error : undefined;
}

/** Declared by the calls that it is made of: an inferred type would have all of their shapes once more in the package. */
export interface ParleyClient extends ReturnType<typeof fileCalls>, ReturnType<typeof operatorCalls> {
  sessions: SessionClient;
  runs: CallsOf<typeof runOperations & typeof usageOperations>;
  /** Events as they happen, with reconnection; of a run to its end. */
  events: (filter?: StreamOptions) => AsyncIterable<EngineEvent>;
  /** The events of a session, or of one run of it to its end. */
  stream: (sessionID: string, runID?: string) => AsyncIterable<EngineEvent>;
  permissions: CallsOf<typeof permissionOperations>;
  questions: CallsOf<typeof questionOperations>;
  memory: MemoryClient;
  /** What is denied is a ParleyClientError with the status 403 and the code of the reason. */
  agentTeams: CallsOf<typeof teamOperations>;
  missions: CallsOf<typeof missionOperations> & {
    /** Undefined where there is none. */
    get: (missionID: string) => Promise<WireMission | undefined>;
  };
  schedules: CallsOf<typeof scheduleOperations & typeof firingOperations>;
  hooks: CallsOf<typeof hookOperations>;
  /** All that persons said, or that was written in chats or sessions; waits until it is looked through. */
  content: CallsOf<typeof contentOperations>;
  /** Rooms and threads by the names that platforms give them. */
  places: CallsOf<typeof placeOperations>;
  providers: CallsOf<typeof providerOperations>;
  agents: CallsOf<typeof agentOperations>;
  /** Who may talk to the bot; these four are of the process with the channels, at its address where they run apart. */
  people: CallsOf<typeof peopleOperations>;
  tokens: CallsOf<typeof tokenOperations>;
  deliveries: CallsOf<typeof deliveryOperations>;
  channels: CallsOf<typeof storedOperations> & { status: () => Promise<Record<string, ChannelEntry>> };
  /** The state of everything at this moment. */
  status: () => Promise<StatusReport>;
  health: (within?: Within) => Promise<{
    healthy: boolean;
    ready: boolean;
    version: string;
    model?: string;
    activeRuns?: number;
    problems?: { component: string; message: string; hint?: string; damaged?: true }[];
  }>;
}

/**
 * A client of the engine at `baseUrl`. Each call throws a ParleyClientError when the engine refuses, and one with the code
 * `ENGINE_UNREACHABLE` and the status 0 when nothing answers there.
 */
export function createClient(options: ClientOptions): ParleyClient {
  const send = createSendWithMessages(options);
  const json = async <T>(path: string, asked?: RequestOptions): Promise<T> =>
    (await (await send(path, asked)).json()) as T; // as the engine's document promises
  const get = <T>(path: string, query?: Query, more: RequestOptions = {}): Promise<T> =>
    json<T>(path, { query, ...more });
  const post = <T>(path: string, body: unknown = {}, more: RequestOptions = {}): Promise<T> =>
    json<T>(path, { method: 'POST', body, ...more });
  const missions = operationCalls(missionOperations, { json });
  return {
    sessions: sessionCalls({ get, post, json }),
    runs: operationCalls({ ...runOperations, ...usageOperations }, { json }),
    events: (filter = {}) => streamEvents(send, filter),
    stream: (sessionID, runID) => streamEvents(send, { sessionID, runID }),
    permissions: operationCalls(permissionOperations, { json }),
    questions: operationCalls(questionOperations, { json }),
    ...fileCalls({ get, json }, send),
    memory: memoryCalls({ get, post, json }),
    agentTeams: operationCalls(teamOperations, { json }),
    missions: {
      ...missions,
      get: async (missionID) => (await missions.list({ missionID }))[0],
    },
    schedules: operationCalls({ ...scheduleOperations, ...firingOperations }, { json }),
    hooks: operationCalls(hookOperations, { json }),
    content: operationCalls(contentOperations, { json }),
    places: operationCalls(placeOperations, { json }),
    providers: operationCalls(providerOperations, { json }),
    agents: operationCalls(agentOperations, { json }),
    ...operatorCalls({ get, json }),
    people: operationCalls(peopleOperations, { json }),
    tokens: operationCalls(tokenOperations, { json }),
    deliveries: operationCalls(deliveryOperations, { json }),
    channels: { ...operationCalls(storedOperations, { json }), status: () => get('/channels/status') },
    status: () => get('/status'),
    health: (within = {}) => get('/global/health', {}, within),
  };
}
