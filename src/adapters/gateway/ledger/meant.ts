// Which persons and chats a word means, in every form in which one is shown: ids, names, accounts, addresses, audiences. Reads only.
import { formatAddress, parseAddress, roomOf } from '#adapters/gateway/terms/address.ts';
import { openSqliteReader, type Sqlite } from '#base/sqlite/sqlite.ts';
import { chatNamed, namedChatsOf, namesOfChat } from '#engine/wire/channels/named-chats.ts';
import type { NamedPlace } from '#engine/wire/channels/place-names.ts';
import { isChat, placeTitle, platformTitle } from '#engine/wire/channels/place-title.ts';

interface MeantPersons {
  /** Accounts as memory knows them (`per_...`), and as histories that were imported know them (`platform:ID`). */
  keys: string[];
  /** The accounts among them that this gateway has met. */
  persons: string[];
  /** The name of the person, when one account of several is meant. */
  oneOf?: string | undefined;
}

interface MeantChats {
  /** Canonical addresses, of a room that moved all that it has had; and keys that are none of this gateway's. */
  chats: string[];
  sessions: string[];
}

export interface Meant {
  /** `per_...`, `person:per_...`, `platform:ID` or the name of a person, which means all of their accounts. Any other word means itself. */
  persons(word: string): MeantPersons;
  /**
   * An address, a lane, `room:...`, a session's id, or a name that one room or thread has (`discord:#engine-room`). Any other word means
   * itself; a ParleyError `ambiguous_chat` for a name that several have.
   */
  chats(word: string): MeantChats;
  /** Whether the gateway has met a person or been in a room; of a person who is named otherwise the audiences that may be meant. */
  audiences(audience: string): { isKnown: boolean; alike: string[] };
  /** An audience of memory for people: `#engine-room · Harbour crew · Discord`, `Ben on Discord`; undefined where nothing gave it a name. */
  titleOf(audience: string): string | undefined;
}

interface Identity {
  person: string;
  platform: string;
  userID: string;
  name: string | null;
  shownAs: string;
}

/** Resolves words that name people or chats, over an open ledger. Without one every word means itself. */
export function createMeant(database: Sqlite | undefined): Meant {
  const identities = database?.prepare<[{ word: string }], Identity>(
    `SELECT person, platform, user_id AS userID, linked_as AS name, name AS shownAs FROM identities
     WHERE person = @word OR platform || ':' || user_id = @word OR linked_as = @word
       OR linked_as = (SELECT name FROM persons WHERE name = @word COLLATE NOCASE
         AND (SELECT count(*) FROM persons WHERE name = @word COLLATE NOCASE) = 1)
     ORDER BY person`,
  );
  const siblings = database
    ?.prepare<[string], number>('SELECT count(*) FROM identities WHERE linked_as = ?')
    .pluck();
  const moves = database
    ?.prepare<[{ room: string }], string>(
      `WITH RECURSIVE same (room) AS (
         VALUES (@room)
         UNION SELECT old_room FROM chat_migrations JOIN same ON new_room = same.room
         UNION SELECT new_room FROM chat_migrations JOIN same ON old_room = same.room)
       SELECT room FROM same WHERE room <> @room`,
    )
    .pluck();
  const known = database
    ?.prepare<[{ audience: string }], 1>(
      `SELECT 1 FROM identities WHERE 'person:' || person = @audience
       UNION ALL SELECT 1 FROM rooms WHERE audience = @audience
       UNION ALL SELECT 1 FROM sightings WHERE audience = @audience LIMIT 1`,
    )
    .pluck();
  const shownAs = database
    ?.prepare<[string], string>('SELECT person FROM identities WHERE name = ? COLLATE NOCASE LIMIT 3')
    .pluck();
  const names = database?.prepare<[], NamedPlace>('SELECT place, name FROM place_names');
  const allNames = () => new Map(names?.all().map(({ place, name }) => [place, name]));
  const namedChats = () => {
    const all = allNames();
    return namedChatsOf(all.keys(), all);
  };
  const meant: Meant = {
    audiences(audience) {
      const isKnown = known?.get({ audience }) !== undefined;
      if (isKnown || !audience.startsWith('person:')) return { isKnown, alike: [] };
      const bare = audience.replace(/^person:/, '');
      const persons = [...meant.persons(bare).persons, ...(shownAs?.all(bare) ?? [])];
      return { isKnown, alike: [...new Set(persons)].slice(0, 3).map((person) => `person:${person}`) };
    },
    persons(word) {
      const bare = word.replace(/^tandem:\/\/user\//, '').replace(/^person:/, '');
      const found = identities?.all({ word: bare }) ?? [];
      const [first] = found;
      const isOne = first !== undefined && first.name?.toLowerCase() !== bare.toLowerCase();
      const others = isOne && first.name !== null ? (siblings?.get(first.name) ?? 1) - 1 : 0;
      return {
        keys: [
          ...new Set([bare, ...found.flatMap((each) => [each.person, `${each.platform}:${each.userID}`])]),
        ],
        persons: found.map(({ person }) => person),
        ...(others > 0 && first?.name != null ? { oneOf: first.name } : {}),
      };
    },
    titleOf(audience) {
      const [kind, key = ''] = audience.split(/:(.*)/s);
      if (kind === 'person') {
        const account = identities?.all({ word: key }).find(({ person }) => person === key);
        const name = account?.name ?? account?.shownAs;
        return name ? `${name} on ${platformTitle(account?.platform ?? '')}` : undefined;
      }
      const all = allNames();
      if (kind === 'space') {
        const name = all.get(key);
        return name === undefined ? undefined : `${name} on ${platformTitle(key.split(':')[0] ?? '')}`;
      }
      const of = namesOfChat(key, all);
      return of.channel === undefined && of.thread === undefined
        ? undefined
        : placeTitle({ chat: key, names: of });
    },
    chats(word) {
      const session = /^(?:tandem:\/\/session\/)?(ses_\w+)$/.exec(word)?.[1];
      if (session !== undefined) return { chats: [], sessions: [session] };
      const typed = word.replace(/^room:/, '').replace(/#per_\w+$/, '');
      const bare = isChat(typed) ? typed : (chatNamed(typed, namedChats()) ?? typed);
      return { chats: [bare, ...(moves === undefined ? [] : movedFrom(bare, moves))], sessions: [] };
    },
  };
  return meant;
}

/** The same chat under the other addresses that its room has had. */
function movedFrom(chat: string, moves: { all(of: { room: string }): string[] }): string[] {
  if (!/^\w+:(?:dm|group|channel):(?:[^:]+:){3}[^:]+$/.test(chat)) return [];
  const address = parseAddress(chat);
  return moves.all({ room: roomOf(address) }).map((room) => {
    const { space, chat: moved } = parseAddress(room);
    return formatAddress({ ...address, space, chat: moved });
  });
}

/** The same for a ledger that others may have open; throws SQLite's own error. */
export function readMeant<T>(path: string, ask: (meant: Meant) => T): T {
  const database = openSqliteReader({ path });
  try {
    return ask(createMeant(database));
  } finally {
    database.close();
  }
}
