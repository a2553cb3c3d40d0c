// One run at work: from its context to its committed end, whatever ends it.
import { codeOf, ParleyError } from '#base/errors.ts';
import type { Span, Tracing } from '#base/tracing.ts';
import type { Agent } from '#engine/context/agents.ts';
import type { Context } from '#engine/context/build.ts';
import { failureOf } from '#engine/providers/calls/failure.ts';
import type { CallUsage } from '#engine/providers/calls/price.ts';
import type { Provider } from '#engine/providers/provider.ts';
import type { Part } from '#engine/sessions/part-rows.ts';
import { addNotice, type RunNotice } from '#engine/wire/runs/notice.ts';
import type { StoredPrompt } from '#engine/wire/runs/run-prompt.ts';
import { generateAnswer } from './answer.ts';
import { endCompleted, endFailed, overTime } from './end.ts';
import type { RunInstance } from './instance.ts';
import { createPartWriter, type PartWriter } from './part-writer.ts';
import { createRunTimer } from './run-timer.ts';
import type { RunsOptions } from './runs-options.ts';
import type { StoredRun } from './tables/run-row.ts';

export interface ActiveRunState {
  run: StoredRun;
  stop: AbortController;
  lastActivityAtMs: number;
  /** How much of the conversation the prompt had; nothing before it was made. */
  sent: Pick<Context, 'leftOut' | 'fullness' | 'bounds'> | undefined;
  /** The part that is being written; undefined before there is one. */
  unfinished: PartWriter['unfinished'];
  /** Resolves when the work has stopped, however it ended, with the run as it then was. */
  done: Promise<StoredRun>;
}

/** What a run is given besides its prompt, and none of its rows holds. */
export interface HowToAnswer {
  provider: Provider;
  agent: Agent;
  roomContext?: readonly string[] | undefined;
}

/** Works on a run until its end is committed. */
export async function executeRun(
  options: RunsOptions,
  entry: ActiveRunState,
  how: HowToAnswer & { resumed: readonly Part[]; closing: AbortSignal },
): Promise<void> {
  const { tables, parts, limits, clock, log } = options;
  const { provider, agent, roomContext = [], resumed } = how;
  const { run, stop } = entry;
  const span = spanOf(run, options.tracing);
  let failure: string | undefined;
  const used: CallUsage[] = [];
  const addUsed = (): void => {
    for (const usage of used) tables.usage.add(run.runID, usage);
    instance?.note();
    tables.events.afterCommit(() => {
      used.length = 0;
    });
  };
  /** An end that the disk refuses is kept and written as soon as it can be: no model is asked twice for it. */
  const commit = (end: () => void): Promise<void> =>
    options.storage.persist(
      () =>
        tables.events.together(() => {
          end();
          addUsed();
        }),
      how.closing,
    );
  const writer = createPartWriter(tables, run, { limit: limits.outputChars, resumed });
  entry.unfinished = writer.unfinished;
  const recalled = new Set<string>();
  const seenRuns = new Set<string>();
  let made: StoredPrompt | undefined;
  const instance: RunInstance | undefined = options.instances.begin(run, () => timer.workedMs());
  const timer = createRunTimer({
    ...{ clock, ...timeOf(instance, limits.totalMs, stop) },
    tick() {
      try {
        writer.save();
      } catch {
        // what the disk refuses now is written with the whole part
      }
    },
  });
  const notices: RunNotice[] = [];
  const given = new Map<string, number>();
  let injected = 0;
  const ending = () => ({
    ...{ run, writer, notices, recalled: [...recalled], seenRuns: [...seenRuns] },
    given: { passages: [...given].map(([id, score]) => ({ id, score })), injected },
    made,
  });
  try {
    const session = tables.conversation.sessions.lasting(run.sessionID);
    const archived = session?.sourceKind === 'channel' && run.origin !== undefined;
    await generateAnswer(parts, {
      run,
      provider,
      agent,
      instance,
      roomContext,
      resumed,
      projectID: session?.projectID,
      remembers: archived && (agent.memory ?? 'full') === 'full',
      writer,
      span,
      signal: stop.signal,
      pause: timer.pause,
      shown(passages, runIDs) {
        for (const passage of passages) recalled.add(passage);
        for (const runID of runIDs) seenRuns.add(runID);
      },
      sent(conversation) {
        entry.sent = conversation;
      },
      injected(files) {
        injected = files;
      },
      found(passages) {
        for (const { id, score } of passages) given.set(id, Math.max(score, given.get(id) ?? 0));
      },
      noticed: (notice) => addNotice(notices, notice),
      used: (usage) => used.push(usage),
      calling: () => tables.events.commit(addUsed),
      tookOver: (next) => tables.events.commit(() => tables.runs.setModel(run.runID, next)),
      prompted(of) {
        made = of;
      },
      touch() {
        entry.lastActivityAtMs = clock.now();
      },
    });
    stop.signal.throwIfAborted();
    await endCompleted(tables, ending(), commit);
    log.info({ runID: run.runID, ms: clock.now() - run.startedAtMs }, 'run completed');
  } catch (error) {
    const cause = stop.signal.aborted ? stop.signal.reason : error;
    failure = codeOf(cause) ?? failureOf(cause).code;
    await endFailed(tables, ending(), { error: cause, log, commit });
  } finally {
    timer.end();
    span.end(failure);
  }
}

/** How long the run may work, and what ends it then: its own budget where that is the shorter one. */
function timeOf(instance: RunInstance | undefined, totalMs: number, stop: AbortController) {
  const ms = instance?.meter.ms() ?? totalMs;
  if (instance !== undefined && ms < totalMs)
    return { ms, over: () => stop.abort(instance.meter.timeOver()) };
  const why = `The run took longer than ${totalMs} ms.`;
  return { ms: totalMs, over: () => stop.abort(new ParleyError(overTime, why)) };
}

/** In the trace of a channel's turn, whose id is the run's key, or in a trace of its own. */
function spanOf({ runID, sessionID, idempotencyKey, origin, agent }: StoredRun, tracing: Tracing): Span {
  const attributes = { 'parley.run.id': runID, 'parley.session.id': sessionID, 'gen_ai.agent.name': agent };
  return origin === undefined || idempotencyKey === undefined
    ? tracing.root('run', { key: runID, attributes })
    : tracing.under(idempotencyKey).child('run', { attributes });
}
