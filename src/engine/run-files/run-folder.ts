// The folder of one run: its files by name, the steps that write them, and how they are read back though the last line may be torn.

import { access, appendFile, constants, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type ZodType, z } from 'zod';
import { codeOf } from '#base/errors.ts';
import type { DiskStep } from '#base/files/disk-steps.ts';
import { tryJson } from '#base/json.ts';
import { truncate } from '#base/text.ts';
import type { UnreadableLine } from '#engine/wire/runs/replay.ts';
import { type Blackboard, type BlackboardPatch, blackboard, blackboardPatch } from './blackboard.ts';
import { hasEnded, type RunFileEvent, type RunState, runFileEvent, runState } from './run-state.ts';

/** The folder inside the home folder. */
export const runFolder = 'context_runs';

/** Events between two checkpoints, and between two writes of the state of a run that continues. */
export const checkpointEvery = 50;

/** Of a line that cannot be read. */
const shownChars = 80;

const checkpoint = z.object({
  checkpoint_id: z.string(),
  run_id: z.string(),
  seq: z.number(),
  ts_ms: z.number(),
  reason: z.string(),
  /** The checkpoint before it, by which one that is gone is known; null of the first one. */
  previous_seq: z.number().nullish(),
  run_state: runState,
  blackboard,
});
export type Checkpoint = z.infer<typeof checkpoint>;

/** The folder of a run, with all that is in it at once. */
export function folderSteps(folder: string): DiskStep[] {
  // one after the other: for the inner one alone the system would make a call more
  return [
    { do: 'folder', path: folder },
    { do: 'folder', path: join(folder, 'checkpoints') },
  ];
}

/** Lines at the end of the two logs of a run: what they cost does not depend on how long the logs are. */
export function lineSteps(
  folder: string,
  { events, patches }: { events: readonly RunFileEvent[]; patches: readonly BlackboardPatch[] },
): DiskStep[] {
  const append = (name: string, values: readonly object[]): DiskStep[] => {
    if (values.length === 0) return [];
    const content = values.map((value) => `${JSON.stringify(value)}\n`).join('');
    return [{ do: 'append', path: join(folder, name), content }];
  };
  // The events last, since it is they that say how far the run was written.
  return [...append('blackboard_patches.jsonl', patches), ...append('events.jsonl', events)];
}

/** Ends a torn last line, so that what is appended next is a line of its own. */
export async function endTornLines(folder: string): Promise<void> {
  for (const name of ['events.jsonl', 'blackboard_patches.jsonl']) {
    const path = join(folder, name);
    const text = await readText(path);
    if (text !== '' && !text.endsWith('\n')) await appendFile(path, '\n');
  }
}

/** The state and the board, the state last. */
export function stateSteps(folder: string, now: { state: RunState; board: Blackboard }): DiskStep[] {
  return [
    { do: 'write', path: join(folder, 'blackboard.json'), content: JSON.stringify(now.board, null, 2) },
    { do: 'write', path: join(folder, 'run_state.json'), content: JSON.stringify(now.state, null, 2) },
  ];
}

/** How the run is after the event; all of it follows from the events and the checkpoint before, so that a replay knows each field. */
export function checkpointAfter(
  { state, board }: { state: RunState; board: Blackboard },
  { event_id, ts_ms }: RunFileEvent,
  previous: number | null,
): Checkpoint {
  return {
    checkpoint_id: event_id.replace(/^evt_/, 'cp-'),
    ...{ run_id: state.run_id, seq: state.last_event_seq, ts_ms },
    reason: hasEnded(state) ? 'the run has ended' : `${checkpointEvery} events`,
    previous_seq: previous,
    ...{ run_state: state, blackboard: board },
  };
}

/** Writes a checkpoint. */
export function checkpointStep(folder: string, saved: Checkpoint): DiskStep {
  return { do: 'write', path: join(folder, checkpointName(saved.seq)), content: JSON.stringify(saved) };
}

export interface RunLogs {
  events: RunFileEvent[];
  patches: BlackboardPatch[];
  /** Patches of events that the log does not have. */
  stray: BlackboardPatch[];
  unreadable: UnreadableLine[];
  /** Lines that have the number of a line before them. */
  repeated: Repeat[];
  /** Lines that stand behind one with a higher number. */
  misplaced: Misplaced[];
  /** How many events and patches are not in the logs though later ones are. */
  missing: number;
}

/** Two lines of one number. */
interface Repeat {
  file: string;
  seq: number;
  first: unknown;
  second: unknown;
}

/** Where a line is, and before which one it should be; lines count from 1. */
interface Misplaced {
  file: string;
  seq: number;
  line: number;
  before: number;
}

/** The lines of both logs by their numbers, each number once, and what is wrong with the lines. */
export async function readLogs(folder: string): Promise<RunLogs> {
  const [events, patches] = await Promise.all([
    readLines(folder, 'events.jsonl', runFileEvent),
    readLines(folder, 'blackboard_patches.jsonl', blackboardPatch),
  ]);
  const last = events.found.at(-1)?.seq ?? 0;
  // A patch whose event was not written any more belongs to what the next start writes again.
  const written = patches.found.filter(({ source_event_seq: source }) => source <= last);
  return {
    events: events.found,
    patches: written,
    stray: patches.found.filter(({ source_event_seq: source }) => source > last),
    unreadable: [...events.unreadable, ...patches.unreadable],
    repeated: [...events.repeated, ...patches.repeated],
    misplaced: [...events.misplaced, ...patches.misplaced],
    missing: gaps(events.found) + gaps(written),
  };
}

/** Both logs count from 1 without a gap. */
function gaps(entries: readonly { seq: number }[]): number {
  return (entries.at(-1)?.seq ?? 0) - entries.length;
}

/** What was written last; undefined where there is no such file, or none that can be read. */
export async function readState(
  folder: string,
): Promise<{ state: RunState | undefined; board: Blackboard | undefined }> {
  const [state, board] = await Promise.all([
    readWhole(join(folder, 'run_state.json'), runState),
    readWhole(join(folder, 'blackboard.json'), blackboard),
  ]);
  return { state, board };
}

/** The newest checkpoint at or before the event, if any. */
export async function readCheckpoint(folder: string, uptoSeq: number): Promise<Checkpoint | undefined> {
  const fitting = (await checkpointSeqs(folder)).filter((seq) => seq <= uptoSeq);
  for (const seq of fitting.reverse()) {
    const found = await checkpointAt(folder, seq);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** After which events the run has checkpoints, in order. */
export async function checkpointSeqs(folder: string): Promise<number[]> {
  const names = await readdir(join(folder, 'checkpoints')).catch(unreadable<string[]>([]));
  return names
    .filter((name) => /^\d{20}\.json$/.test(name))
    .sort()
    .map((name) => Number.parseInt(name, 10));
}

/** The checkpoint after that event; undefined where it cannot be read. */
export function checkpointAt(folder: string, seq: number): Promise<Checkpoint | undefined> {
  return readWhole(join(folder, checkpointName(seq)), checkpoint);
}

/** The file inside the folder of the run. */
export function checkpointName(seq: number): string {
  return join('checkpoints', `${String(seq).padStart(20, '0')}.json`);
}

async function readWhole<T>(path: string, schema: ZodType<T>): Promise<T | undefined> {
  return parsed(await readText(path), schema);
}

async function readLines<T extends { seq: number }>(
  folder: string,
  file: string,
  schema: ZodType<T>,
): Promise<{ found: T[] } & Pick<RunLogs, 'unreadable' | 'repeated' | 'misplaced'>> {
  const text = await readText(join(folder, file));
  const found = new Map<number, T>();
  const unreadable: UnreadableLine[] = [];
  const repeated: Repeat[] = [];
  const misplaced: Misplaced[] = [];
  let highest = { seq: 0, line: 0 };
  for (const [index, line] of text.split('\n').entries()) {
    const value = parsed(line, schema);
    if (value === undefined) {
      if (line.trim() === '') continue;
      const torn = /^\{"(?:event|patch)_id":/.test(line) && tryJson(line) === undefined;
      unreadable.push({ file, line: index + 1, text: truncate(line, shownChars), torn });
      continue;
    }
    const { seq } = value;
    const first = found.get(seq);
    if (first !== undefined) repeated.push({ file, seq, first, second: value });
    else if (seq < highest.seq) misplaced.push({ file, seq, line: index + 1, before: highest.line });
    if (seq > highest.seq) highest = { seq, line: index + 1 };
    found.set(seq, value);
  }
  return { found: [...found.values()].sort((a, b) => a.seq - b.seq), unreadable, repeated, misplaced };
}

/** Undefined for what is torn or empty, and for what does not fit; with fields that the schema does not know, which an edit may have added. */
function parsed<T>(text: string, schema: ZodType<T>): T | undefined {
  const value = tryJson(text);
  return schema.safeParse(value).success ? (value as T) : undefined; // the schemas check, and change nothing
}

/** Whether a file that can be read is at the path, or behind a link there. */
export async function isReadable(path: string): Promise<boolean> {
  // to open a pipe would wait for who writes into it
  const isFile = await stat(path).then((about) => about.isFile(), unreadable(false));
  return isFile && access(path, constants.R_OK).then(() => true, unreadable(false));
}

/** Empty where no file is that can be read. */
async function readText(path: string): Promise<string> {
  return (await isReadable(path)) ? readFile(path, 'utf8').catch(unreadable('')) : '';
}

/** What says that no file is at a path, something else is, or that the system lets nobody read it. */
const noFile = ['ENOENT', 'ENOTDIR', 'EISDIR', 'ELOOP', 'EACCES', 'EPERM'];

/** What a disk refuses otherwise is thrown: to take the file for missing then would be wrong a moment later. */
function unreadable<T>(instead: T): (error: unknown) => T {
  return (error) => {
    if (noFile.includes(codeOf(error) ?? '')) return instead;
    throw error;
  };
}
