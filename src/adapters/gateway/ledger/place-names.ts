// What the platforms call the spaces, rooms and threads in which something was said to the bot.
import { type Address, formatAddress } from '#adapters/gateway/terms/address.ts';
import { createLruCache } from '#base/caches/lru-cache.ts';
import { defined } from '#base/json.ts';
import { createRareRows } from '#base/sqlite/rare-rows.ts';
import type { Sqlite } from '#base/sqlite/sqlite.ts';
import { truncate } from '#base/text.ts';
import { namesOfChat } from '#engine/wire/channels/named-chats.ts';
import { maxPlaceName, type NamedPlace, type PlaceNames } from '#engine/wire/channels/place-names.ts';
import { placeKeys, placeTitle } from '#engine/wire/channels/place-title.ts';

export interface PlaceNameRows {
  /**
   * Notes names that the platform gave, inside a transaction: only what differs is written, and what is missing stays. `renamed` changes only
   * what has a name. Returns whether something was written.
   */
  set(address: Address, names: PlaceNames, which: 'all' | 'renamed'): boolean;
  /** Whether one of these names is other than the one that is stored. */
  differ(address: Address, names: PlaceNames): boolean;
  /** The names of a chat, as far as they are known. */
  of(address: Address): PlaceNames;
  /** The chat as text for people; `person` is whose a direct message is. */
  titleOf(address: Address, person?: string): string;
  /** The names that the engine does not have yet, at most 1,000. */
  toHandOver(): NamedPlace[];
  /** The engine has these now; one that has changed since stays to be handed over. */
  handedOver(names: readonly NamedPlace[]): void;
}

/** Names that are held in memory, so that a message in a room that keeps its name asks the database for nothing. */
const maxHeld = 5_000;

/** The table `place_names`. */
export function createPlaceNameRows(database: Sqlite): PlaceNameRows {
  const select = database.prepare<[string], string>('SELECT name FROM place_names WHERE place = ?').pluck();
  const upsert = database.prepare<NamedPlace>(
    `INSERT INTO place_names (place, name, handed_over) VALUES (@place, @name, 0)
     ON CONFLICT DO UPDATE SET name = @name, handed_over = 0`,
  );
  const left = database.prepare<[], NamedPlace>(
    'SELECT place, name FROM place_names WHERE handed_over = 0 ORDER BY place LIMIT 1000',
  );
  const done = database.prepare<NamedPlace>(
    'UPDATE place_names SET handed_over = 1 WHERE place = @place AND name = @name',
  );
  const toHandOver = createRareRows(database, 'place_names WHERE handed_over = 0');
  /** As the database has them. What is written may be taken back with its transaction, and is not held before it was handed over. */
  const held = createLruCache<string, { name: string | undefined }>(maxHeld);
  const unsure = new Set<string>();
  const nameOf = (place: string): string | undefined => {
    const known = held.get(place);
    if (known !== undefined) return known.name;
    const name = select.get(place);
    if (!unsure.has(place)) held.set(place, { name });
    return name;
  };
  const of = (address: Address): PlaceNames => namesOfChat(formatAddress(address), { get: nameOf });
  const changesOf = (address: Address, names: PlaceNames) => {
    const keys = placeKeys(formatAddress(address));
    return (['space', 'channel', 'thread'] as const).flatMap((part) => {
      const [place, name] = [keys[part], cleanName(names[part])];
      if (place === undefined || name === '') return [];
      const before = nameOf(place);
      return before === name ? [] : [{ place, name, before }];
    });
  };
  return {
    of,
    titleOf: (address, person) =>
      placeTitle({ chat: formatAddress(address), names: of(address), ...defined({ person }) }),
    differ: (address, names) => changesOf(address, names).length > 0,
    set(address, names, which) {
      let written = false;
      for (const { place, name, before } of changesOf(address, names)) {
        if (which === 'renamed' && before === undefined) continue;
        toHandOver.written();
        upsert.run({ place, name });
        held.delete(place);
        unsure.add(place);
        written = true;
      }
      return written;
    },
    toHandOver: () => (toHandOver.exist() ? left.all() : []),
    handedOver(names) {
      for (const named of names) {
        done.run(named);
        unsure.delete(named.place);
      }
    },
  };
}

/** A name as one bounded line: no control characters, none that turn the direction of what follows. Joiners stay, of which pictures are made. */
function cleanName(name = ''): string {
  return truncate(name.replace(/(?:(?![\u200c\u200d])\p{C}|\s)+/gu, ' ').trim(), maxPlaceName);
}
