// What a simulated Discord begins with.
import type { Clock } from '#base/clock.ts';
import type { Shelf } from '#sandbox/store.ts';

export interface WorldOptions {
  clock: Clock;
  shelf: Shelf;
  /** The language of the apps of its people; English unless set otherwise. */
  locale?: string | undefined;
}
