// The files of runs, written as the runs go: a projection of their durable events that catches up after a crash. Not replay.
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ActiveProblems } from '#base/active-problems.ts';
import type { Clock } from '#base/clock.ts';
import { codeOf, errorMessage, hintOf, ParleyError } from '#base/errors.ts';
import { storageHint } from '#base/files/disk-failures.ts';
import type { DiskStep } from '#base/files/disk-steps.ts';
import { type DiskThread, diskThread } from '#base/files/disk-thread.ts';
import type { NewId } from '#base/ids.ts';
import type { Log } from '#base/log/log.ts';
import { backoffMs } from '#base/waiting/async.ts';
import { yieldToEventLoop } from '#base/waiting/yield-to-event-loop.ts';
import type { EventLog } from '#engine/events/event-log.ts';
import type { EngineEvent } from '#engine/wire/event.ts';
import { type Blackboard, type BlackboardPatch, emptyBoard, foldPatch, patchesOf } from './blackboard.ts';
import { replayRun } from './replay.ts';
import { checkpointStep, endTornLines, folderSteps, lineSteps, runFolder, stateSteps } from './run-folder.ts';
import { emptyState, fileEventOf, foldEvent, type RunFileEvent, type RunState } from './run-state.ts';

export interface RunFiles {
  /** Something durable has happened in a run: its files follow soon. */
  noticed(event: EngineEvent): void;
  /** Resolves when the files of the run have everything that has happened in it. */
  caughtUp(runID: string): Promise<void>;
  remove(runIDs: readonly string[]): Promise<void>;
  /** Removes the files, changes the events that they are made of, and writes them again; a run whose files no longer exist gets none. */
  rewrite(runID: string, change: () => Promise<void>): Promise<void>;
  settled(): Promise<void>;
}

interface CachedRun {
  state: RunState;
  board: Blackboard;
}

const page = 500;
/** What happens within this time is written together: most short runs are written once, when they are over. */
const togetherMs = 200;
/** Events between two checkpoints, and between two writes of the state of a run that continues. */
const checkpointEvery = 50;

/** Between two attempts to write what could not be written. */
const retry = { firstMs: 1_000, capMs: 60_000 };

/**
 * The files under `home`, fed from the event log. What a disk, or a system with too few file handles, refuses is logged and among the
 * problems until it is written: it is tried again, and the runs themselves do not wait for it.
 */
export function createRunFiles(options: {
  home: string;
  events: EventLog;
  newId: NewId;
  clock: Clock;
  problems: ActiveProblems;
  log: Log;
}): RunFiles {
  const { home, events, newId, clock, problems, log } = options;
  const place = join(home, runFolder);
  const thread = diskThread();
  /** Of runs that continue; one that has ended is read again from its files if ever needed. */
  const saved = new Map<string, CachedRun>();
  const queues = new Map<string, Promise<void>>();
  /** Runs whose files follow in a moment. */
  const soon = new Map<string, NodeJS.Timeout>();
  /** Runs that began just now: they have no files, and to ask the disk for a folder that is not there takes longer than one that is. */
  const fresh = new Set<string>();
  /** Runs whose files could not be written. */
  const behind = new Set<string>();
  const closed = new AbortController();
  let retrying: Promise<void> | undefined;

  const write = async (runID: string): Promise<void> => {
    const folder = join(home, runFolder, runID);
    const before = saved.get(runID);
    const known = fresh.delete(runID) ? emptyStart(runID) : before;
    let now = known ?? (await load(home, runID, thread));
    let isThere = before !== undefined;
    for (let isMore = true; isMore; ) {
      const happened = events.page({ runID }, { afterSeq: now.state.last_source_seq, limit: page });
      if (happened.length === 0) break;
      isMore = happened.length === page;
      const steps: DiskStep[] = isThere ? [] : folderSteps(folder);
      isThere = true;
      const lines: { events: RunFileEvent[]; patches: BlackboardPatch[] } = { events: [], patches: [] };
      const checkpointed = Math.floor(now.state.last_event_seq / checkpointEvery);
      for (const event of happened) {
        const line = fileEventOf(now.state, event);
        const patches = patchesOf(line, now.state.last_patch_seq);
        lines.events.push(line);
        lines.patches.push(...patches);
        now = {
          state: foldEvent(now.state, line, patches.length),
          board: patches.reduce(foldPatch, now.board),
        };
      }
      steps.push(...lineSteps(folder, lines));
      const { state, board } = now;
      const ended = state.finished_at_ms !== undefined;
      const due = Math.floor(state.last_event_seq / checkpointEvery) > checkpointed;
      if (ended || due || checkpointed === 0) steps.push(...stateSteps(folder, now));
      if (due || ended) {
        const ts_ms = lines.events.at(-1)?.ts_ms ?? 0;
        const reason = ended ? 'the run has ended' : `${checkpointEvery} events`;
        const id = newId('cp').replace('_', '-');
        const at = { run_id: runID, seq: state.last_event_seq, ts_ms, reason };
        steps.push(checkpointStep(folder, { checkpoint_id: id, ...at, run_state: state, blackboard: board }));
      }
      await thread.carryOut(steps);
    }
    if (now.state.finished_at_ms === undefined) saved.set(runID, now);
    else saved.delete(runID);
  };

  const written = (runID: string): void => {
    behind.delete(runID);
    if (behind.size === 0) problems.clear(place);
  };

  /** Until nothing is behind, or the program ends. */
  const catchUp = async (): Promise<void> => {
    for (let attempt = 1; behind.size > 0 && !closed.signal.aborted; attempt += 1) {
      await clock.sleep(backoffMs(attempt, retry), closed.signal).catch(() => undefined);
      // one after the other: each of them takes file handles
      for (const runID of closed.signal.aborted ? [] : [...behind]) await enqueue(runID);
    }
    retrying = undefined;
  };

  const enqueue = (runID: string): Promise<void> => {
    clearTimeout(soon.get(runID));
    soon.delete(runID);
    const before = queues.get(runID) ?? Promise.resolve();
    const next = before
      .then(yieldToEventLoop)
      .then(() => write(runID))
      .then(() => written(runID))
      .catch((error: unknown) => {
        // What was stored in mind may be ahead of the files: they are read again.
        saved.delete(runID);
        log.error({ runID, error: errorMessage(error) }, 'the files of a run could not be written');
        behind.add(runID);
        problems.note(place, problemOf(place, error));
        retrying ??= catchUp();
      })
      .finally(() => {
        if (queues.get(runID) === next) queues.delete(runID);
      });
    queues.set(runID, next);
    return next;
  };

  const remove = async (runID: string): Promise<void> => {
    clearTimeout(soon.get(runID));
    soon.delete(runID);
    fresh.delete(runID);
    await queues.get(runID);
    saved.delete(runID);
    written(runID);
    await rm(join(home, runFolder, runID), { recursive: true, force: true });
  };

  return {
    noticed({ type, envelope }) {
      const { run_id, seq } = envelope;
      if (run_id !== null && type === 'session.run.started') fresh.add(run_id);
      if (run_id === null || seq === null || soon.has(run_id)) return;
      soon.set(
        run_id,
        setTimeout(() => void enqueue(run_id), togetherMs),
      );
    },
    caughtUp: enqueue,
    async remove(runIDs) {
      for (const runID of runIDs) await remove(runID);
    },
    async rewrite(runID, change) {
      const isPending = soon.has(runID);
      await queues.get(runID);
      const wasThere = isPending || existsSync(join(home, runFolder, runID));
      // first, so that a process that ends in between leaves no file with what was changed
      await remove(runID);
      await change();
      if (wasThere) await enqueue(runID);
    },
    async settled() {
      closed.abort();
      await retrying;
      for (const runID of [...soon.keys(), ...behind]) void enqueue(runID);
      await Promise.all(queues.values());
    },
  };
}

/** How the run is in its files, the state of which follows its events; an empty start when there are none. */
async function load(home: string, runID: string, thread: DiskThread): Promise<CachedRun> {
  const folder = join(home, runFolder, runID);
  if (!existsSync(folder)) return emptyStart(runID);
  await endTornLines(folder);
  const { replay, replay_blackboard, persisted, persisted_blackboard } = await replayRun(home, runID);
  const now = { state: replay, board: replay_blackboard };
  // what a killed process did not come to write; a state that says something else is left, so that a check finds it
  const isBehind =
    persisted === null ||
    persisted_blackboard === null ||
    persisted.last_event_seq < replay.last_event_seq ||
    persisted_blackboard.revision < replay_blackboard.revision;
  if (isBehind) await thread.carryOut(stateSteps(folder, now));
  return now;
}

function problemOf(place: string, error: unknown): ParleyError {
  const why = errorMessage(error).replace(/\.$/, '');
  // a thread that could not be started says so alone
  const code = /\b(?:EMFILE|ENFILE)\b/.exec(why)?.[0] ?? codeOf(error);
  const words = `The files of runs in ${place} cannot be written: ${why}. The runs continue.`;
  return new ParleyError('run_files_unwritten', words, { hint: hintOf(error) ?? storageHint(code) });
}

function emptyStart(runID: string): CachedRun {
  return { state: emptyState(runID), board: emptyBoard };
}
