// Turns of the event loop for heavy work, so that much of it at one moment does not keep everything else waiting.

const waiting: (() => void)[] = [];
/** Pieces of some milliseconds that are begun in one turn: fewer cost a busy program more turns than they spare anyone. */
const together = 8;
/**
 * Once the pieces of a turn have taken so long, the next one waits for another turn, in milliseconds: as long as all else took since
 * the last one began, so that a busy program gives them about half of its time, within these bounds.
 */
const shortestMs = 8;
const longestMs = 16;
/** How many pieces are still to be begun in this turn, and until when they may. Who comes in the meantime has the next turn. */
let turn = { left: 0, until: 0 };
let lastBegun = 0;
/** How many pieces may be begun in the turn to come. */
let scheduled = 0;

function first(): void {
  scheduled = 0;
  const now = performance.now();
  const forMs = Math.min(Math.max(now - lastBegun, shortestMs), longestMs);
  turn = { left: Math.min(waiting.length, together), until: now + forMs };
  next();
}

/** Begins one piece; whatever follows from it at once is done before the next immediate, so the time counts it. */
function next(): void {
  if (turn.left === 0) return;
  lastBegun = performance.now();
  if (lastBegun < turn.until) {
    turn.left -= 1;
    waiting.shift()?.();
  } else turn.left = 0;
  if (turn.left === 0) schedule();
}

/** One immediate for each who waits for the next turn: a single caller, as in a program at rest, costs a single one. */
function schedule(): void {
  for (; scheduled < Math.min(waiting.length - turn.left, together); scheduled += 1)
    setImmediate(scheduled === 0 ? first : next);
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
