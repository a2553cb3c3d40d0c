// What many calls report, gathered into few messages: pieces of one answer become one piece, and answers of one moment one message.
import type { Batch, ModelWorkerEvent } from './calls.ts';

interface EventBatcher {
  /** A call began; how many there are says how long pieces may wait. */
  began(): void;
  /** An event of a call. Anything but a piece of text goes at once, with everything its call has sent before. */
  notify(id: number, event: ModelWorkerEvent): void;
  /** A call is over; what it has told goes out all the same. */
  ended(): void;
}

/** Up to this many answers at once every piece goes as soon as it has come. */
const few = 4;
/** So many pieces a second are sent as they come, and of more as many as this: each costs the main thread its time, whichever answer it is of. */
const piecesASecond = 800;
/** The longest wait, in milliseconds: previews are edited once a second at most. */
const longestMs = 200;
/** How often those that are due are posted, in milliseconds. */
const beatMs = 10;
/** Over about this time the pieces are counted, in milliseconds: short enough for a burst, long enough that chance changes little. */
const countedMs = 500;

interface Waiting {
  events: ModelWorkerEvent[];
  dueAtMs: number;
}

/** Posts through `post`; `now` is in milliseconds. */
export function createEventBatcher({
  post,
  now,
}: {
  post: (batch: Batch) => void;
  now: () => number;
}): EventBatcher {
  const waiting = new Map<number, Waiting>();
  const rate = createRate(now);
  let calls = 0;
  let soon = false;
  let beating = false;

  const postDue = (): void => {
    const moment = now();
    const due = [...waiting].filter(([, { dueAtMs }]) => dueAtMs <= moment);
    for (const [id] of due) waiting.delete(id);
    if (due.length > 0) post(due.map(([id, { events }]) => ({ id, events })));
    if (waiting.size > 0) later();
  };
  const later = (): void => {
    if (beating) return;
    beating = true;
    setTimeout(() => {
      beating = false;
      postDue();
    }, beatMs);
  };
  const atOnce = (): void => {
    if (soon) return;
    soon = true;
    setImmediate(() => {
      soon = false;
      postDue();
    });
  };

  return {
    began() {
      calls += 1;
    },
    notify(id, event) {
      const aSecond = rate.count();
      const isFew = calls <= few;
      const one = waiting.get(id) ?? { events: [], dueAtMs: now() + (isFew ? 0 : waitMsFor(calls, aSecond)) };
      waiting.set(id, one);
      add(one.events, event);
      const waits = event.type === 'text' || event.type === 'reasoning' || event.type === 'alive';
      if (!waits) one.dueAtMs = 0;
      if (isFew || !waits) atOnce();
      else later();
    },
    ended() {
      calls -= 1;
    },
  };
}

/**
 * How long a piece waits for the next ones of its answer when so many answers bring so many pieces a second. An answer is then sent once
 * in this time and the gap to its next piece, which for all answers together are `piecesASecond`. Slow answers wait for nothing: their
 * pieces would not be joined, only late.
 */
function waitMsFor(calls: number, aSecond: number): number {
  const wait = 1_000 * calls * (1 / piecesASecond - 1 / aSecond);
  return Math.min(Math.max(wait, 0), longestMs);
}

/** How many pieces come in a second at this moment; older ones count less and less. */
function createRate(now: () => number): { count(): number } {
  let counted = 0;
  let lastMs = now();
  return {
    count() {
      const moment = now();
      counted = counted * Math.exp((lastMs - moment) / countedMs) + 1;
      lastMs = moment;
      return (counted * 1_000) / countedMs;
    },
  };
}

/** Adds an event to the batch; a piece is joined to the piece before it if both have the same type. */
export function add(all: ModelWorkerEvent[], next: ModelWorkerEvent): void {
  const last = all.at(-1);
  if (next.type === 'alive' && last !== undefined) return; // any other event proves the same
  if ((next.type === 'text' || next.type === 'reasoning') && last?.type === next.type)
    all[all.length - 1] = { type: next.type, delta: last.delta + next.delta };
  else all.push(next);
}
