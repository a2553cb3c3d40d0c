// Models that are asked in this thread. What that takes is loaded by the first call.
import type { Clock } from '#base/clock.ts';
import { lazily } from '#base/lazily.ts';
import type { Models } from './told.ts';

/** For programs that ask little, and tests: what every token costs is paid by the thread that asks. */
export function createModelsHere(clock: Clock): Pick<Models, 'ask'> {
  const sdk = lazily(async () => (await import('./sdk/ask.ts')).createSdk(clock));
  return {
    async *ask(target, asked, signal) {
      const { ask } = await sdk();
      yield* ask(target, asked, signal);
    },
  };
}
