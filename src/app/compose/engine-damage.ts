// Asks an engine in another process whether its memory is damaged, for the notice to the owners: only channels reach them.
import type { Clock } from '#base/clock.ts';
import { ParleyError } from '#base/errors.ts';
import { createWaker } from '#base/waiting/async.ts';
import type { RemoteEngine } from '#engine/remote/remote-engine.ts';
import type { DamageNotice } from './damage-notice.ts';

/** How often the engine is asked while the connection to it lasts, in milliseconds. */
const lookMs = 30_000;

/** Asks until the signal aborts: as soon as the engine is reached, and every 30 s. An engine that is reached and has no damage has been fixed. */
export function followEngineDamage(options: {
  engine: Pick<RemoteEngine, 'status' | 'onChange' | 'problems'>;
  notice: Pick<DamageNotice, 'damaged' | 'repaired'>;
  clock: Clock;
  signal: AbortSignal;
}): void {
  const { engine, notice, clock, signal } = options;
  const waker = createWaker();
  let look: 'first' | 'again' = 'first';
  const stop = engine.onChange(() => {
    if (engine.status().state !== 'up') look = 'first';
    waker.wake();
  });
  const follow = async (): Promise<void> => {
    for (;;) {
      const problems = await engine.problems();
      const damage = problems?.find(({ damaged }) => damaged === true);
      if (damage !== undefined)
        notice.damaged(new ParleyError('storage_failed', damage.message, { hint: damage.hint }));
      // what failed while it ran may work at the next look, and is damaged all the same
      else if (problems !== undefined && look === 'first') notice.repaired();
      if (problems !== undefined) look = 'again';
      await waker.wait(clock, lookMs, signal);
    }
  };
  // only the signal ends the wait
  follow().catch(stop);
}
