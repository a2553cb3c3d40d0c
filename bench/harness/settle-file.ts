// Waits until files that were just written count as settled.
import { setTimeout as wait } from 'node:timers/promises';

/** A little more than a file has to stay the same. */
export const settled = (): Promise<void> => wait(150);
