// A stream with an `alive` in between whenever its server sent something that the stream does not show, such as a comment.
import { type Clock, msSince } from '#base/clock.ts';

export interface Life {
  /** Something came. */
  beat(): void;
  /** The stream's values, and `alive` where something came and no value for a second. */
  during<T>(stream: AsyncIterable<T>): AsyncGenerator<T | 'alive'>;
}

/** The time between two `alive`, in milliseconds: limits of silence are longer. */
const apartMs = 1_000;

/** For one call. */
export function createLife(clock: Clock): Life {
  let lastMs = clock.monotonic();
  let wake: (() => void) | undefined;
  return {
    beat() {
      if (msSince(clock, lastMs) >= apartMs) wake?.();
    },
    async *during(stream) {
      const iterator = stream[Symbol.asyncIterator]();
      let next = iterator.next();
      let isOver = false;
      try {
        while (!isOver) {
          const alive = new Promise<'alive'>((resolve) => {
            wake = () => resolve('alive');
          });
          const first = await Promise.race([next, alive]);
          lastMs = clock.monotonic();
          if (first === 'alive') yield 'alive';
          else if (first.done === true) isOver = true;
          else {
            yield first.value;
            next = iterator.next();
          }
        }
      } finally {
        wake = undefined;
        if (!isOver) {
          next.catch(() => undefined); // it was left
          void iterator.return?.()?.catch(() => undefined);
        }
      }
    },
  };
}
