// What platforms call their spaces, rooms and threads, as the gateway told it last.
import type { Sqlite } from '#base/sqlite/sqlite.ts';
import { namedChatsOf, namesOfChat } from '#engine/wire/channels/named-chats.ts';
import type { NamedChat, NamedPlace, PlaceNames } from '#engine/wire/channels/place-names.ts';
import { isChat, wantedIn } from '#engine/wire/channels/place-title.ts';

/** Addresses from the first up to, and without, the second, as text. */
export type ChatRange = readonly [from: string, until: string];

export interface PlaceNameTable {
  /** Stores names. Called inside a transaction; `committed` comes after it. */
  set(names: readonly NamedPlace[]): void;
  committed(): void;
  /** The names of a chat; undefined where it has none. */
  of(chat: string): PlaceNames | undefined;
  /** The chats of the spaces, rooms and threads whose name has this text, in any case. */
  rangesOf(text: string): ChatRange[];
  /** Rooms and threads with a name of their own that has this text (any when absent): first those that begin with it, each by title. */
  list(text: string | undefined): NamedChat[];
}

/** The table `place_names`. A prompt reads the names of its own place; lists hold all of them in memory, of which few change. */
export function createPlaceNames(database: Sqlite): PlaceNameTable {
  const select = database.prepare<[], NamedPlace>('SELECT place, name FROM place_names');
  const upsert = database.prepare<NamedPlace>(
    'INSERT INTO place_names (place, name) VALUES (@place, @name) ON CONFLICT DO UPDATE SET name = @name',
  );
  let held: ReadonlyMap<string, string> | undefined;
  const all = (): ReadonlyMap<string, string> => {
    held ??= new Map(select.all().map(({ place, name }) => [place, name]));
    return held;
  };
  const one = database.prepare<[string], string>('SELECT name FROM place_names WHERE place = ?').pluck();
  const of = (chat: string): PlaceNames | undefined => {
    const names = namesOfChat(chat, held ?? one);
    return Object.keys(names).length === 0 ? undefined : names;
  };
  /** The keys of the places whose name has the text. */
  const having = (text: string): string[] => {
    const wanted = wantedIn(text);
    return [...all()].flatMap(([place, name]) => (name.toLowerCase().includes(wanted) ? [place] : []));
  };
  return {
    set: (names) => {
      for (const named of names) upsert.run(named);
    },
    committed() {
      held = undefined;
    },
    of,
    rangesOf: (text) => having(text).flatMap(chatsOf),
    list(text) {
      if (text === undefined) return namedChatsOf(all().keys(), all());
      const wanted = wantedIn(text);
      const begins = ({ chat }: NamedChat): boolean =>
        all().get(chat)?.toLowerCase().startsWith(wanted) === true;
      const found = namedChatsOf(having(text), all());
      return [...found.filter(begins), ...found.filter((each) => !begins(each))];
    },
  };
}

/** Addresses are percent-encoded: none has a space, nor a character above this one. */
const [before, last] = [' ', '\uffff'];

/** The addresses of a space, of a room with its threads, or of one thread. */
export function chatsOf(place: string): ChatRange[] {
  const [platform, account, space] = place.split(':');
  if (!isChat(place))
    return ['channel', 'group'].map((kind) => {
      const beginning = `${platform}:${kind}:${account}:${space}:`;
      return [beginning, beginning + last];
    });
  if (!place.endsWith(':-')) return [[place, place + before]];
  const room = place.slice(0, -1);
  return [[room, room + last]];
}
