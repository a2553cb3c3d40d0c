// Which accounts were seen where, and what each may be reminded of. Display names are shown, never compared. Who they are is persons.ts.

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
  meet(platform: string, actor: Pick<Actor, 'id' | 'name'>): string;
  /** The same for an account that was met; undefined for one that was not. */
  known(platform: string, userID: string): string | undefined;
  sighted(person: string, room: SeenRoom, at: number): void;
  /** What this person may recall in private: their linked identities' own words and the rooms where any of them was seen. */
  reach(person: string): Reach;
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
  const linked = database.prepare<[{ person: string }], { person: string }>(
    `SELECT person FROM identities WHERE person = @person UNION ALL
     SELECT person FROM identities WHERE linked_as = (SELECT linked_as FROM identities WHERE person = @person) AND person <> @person`,
  );
  const rooms = database.prepare<[string], { audience: string; space: string | null }>(
    'SELECT audience, space FROM sightings WHERE person = ?',
  );

  const meet = (platform: string, actor: Pick<Actor, 'id' | 'name'>): string => {
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
    known: (platform, userID) => find.get(platform, userID)?.person,
    sighted(person, room, at) {
      see.run(person, room.audience, room.space ?? null, at);
    },
    reach(person) {
      const persons = linked.all({ person }).map((row) => row.person);
      const seen = persons.flatMap((one) => rooms.all(one));
      return {
        audiences: [
          ...new Set([...persons.map((one) => `person:${one}`), ...seen.map((row) => row.audience)]),
        ],
        spaces: [...new Set(seen.flatMap((row) => row.space ?? []))],
      };
    },
  };
}
