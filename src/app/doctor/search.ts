// The doctor on the web search: whether the service answers and takes the key. Costs one search.
import { trySearch } from '#app/compose/web-search.ts';
import type { LoadedConfig } from '#app/config/load.ts';
import type { Clock } from '#base/clock.ts';
import { errorMessage, hintOf } from '#base/errors.ts';
import { type Diagnostic, errorFinding, ok } from './diagnostic.ts';

/** Nothing where no service is configured. */
export async function checkSearch(loaded: LoadedConfig, clock: Clock): Promise<Diagnostic[]> {
  try {
    const title = await trySearch(loaded, clock);
    return title === undefined ? [] : [ok(`${title} searches the web and takes the key.`)];
  } catch (error) {
    const hint = hintOf(error) ?? 'Look at `tools.search` in the config, and at the network.';
    return [errorFinding(`The web search does not work. ${errorMessage(error)}`, hint)];
  }
}
