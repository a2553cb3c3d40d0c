// Who was seen where, and which identities are one person. Display names are shown, never compared.

import type { Actor } from '#adapters/gateway/inbound.ts';
import type { NewId } from '#base/ids.ts';
import type { Sqlite } from '#base/sqlite.ts';

/** A room as memory knows it: its audience key and the space it belongs to. */
export interface SeenRoom {
  audience: string;
  space?: string | undefined;
}

export interface Reach {
  audiences: string[];
  spaces: string[];
}

export interface People {
  /** The person behind an account, made at first sight; keeps the newest display name. */
  meet(platform: string, actor: Actor): string;
  sighted(person: string, room: SeenRoom, at: number): void;
  /** What this person may recall in private: their linked identities' own words and the rooms where any of them was seen. */
  reach(person: string): Reach;
  /** Makes the links exactly these (`name -> platform:id`); identities that were never seen are kept for later. */
  link(links: Readonly<Record<string, readonly string[]>>): void;
}

/** The tables `identities` and `sightings`. */
export function createPeople(database: Sqlite, newId: NewId): People {
  const find = database.prepare<[string, string], { person: string }>(
    'SELECT person FROM identities WHERE platform = ? AND user_id = ?',
  );
  const insert = database.prepare(
    'INSERT INTO identities (person, platform, user_id, name) VALUES (?, ?, ?, ?)',
  );
  const rename = database.prepare('UPDATE identities SET name = ? WHERE person = ? AND name <> ?');
  const see = database.prepare(
    'INSERT INTO sightings (person, audience, space, seen_at_ms) VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET seen_at_ms = excluded.seen_at_ms, space = excluded.space',
  );
  const linked = database.prepare<[string, string], { person: string }>(
    'SELECT person FROM identities WHERE person = ? OR linked_as = (SELECT linked_as FROM identities WHERE person = ?)',
  );
  const rooms = database.prepare<[string], { audience: string; space: string | null }>(
    'SELECT audience, space FROM sightings WHERE person = ?',
  );
  const unlinkAll = database.prepare('UPDATE identities SET linked_as = NULL WHERE linked_as IS NOT NULL');
  const setLink = database.prepare('UPDATE identities SET linked_as = ? WHERE person = ?');

  const meet = (platform: string, actor: Actor): string => {
    const known = find.get(platform, actor.id)?.person;
    if (known !== undefined) {
      rename.run(actor.name, known, actor.name);
      return known;
    }
    const person = newId('per');
    insert.run(person, platform, actor.id, actor.name);
    return person;
  };

  return {
    meet,
    sighted(person, room, at) {
      see.run(person, room.audience, room.space ?? null, at);
    },
    reach(person) {
      const persons = linked.all(person, person).map((row) => row.person);
      const seen = persons.flatMap((one) => rooms.all(one));
      return {
        audiences: [
          ...new Set([...persons.map((one) => `person:${one}`), ...seen.map((row) => row.audience)]),
        ],
        spaces: [...new Set(seen.flatMap((row) => row.space ?? []))],
      };
    },
    link: database.transaction((links: Readonly<Record<string, readonly string[]>>) => {
      unlinkAll.run();
      for (const [name, identities] of Object.entries(links)) {
        for (const identity of identities) {
          const colon = identity.indexOf(':');
          const id = identity.slice(colon + 1);
          const platform = identity.slice(0, colon);
          const person = find.get(platform, id)?.person ?? meet(platform, { id, name, isBot: false });
          setLink.run(name, person);
        }
      }
    }),
  };
}
