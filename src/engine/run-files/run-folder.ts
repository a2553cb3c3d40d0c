// The folder of one run: its files by name, the steps that write them, and how they are read back though the last line may be torn.

import { appendFile, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ZodType, z } from 'zod';
import { codeOf } from '#base/errors.ts';
import type { DiskStep } from '#base/files/disk-steps.ts';
import { tryJson } from '#base/json.ts';
import { truncate } from '#base/text.ts';
import { type Blackboard, type BlackboardPatch, blackboard, blackboardPatch } from './blackboard.ts';
import { type RunFileEvent, type RunState, runFileEvent, runState } from './run-state.ts';

/** The folder inside the home folder. */
export const runFolder = 'context_runs';

/** Of a line that cannot be read. */
const shownChars = 80;

const checkpoint = z.object({
  checkpoint_id: z.string(),
  run_id: z.string(),
  seq: z.number(),
  ts_ms: z.number(),
  reason: z.string(),
  run_state: runState,
  blackboard,
});
type Checkpoint = z.infer<typeof checkpoint>;

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
    const text = await readFile(path, 'utf8').catch(absent(''));
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

/** The state of the run after an event. */
export function checkpointStep(folder: string, saved: Checkpoint): DiskStep {
  const name = `${String(saved.seq).padStart(20, '0')}.json`;
  return { do: 'write', path: join(folder, 'checkpoints', name), content: JSON.stringify(saved) };
}

/** A line that cannot be read: torn by a process that was killed, or written over by someone. */
export interface UnreadableLine {
  file: string;
  /** From 1. */
  line: number;
  /** How it begins. */
  text: string;
}

interface RunLogs {
  events: RunFileEvent[];
  patches: BlackboardPatch[];
  unreadable: UnreadableLine[];
  /** How many events and patches are not in the logs though later ones are. */
  missing: number;
}

/** The lines of both logs, in order, without what was written twice, and what of them cannot be read. */
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
    unreadable: [...events.unreadable, ...patches.unreadable],
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
  const names = await readdir(join(folder, 'checkpoints')).catch(absent<string[]>([]));
  const fitting = names.filter((name) => /^\d{20}\.json$/.test(name) && Number.parseInt(name, 10) <= uptoSeq);
  for (const name of fitting.sort().reverse()) {
    const found = await readWhole(join(folder, 'checkpoints', name), checkpoint);
    if (found !== undefined) return found;
  }
  return undefined;
}

async function readWhole<T>(path: string, schema: ZodType<T>): Promise<T | undefined> {
  const text = await readFile(path, 'utf8').catch(absent(''));
  return parsed(text, schema);
}

async function readLines<T extends { seq: number }>(
  folder: string,
  file: string,
  schema: ZodType<T>,
): Promise<{ found: T[]; unreadable: UnreadableLine[] }> {
  const text = await readFile(join(folder, file), 'utf8').catch(absent(''));
  const found = new Map<number, T>();
  const unreadable: UnreadableLine[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    const value = parsed(line, schema);
    if (value !== undefined) found.set(value.seq, value);
    else if (line.trim() !== '') unreadable.push({ file, line: index + 1, text: truncate(line, shownChars) });
  }
  return { found: [...found.values()].sort((a, b) => a.seq - b.seq), unreadable };
}

/** Undefined for what is torn or empty, and for what does not fit. */
function parsed<T>(text: string, schema: ZodType<T>): T | undefined {
  return schema.safeParse(tryJson(text)).data;
}

function absent<T>(instead: T): (error: unknown) => T {
  return (error) => {
    if (codeOf(error) === 'ENOENT') return instead;
    throw error;
  };
}
