// Turns of the event loop, one for each piece of heavy work, so that many at one moment do not keep everything else waiting.

const waiting: (() => void)[] = [];

function next(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(next);
}

/**
 * Resolves on a turn of the event loop that no other caller gets, in the order of the calls. What two hundred chats have to do at
 * once, each for some milliseconds, is then two hundred short waits for sockets and timers and not one long one.
 */
export function breathe(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    if (waiting.length === 1) setImmediate(next);
  });
}
