// The engine over HTTP, as channels in another process need it: the same promises, stored through the client.
import { randomUUID } from 'node:crypto';
import type { ActiveProblems } from '#base/active-problems.ts';
import type { Clock } from '#base/clock.ts';
import { errorMessage, ParleyError } from '#base/errors.ts';
import type { Log } from '#base/log/log.ts';
import type { Secrets } from '#base/secrets.ts';
import { anySignal, backoffMs, createWaker, type Waker } from '#base/waiting/async.ts';
import { createClient } from '#engine/client/client.ts';
import { createSend, ParleyClientError } from '#engine/client/request.ts';
import type { Engine, Run } from '#engine/wire/contract.ts';
import type { PromptOutcome } from '#engine/wire/prompt.ts';
import { createArtifactCopies } from './artifact-copies.ts';
import { createEventHub } from './event-hub.ts';
import { toConnectionError } from './handshake.ts';
import { type LinkStatus, openLink } from './link.ts';
import { remoteCommands } from './remote-commands.ts';
import { createRemoteFiles } from './remote-files.ts';
import { remoteSchedules } from './remote-schedules.ts';
import { createTransfers } from './transfers.ts';

export interface RemoteEngineOptions {
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
  /** Where is noted what is between this process and the engine. */
  problems: ActiveProblems;
  /** Another `fetch`, for tests and proxies. */
  fetch?: typeof globalThis.fetch | undefined;
}

export interface EngineProblem {
  message: string;
  hint?: string;
  /** A file is damaged. */
  damaged?: true;
}

export interface RemoteEngine extends Engine {
  status(): LinkStatus;
  /** What is in the way of the engine at this moment, as it says itself; undefined while it cannot be asked. */
  problems(): Promise<readonly EngineProblem[] | undefined>;
  onChange(listener: () => void): () => void;
  /** Forgets the files of artifacts but those at these paths; before any of this process is fetched. */
  keepOnly(paths: readonly string[]): void;
}

/** A call that fails in passing is made again after so long. */
const retry = { firstMs: 100, capMs: 10_000 };
/** How long a request for the status waits for the engine, in milliseconds: less than its caller waits for an answer. */
const healthMs = 3_000;
/** Attempts at a call for which someone waits. */
const maxAtOnce = 3;
/** How often a run is looked up whose end was not reported. */
const lookMs = 30_000;
/** Refusals that concern the way to the engine and not what was requested from it. */
const ofTheWay = new Set(['UNAUTHORIZED', 'HOST_NOT_ALLOWED', 'NOT_FOUND', 'UNKNOWN']);

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
  const waiting = new Map<string, Set<Waker>>();
  const wakeAll = (wakers: Iterable<Waker> = []): void => {
    for (const waker of wakers) waker.wake();
  };
  const link = await openLink({
    send: createSend({ baseUrl, token, fetch: options.fetch }),
    baseUrl,
    version,
    clock,
    log,
    begun() {
      hub.begin();
      for (const wakers of waiting.values()) wakeAll(wakers); // the end of a run may have been missed
    },
    received(event) {
      hub.notify(event);
      if (event.type === 'session.run.finished') wakeAll(waiting.get(event.properties.runID));
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
  /** It can be reached, and says that it cannot do it now: its disk is full, say. */
  const refusing = `${baseUrl}, which answers`;

  const until = (signal: AbortSignal | undefined): AbortSignal =>
    signal === undefined ? closing.signal : AbortSignal.any([closing.signal, signal]);

  /** Calls until the engine has answered; what it refuses is thrown as a ParleyError with the engine's own code. */
  const call = async <T>(
    signal: AbortSignal | undefined,
    work: (within: { signal: AbortSignal }) => Promise<T>,
  ): Promise<T> => {
    using within = anySignal(closing.signal, signal);
    for (let attempt = 1; ; attempt += 1) {
      await link.up(within.signal);
      try {
        const result = await work(within);
        problems.clear(refusing);
        return result;
      } catch (error) {
        within.signal.throwIfAborted();
        if (!isPassing(error)) throw error instanceof ParleyClientError ? refusal(error) : error;
        if (error instanceof ParleyClientError) problems.note(refusing, toConnectionError(error, baseUrl));
        const waitMs = backoffMs(attempt, retry);
        log.warn({ attempt, waitMs, words: errorMessage(error) }, 'a call to the engine is made again');
        await clock.sleep(waitMs, within.signal);
      }
    }
  };
  /** The same; undefined where the engine answers with one of these codes. */
  const unless = async <T>(codes: readonly string[], work: Promise<T>): Promise<T | undefined> => {
    try {
      return await work;
    } catch (error) {
      if (error instanceof ParleyError && codes.includes(error.code)) return undefined;
      throw error;
    }
  };
  const getRun = (runID: string, signal?: AbortSignal): Promise<Run | undefined> =>
    unless(
      ['run_not_found'],
      call(signal, (within) => client.runs.get(runID, within)),
    );
  /** Safe to repeat when its answer is lost: what counts is how the run is after it. */
  const cancelRun = async (runID: string, signal?: AbortSignal): Promise<boolean> => {
    const run = await getRun(runID, signal);
    if (run?.status !== 'running') return false;
    await call(signal, (within) => client.sessions.cancelRun(run.sessionID, runID, within));
    return (await getRun(runID, signal))?.status === 'cancelled';
  };

  /** A command is answered by the engine of this moment: one that is out of reach, or failing, is not waited for. */
  const atOnce = async <T>(work: () => Promise<T>): Promise<T> => {
    const unreachable = (cause?: unknown): ParleyError =>
      new ParleyError('engine_unreachable', `The engine at ${baseUrl} cannot be reached.`, { cause });
    if (link.status().state !== 'up') throw unreachable();
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await work();
      } catch (error) {
        if (error instanceof ParleyClientError && !isPassing(error)) throw refusal(error);
        if (!isPassing(error)) throw error;
        if (attempt >= maxAtOnce) throw unreachable(error);
        await clock.sleep(backoffMs(attempt, retry), closing.signal);
      }
    }
  };

  /** What the engine says of itself; undefined while it cannot be asked, or does not answer at once. */
  const asked = async () => {
    if (link.status().state !== 'up') return undefined;
    return await client.health({ signal: AbortSignal.timeout(healthMs) }).catch(() => undefined);
  };

  return {
    ...remoteCommands(client, atOnce),
    ...remoteSchedules(client, { atOnce, call }),
    ...createRemoteFiles({ client, copies, transfers, call, unless, clock, closing: closing.signal }),
    status: link.status,
    onChange: link.onChange,
    problems: async () => (await asked())?.problems,
    createSession: (input, { idempotencyKey = randomUUID(), signal } = {}) =>
      call(signal, (within) => client.sessions.create(input, { idempotencyKey, ...within })),
    async hasSession(sessionID, signal) {
      const asked = call(signal, (within) => client.sessions.activeRun(sessionID, within));
      return (await unless(['session_not_found'], asked)) !== undefined;
    },
    prompt(sessionID, body, { idempotencyKey = randomUUID(), retryInterrupted = false, signal } = {}) {
      const { parts, ...rest } = { ...body, parts: secrets.maskAll(body.parts) };
      const how = { ...rest, idempotencyKey, retryInterrupted };
      return call(signal, async (within): Promise<PromptOutcome> => {
        try {
          const started = await client.sessions.promptAsync(sessionID, parts, { ...how, ...within });
          const { runID, messageID, idempotentReplay } = started;
          return { status: idempotentReplay === true ? 'replayed' : 'started', runID, messageID };
        } catch (error) {
          const activeRun = activeRunOf(error);
          if (activeRun !== undefined) return { status: 'conflict', activeRun };
          throw error;
        }
      });
    },
    transcribe: (request, signal) => call(signal, (within) => client.providers.transcribe(request, within)),
    takesFile: (file, signal) => call(signal, (within) => client.providers.takesFile(file, within)),
    keepOnly: copies.keepOnly,
    getRun,
    async finished(runID, signal) {
      const waker = createWaker();
      const wakers = waiting.get(runID) ?? new Set();
      waiting.set(runID, wakers.add(waker));
      try {
        for (;;) {
          const run = await getRun(runID, signal);
          if (run === undefined) throw new ParleyError('run_not_found', `There is no run ${runID}.`);
          if (run.status !== 'running') return run;
          await waker.wait(clock, lookMs, until(signal));
        }
      } finally {
        wakers.delete(waker);
        if (wakers.size === 0) waiting.delete(runID);
      }
    },
    async cancel(sessionID, signal) {
      const asked = call(signal, (within) => client.sessions.activeRun(sessionID, within));
      const active = await unless(['session_not_found'], asked);
      return active == null ? false : cancelRun(active.runID, signal);
    },
    cancelRun,
    async delivered({ runID, ...delivery }, signal) {
      await call(signal, (within) => client.runs.delivered(runID, delivery, within));
      transfers.drop(runID);
      await copies.drop(runID);
    },
    amend: (runID, amendment, signal) =>
      call(
        signal,
        async (within) => void (await client.runs.amend(runID, secrets.maskAll(amendment), within)),
      ),
    setRooms: (rooms, signal) =>
      call(signal, async (within) => void (await client.memory.setRooms(rooms, within))),
    forgetTurns: (turns, signal) =>
      call(signal, async (within) => void (await client.memory.forgetTurns(turns, within))),
    async forgetNote({ memoryID, audience }, signal) {
      const asked = call(signal, (within) => client.memory.delete(memoryID, { audience }, within));
      await unless(['memory_not_found'], asked);
    },
    permissions: () => call(undefined, client.permissions.list),
    async replyPermission(requestID, { reply, by }) {
      const answered = await call(undefined, () => client.permissions.reply(requestID, reply, by && { by }));
      return { reply: answered.reply };
    },
    questions: () => call(undefined, client.questions.list),
    async replyQuestion(id, { answer, by }) {
      const more = by && { by };
      await call(undefined, () =>
        answer === null ? client.questions.reject(id, more) : client.questions.reply(id, answer, more),
      );
      return { id };
    },
    events: ({ sessionID, runID }, signal) => hub.listen({ sessionID, runID }, until(signal)),
    /** As the engine says at this moment: one that is out of reach is not waited for, and not ready. */
    async health() {
      const told = await asked();
      const { ready = false, model = 'unknown', activeRuns = 0 } = told ?? {};
      return { ready, version, model, activeRuns };
    },
    async close() {
      closing.abort(new DOMException('The connection to the engine is closed.', 'AbortError'));
      await link.ended;
    },
  };
}

/** Whether the same call may succeed later: the connection broke, or the engine says so, or something between us and it answered. */
function isPassing(error: unknown): boolean {
  if (error instanceof ParleyClientError)
    return ((error.status === 0 || error.status >= 500) && error.retryable) || ofTheWay.has(error.code);
  // `fetch failed` and `terminated` have the socket's error as their cause; an answer that was cut is no JSON
  if (error instanceof TypeError) return error.cause !== undefined;
  return (
    error instanceof SyntaxError ||
    (error instanceof DOMException && /^(Timeout|Abort)Error$/.test(error.name))
  );
}

/** What the engine refused, as the engine in one process throws it. */
function refusal(cause: ParleyClientError): ParleyError {
  return new ParleyError(cause.code.toLowerCase(), cause.message, { ...cause, cause });
}

function activeRunOf(error: unknown) {
  if (!(error instanceof ParleyClientError) || error.code !== 'SESSION_RUN_CONFLICT') return undefined;
  const { runID, startedAtMs, lastActivityAtMs } = Object(error.details.activeRun);
  return typeof runID === 'string' ? { runID, startedAtMs, lastActivityAtMs } : undefined;
}
