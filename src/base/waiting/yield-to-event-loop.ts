// Turns of the event loop for heavy work, so that much of it at one moment does not hold everything else waiting.

const waiting: (() => void)[] = [];
/** Pieces of some milliseconds that are begun in one turn: fewer cost a busy program more turns than they spare anyone. */
const together = 8;
/**
 * Once the pieces of a turn have taken so long, the next one waits for another turn, in milliseconds: as long as all else took since
 * the last one, so that a busy program gives them half of its time, within these bounds.
 */
const shortestMs = 8;
const longestMs = 16;
/** How many pieces may still be begun in this turn, and until when. Who comes in the meantime has the next turn. */
let turn = { left: 0, until: 0 };
let lastDone = 0;
/** Whether there is a turn to come. */
let scheduled = false;

function first(): void {
  scheduled = false;
  const now = performance.now();
  const forMs = Math.min(Math.max(now - lastDone, shortestMs), longestMs);
  turn = { left: waiting.length, until: now + forMs };
  next();
}

/** Begins one piece; whatever follows from it at once is done before the next immediate, so the time counts it. */
function next(): void {
  if (turn.left === 0 || performance.now() >= turn.until) return;
  turn.left -= 1;
  waiting.shift()?.();
}

function last(): void {
  lastDone = performance.now();
  if (waiting.length > 0) schedule();
}

function schedule(): void {
  if (scheduled) return;
  scheduled = true;
  setImmediate(first);
  for (let piece = 1; piece < together; piece += 1) setImmediate(next);
  setImmediate(last);
}

/**
 * Resolves in a turn of the event loop that few other callers get, in the order of the calls. What two hundred chats have to do
 * at once, each for some milliseconds, then leaves room for sockets and timers in between.
 */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    schedule();
  });
}
