// The files of one run at a time, brought up to the events of it. When that is due is in run-files.ts.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { DiskStep } from '#base/files/disk-steps.ts';
import { diskThread } from '#base/files/disk-thread.ts';
import type { EventLog } from '#engine/events/event-log.ts';
import { type Blackboard, type BlackboardPatch, emptyBoard, foldPatch, patchesOf } from './blackboard.ts';
import type { CheckedRun } from './check-run.ts';
import { unlikeStored } from './differences.ts';
import { foldFiles } from './replay.ts';
import {
  checkpointAfter,
  checkpointEvery,
  checkpointStep,
  endTornLines,
  folderSteps,
  lineSteps,
  runFolder,
  stateSteps,
} from './run-folder.ts';
import {
  emptyState,
  fileEventOf,
  foldEvent,
  hasEnded,
  type RunFileEvent,
  type RunState,
} from './run-state.ts';

interface CachedRun {
  state: RunState;
  board: Blackboard;
  /** The last event with a checkpoint; null before the first one. */
  checkpoint: number | null;
}

/** A run as its files have it, with patches that stand there though their events do not yet. */
interface LoadedRun extends CachedRun {
  ahead: readonly BlackboardPatch[];
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

/** The writer of the files under `home`. */
export function createRunWriter({
  home,
  events,
}: {
  home: string;
  events: Pick<EventLog, 'page'>;
}): RunWriter {
  const thread = diskThread();
  /** Whether the events are those that follow in the run, as far as the database knows; after its end nothing follows that it does not know. */
  const areOfRun = (runID: string, lines: readonly RunFileEvent[], state: RunState): boolean => {
    const last = lines.at(-1);
    if (last === undefined) return true;
    const after = { afterSeq: state.last_source_seq, limit: Math.max(page, lines.length) };
    const stored = events.page({ runID }, after);
    const upto = { state, uptoSeq: last.seq, writtenTo: last.source_seq };
    const { found, notStored } = unlikeStored(lines, stored, upto);
    const follow = lines.every(({ source_seq }) => source_seq > state.last_source_seq);
    return follow && found.length === 0 && (notStored === 0 || !hasEnded(state));
  };
  /**
   * The run as its files have it, with the state that follows from its events; an empty start when there are none. Lines that someone else
   * has added are left out, and left where they are, so that a replay names them.
   */
  const load = async (runID: string): Promise<LoadedRun> => {
    const folder = join(home, runFolder, runID);
    if (!existsSync(folder)) return emptyStart(runID);
    await endTornLines(folder);
    const short = await foldFiles(folder, runID, { from: 'checkpoint' });
    // one that someone edited would be taken over by the state, and by what is written next
    const whole = isOfRun(short) ? short : await foldFiles(folder, runID, { from: 'start' });
    const { events: later, persisted, start, logs, checkpoints, ...folded } = whole;
    const savedTo = persisted.state?.last_event_seq ?? 0;
    const told = Math.max(logs.events.at(-1)?.seq ?? 0, savedTo);
    const checkpoint = checkpoints.findLast((seq) => seq <= told) ?? null;
    const isNewer = savedTo > start.state.last_event_seq;
    const { state = start.state, board = start.board } = isNewer ? persisted : {};
    const unsaved = later.filter(({ seq }) => seq > state.last_event_seq);
    if (!areOfRun(runID, unsaved, state)) return { state, board, checkpoint, ahead: [] };
    const now = { state: folded.state, board: folded.board, checkpoint, ahead: logs.stray };
    // what a killed process did not come to write; a state that is missing next to a checkpoint is left, so that a replay names it
    const isUnwritten = savedTo < now.state.last_event_seq && savedTo >= (checkpoint ?? 0);
    if (isUnwritten) {
      const last = hasEnded(now.state) ? later.at(-1) : undefined;
      const ended =
        last === undefined ? [] : [checkpointStep(folder, checkpointAfter(now, last, checkpoint))];
      await thread.carryOut([...folderSteps(folder), ...stateSteps(folder, now), ...ended]);
    }
    return now;
  };
  /** Of runs that continue; one that has ended is read again from its files if ever needed. */
  const saved = new Map<string, CachedRun>();
  const fresh = new Set<string>();
  return {
    begun: (runID) => void fresh.add(runID),
    async write(runID) {
      const folder = join(home, runFolder, runID);
      const before = saved.get(runID);
      const known = fresh.delete(runID) ? emptyStart(runID) : before;
      const { ahead, ...loaded }: LoadedRun =
        known === undefined ? await load(runID) : { ...known, ahead: [] };
      const isThereYet = (patch: BlackboardPatch): boolean =>
        ahead.some((each) => isDeepStrictEqual(each, patch));
      let now: CachedRun = loaded;
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
          lines.patches.push(...patches.filter((patch) => !isThereYet(patch)));
          now = {
            ...now,
            state: foldEvent(now.state, line, patches.length),
            board: patches.reduce(foldPatch, now.board),
          };
        }
        steps.push(...lineSteps(folder, lines));
        const due = Math.floor(now.state.last_event_seq / checkpointEvery) > checkpointed;
        if (hasEnded(now.state) || due || checkpointed === 0) steps.push(...stateSteps(folder, now));
        const last = due || hasEnded(now.state) ? lines.events.at(-1) : undefined;
        // after the state, so that where there is a checkpoint there was a state
        if (last !== undefined) {
          steps.push(checkpointStep(folder, checkpointAfter(now, last, now.checkpoint)));
          now = { ...now, checkpoint: last.seq };
        }
        await thread.carryOut(steps);
      }
      if (hasEnded(now.state)) saved.delete(runID);
      else saved.set(runID, now);
    },
    forget(runID) {
      saved.delete(runID);
      fresh.delete(runID);
    },
  };
}

/**
 * Whether the numbers of the checkpoint that it begins from are those of the lines up to it, or of the state that was saved with it: of
 * the three someone has edited the one that differs. Of lines that are gone nothing is known.
 */
function isOfRun({ begun, logs, persisted }: CheckedRun): boolean {
  if (begun === undefined) return true;
  const { seq, run_state: state } = begun;
  const event = logs.events.find((line) => line.seq === seq);
  const patch = logs.patches.findLast(({ source_event_seq: source }) => source <= seq);
  const numbers = [seq, state.last_source_seq, state.last_patch_seq];
  const told = event === undefined ? undefined : [seq, event.source_seq, patch?.seq ?? 0];
  const { last_event_seq, last_source_seq, last_patch_seq } = persisted.state ?? {};
  return (
    state.last_event_seq === seq &&
    (told === undefined ||
      isDeepStrictEqual(numbers, told) ||
      isDeepStrictEqual(numbers, [last_event_seq, last_source_seq, last_patch_seq]))
  );
}

function emptyStart(runID: string): LoadedRun {
  return { state: emptyState(runID), board: emptyBoard, checkpoint: null, ahead: [] };
}
