// Prefixed, time-ordered ids (`ses_01k...`). Not for secrets: an id can be guessed from its neighbours.
import { randomFillSync } from 'node:crypto';
import { encodeTime, monotonicFactory } from 'ulid';
import type { Clock } from './clock.ts';

type IdPrefix =
  | 'ses'
  | 'run'
  | 'msg'
  | 'prt'
  | 'evt'
  | 'mem'
  | 'aud'
  | 'dst'
  | 'knw'
  | 'jnl'
  | 'inb'
  | 'trn'
  | 'out'
  | 'per'
  | 'ref'
  | 'req'
  | 'rul'
  | 'art'
  | 'cp'
  | 'sch'
  | 'fir'
  | 'gtw'
  | 'hok'
  | 'cnd'
  | 'prm'
  | 'sgn'
  | 'mis'
  | 'agt'
  | 'spa'
  | 'key'
  | 'tok';

/** Makes ids that sort by creation, also within one millisecond and when the clock steps back. */
export type NewId = (prefix: IdPrefix) => string;

/** A source of ids over a clock; make one for each process and hand it down. */
export function createIds(clock: Clock): NewId {
  const next = monotonicFactory(pooledRandom());
  let last = 0;
  return (prefix) => {
    last = Math.max(last, clock.now());
    return `${prefix}_${next(last).toLowerCase()}`;
  };
}

/** Below every id that is made at `ms` or later: a range of ids is one of time. */
export function idsSince(prefix: IdPrefix, ms: number): string {
  return `${prefix}_${encodeTime(Math.max(0, ms)).toLowerCase()}`;
}

/** Numbers from 0 up to 1 for the random part of ids; the system gives many at a time, since each request costs a call. */
function pooledRandom(): () => number {
  const pool = new Uint32Array(1024);
  let used = pool.length;
  return () => {
    if (used === pool.length) {
      randomFillSync(pool);
      used = 0;
    }
    const value = pool[used] ?? 0;
    used += 1;
    return value / 2 ** 32;
  };
}
