// What many calls report, gathered into few messages: pieces of one answer become one piece, and answers of one moment one message.
import type { Batch, ModelWorkerEvent } from './calls.ts';

export interface EventBatcher {
  /** A call began; how many there are says how long pieces may wait. */
  began(): void;
  /** Reports a call. What is no piece of text goes at once, with all that its call has told before. */
  notify(id: number, said: ModelWorkerEvent): void;
  /** A call is over; what it has told goes out all the same. */
  ended(): void;
}

/** Up to this many answers at once every piece goes as soon as it has come. */
const few = 4;
/** With more of them a piece waits this long for each, in milliseconds: as many go to one message however many there are. */
const perCallMs = 1;
/** The longest wait: previews are edited once a second at most. */
const longestMs = 200;
/** How often those that are due are posted. */
const beatMs = 10;

interface Waiting {
  said: ModelWorkerEvent[];
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
  let calls = 0;
  let soon = false;
  let beating = false;

  const postDue = (): void => {
    const moment = now();
    const due = [...waiting].filter(([, { dueAtMs }]) => dueAtMs <= moment);
    for (const [id] of due) waiting.delete(id);
    if (due.length > 0) post(due.map(([id, { said }]) => ({ id, said })));
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
    notify(id, said) {
      const waitMs = calls <= few ? 0 : Math.min(calls * perCallMs, longestMs);
      const one = waiting.get(id) ?? { said: [], dueAtMs: now() + waitMs };
      waiting.set(id, one);
      add(one.said, said);
      const waits = said.type === 'text' || said.type === 'reasoning' || said.type === 'alive';
      if (!waits) one.dueAtMs = 0;
      if (waitMs === 0 || !waits) atOnce();
      else later();
    },
    ended() {
      calls -= 1;
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
