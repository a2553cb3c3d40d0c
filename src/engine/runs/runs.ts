// The runs of this process: started, worked on, waited for, cancelled. What a run does is in answer.ts, how it ends in end.ts.
import type { Clock } from '#base/clock.ts';
import { ParleyError, wordsOf } from '#base/errors.ts';
import type { Log } from '#base/log.ts';
import type { Storage } from '#base/storage.ts';
import type { Provider, Providers } from '#engine/providers/provider.ts';
import { wireMessage } from '#engine/sessions/wire-shapes.ts';
import type { Engine, Run } from '#engine/wire/contract.ts';
import type { PromptOutcome } from '#engine/wire/prompt.ts';
import type { EngineService } from '#engine/wire/service.ts';
import { type AnswerParts, answer } from './answer.ts';
import { beginRun } from './begin.ts';
import { cancelled, endCompleted, endFailed, interrupted, overTime } from './end.ts';
import { createPartWriter } from './part-writer.ts';
import { publicRun, type StoredRun } from './run-rows.ts';
import type { RunTables } from './run-tables.ts';
import { until } from './until.ts';

export interface RunLimits {
  /** Of a whole run, tools included. */
  totalMs: number;
  /** Of one answer, in characters. */
  outputChars: number;
}

export interface Runs
  extends Pick<Engine, 'prompt' | 'getRun' | 'findRun' | 'finished' | 'cancel'>,
    Pick<EngineService, 'listRuns' | 'activeRuns' | 'cancelRun' | 'runMessages'> {
  active(): number;
  /** Stops all work; what was running is interrupted and can be started anew under its key. */
  close(): Promise<void>;
}

export interface RunsOptions {
  tables: RunTables;
  storage: Storage;
  parts: AnswerParts;
  providers: Providers;
  limits: RunLimits;
  agentName: string;
  clock: Clock;
  log: Log;
}

interface Working {
  run: StoredRun;
  stop: AbortController;
  lastActivityAtMs: number;
  /** Resolves when the work has stopped, however it ended, with the run as it then stood. */
  done: Promise<StoredRun>;
}

/** Passages of memory that are remembered with a run. */
const mostRecalled = 500;

/** The runs over their tables; nothing is recovered here, see interrupt.ts. */
export function createRuns(options: RunsOptions): Runs {
  const { tables, providers, log } = options;
  const { runs, usage } = tables;
  const shown = (run: StoredRun): Run => publicRun(run, usage.get(run.runID));
  const working = new Map<string, Working>();
  const closing = new AbortController();

  const start = (run: StoredRun, provider: Provider): void => {
    const entry: Working = {
      run,
      stop: new AbortController(),
      lastActivityAtMs: run.startedAtMs,
      done: Promise.resolve(run),
    };
    working.set(run.runID, entry);
    entry.done = work(options, entry, { provider, closing: closing.signal })
      .catch((error: unknown) => {
        // The disk refused to the last; the next start ends the run.
        log.error({ runID: run.runID, error: wordsOf(error) }, 'the end of a run could not be written');
      })
      .then(() => {
        working.delete(run.runID);
        return runs.get(run.runID) ?? run;
      });
  };

  const stop = async (entry: Working | undefined): Promise<boolean> => {
    if (entry === undefined) return false;
    entry.stop.abort(new ParleyError(cancelled, 'The run was cancelled.'));
    return (await entry.done).status === 'cancelled';
  };

  const outcomeOf = (run: StoredRun, status: 'started' | 'replayed'): PromptOutcome => ({
    status,
    runID: run.runID,
    messageID: run.userMessageID,
  });

  return {
    async prompt(sessionID, body, { idempotencyKey, retryInterrupted = false } = {}) {
      if (closing.signal.aborted) throw engineClosed();
      if (body.agent !== undefined && body.agent !== options.agentName)
        throw unknownAgent(body.agent, options);
      const provider = providers.resolve(body.model);
      const model = { providerID: provider.providerID, modelID: provider.modelID };
      const begun = beginRun(
        tables,
        {
          sessionID,
          body,
          agent: options.agentName,
          model,
          idempotencyKey,
          interrupted: retryInterrupted ? 'restart' : 'replay',
        },
        (runID) => working.has(runID),
      );
      switch (begun.status) {
        case 'started':
          start(begun.run, provider);
          return outcomeOf(begun.run, 'started');
        case 'replayed':
          return outcomeOf(begun.run, 'replayed');
        case 'conflict': {
          const { runID, startedAtMs } = begun.active;
          const lastActivityAtMs = working.get(runID)?.lastActivityAtMs ?? startedAtMs;
          return { status: 'conflict', activeRun: { runID, startedAtMs, lastActivityAtMs } };
        }
      }
    },
    async getRun(runID) {
      const run = runs.get(runID);
      return run && shown(run);
    },
    async findRun(idempotencyKey) {
      const run = runs.ofKey(idempotencyKey);
      return run && shown(run);
    },
    listRuns: async (filter, page) => ({
      runs: runs.page(filter, page).map(shown),
      total: runs.count(filter),
    }),
    activeRuns: async () =>
      [...working.values()].map(({ run: { runID, sessionID, startedAtMs }, lastActivityAtMs }) => ({
        runID,
        sessionID,
        startedAtMs,
        lastActivityAtMs,
      })),
    async runMessages(runID) {
      const run = runs.get(runID);
      if (run === undefined) throw runNotFound(runID);
      const { sessions } = options.parts;
      const both = await Promise.all([
        sessions.message(run.userMessageID),
        sessions.message(run.assistantMessageID),
      ]);
      return both.filter((message) => message !== undefined).map(wireMessage);
    },
    async finished(runID, signal) {
      const entry = working.get(runID);
      const run = entry === undefined ? runs.get(runID) : await until(entry.done, signal);
      if (run === undefined) throw runNotFound(runID);
      // Only the closing of this engine, or its disk, interrupts a run that is being waited for; it can be started anew.
      const stopped = run.status === 'running' || (run.status === 'interrupted' && entry !== undefined);
      if (stopped) throw closing.signal.aborted ? engineClosed() : diskRefused(runID);
      return shown(run);
    },
    cancel: (sessionID) => stop([...working.values()].find(({ run }) => run.sessionID === sessionID)),
    cancelRun: (runID) => stop(working.get(runID)),
    active: () => working.size,
    async close() {
      closing.abort();
      const entries = [...working.values()];
      for (const { stop } of entries) stop.abort(new ParleyError(interrupted, 'The engine was closed.'));
      await Promise.all(entries.map(({ done }) => done));
    },
  };
}

/** Works on a run until its end is committed. */
async function work(
  options: RunsOptions,
  entry: Working,
  { provider, closing }: { provider: Provider; closing: AbortSignal },
): Promise<void> {
  const { tables, parts, limits, clock, log } = options;
  /** An end that the disk refuses is kept and written as soon as it can be: no model is asked twice for it. */
  const commit = (end: () => void): Promise<void> => options.storage.persist(end, closing);
  const { run, stop } = entry;
  const writer = createPartWriter(tables, run, limits.outputChars);
  const recalled = new Set<string>();
  const timer = new AbortController();
  clock.sleep(limits.totalMs, timer.signal).then(
    () => stop.abort(new ParleyError(overTime, `The run took longer than ${limits.totalMs} ms.`)),
    () => {}, // the run ended first
  );
  const ending = () => ({ run, writer, recalled: [...recalled].slice(0, mostRecalled) });
  try {
    const session = tables.conversation.sessions.get(run.sessionID);
    await answer(parts, {
      run,
      provider,
      remembers: session?.sourceKind === 'channel' && run.origin !== undefined,
      writer,
      signal: stop.signal,
      shown(passages, runIDs) {
        const earlier = runIDs.flatMap((runID) => tables.runs.get(runID)?.recalled ?? []);
        for (const passage of [...passages, ...earlier]) recalled.add(passage);
      },
      used: (usage) => tables.events.commit(() => tables.usage.add(run.runID, usage)),
      touch() {
        entry.lastActivityAtMs = clock.now();
      },
    });
    stop.signal.throwIfAborted();
    await endCompleted(tables, ending(), commit);
    log.info({ runID: run.runID, ms: clock.now() - run.startedAtMs }, 'run completed');
  } catch (error) {
    const cause = stop.signal.aborted ? stop.signal.reason : error;
    await endFailed(tables, ending(), { error: cause, log, commit });
  } finally {
    timer.abort();
  }
}

function engineClosed(): ParleyError {
  return new ParleyError('engine_closed', 'The engine is closed.', {
    cure: 'Start it again, then repeat the request.',
  });
}

function diskRefused(runID: string): ParleyError {
  return new ParleyError('storage_failed', `The run ${runID} could not be written.`, {
    cure: 'Mend what the status names (often a full disk), and prompt again.',
  });
}

function runNotFound(runID: string): ParleyError {
  return new ParleyError('run_not_found', `There is no run ${JSON.stringify(runID)}.`);
}

function unknownAgent(agent: string, { agentName }: RunsOptions): ParleyError {
  return new ParleyError(
    'unknown_agent',
    `There is no agent ${JSON.stringify(agent)}; the configured one is ${JSON.stringify(agentName)}.`,
    { cure: 'Leave `agent` out, or use that name.' },
  );
}
