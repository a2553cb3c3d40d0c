// A limit on silence: for transfers that may take long, as long as something comes. Not a limit on the whole.

import type { Clock } from '#base/clock.ts';
import { waitAbandoned } from './async.ts';

interface Silence extends Disposable {
  /** Aborts with a TimeoutError after a silence, and with the outer signal's reason. */
  signal: AbortSignal;
  /** Something came. */
  received(): void;
}

/** Watches for silence until disposed of; notices it after at least `ms` milliseconds and at most twice that. */
export function watchSilence({
  clock,
  ms,
  signal: outer,
}: {
  clock: Clock;
  ms: number;
  signal: AbortSignal;
}): Silence {
  const own = new AbortController();
  const ended = new AbortController();
  let isAlive = true;
  const forward = (): void => own.abort(outer.reason);
  if (outer.aborted) forward();
  else outer.addEventListener('abort', forward, { once: true });
  const patrol = async (): Promise<void> => {
    while (isAlive) {
      isAlive = false;
      await clock.sleep(ms, ended.signal);
    }
    own.abort(new DOMException(`Nothing came for ${ms} ms.`, 'TimeoutError'));
  };
  patrol().catch(() => undefined); // it has ended
  return {
    signal: own.signal,
    received() {
      isAlive = true;
    },
    [Symbol.dispose]() {
      ended.abort(waitAbandoned);
      outer.removeEventListener('abort', forward);
    },
  };
}
