// The files of one run at a time, brought up to the events of it. When that is due is in run-files.ts.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { DiskStep } from '#base/files/disk-steps.ts';
import { type DiskThread, diskThread } from '#base/files/disk-thread.ts';
import type { NewId } from '#base/ids.ts';
import type { EventLog } from '#engine/events/event-log.ts';
import { type Blackboard, type BlackboardPatch, emptyBoard, foldPatch, patchesOf } from './blackboard.ts';
import { replayRun } from './replay.ts';
import { checkpointStep, endTornLines, folderSteps, lineSteps, runFolder, stateSteps } from './run-folder.ts';
import { emptyState, fileEventOf, foldEvent, type RunFileEvent, type RunState } from './run-state.ts';

interface CachedRun {
  state: RunState;
  board: Blackboard;
}

interface RunWriter {
  /** The run has no files yet: to ask the disk for a folder that is not there takes longer than for one that is. */
  begun(runID: string): void;
  /** Writes what has happened in the run since the last time; one call for a run at a time. Rejects with what the disk refuses. */
  write(runID: string): Promise<void>;
  /** Reads the run from its files the next time. */
  forget(runID: string): void;
}

const page = 500;
/** Events between two checkpoints, and between two writes of the state of a run that continues. */
const checkpointEvery = 50;

/** The writer of the files under `home`. */
export function createRunWriter({
  home,
  events,
  newId,
}: {
  home: string;
  events: Pick<EventLog, 'page'>;
  newId: NewId;
}): RunWriter {
  const thread = diskThread();
  /** Of runs that continue; one that has ended is read again from its files if ever needed. */
  const saved = new Map<string, CachedRun>();
  const fresh = new Set<string>();
  return {
    begun: (runID) => void fresh.add(runID),
    async write(runID) {
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
          steps.push(
            checkpointStep(folder, { checkpoint_id: id, ...at, run_state: state, blackboard: board }),
          );
        }
        await thread.carryOut(steps);
      }
      if (now.state.finished_at_ms === undefined) saved.set(runID, now);
      else saved.delete(runID);
    },
    forget(runID) {
      saved.delete(runID);
      fresh.delete(runID);
    },
  };
}

/** The run as its files have it, with the state that follows from its events; an empty start when there are none. */
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

function emptyStart(runID: string): CachedRun {
  return { state: emptyState(runID), board: emptyBoard };
}
