// Audiences of memory by names that people know: persons by their names, rooms by their platform.
// @ts-check
import { api } from '#console/page/data/api.js';
import { useData } from '#console/page/data/data.js';
import { cut, platformName } from '#console/page/parts/format.js';

/**
 * @import { WireSession } from '#engine/wire/sessions/message.ts'
 * @typedef {{ messages: number, tokens: number, costUSD: number }} Used Within the last 24 hours
 * @typedef {{ name: string, role?: string, inConfig: boolean, sinceMs: number, used: Used, accounts: { platform: string, userID: string, person: string, shownAs: string, by: string }[] }} Person
 * @typedef {{ audience: string, entries: number, title: string }} NamedAudience
 */

/** All audiences that own memories, the largest first, with their names. */
export function useAudiences() {
  return useData(async () => {
    const [{ audiences }, sessions, people] = await Promise.all([
      /** @type {Promise<{ audiences: { audience: string, entries: number }[] }>} */ (
        api('/memory/audiences')
      ),
      /** @type {Promise<WireSession[]>} */ (
        api('/session', { query: { page_size: 100, order: 'updated', archived: 'all' } })
      ),
      /** @type {Promise<{ people: Person[], others: { person: string, shownAs: string, platform: string }[] } | undefined>} */ (
        api('/people').catch(() => undefined) // the channels may run in another process
      ),
    ]);
    /** @type {Map<string, string>} */
    const names = new Map([['person:operator', 'Operator (this API)']]);
    for (const { place } of sessions)
      if (place !== undefined && !names.has(place.audience))
        names.set(
          place.audience,
          place.kind === 'dm' ? cut(place.person, 60) : `${platformName(place.platform)} room`,
        );
    for (const { person, shownAs } of people?.others ?? []) names.set(`person:${person}`, cut(shownAs, 60));
    for (const { name, accounts } of people?.people ?? [])
      for (const { person, platform } of accounts)
        names.set(`person:${person}`, `${cut(name, 60)} on ${platformName(platform)}`);
    const operator = audiences.some(({ audience }) => audience === 'person:operator')
      ? []
      : [{ audience: 'person:operator', entries: 0 }];
    return [...audiences, ...operator]
      .map((each) => ({ ...each, title: names.get(each.audience) ?? shortName(each.audience) }))
      .toSorted((a, b) => b.entries - a.entries);
  }, []);
}

/** @param {string} audience */
function shortName(audience) {
  const [kind = '', key = ''] = audience.split(/:(.*)/s);
  return `${kind === 'room' ? 'Room' : 'Person'} ${cut(key, 40)}`;
}
