// A run as its files have it, and checked against what was stored about it. Reads only; needs no engine.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ParleyError } from '#base/errors.ts';
import type { RunReplay } from '#engine/wire/runs/replay.ts';
import { emptyBoard, foldPatch } from './blackboard.ts';
import { type CheckedRun, checkRun } from './check-run.ts';
import type { RecordOfRun } from './differences.ts';
import { checkpointSeqs, readCheckpoint, readLogs, readState, runFolder } from './run-folder.ts';
import { emptyState, foldEvent, type RunState, runFilesFormat } from './run-state.ts';

interface ReplayOptions {
  /** The last event of the run that is replayed; all when absent. */
  uptoSeq?: number | undefined;
  from?: 'checkpoint' | 'start' | undefined;
}

/**
 * Replays the run under `home` from its first event, or from a checkpoint, and compares each of its files with that, and its events with
 * `stored`; a ParleyError `run_files_not_found` when there are no files of it.
 */
export async function replayRun(
  home: string,
  runID: string,
  { stored, ...options }: ReplayOptions & { stored?: RecordOfRun | undefined } = {},
): Promise<RunReplay> {
  const folder = join(home, runFolder, runID);
  if (!/^run_\w+$/.test(runID) || !existsSync(folder)) {
    throw new ParleyError('run_files_not_found', `There are no files of a run ${JSON.stringify(runID)}.`, {
      hint: 'Runs are deleted after a while; look into the folder context_runs of the home folder.',
    });
  }
  const folded = await foldFiles(folder, runID, options);
  const { begun, logs, events, patches, state, board, persisted } = folded;
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
    ...(await checkRun(folder, folded, { stored, uptoSeq: options.uptoSeq ?? Number.MAX_SAFE_INTEGER })),
  };
}

/** The run as its logs tell it, up to an event, beside what was saved of it. */
export async function foldFiles(
  folder: string,
  runID: string,
  { uptoSeq = Number.MAX_SAFE_INTEGER, from = 'start' }: ReplayOptions,
): Promise<CheckedRun> {
  const [logs, persisted] = [await readLogs(folder), await readState(folder)];
  // the state is written before its checkpoint: one that neither the lines nor the state come to is not of the run
  const told = Math.max(logs.events.at(-1)?.seq ?? 0, persisted.state?.last_event_seq ?? 0);
  const checkpoints = await checkpointSeqs(folder);
  const begun = from === 'checkpoint' ? await readCheckpoint(folder, Math.min(uptoSeq, told)) : undefined;
  const first = begun?.seq ?? 0;
  const events = logs.events.filter(({ seq }) => seq > first && seq <= uptoSeq);
  const patches = logs.patches.filter(({ source_event_seq: seq }) => seq > first && seq <= uptoSeq);
  const made = Map.groupBy(patches, ({ source_event_seq: seq }) => seq);
  const saved = new Set([...checkpoints, persisted.state?.last_event_seq]);
  const state: RunState = { ...(begun?.run_state ?? emptyState(runID)), format: runFilesFormat };
  const start = { state, board: begun?.blackboard ?? emptyBoard };
  const moments = new Map([[first, start]]);
  let now = start;
  for (const event of events) {
    const its = made.get(event.seq) ?? [];
    now = { state: foldEvent(now.state, event, its.length), board: its.reduce(foldPatch, now.board) };
    if (saved.has(event.seq)) moments.set(event.seq, now);
  }
  return { begun, logs, events, patches, checkpoints, start, moments, ...now, persisted };
}
