// A run as its files have it, and checked against what was stored about it. Reads only; needs no engine.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { ParleyError } from '#base/errors.ts';
import type { ReplayOptions } from '#engine/wire/service.ts';
import { type Blackboard, emptyBoard, foldPatch } from './blackboard.ts';
import { readCheckpoint, readLogs, readState, runFolder, type UnreadableLine } from './run-folder.ts';
import { emptyState, foldEvent, type RunState } from './run-state.ts';

interface Replay extends Record<string, unknown> {
  ok: true;
  run_id: string;
  from_checkpoint: boolean;
  checkpoint_seq: number | null;
  events_applied: number;
  blackboard_patches_applied: number;
  replay: RunState;
  replay_blackboard: Blackboard;
  persisted: RunState | null;
  persisted_blackboard: Blackboard | null;
  /** Lines of the logs that were passed over. A torn one does no harm as long as its event was written again. */
  unreadable_lines: UnreadableLine[];
  /** Events and patches that the logs must have had, since they have later ones. */
  missing_lines: number;
  /** Compared only when everything was replayed: an earlier moment differs by its nature. */
  drift: {
    mismatch: boolean;
    status_mismatch: boolean;
    why_next_step_mismatch: boolean;
    step_count_mismatch: boolean;
    agents_mismatch: boolean;
    last_event_mismatch: boolean;
    blackboard_revision_mismatch: boolean;
    missing_lines_mismatch: boolean;
  };
}

/** Replays the run under `home`; a ParleyError `run_files_not_found` when there are no files of it. */
export async function replayRun(home: string, runID: string, options: ReplayOptions = {}): Promise<Replay> {
  const folder = join(home, runFolder, runID);
  if (!/^run_\w+$/.test(runID) || !existsSync(folder)) {
    throw new ParleyError('run_files_not_found', `There are no files of a run ${JSON.stringify(runID)}.`, {
      hint: 'Runs are deleted after a while; look into the folder context_runs of the home folder.',
    });
  }
  const { uptoSeq = Number.MAX_SAFE_INTEGER, from = 'checkpoint' } = options;
  const begun = from === 'checkpoint' ? await readCheckpoint(folder, uptoSeq) : undefined;
  const logs = await readLogs(folder);
  const start = begun?.seq ?? 0;
  const events = logs.events.filter(({ seq }) => seq > start && seq <= uptoSeq);
  const patches = logs.patches.filter(({ source_event_seq: seq }) => seq > start && seq <= uptoSeq);
  const state = events.reduce(
    (folded, event) =>
      foldEvent(folded, event, patches.filter((patch) => patch.source_event_seq === event.seq).length),
    begun?.run_state ?? emptyState(runID),
  );
  const board = patches.reduce(foldPatch, begun?.blackboard ?? emptyBoard);
  const persisted = await readState(folder);
  const whole = state.last_event_seq === (logs.events.at(-1)?.seq ?? 0);
  return {
    ok: true,
    run_id: runID,
    from_checkpoint: begun !== undefined,
    checkpoint_seq: begun?.seq ?? null,
    events_applied: events.length,
    blackboard_patches_applied: patches.length,
    replay: state,
    replay_blackboard: board,
    persisted: persisted.state ?? null,
    persisted_blackboard: persisted.board ?? null,
    unreadable_lines: logs.unreadable,
    missing_lines: logs.missing,
    drift: driftOf({ state, board }, whole ? persisted : { state, board }, logs.missing),
  };
}

function driftOf(
  written: { state: RunState; board: Blackboard },
  saved: { state: RunState | undefined; board: Blackboard | undefined },
  missing: number,
): Replay['drift'] {
  const drift = {
    status_mismatch: written.state.status !== saved.state?.status,
    why_next_step_mismatch: written.state.why_next_step !== saved.state?.why_next_step,
    step_count_mismatch: written.state.steps.length !== saved.state?.steps.length,
    // files of an older version have no tree
    agents_mismatch:
      saved.state?.agents !== undefined && !isDeepStrictEqual(written.state.agents, saved.state.agents),
    last_event_mismatch: written.state.last_event_seq !== saved.state?.last_event_seq,
    blackboard_revision_mismatch: written.board.revision !== saved.board?.revision,
    missing_lines_mismatch: missing > 0,
  };
  return { mismatch: Object.values(drift).some(Boolean), ...drift };
}
