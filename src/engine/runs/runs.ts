// The runs: begun from prompts, looked up, waited for, cancelled. What a run does is in answer.ts, how it ends in end.ts.
import { ParleyError } from '#base/errors.ts';
import { defined } from '#base/json.ts';
import { withAbort } from '#base/waiting/with-abort.ts';
import { partitionOf } from '#engine/context/agents.ts';
import type { EventDraft } from '#engine/events/event-store.ts';
import { requestHashOf } from '#engine/sessions/same-request.ts';
import { unknownSession } from '#engine/sessions/sessions.ts';
import { wireMessage } from '#engine/sessions/wire-shapes.ts';
import type { Engine, Run } from '#engine/wire/contract.ts';
import type { activeRunOperations, RunService } from '#engine/wire/run-operations.ts';
import type { PromptOutcome } from '#engine/wire/runs/prompt.ts';
import { endOfResumed } from '#engine/wire/runs/run.ts';
import { matchesTool, wrongToolName } from '#engine/wire/runs/tool-names.ts';
import type { TokenUsage } from '#engine/wire/runs/usage.ts';
import type { EngineService } from '#engine/wire/service.ts';
import { type ActiveRuns, createActiveRuns } from './active-runs.ts';
import type { Begun, StartRunInput } from './begin.ts';
import type { HowToAnswer } from './execute-run.ts';
import type { RunsOptions } from './runs-options.ts';
import { stillThere } from './session-provider.ts';
import { existingRun, runNotFound, type StoredRun } from './tables/run-row.ts';

export interface Runs
  extends Pick<Engine, 'prompt' | 'finished' | 'cancel' | 'cancelRun'>,
    Pick<EngineService, 'activeRuns' | 'findRun' | 'runMessages'>,
    Pick<RunService, 'getRun' | 'listRuns' | 'activeBySession' | keyof typeof activeRunOperations> {
  active(): number;
  /** The parts that are being written. */
  unfinished(): EventDraft[];
  /**
   * Resumes a run that its process left behind, unless something was written in its session since. The id of the run that goes on: the one
   * that resumes it, now or since an earlier call, or itself.
   */
  revive(runID: string): Promise<string>;
  /** Stops all work; what was running is interrupted and can be started again under its key. */
  close(): Promise<void>;
}

/** The runs over their tables; nothing is recovered here, see interrupt.ts. */
export function createRuns(options: RunsOptions): Runs {
  const { tables, providers } = options;
  const { runs, usage } = tables;
  const shown = (run: StoredRun): Run => ({
    ...publicRun(run, usage.get(run.runID)),
    ...defined({ resumedBy: run.status === 'interrupted' ? runs.resumedBy(run.runID) : undefined }),
    ...artifactsOf(options, run.runID),
  });
  /** With what it was asked and what people think of it, which is not read for those who wait for its end. */
  const described = (run: StoredRun): Run => {
    const feedback = tables.feedback.ofRun(run.runID);
    return {
      ...shown(run),
      ...tables.list.askedOf(run),
      ...defined({ deliveredAtMs: run.deliveredAtMs }),
      ...(feedback.length === 0 ? {} : { feedback }),
    };
  };
  const active = createActiveRuns(options);
  const begin = (
    input: Omit<StartRunInput, 'agent' | 'partition' | 'model'>,
    how: HowToAnswer,
  ): Promise<Begun> => {
    const { providerID, modelID } = how.provider;
    const partition = partitionOf(how.agent) ?? '';
    return active.begin({ ...input, agent: how.agent.name, partition, model: { providerID, modelID } }, how);
  };

  const outcomeOf = (run: StoredRun, status: 'started' | 'replayed'): PromptOutcome => ({
    status,
    runID: run.runID,
    messageID: run.userMessageID,
  });

  const endOf = async (runID: string, signal?: AbortSignal): Promise<Run> => {
    const entry = active.get(runID);
    const run = entry === undefined ? runs.get(runID) : await withAbort(entry.done, signal);
    if (run === undefined) throw runNotFound(runID);
    // Only the closing of this engine, or its disk, interrupts a run that is being waited for; it can be started again.
    const stopped = run.status === 'running' || (run.status === 'interrupted' && entry !== undefined);
    if (stopped) throw active.isClosing() ? engineClosed() : diskRefused(runID);
    return shown(run);
  };

  return {
    async prompt(sessionID, body, { idempotencyKey, retryInterrupted = false } = {}) {
      if (active.isClosing()) throw engineClosed();
      // a gateway's are those of the config, which was checked when it was read
      if (body.origin === undefined) refuseUnknownTools(options, body.toolAllowlist ?? []);
      const agent = options.instances.agentOf(sessionID, idempotencyKey) ?? options.agents.at(body);
      const chosen = body.model ?? tables.conversation.sessions.lasting(sessionID)?.chosenModel;
      const provider = providers.resolve(chosen ?? agent.model, agent.name);
      // a gateway's key names its batch, and what stands around the words in it may have changed since
      const requestHash = body.origin === undefined ? requestHashOf(body) : undefined;
      const begun = await begin(
        { sessionID, body, idempotencyKey, requestHash, retryInterrupted },
        { provider, agent, roomContext: body.roomContext },
      );
      switch (begun.status) {
        case 'started':
        case 'replayed':
          return outcomeOf(begun.run, begun.status);
        case 'conflict': {
          const { runID, startedAtMs } = begun.active;
          const lastActivityAtMs = active.get(runID)?.lastActivityAtMs ?? startedAtMs;
          return { status: 'conflict', activeRun: { runID, startedAtMs, lastActivityAtMs } };
        }
      }
    },
    async revive(runID) {
      const again = runs.get(runID);
      if (again?.status !== 'interrupted' || active.isClosing()) return runID;
      const { sessionID, idempotencyKey } = again;
      const agent = options.instances.agentOf(sessionID, idempotencyKey) ?? options.agents.named(again.agent);
      const provider = stillThere(providers, again) ?? providers.resolve(agent.model, agent.name);
      const begun = await begin(
        { sessionID, body: { parts: [] }, idempotencyKey, retryInterrupted: true, again },
        { provider, agent },
      );
      if (begun.status === 'started') return begun.run.runID;
      const newest = runs.newest(sessionID);
      return newest?.userMessageID === again.userMessageID ? newest.runID : runID;
    },
    async getRun({ runID }) {
      return described(existingRun(runs, runID));
    },
    async findRun(idempotencyKey) {
      const run = runs.ofKey(idempotencyKey);
      return run && shown(run);
    },
    listRuns: async ({ limit, offset, ...filter }) => ({
      runs: tables.list.page(filter, { limit, offset }).map(described),
      total: tables.list.count(filter),
    }),
    ...callsOnActive(active, options),
    async runMessages(runID) {
      const run = existingRun(runs, runID);
      const { sessions } = options.parts;
      const both = await Promise.all([
        sessions.message(run.userMessageID),
        sessions.message(run.assistantMessageID),
      ]);
      return both.filter((message) => message !== undefined).map(wireMessage);
    },
    finished: (runID, signal) => endOfResumed(runID, (each) => endOf(each, signal)),
    active: () => active.all().length,
    unfinished: () => active.all().flatMap((entry) => entry.unfinished() ?? []),
    close: active.close,
  };
}

/** The calls on the runs that are active now. */
function callsOnActive(
  active: ActiveRuns,
  { tables: { runs }, parts: { sessions } }: RunsOptions,
): Pick<Runs, keyof typeof activeRunOperations | 'activeBySession' | 'activeRuns' | 'cancel' | 'cancelRun'> {
  const activeRuns: Runs['activeRuns'] = async () =>
    active.all().map(({ run: { runID, sessionID, startedAtMs }, lastActivityAtMs }) => ({
      ...{ runID, sessionID, startedAtMs, lastActivityAtMs },
    }));
  const existing = async (sessionID: string): Promise<void> => {
    if (!(await sessions.has(sessionID))) throw unknownSession(sessionID);
  };
  const cancel = async (sessionID: string): Promise<boolean> => {
    await active.allBegun(sessionID);
    return active.cancel(active.all().find(({ run }) => run.sessionID === sessionID));
  };
  const cancelRun = (runID: string): Promise<boolean> => active.cancel(active.get(runID));
  const stopSession: Runs['stopSession'] = async ({ sessionID }) => {
    await existing(sessionID);
    return { ok: true, cancelled: await cancel(sessionID) };
  };
  return {
    ...{ activeRuns, cancel, cancelRun, stopSession, abortSession: stopSession },
    activeBySession: async () => Object.fromEntries((await activeRuns()).map((run) => [run.sessionID, run])),
    async activeRun({ sessionID }) {
      await existing(sessionID);
      return { active: (await activeRuns()).find((run) => run.sessionID === sessionID) ?? null };
    },
    async stopRun({ sessionID, runID }) {
      if (runs.get(runID)?.sessionID !== sessionID) throw runNotFound(runID);
      return { ok: true, cancelled: await cancelRun(runID) };
    },
  };
}

/** What a client may know of a run. */
function publicRun(run: StoredRun, usage: TokenUsage | undefined): Run {
  const { runID, sessionID, status, startedAtMs, finishedAtMs, text, failure, notices, agent, model } = run;
  return {
    ...{ runID, sessionID, status, startedAtMs, text },
    ...defined({ finishedAtMs, failure, notices, agent, model, usage }),
  };
}

function artifactsOf({ artifacts }: RunsOptions, runID: string): Pick<Run, 'artifacts'> {
  const files = artifacts.ofRun(runID);
  return files.length === 0 ? {} : { artifacts: files };
}

/** A run with none of the tools that its caller meant would answer all the same. */
function refuseUnknownTools({ parts, servers }: RunsOptions, named: readonly string[]): void {
  const known = named.length === 0 ? [] : parts.tools.list();
  const wrong = named.flatMap((name) =>
    known.some((tool) => matchesTool(name, tool.name)) ? [] : (wrongToolName(name, servers) ?? []),
  );
  if (wrong.length > 0) throw new ParleyError('unknown_tool', `tool_allowlist: ${wrong.join('; ')}.`);
}

function engineClosed(): ParleyError {
  return new ParleyError('engine_closed', 'The engine is closed.', {
    hint: 'Start it again, then repeat the request.',
  });
}

function diskRefused(runID: string): ParleyError {
  return new ParleyError('storage_failed', `The run ${runID} could not be written.`, {
    hint: 'Fix what the status names (often a full disk), and prompt again.',
  });
}
