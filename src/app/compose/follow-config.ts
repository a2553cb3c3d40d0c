// What a part does about a config that changed under it: people, engine and log take over what may change.

import type { Gateway } from '#adapters/gateway/gateway.ts';
import { configuredSecrets } from '#app/settings/engine-settings.ts';
import type { Reconfigurable } from '#engine/live-settings.ts';
import { engineSettingsOf } from './open-engine.ts';
import type { ProcessContext } from './process-context.ts';

/** Applies each change of the config to these parts. What a part reads from `loaded.config` when it uses it needs nothing here. */
export function followConfig(
  { live, loaded, secrets, log }: Pick<ProcessContext, 'live' | 'loaded' | 'secrets' | 'log'>,
  {
    engine,
    gateway,
    deltaMs = 0,
  }: { engine?: Reconfigurable | undefined; gateway?: Gateway | undefined; deltaMs?: number | undefined },
): void {
  live.follow((config) => {
    const next = { ...loaded, config };
    secrets.learn(configuredSecrets(next)); // before anything can be said about it
    const enforce = engine?.prepare(engineSettingsOf(next, deltaMs));
    return async () => {
      await gateway?.namePeople(config.people); // first, since the disk may refuse it, and then nothing is to change
      enforce?.();
      log.level = config.log.level;
    };
  });
}
