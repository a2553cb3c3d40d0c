// Turns of the event loop for heavy work, so that much of it at one moment does not keep everything else waiting.

const waiting: (() => void)[] = [];
/** Pieces of some milliseconds that are begun in one turn: fewer cost a busy program more turns than they spare anyone. */
const together = 8;

function next(): void {
  for (const begin of waiting.splice(0, together)) begin();
  if (waiting.length > 0) setImmediate(next);
}

/**
 * Resolves in a turn of the event loop that few other callers get, in the order of the calls. What two hundred chats have to do
 * at once, each for some milliseconds, then leaves room for sockets and timers in between.
 */
export function breathe(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    if (waiting.length === 1) setImmediate(next);
  });
}
