// Audiences of memory by names that people know: persons by their names, rooms by what the platform calls them.
// @ts-check
import { api } from '#console/page/data/api.js';
import { useData } from '#console/page/data/data.js';
import { cut, platformName } from '#console/page/parts/format.js';
import { distinct, placeText } from '#console/page/parts/place.js';

/**
 * @import { MemoryAudiences } from '#engine/wire/memory/memory.ts' @import { WireSession } from '#engine/wire/sessions/message.ts'
 * @typedef {{ messages: number, tokens: number, costUSD: number }} Used Within the last 24 hours
 * @typedef {{ name: string, role?: string, inConfig: boolean, sinceMs: number, used: Used, seenIn: string[], accounts: { platform: string, userID: string, person: string, shownAs: string, by: string }[] }} Person
 * @typedef {{ audience: string, entries: number, title: string, person: string | undefined }} NamedAudience `person`: whose account it is, of those that are admitted
 */

/** All audiences that own memories, the largest first, with their names. */
export function useAudiences() {
  return useData(async () => {
    const [{ audiences }, sessions, people] = await Promise.all([
      /** @type {Promise<MemoryAudiences>} */ (api('/memory/audiences')),
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
      if (place?.kind === 'dm' && !names.has(place.audience))
        names.set(place.audience, cut(place.person, 60));
    for (const { person, shownAs } of people?.others ?? []) names.set(`person:${person}`, cut(shownAs, 60));
    /** @type {Map<string, string>} */
    const persons = new Map();
    for (const { name, accounts } of people?.people ?? [])
      for (const { person, platform } of accounts) {
        names.set(`person:${person}`, `${cut(name, 60)} on ${platformName(platform)}`);
        persons.set(`person:${person}`, cut(name, 60));
      }
    const operator = audiences.some(({ audience }) => audience === 'person:operator')
      ? []
      : [{ audience: 'person:operator', entries: 0 }];
    const all = [...audiences, ...operator].toSorted((a, b) => b.entries - a.entries);
    const titles = distinct(all.map((each) => [each.audience, names.get(each.audience) ?? nameOf(each)]));
    return all.map((each, at) => ({
      ...each,
      title: titles[at]?.[1] ?? each.audience,
      person: persons.get(each.audience),
    }));
  }, []);
}

/** A room by its name; a person who is not known by the key. @param {MemoryAudiences['audiences'][number]} place */
function nameOf({ audience, names }) {
  const [kind = '', key = ''] = audience.split(/:(.*)/s);
  if (kind !== 'room') return `Person ${cut(key, 40)}`;
  const title = placeText({ chat: key, names });
  return title === key ? `Room ${cut(key, 40)}` : title;
}
