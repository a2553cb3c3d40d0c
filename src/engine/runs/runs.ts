// The runs of this process: started, worked on, waited for, cancelled. What a run does is in answer.ts, how it ends in end.ts.
import { errorMessage, ParleyError } from '#base/errors.ts';
import { partitionOf } from '#engine/context/agents.ts';
import type { EventDraft } from '#engine/events/event-store.ts';
import { requestHashOf } from '#engine/sessions/same-request.ts';
import { wireMessage } from '#engine/sessions/wire-shapes.ts';
import type { Engine, Run } from '#engine/wire/contract.ts';
import type { PromptOutcome } from '#engine/wire/prompt.ts';
import type { EngineService } from '#engine/wire/service.ts';
import { type Begun, beginRun, type StartRunInput } from './begin.ts';
import { cancelledReason, interrupted } from './end.ts';
import { type ActiveRunState, executeRun, type HowToAnswer } from './execute-run.ts';
import { publicRun } from './public-run.ts';
import type { StoredRun } from './run-row.ts';
import type { RunsOptions } from './runs-options.ts';
import { stillThere } from './session-provider.ts';
import { withAbort } from './with-abort.ts';

export interface Runs
  extends Pick<Engine, 'prompt' | 'getRun' | 'finished' | 'cancel' | 'cancelRun'>,
    Pick<EngineService, 'listRuns' | 'activeRuns' | 'findRun' | 'runMessages'> {
  active(): number;
  /** The parts that are being written. */
  unfinished(): EventDraft[];
  /** Begins a run again that its process left behind, unless something was written in its session since. */
  revive(runID: string): Promise<void>;
  /** Stops all work; what was running is interrupted and can be started again under its key. */
  close(): Promise<void>;
}

/** A beginning that shares a commit with others: the session knows its run before this process works on it. */
interface Uncommitted {
  sessionID: string;
  runID?: string;
  committed: Promise<unknown>;
}

/** The runs over their tables; nothing is recovered here, see interrupt.ts. */
export function createRuns(options: RunsOptions): Runs {
  const { tables, providers, log } = options;
  const { runs, usage } = tables;
  const shown = (run: StoredRun): Run => ({
    ...publicRun(run, usage.get(run.runID)),
    ...artifactsOf(options, run.runID),
  });
  const working = new Map<string, ActiveRunState>();
  const beginnings = new Set<Uncommitted>();
  const closing = new AbortController();

  const start = (run: StoredRun, how: HowToAnswer): void => {
    const entry: ActiveRunState = {
      run,
      stop: new AbortController(),
      lastActivityAtMs: run.startedAtMs,
      sent: undefined,
      unfinished: () => undefined,
      done: Promise.resolve(run),
    };
    working.set(run.runID, entry);
    entry.done = executeRun(options, entry, { ...how, closing: closing.signal })
      .catch((error: unknown) => {
        // The disk refused to the last; the next start ends the run.
        log.error({ runID: run.runID, error: errorMessage(error) }, 'the end of a run could not be written');
      })
      .then(() => {
        working.delete(run.runID);
        if (entry.sent !== undefined) options.sent(run.sessionID, entry.sent);
        return runs.get(run.runID) ?? run;
      });
  };

  const isWorking = (runID: string): boolean =>
    working.has(runID) || [...beginnings].some((one) => one.runID === runID);
  /** Commits the beginning of a run together with those of other sessions in this moment; a run is worked on as soon unchanged. */
  const begin = async (beginning: StartRunInput, how: HowToAnswer): Promise<Begun> => {
    const committed = tables.events.together(
      (record) => {
        const begun = beginRun(tables, beginning, { record, isWorking });
        if (begun.status === 'started') one.runID = begun.run.runID;
        return begun;
      },
      (begun) => {
        if (begun.status === 'started') start(begun.run, how);
      },
    );
    const one: Uncommitted = { sessionID: beginning.sessionID, committed };
    beginnings.add(one);
    try {
      return await committed;
    } finally {
      beginnings.delete(one);
    }
  };

  /** Resolves when no beginning waits for its commit, in the session or anywhere. */
  const allBegun = async (sessionID?: string): Promise<void> => {
    const awaited = [...beginnings].filter((one) => sessionID === undefined || one.sessionID === sessionID);
    await Promise.allSettled(awaited.map(({ committed }) => committed));
  };

  const stop = async (entry: ActiveRunState | undefined): Promise<boolean> => {
    if (entry === undefined) return false;
    entry.stop.abort(new ParleyError(cancelledReason, 'The run was cancelled.'));
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
      const agent = options.instances.agentOf(sessionID, idempotencyKey) ?? options.agents.of(body);
      const chosen = body.model ?? tables.conversation.sessions.get(sessionID)?.chosenModel;
      const provider = providers.resolve(chosen ?? agent.model);
      const model = { providerID: provider.providerID, modelID: provider.modelID };
      // a gateway's key is its batch, and what is around the words in it may have changed since
      const requestHash = body.origin === undefined ? requestHashOf(body) : undefined;
      const begun = await begin(
        {
          sessionID,
          body,
          agent: agent.name,
          partition: partitionOf(agent) ?? '',
          model,
          idempotencyKey,
          requestHash,
          retryInterrupted,
        },
        { provider, agent, roomContext: body.roomContext },
      );
      switch (begun.status) {
        case 'started':
        case 'replayed':
          return outcomeOf(begun.run, begun.status);
        case 'conflict': {
          const { runID, startedAtMs } = begun.active;
          const lastActivityAtMs = working.get(runID)?.lastActivityAtMs ?? startedAtMs;
          return { status: 'conflict', activeRun: { runID, startedAtMs, lastActivityAtMs } };
        }
      }
    },
    async revive(runID) {
      const again = runs.get(runID);
      if (again?.status !== 'interrupted' || closing.signal.aborted) return;
      const { sessionID: of, idempotencyKey: key } = again;
      const agent = options.instances.agentOf(of, key) ?? options.agents.named(again.agent);
      const provider = stillThere(providers, again.model) ?? providers.resolve(agent.model);
      const model = { providerID: provider.providerID, modelID: provider.modelID };
      const { sessionID, idempotencyKey } = again;
      await begin(
        {
          sessionID,
          body: { parts: [] },
          agent: agent.name,
          partition: partitionOf(agent) ?? '',
          model,
          idempotencyKey,
          retryInterrupted: true,
          again,
        },
        { provider, agent },
      );
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
      const run = entry === undefined ? runs.get(runID) : await withAbort(entry.done, signal);
      if (run === undefined) throw runNotFound(runID);
      // Only the closing of this engine, or its disk, interrupts a run that is being waited for; it can be started again.
      const stopped = run.status === 'running' || (run.status === 'interrupted' && entry !== undefined);
      if (stopped) throw closing.signal.aborted ? engineClosed() : diskRefused(runID);
      return shown(run);
    },
    async cancel(sessionID) {
      await allBegun(sessionID);
      return stop([...working.values()].find(({ run }) => run.sessionID === sessionID));
    },
    cancelRun: (runID) => stop(working.get(runID)),
    active: () => working.size,
    unfinished: () => [...working.values()].flatMap((entry) => entry.unfinished() ?? []),
    async close() {
      closing.abort();
      await allBegun();
      const entries = [...working.values()];
      for (const { stop } of entries) stop.abort(new ParleyError(interrupted, 'The engine was closed.'));
      await Promise.all(entries.map(({ done }) => done));
    },
  };
}

function artifactsOf({ artifacts }: RunsOptions, runID: string): Pick<Run, 'artifacts'> {
  const files = artifacts.ofRun(runID);
  return files.length === 0 ? {} : { artifacts: files };
}

function engineClosed(): ParleyError {
  return new ParleyError('engine_closed', 'The engine is closed.', {
    hint: 'Start it again, then repeat the request.',
  });
}

function diskRefused(runID: string): ParleyError {
  return new ParleyError('storage_failed', `The run ${runID} could not be written.`, {
    hint: 'Mend what the status names (often a full disk), and prompt again.',
  });
}

function runNotFound(runID: string): ParleyError {
  return new ParleyError('run_not_found', `There is no run ${JSON.stringify(runID)}.`);
}
