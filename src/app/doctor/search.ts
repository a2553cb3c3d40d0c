// The doctor on the web search: whether the service answers and takes the key. Costs one search.
import { trySearch } from '#app/compose/web-search.ts';
import type { LoadedConfig } from '#app/config/load.ts';
import type { Clock } from '#base/clock.ts';
import { errorMessage, hintOf } from '#base/errors.ts';
import { type Diagnostic, errorFinding, ok } from './diagnostic.ts';

/** Nothing where no service is configured. */
export async function checkSearch(loaded: LoadedConfig, clock: Clock): Promise<Diagnostic[]> {
  try {
    const service = await trySearch(loaded, clock);
    if (service === undefined) return [];
    const { title, hasKey } = service;
    return [ok(`${title} searches the web${hasKey ? ' and takes the key' : ''}.`)];
  } catch (error) {
    const hint = hintOf(error) ?? 'Look at `tools.search` in the config, and at the network.';
    return [errorFinding(`The web search does not work. ${errorMessage(error)}`, hint)];
  }
}
