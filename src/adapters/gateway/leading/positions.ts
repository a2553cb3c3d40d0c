// How far an account's stream was taken in, for whoever leads the account next: cursors, and the chats in which people wrote to the bot.
import { type Address, formatAddress, parseAddress } from '#adapters/gateway/address.ts';
import type { Cursor } from '#adapters/gateway/inbound.ts';
import { isBehind } from '#adapters/gateway/ledger/cursors.ts';
import type { PostgresSchema } from '#base/postgres/migrations.ts';
import type { Queryable } from '#base/postgres/postgres.ts';

/** The table of positions. `kind` says what `name` is: of a cursor its name, of a chat its address, which has no value. */
export const positionsSchema: PostgresSchema = {
  part: 'positions',
  migrations: [
    `CREATE TABLE parley_positions (
       account text NOT NULL,
       kind text NOT NULL CHECK (kind IN ('cursor', 'chat')),
       name text NOT NULL,
       value text NOT NULL,
       PRIMARY KEY (account, kind, name)
     )`,
  ],
};

/** The positions of one account while one instance leads it: nobody else writes them, so they are read once. */
export interface Positions {
  cursor(name: string): string | undefined;
  chats(): Address[];
  /** Notes a cursor, unless it goes back; it is written with the next `save`. */
  pass(cursor: Cursor): void;
  /** Writes this, and what was passed. Rejects when the term is over. */
  save(what: { cursor?: Cursor | undefined; chat?: Address | undefined }): Promise<void>;
}

type Kind = 'cursor' | 'chat';

/** Reads what the leaders before have written. */
export async function openPositions(database: Queryable, account: string): Promise<Positions> {
  const rows = await database.query<{ kind: Kind; name: string; value: string }>(
    'SELECT kind, name, value FROM parley_positions WHERE account = $1',
    [account],
  );
  const read = (kind: Kind) =>
    rows.flatMap((row) => (row.kind === kind ? [[row.name, row.value] as const] : []));
  const known = { cursor: new Map(read('cursor')), chat: new Map(read('chat')) };
  let unsaved = new Map<string, { kind: Kind; name: string; value: string }>();

  const note = (kind: Kind, { name, value }: Cursor): void => {
    const before = known[kind].get(name);
    if (before === value || (before !== undefined && isBehind(value, before))) return;
    known[kind].set(name, value);
    unsaved.set(`${kind} ${name}`, { kind, name, value });
  };
  const write = async (): Promise<void> => {
    if (unsaved.size === 0) return;
    const written = unsaved;
    unsaved = new Map();
    const all = [...written.values()];
    try {
      await database.query(
        `INSERT INTO parley_positions (account, kind, name, value) SELECT $1, * FROM unnest($2::text[], $3::text[], $4::text[])
         ON CONFLICT (account, kind, name) DO UPDATE SET value = excluded.value`,
        [account, all.map(({ kind }) => kind), all.map(({ name }) => name), all.map(({ value }) => value)],
      );
    } catch (error) {
      unsaved = new Map([...written, ...unsaved]); // what came meanwhile is newer
      throw error;
    }
  };
  return {
    cursor: (name) => known.cursor.get(name),
    chats: () => [...known.chat.keys()].map(parseAddress),
    pass: (cursor) => note('cursor', cursor),
    async save({ cursor, chat }) {
      if (cursor !== undefined) note('cursor', cursor);
      if (chat !== undefined) note('chat', { name: formatAddress(chat), value: '' });
      await write();
    },
  };
}
