// Turns of the event loop for heavy work, so that much of it at one moment does not keep everything else waiting.

const waiting: (() => void)[] = [];
/** Pieces of some milliseconds that are begun in one turn: fewer cost a busy program more turns than they spare anyone. */
const together = 8;
/**
 * Once the pieces of a turn have taken so long, the next one waits for another turn, in milliseconds: as long as all else took since
 * the last one, so that a busy program gives them half of its time, within these bounds.
 */
const shortestMs = 8;
const longestMs = 16;
/** How many pieces may still be begun in this turn, and until when; undefined before the first. Who comes meanwhile has the next turn. */
let turn: { left: number; until: number } | undefined;
let lastDone = 0;
let scheduled = false;

/** Begins one piece; whatever follows from it at once is done before the next immediate, so the time counts it. */
function next(): void {
  const now = performance.now();
  const forMs = Math.min(Math.max(now - lastDone, shortestMs), longestMs);
  turn ??= { left: waiting.length, until: now + forMs };
  if (turn.left === 0 || now >= turn.until) return;
  turn.left -= 1;
  waiting.shift()?.();
}

function schedule(): void {
  if (scheduled) return;
  scheduled = true;
  for (let piece = 0; piece < together; piece += 1) setImmediate(next);
  setImmediate(() => {
    turn = undefined;
    lastDone = performance.now();
    scheduled = false;
    if (waiting.length > 0) schedule();
  });
}

/**
 * Resolves in a turn of the event loop that few other callers get, in the order of the calls. What two hundred chats have to do
 * at once, each for some milliseconds, then leaves room for sockets and timers in between.
 */
export function breathe(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    schedule();
  });
}
