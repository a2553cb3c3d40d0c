// The engine over HTTP, as channels in another process need it: the same promises, kept through the client.
import type { ActiveProblems } from '#base/active-problems.ts';
import type { Clock } from '#base/clock.ts';
import type { Log } from '#base/log/log.ts';
import type { Secrets } from '#base/secrets.ts';
import { createClient } from '#engine/client/client.ts';
import { createSend } from '#engine/client/request.ts';
import type { Engine } from '#engine/wire/contract.ts';
import { gatewayMemoryOperations } from '#engine/wire/memory/memory-operations.ts';
import { runOperations } from '#engine/wire/run-operations.ts';
import { providerOperations } from '#engine/wire/runs/provider-operations.ts';
import { permissionOperations, questionOperations } from '#engine/wire/runs/request-operations.ts';
import { placeOperations } from '#engine/wire/sessions/content-operations.ts';
import { sessionOperations } from '#engine/wire/sessions/session-operations.ts';
import { createArtifactCopies } from './artifact-copies.ts';
import { createEventHub } from './event-hub.ts';
import { type LinkStatus, openLink } from './link.ts';
import { createRemoteCalls } from './remote-calls.ts';
import { remoteCommands } from './remote-commands.ts';
import { createRemoteFiles } from './remote-files.ts';
import { remoteOperations } from './remote-operations.ts';
import { createRemoteRuns } from './remote-runs.ts';
import { remoteSchedules } from './remote-schedules.ts';
import { createRunWaiters } from './run-waiters.ts';
import { createTransfers } from './transfers.ts';

interface RemoteEngineOptions {
  /** Like `http://127.0.0.1:7410`. */
  baseUrl: string;
  token: string;
  /** The version that the engine must have too. */
  version: string;
  /** Its own folder, where files that runs wrote lie until their answer is delivered. */
  folder: string;
  /** Taken out of every prompt. */
  secrets: Secrets;
  clock: Clock;
  log: Log;
  /** Where it is noted what stands between this process and the engine. */
  problems: ActiveProblems;
  /** Another `fetch`, for tests and proxies. */
  fetch?: typeof globalThis.fetch | undefined;
}

interface EngineProblem {
  message: string;
  hint?: string;
  /** A file is damaged. */
  damaged?: true;
}

export interface RemoteEngine extends Engine {
  status(): LinkStatus;
  /** What stands in the way of the engine at this moment, in its own words; undefined while it cannot be asked. */
  problems(): Promise<readonly EngineProblem[] | undefined>;
  onChange(listener: () => void): () => void;
  /** Forgets the files of artifacts but those at these paths; before any of this process is fetched. */
  keepOnly(paths: readonly string[]): void;
}

/** How long a request for the status waits for the engine, in milliseconds: less than its caller waits for an answer. */
const healthMs = 3_000;
/**
 * The engine at `baseUrl`; closing it leaves the engine itself running. While that is out of reach, calls wait, without
 * end unless their signal says so: nothing is lost by it, and nothing is done twice. Throws as `greet` does, except that one
 * that does not answer is waited for.
 */
export async function connectEngine(options: RemoteEngineOptions): Promise<RemoteEngine> {
  const { baseUrl, token, version, folder, secrets, clock, log, problems } = options;
  const closing = new AbortController();
  const client = createClient({ baseUrl, token, fetch: options.fetch });
  const hub = createEventHub();
  const copies = createArtifactCopies(folder);
  const waiters = createRunWaiters(clock);
  const link = await openLink({
    send: createSend({ baseUrl, token, fetch: options.fetch }),
    baseUrl,
    version,
    clock,
    log,
    begun() {
      hub.begin();
      waiters.wake(); // the end of a run may have been missed
    },
    received(event) {
      hub.notify(event);
      if (event.type === 'session.run.finished') waiters.wake(event.properties.runID);
    },
    signal: closing.signal,
  });

  const noteLink = (): void => {
    const status = link.status();
    if (status.state === 'down') problems.note(baseUrl, status.problem);
    else problems.clear(baseUrl);
  };
  noteLink();
  link.onChange(noteLink);
  const transfers = createTransfers({ up: link.up, clock, log, problems });
  const calls = createRemoteCalls({ baseUrl, link, closing: closing.signal, clock, log, problems });
  const { call, unless, atOnce } = calls;

  const until = (signal: AbortSignal | undefined): AbortSignal =>
    signal === undefined ? closing.signal : AbortSignal.any([closing.signal, signal]);

  const ofRuns = remoteOperations(runOperations, ['delivered', 'amend', 'noteFeedback', 'deleteAnswer'], {
    calls: client.runs,
    via: call,
  });

  /** What the engine says of itself; undefined while it cannot be asked, or does not answer at once. */
  const asked = async () => {
    if (link.status().state !== 'up') return undefined;
    return await client.health({ signal: AbortSignal.timeout(healthMs) }).catch(() => undefined);
  };

  return {
    ...remoteCommands(client, atOnce),
    ...remoteSchedules(client, calls),
    ...createRemoteFiles({ client, copies, transfers, calls, clock, closing: closing.signal }),
    status: link.status,
    onChange: link.onChange,
    problems: async () => (await asked())?.problems,
    ...remoteOperations(sessionOperations, ['createSession'], { calls: client.sessions, via: call }),
    async hasSession(sessionID, signal) {
      const asked = call(signal, (within) => client.sessions.activeRun(sessionID, within));
      return (await unless(['session_not_found'], asked)) !== undefined;
    },
    ...createRemoteRuns({ client, calls, waiters, secrets, until }),
    ...remoteOperations(providerOperations, ['transcribe', 'takesFile'], {
      calls: client.providers,
      via: call,
    }),
    ...remoteOperations(placeOperations, ['setPlaceNames'], { calls: client.places, via: call }),
    keepOnly: copies.keepOnly,
    ...ofRuns,
    async delivered(delivery, how) {
      await ofRuns.delivered(delivery, how);
      transfers.drop(delivery.runID);
      await copies.drop(delivery.runID);
    },
    amend: (amendment, how) => ofRuns.amend(secrets.maskAll(amendment), how),
    ...remoteOperations(gatewayMemoryOperations, ['setRooms', 'forgetTurns'], {
      calls: client.memory,
      via: call,
    }),
    async forgetNote({ memoryID, audience }, signal) {
      const asked = call(signal, (within) => client.memory.delete(memoryID, { audience }, within));
      await unless(['memory_not_found'], asked);
    },
    ...remoteOperations(permissionOperations, ['permissions', 'replyPermission'], {
      calls: client.permissions,
      via: call,
    }),
    ...remoteOperations(questionOperations, ['questions', 'replyQuestion', 'rejectQuestion'], {
      calls: client.questions,
      via: call,
    }),
    events: ({ sessionID, runID }, signal) => hub.listen({ sessionID, runID }, until(signal)),
    /** As the engine says at this moment: one that is out of reach is not waited for, and not ready. */
    async health() {
      const health = await asked();
      const { ready = false, model = 'unknown', activeRuns = 0 } = health ?? {};
      return { ready, version, model, activeRuns };
    },
    async close() {
      closing.abort(new DOMException('The connection to the engine is closed.', 'AbortError'));
      await link.ended;
    },
  };
}
