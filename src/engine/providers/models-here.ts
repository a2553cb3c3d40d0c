// Models that are called in this thread. What that takes is loaded by the first call.
import type { Clock } from '#base/clock.ts';
import { lazy } from '#base/lazy.ts';
import type { ModelClient } from '#engine/providers/calls/model-call.ts';

/** For programs that ask little, and tests: what every token costs is paid by the thread that asks. */
export function createModelsHere(clock: Clock): Pick<ModelClient, 'ask'> {
  const sdk = lazy(async () => (await import('./sdk/ask.ts')).createSdk(clock));
  return {
    async *ask(target, asked, signal) {
      const { ask } = await sdk();
      yield* ask(target, asked, signal);
    },
  };
}
