// Prefixed, time-ordered ids (`ses_01k...`). Not for secrets: an id can be guessed from its neighbours.
import { monotonicFactory } from 'ulid';
import type { Clock } from './clock.ts';

export type IdPrefix = 'ses' | 'run' | 'msg' | 'prt' | 'evt' | 'mem' | 'inb' | 'trn' | 'out' | 'per' | 'ref';

/** Makes ids that sort by creation, also within one millisecond and when the clock steps back. */
export type NewId = (prefix: IdPrefix) => string;

/** A source of ids over a clock; make one for each process and hand it down. */
export function createIds(clock: Clock): NewId {
  const next = monotonicFactory();
  let last = 0;
  return (prefix) => {
    last = Math.max(last, clock.now());
    return `${prefix}_${next(last).toLowerCase()}`;
  };
}
