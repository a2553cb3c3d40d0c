// Whether the files of a run agree with each other and with the database, and what was not looked at. How values differ is in differences.ts.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { counted } from '#base/text.ts';
import type { Difference, RunCheck } from '#engine/wire/runs/replay.ts';
import { type Blackboard, type BlackboardPatch, patchesOf } from './blackboard.ts';
import { differences, type RecordOfRun, unlikePatches, unlikeStored } from './differences.ts';
import {
  type Checkpoint,
  checkpointAfter,
  checkpointAt,
  checkpointName,
  isReadable,
  type RunLogs,
} from './run-folder.ts';
import { hasEnded, type RunFileEvent, type RunState } from './run-state.ts';

interface Moment {
  state: RunState;
  board: Blackboard;
}

/** A run folded from its logs, beside what was saved of it. */
export interface CheckedRun extends Moment {
  /** The checkpoint that it was folded from. */
  begun: Checkpoint | undefined;
  logs: RunLogs;
  events: readonly RunFileEvent[];
  patches: readonly BlackboardPatch[];
  /** After which events there are checkpoints, in order. */
  checkpoints: readonly number[];
  start: Moment;
  /** How the run was at the start, and after each event of which something is saved. */
  moments: ReadonlyMap<number, Moment>;
  persisted: { state: RunState | undefined; board: Blackboard | undefined };
}

const shownDifferences = 100;
const ownNames = {
  events: 'events.jsonl',
  patches: 'blackboard_patches.jsonl',
  state: 'run_state.json',
  board: 'blackboard.json',
} as const;
const names = { ...ownNames, database: 'engine.sqlite' } as const;
const statusOfRow = {
  completed: 'completed',
  error: 'failed',
  timeout: 'failed',
  interrupted: 'interrupted',
  cancelled: 'cancelled',
  running: undefined,
} as const;

/** Compares all files with the logs, and the logs with `stored` where it is given. */
export async function checkRun(
  folder: string,
  run: CheckedRun,
  options: { stored: RecordOfRun | undefined; uptoSeq: number },
): Promise<RunCheck> {
  const { logs, state, persisted } = run;
  const whole = options.uptoSeq >= (logs.events.at(-1)?.seq ?? 0);
  const ended =
    [state, persisted.state].some((each) => each !== undefined && hasEnded(each)) ||
    (options.stored !== undefined && options.stored.status !== 'running');
  // while a run goes on its state is written now and then
  const then = (ended ? undefined : run.moments.get(persisted.state?.last_event_seq ?? -1)) ?? run;
  const checkpoints = await checkpointDifferences(folder, run, options.uptoSeq);
  const missing = [...(await missingFiles(folder, run, whole && ended)), ...checkpoints.missing];
  const stored = storedDifferences(run, { ...options, whole });
  const all = [
    ...stored.found,
    ...strayLines(logs),
    ...patchDifferences(run, whole && ended),
    ...(whole ? savedDifferences(then, persisted) : []),
    ...checkpoints.found,
  ];
  const flags = { ...lackOf(run, missing), ...flagsOf(all), ...(whole ? savedFlags(then, persisted) : {}) };
  return {
    drift: { mismatch: Object.values(flags).some(Boolean), ...noSavedFlags, ...flags },
    differences: all.slice(0, shownDifferences),
    differences_left_off: Math.max(0, all.length - shownDifferences),
    missing_files: missing,
    not_looked_at: [...skippedOf(run, { whole, uptoSeq: options.uptoSeq }), ...stored.skipped],
  };
}

const noSavedFlags = {
  status_mismatch: false,
  why_next_step_mismatch: false,
  step_count_mismatch: false,
  agents_mismatch: false,
  last_event_mismatch: false,
  blackboard_revision_mismatch: false,
};

function savedFlags(then: Moment, { state, board }: CheckedRun['persisted']): typeof noSavedFlags {
  return {
    status_mismatch: then.state.status !== state?.status,
    why_next_step_mismatch: then.state.why_next_step !== state?.why_next_step,
    step_count_mismatch: then.state.steps.length !== state?.steps.length,
    agents_mismatch: !isDeepStrictEqual(then.state.agents, state?.agents),
    last_event_mismatch: then.state.last_event_seq !== state?.last_event_seq,
    blackboard_revision_mismatch: then.board.revision !== board?.revision,
  };
}

function flagsOf(all: readonly Difference[]) {
  const isIn = (fits: (file: string) => boolean): boolean => all.some(({ file }) => fits(file));
  return {
    events_mismatch: isIn((file) => file === names.events),
    patches_mismatch: isIn((file) => file === names.patches),
    state_mismatch: isIn((file) => file === names.state),
    blackboard_mismatch: isIn((file) => file === names.board),
    checkpoints_mismatch: isIn((file) => file.startsWith('checkpoints')),
    run_mismatch: isIn((file) => file === names.database),
  };
}

function lackOf({ logs }: CheckedRun, missing: readonly string[]) {
  return {
    missing_lines_mismatch: logs.missing > 0,
    unreadable_lines_mismatch: logs.unreadable.some(({ torn }) => !torn),
    missing_files_mismatch: missing.length > 0,
  };
}

/** Lines of a number that is there, and lines that are not in their place. */
function strayLines({ repeated, misplaced }: RunLogs): Difference[] {
  return [
    ...repeated.flatMap(({ file, seq, first, second }) =>
      // the same line twice differs in nothing: the second one should not be there
      differences(
        { file, seq },
        { expected: isDeepStrictEqual(first, second) ? null : first, found: second },
      ),
    ),
    ...misplaced.map(({ file, seq, line, before }) => ({
      ...{ file, seq, field: 'line', expected: before, found: line },
    })),
  ];
}

function patchDifferences({ events, patches, start, logs }: CheckedRun, isComplete: boolean): Difference[] {
  // while a run goes on its patches are written before their events
  const found = isComplete ? [...patches, ...logs.stray] : patches;
  return unlikePatches(events, found, start.state.last_patch_seq);
}

function savedDifferences(then: Moment, { state, board }: CheckedRun['persisted']): Difference[] {
  return [
    ...differences({ file: names.state }, { expected: then.state, found: state ?? null }),
    ...differences({ file: names.board }, { expected: then.board, found: board ?? null }),
  ];
}

/**
 * How checkpoints differ from what the events make, one after the other: a checkpoint has the whole run up to its event. `missing` are those
 * that a later one names.
 */
async function checkpointDifferences(
  folder: string,
  { moments, events, checkpoints, begun }: CheckedRun,
  uptoSeq: number,
): Promise<{ found: Difference[]; missing: string[] }> {
  const bySeq = new Map(events.map((event) => [event.seq, event]));
  const all: Difference[] = [];
  const missing: string[] = [];
  let before = begun?.seq ?? null;
  for (const seq of checkpoints.filter((each) => each > (begun?.seq ?? -1) && each <= uptoSeq)) {
    const [file, event, moment] = [checkpointName(seq), bySeq.get(seq), moments.get(seq)];
    const found = await checkpointAt(folder, seq);
    if (event === undefined || moment === undefined) {
      // of an event that the run does not have
      all.push(...differences({ file, seq }, { expected: null, found: found ?? 'no checkpoint' }));
      continue;
    }
    const named = found?.previous_seq ?? null;
    const isGone = named !== null && named > (before ?? 0) && named < seq;
    if (isGone) missing.push(checkpointName(named));
    const expected = checkpointAfter(moment, event, isGone ? named : before);
    all.push(...differences({ file, seq }, { expected, found: found ?? null }));
    before = seq;
  }
  return { found: all, missing };
}

/** What a run that has ended must have; of any other, only where something that cannot be read is in the place of a file. */
async function missingFiles(
  folder: string,
  { state, events, logs }: CheckedRun,
  isComplete: boolean,
): Promise<string[]> {
  const last = Math.max(state.last_event_seq, logs.events.at(-1)?.seq ?? 0);
  const wanted = [
    names.events,
    ...(events.some((event) => patchesOf(event, 0).length > 0) ? [names.patches] : []),
    ...[names.state, names.board, checkpointName(last)],
  ];
  const all = isComplete ? wanted : Object.values(ownNames).filter((name) => existsSync(join(folder, name)));
  const readable = await Promise.all(all.map((name) => isReadable(join(folder, name))));
  return all.filter((_, index) => !readable[index]);
}

function storedDifferences(
  { events, start, state, persisted }: CheckedRun,
  { stored, uptoSeq, whole }: { stored: RecordOfRun | undefined; uptoSeq: number; whole: boolean },
): { found: Difference[]; skipped: string[] } {
  if (stored === undefined) return { found: [], skipped: ['The database.'] };
  const writtenTo = Math.max(state.last_source_seq, persisted.state?.last_source_seq ?? 0);
  const from = { state: start.state, uptoSeq, writtenTo };
  const { found, notStored, notWritten } = unlikeStored(events, stored.events, from);
  const status = statusOfRow[stored.status];
  const isSame = status === undefined ? !hasEnded(state) : status === state.status;
  const compared = whole && notWritten === 0;
  const row = { session_id: stored.sessionID, status: isSame ? state.status : stored.status };
  const ofRun = differences(
    { file: names.database },
    { expected: { session_id: state.session_id, status: state.status }, found: row },
  );
  return {
    found: [...(compared ? ofRun : []), ...found],
    skipped: [
      ...(notStored === 0 ? [] : [`${counted(notStored, 'event')} that the database no longer has.`]),
      ...(notWritten === 0 ? [] : [`${counted(notWritten, 'event')} that the files do not have yet.`]),
    ],
  };
}

function skippedOf({ begun }: CheckedRun, { whole, uptoSeq }: { whole: boolean; uptoSeq: number }): string[] {
  return [
    ...(begun === undefined
      ? []
      : [`Events 1 to ${begun.seq}, their patches and checkpoints: the checkpoint stands for them.`]),
    ...(whole
      ? []
      : [`What came after event ${uptoSeq}, and ${names.state} and ${names.board}, which have it.`]),
  ];
}
