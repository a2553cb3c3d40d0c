// Which accounts were seen where, and since when. Display names are shown, never compared. Who they are is persons.ts.

import { type Address, spaceOf } from '#adapters/gateway/terms/address.ts';
import type { Actor } from '#adapters/gateway/terms/inbound.ts';
import type { NewId } from '#base/ids.ts';
import type { Sqlite } from '#base/sqlite/sqlite.ts';

/** A room as memory knows it: its audience key and the space it belongs to. */
interface SeenRoom {
  audience: string;
  space?: string | undefined;
}

/** An account in a room, from the first time that it was seen there without having left since. */
export interface Sighting extends SeenRoom {
  userID: string;
  /** In milliseconds since the epoch, as the platform counts. */
  firstSeenAt: number;
}

/** An account that left a room, or a whole space where no audience is given. */
interface Leaving {
  userID: string;
  address: Address;
  audience?: string | undefined;
}

export interface Identities {
  /** The person behind an account, made at first sight; with the newest display name, and the newest locale that is known. */
  meet(platform: string, actor: Pick<Actor, 'id' | 'name' | 'locale'>): string;
  /** The locale of an account (`per_...`), else of another one of the same person; undefined where no platform has said any. */
  localeOf(person: string): string | undefined;
  /** The same for an account that was met; undefined for one that was not. */
  known(platform: string, userID: string): string | undefined;
  sighted(person: string, room: SeenRoom, at: number): void;
  /** The same for an account that was met; nothing for one that was not. */
  joined(account: { userID: string; address: Address; audience: string; at: number }): void;
  /** The account is not in the room, or not in the space, any more: what it sees later begins again. */
  left(leaving: Leaving): void;
  /** The account as memory knows it (`per_...`), and those that are linked to it. */
  accountsOf(person: string): string[];
  /** Where these accounts are, those that were seen last first; at most `limit`. */
  sightings(persons: readonly string[], limit: number): Sighting[];
}

/** The tables `identities` and `sightings`. */
export function createIdentities(database: Sqlite, newId: NewId): Identities {
  const find = database.prepare<[string, string], { person: string; name: string; locale: string | null }>(
    'SELECT person, name, locale FROM identities WHERE platform = ? AND user_id = ?',
  );
  const insert = database.prepare(
    'INSERT INTO identities (person, platform, user_id, name) VALUES (?, ?, ?, ?)',
  );
  const rename = database.prepare('UPDATE identities SET name = ? WHERE person = ?');
  const speaks = database.prepare('UPDATE identities SET locale = ? WHERE person = ?');
  const locale = database.prepare<[{ person: string }], { locale: string }>(
    `SELECT locale FROM identities WHERE locale IS NOT NULL AND (person = @person
       OR linked_as = (SELECT linked_as FROM identities WHERE person = @person)) ORDER BY person = @person DESC LIMIT 1`,
  );
  const see = database.prepare(
    `INSERT INTO sightings (person, audience, space, seen_at_ms, first_seen_ms) VALUES (@person, @audience, @space, @at, @at)
     ON CONFLICT DO UPDATE SET seen_at_ms = max(seen_at_ms, excluded.seen_at_ms), space = excluded.space`,
  );
  const leaveRoom = database.prepare<[object]>(
    'DELETE FROM sightings WHERE audience = @audience AND person IN (SELECT person FROM identities WHERE platform = @platform AND user_id = @userID)',
  );
  const leaveSpace = database.prepare<[object]>(
    'DELETE FROM sightings WHERE space = @space AND person IN (SELECT person FROM identities WHERE platform = @platform AND user_id = @userID)',
  );
  const linked = database.prepare<[{ person: string }], { person: string }>(
    `SELECT person FROM identities WHERE person = @person UNION ALL
     SELECT person FROM identities WHERE linked_as = (SELECT linked_as FROM identities WHERE person = @person) AND person <> @person`,
  );
  const sightings = database.prepare<
    [string, number],
    { userID: string; audience: string; space: string | null; firstSeenAt: number }
  >(
    `SELECT i.user_id AS userID, s.audience, s.space, s.first_seen_ms AS firstSeenAt
     FROM sightings s JOIN identities i ON i.person = s.person
     WHERE s.person IN (SELECT value FROM json_each(?)) ORDER BY s.seen_at_ms DESC LIMIT ?`,
  );

  const meet: Identities['meet'] = (platform, { id, name, locale: spoken }) => {
    const known = find.get(platform, id);
    const person = known?.person ?? newId('per');
    if (known === undefined) insert.run(person, platform, id, name);
    else if (known.name !== name) rename.run(name, person);
    if (spoken !== undefined && spoken !== known?.locale) speaks.run(spoken, person);
    return person;
  };

  const sighted = (person: string, { audience, space }: SeenRoom, at: number): void => {
    see.run({ person, audience, space: space ?? null, at });
  };

  return {
    meet,
    localeOf: (person) => locale.get({ person })?.locale,
    known: (platform, userID) => find.get(platform, userID)?.person,
    sighted: (person, room, at) => sighted(person, room, at),
    joined({ userID, address, audience, at }) {
      const person = find.get(address.platform, userID)?.person;
      if (person !== undefined) sighted(person, { audience, space: spaceOf(address) }, at);
    },
    left({ userID, address, audience }) {
      const { platform } = address;
      if (audience !== undefined) leaveRoom.run({ userID, platform, audience });
      else leaveSpace.run({ userID, platform, space: spaceOf(address) ?? null });
    },
    accountsOf: (person) => linked.all({ person }).map((row) => row.person),
    sightings: (persons, limit) =>
      sightings
        .all(JSON.stringify(persons), limit)
        .map(({ space, ...row }) => ({ ...row, space: space ?? undefined })),
  };
}
