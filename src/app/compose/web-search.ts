// The service that searches the web, as the config names it: for the engine, and asked without one for the doctor.
import { join } from 'node:path';

import type { LoadedConfig } from '#app/config/load.ts';
import type { Clock } from '#base/clock.ts';
import { ParleyError } from '#base/errors.ts';
import type { EngineSettings } from '#engine/live-settings.ts';
import { searchServices } from '#engine/tools/web/search-services.ts';
import { searchWeb } from '#engine/tools/web/search-web.ts';

type Loaded = Pick<LoadedConfig, 'config' | 'environment' | 'folder'>;

/** The settings of the service; undefined where none is configured. Throws a ParleyError `config_invalid` where its key is not set. */
export function searchOf({ config, environment, folder }: Loaded): EngineSettings['search'] {
  const { search } = config.tools;
  if (search === undefined) return undefined;
  const { keyName, title } = searchServices[search.service];
  const key = keyName === undefined ? '' : environment[keyName];
  if (key !== undefined) return { ...search, key };
  throw new ParleyError(
    'config_invalid',
    `tools.search names ${title}, which needs a key, but ${keyName} is not set.`,
    {
      hint: `Set ${keyName} in the environment or in ${join(folder, '.env')}, or take \`tools.search\` out of the config.`,
    },
  );
}

/** Where searches go; undefined where no service is configured. */
export function searchAddress({ config }: Pick<LoadedConfig, 'config'>): string | undefined {
  const { search } = config.tools;
  return search && (search.baseUrl ?? searchServices[search.service].address);
}

/** Searches once, and gives the service's name and whether it has a key. Throws as `searchOf` and `searchWeb` do; undefined where no service is configured. */
export async function trySearch(
  loaded: Loaded,
  clock: Clock,
): Promise<{ title: string; hasKey: boolean } | undefined> {
  const settings = searchOf(loaded);
  if (settings === undefined) return undefined;
  const { signal } = new AbortController();
  await searchWeb('weather', { settings: { ...settings, results: 1 }, clock, signal });
  const { title, keyName } = searchServices[settings.service];
  return { title, hasKey: keyName !== undefined };
}
