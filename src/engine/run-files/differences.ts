// Where the files of a run differ from its events, field by field, and from what the database has of it. Pure.
import { isDeepStrictEqual } from 'node:util';
import { truncate } from '#base/text.ts';
import type { EngineEvent } from '#engine/wire/events/event.ts';
import type { Difference } from '#engine/wire/runs/replay.ts';
import { type BlackboardPatch, patchesOf } from './blackboard.ts';
import { fileEventOf, foldEvent, type RunFileEvent, type RunState } from './run-state.ts';

/** What the database has of a run. */
export interface RecordOfRun {
  sessionID: string;
  status: 'running' | 'completed' | 'error' | 'timeout' | 'cancelled' | 'interrupted';
  /** Its durable events, in order; the oldest may have been pruned. */
  events: readonly EngineEvent[];
}

/** Characters of a value in a difference, as JSON. */
const shownChars = 200;

/** Every field in which the two differ. */
export function differences(
  at: Pick<Difference, 'file' | 'seq'>,
  { expected, found }: { expected: unknown; found: unknown },
  path: readonly string[] = [],
): Difference[] {
  if (isDeepStrictEqual(expected, found)) return [];
  const inside = (keys: Iterable<string>): Difference[] =>
    [...keys].flatMap((key) =>
      differences(at, { expected: field(expected, key), found: field(found, key) }, [...path, key]),
    );
  if (isObject(expected) && isObject(found) && Array.isArray(expected) === Array.isArray(found))
    return inside(new Set([...Object.keys(expected), ...Object.keys(found)]));
  return [{ ...at, field: path.join('.'), expected: shown(expected), found: shown(found) }];
}

/**
 * How lines of `events.jsonl` differ from the database, which may have only the newest of them: `notStored` counts those that are older.
 * `state` is that before the first of the lines, `uptoSeq` the last event that is looked at.
 */
export function unlikeStored(
  lines: readonly RunFileEvent[],
  stored: readonly EngineEvent[],
  { state: before, uptoSeq, writtenTo }: { state: RunState; uptoSeq: number; writtenTo: number },
): { found: Difference[]; notStored: number; notWritten: number } {
  const file = 'events.jsonl';
  const events = stored.filter(({ envelope: { seq } }) => (seq ?? 0) > before.last_source_seq);
  const first = events[0]?.envelope.seq ?? Number.MAX_SAFE_INTEGER;
  const known = lines.findIndex(({ source_seq }) => source_seq >= first);
  const older = known < 0 ? lines : lines.slice(0, known);
  const bySource = new Map(lines.slice(older.length).map((line) => [line.source_seq, line]));
  const found: Difference[] = [];
  let state = older.reduce((folded, line) => after(folded, line), before);
  let notWritten = 0;
  for (const event of events) {
    const expected = fileEventOf(state, event);
    if (expected.seq > uptoSeq) break;
    const seq = event.envelope.seq ?? 0;
    const line = bySource.get(seq);
    bySource.delete(seq);
    // what no file has yet is not lost: it follows
    if (line === undefined && seq > writtenTo) notWritten += 1;
    else found.push(...differences({ file, seq: expected.seq }, { expected, found: line ?? null }));
    state = after(state, expected);
  }
  const notThere = [...bySource.values()].flatMap((line) =>
    differences({ file, seq: line.seq }, { expected: null, found: line }),
  );
  return { found: [...found, ...notThere], notStored: older.length, notWritten };
}

/** How the patches differ from those that the events make; `lastPatchSeq` is that of the patch before them. */
export function unlikePatches(
  lines: readonly RunFileEvent[],
  patches: readonly BlackboardPatch[],
  lastPatchSeq: number,
): Difference[] {
  const file = 'blackboard_patches.jsonl';
  const found = new Map(patches.map((patch) => [patch.seq, patch]));
  const unlike: Difference[] = [];
  let last = lastPatchSeq;
  for (const line of lines)
    for (const expected of patchesOf(line, last)) {
      last = expected.seq;
      unlike.push(...differences({ file, seq: last }, { expected, found: found.get(last) ?? null }));
      found.delete(last);
    }
  const more = [...found.values()].flatMap((patch) =>
    differences({ file, seq: patch.seq }, { expected: null, found: patch }),
  );
  return [...unlike, ...more];
}

function after(state: RunState, event: RunFileEvent): RunState {
  return foldEvent(state, event, patchesOf(event, state.last_patch_seq).length);
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function field(value: unknown, key: string): unknown {
  return isObject(value) && Object.hasOwn(value, key) ? Reflect.get(value, key) : null;
}

function shown(value: unknown): unknown {
  const json = JSON.stringify(value ?? null);
  return json.length <= shownChars ? (value ?? null) : truncate(json, shownChars);
}
