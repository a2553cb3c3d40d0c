// The runs that are in progress, with what they have written so far: made from the event stream, drawn at most once a frame.
// @ts-check
import { batch, signal } from '@preact/signals';
import { api } from './api.js';
import { onEvent } from './live.js';

/**
 * @import { EngineEvent, WireMessagePart } from '#engine/wire/events/event.ts'
 * @typedef {{ runID: string, sessionID: string, startedAtMs: number, parts: import('@preact/signals').Signal<WireMessagePart[]>, whole: boolean }} LiveRun
 */

/** As they are drawn: by run id, the oldest first. @type {import('@preact/signals').Signal<ReadonlyMap<string, LiveRun>>} */
export const liveRuns = signal(new Map());

/** The same, as the last event left them. @type {Map<string, LiveRun>} */
const runs = new Map();
let isChanged = false;

/** Parts that were changed and not drawn yet, by run. @type {Map<string, Map<string, WireMessagePart>>} */
const waiting = new Map();
/** Of each run, its parts in the order in which they began. @type {Map<string, Map<string, WireMessagePart>>} */
const known = new Map();
let drawing = false;

/** A hidden page draws no frames, and need not be newer than this, in milliseconds. */
const hiddenMs = 500;

function draw() {
  drawing = false;
  batch(() => {
    if (isChanged) liveRuns.value = new Map(runs);
    isChanged = false;
    for (const runID of waiting.keys()) {
      const run = runs.get(runID);
      if (run !== undefined) run.parts.value = [...(known.get(runID)?.values() ?? [])];
    }
  });
  waiting.clear();
}

function drawSoon() {
  if (drawing) return;
  drawing = true;
  if (document.hidden) setTimeout(draw, hiddenMs);
  else requestAnimationFrame(draw);
}

/** @param {{ runID: string, sessionID: string, startedAtMs: number }} run @param {boolean} whole Whether its first event was seen. */
function begin(run, whole) {
  const seen = runs.get(run.runID);
  if (seen !== undefined) {
    // what it writes came before the list of runs, which knows when it began
    if (seen.startedAtMs <= run.startedAtMs) return;
    runs.set(run.runID, { ...seen, startedAtMs: run.startedAtMs });
    isChanged = true;
    return drawSoon();
  }
  known.set(run.runID, new Map());
  runs.set(run.runID, { ...run, parts: signal([]), whole });
  isChanged = true;
  drawSoon();
}

/** @param {string} runID @param {WireMessagePart} part */
function put(runID, part) {
  const parts = known.get(runID);
  if (parts === undefined) return;
  parts.set(part.id, part);
  waiting.set(runID, parts);
  drawSoon();
}

/** @param {EngineEvent} event */
function take(event) {
  if (event.type === 'session.run.started') return begin(event.properties, true);
  if (event.type === 'session.run.finished') return end(event.properties.runID);
  if (event.type !== 'message.part.updated') return;
  const { runID, sessionID, part, delta, offset = 0 } = event.properties;
  begin({ runID, sessionID, startedAtMs: event.envelope.occurred_at_ms }, false);
  if (delta === undefined) return put(runID, part);
  const before = known.get(runID)?.get(part.id)?.text ?? '';
  // a piece that was seen before is put over itself
  put(runID, { ...part, text: before.slice(0, offset) + delta });
}

/** @param {string} runID */
function end(runID) {
  known.delete(runID);
  waiting.delete(runID);
  if (!runs.delete(runID)) return;
  isChanged = true;
  drawSoon();
}

/** Reads which runs are in progress; those that ended while the connection was lost are dropped. */
export async function readActiveRuns() {
  /** @type {Record<string, { runID: string, sessionID: string, startedAtMs: number }>} */
  const active = await api('/session/status');
  const now = Object.values(active);
  const ids = new Set(now.map(({ runID }) => runID));
  for (const runID of runs.keys()) if (!ids.has(runID)) end(runID);
  for (const run of now) begin(run, false);
}

/** Adds what the run did before this page knew of it; what came since stays. @param {string} runID */
export async function completeRun(runID) {
  const run = runs.get(runID);
  if (run === undefined || run.whole) return;
  run.whole = true;
  /** @type {EngineEvent[]} */
  const events = await api(`/runs/${encodeURIComponent(runID)}/events`, { query: { limit: 1000 } });
  const earlier = new Map();
  for (const event of events)
    if (event.type === 'message.part.updated') earlier.set(event.properties.part.id, event.properties.part);
  const now = known.get(runID);
  if (now === undefined) return;
  known.set(runID, new Map([...earlier, ...now]));
  for (const [id, part] of earlier) if (!now.has(id)) put(runID, part);
}

/** Begins to follow; the returned function ends it. */
export function followRuns() {
  return onEvent(take);
}
