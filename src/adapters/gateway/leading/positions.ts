// How far an account's stream was taken in, for whoever leads the account next: cursors, chats in which people wrote to the bot, and messages.

import { isBehind } from '#adapters/gateway/ledger/cursors.ts';
import { type Address, formatAddress, parseAddress, roomOf } from '#adapters/gateway/terms/address.ts';
import type { AcceptResult, Cursor, MessageEvent, MessageKey } from '#adapters/gateway/terms/inbound.ts';
import type { PostgresSchema } from '#base/postgres/migrations.ts';
import type { Queryable } from '#base/postgres/postgres.ts';

/**
 * The table of positions, whose `kind` says what `name` is: of a cursor its name, of a chat its address, whose value says
 * who talks with the bot there where it is a thread of a room: the one account, or `*` for several. And the table of
 * messages that were taken in, with the instance that did, each of which no other instance takes in too; they are kept as long as platforms bring messages again.
 */
export const positionsSchema: PostgresSchema = {
  part: 'positions',
  migrations: [
    `CREATE TABLE parley_positions (
       account text NOT NULL,
       kind text NOT NULL CHECK (kind IN ('cursor', 'chat')),
       name text NOT NULL,
       value text NOT NULL,
       PRIMARY KEY (account, kind, name)
     );
     CREATE TABLE parley_accepted (
       account text NOT NULL,
       message text NOT NULL,
       at timestamptz NOT NULL DEFAULT now(),
       PRIMARY KEY (account, message)
     );
     CREATE INDEX parley_accepted_at ON parley_accepted (account, at)`,
    'ALTER TABLE parley_accepted ADD COLUMN instance text',
  ],
};

/** The positions of one account while one instance leads it: nobody else writes them, so they are read once. */
export interface Positions {
  cursor(name: string): string | undefined;
  chats(): Address[];
  /** Asks the database whether an instance has taken in this very message. Rejects when the term is over. */
  isAccepted(message: MessageKey): Promise<boolean>;
  /** How far the bot takes part in the thread of a room to which this message belongs; undefined where that is not on record. */
  companyOf(message: Speech): MessageEvent['takenPart'];
  /** Notes who speaks in a thread that the bot takes part in; it is written with the next `save`. */
  heard(message: Speech, accepted: AcceptResult): void;
  /**
   * Puts messages on record that this instance has and could not write down when it took them in; resolves with those that another instance has
   * taken in since. Rejects when the term is over.
   */
  claim(messages: readonly MessageKey[]): Promise<MessageKey[]>;
  /** Resolves once nothing is being written any more, whether or not that succeeds. */
  written(): Promise<void>;
  /** Notes a cursor, unless it goes back; it is written with the next `save`. */
  pass(cursor: Cursor): void;
  /** Writes this, with the chat of the message, and what was passed. Rejects when the term is over. */
  save(what: { cursor?: Cursor | undefined; message?: MessageKey | undefined }): Promise<void>;
}

type Speech = Pick<MessageEvent, 'address' | 'actor' | 'toOthers'>;

type Kind = 'cursor' | 'chat';

/** Telegram keeps what nobody has fetched for a day; what Slack and Discord have in their histories is left out by the cursors. */
const acceptedFor = '2 days';

/** Several talk in a thread; no id of an account is this. */
const several = '*';

const inThread = ({ kind, thread }: Address): boolean => kind !== 'dm' && thread !== undefined;

const keyOf = ({ address, nativeID }: MessageKey): string => `${roomOf(address)} ${nativeID}`;

/** Reads what the leaders before have written. */
export async function openPositions(
  database: Queryable,
  { account, instance }: { account: string; instance: string },
): Promise<Positions> {
  const rows = await database.query<{ kind: Kind; name: string; value: string }>(
    'SELECT kind, name, value FROM parley_positions WHERE account = $1',
    [account],
  );
  const read = (kind: Kind) =>
    rows.flatMap((row) => (row.kind === kind ? [[row.name, row.value] as const] : []));
  const known = { cursor: new Map(read('cursor')), chat: new Map(read('chat')) };
  const writing = new Set<Promise<void>>();
  let unsaved = new Map<string, { kind: Kind; name: string; value: string }>();

  const note = (kind: Kind, { name, value }: Cursor): void => {
    const before = known[kind].get(name);
    if (before === value || (before !== undefined && isBehind(value, before))) return;
    put(kind, { name, value });
  };
  const put = (kind: Kind, { name, value }: Cursor): void => {
    known[kind].set(name, value);
    unsaved.set(`${kind} ${name}`, { kind, name, value });
  };
  const write = async (message: string | null): Promise<void> => {
    if (unsaved.size === 0 && message === null) return;
    const written = unsaved;
    unsaved = new Map();
    const all = [...written.values()];
    try {
      await database.query(
        `WITH taken AS (INSERT INTO parley_accepted (account, message, instance) SELECT $1, $5, $6 WHERE $5::text IS NOT NULL ON CONFLICT DO NOTHING),
              old AS (DELETE FROM parley_accepted WHERE account = $1 AND at < now() - interval '${acceptedFor}')
         INSERT INTO parley_positions (account, kind, name, value) SELECT $1, * FROM unnest($2::text[], $3::text[], $4::text[])
         ON CONFLICT (account, kind, name) DO UPDATE SET value = excluded.value`,
        [
          account,
          all.map(({ kind }) => kind),
          all.map(({ name }) => name),
          all.map(({ value }) => value),
          message,
          instance,
        ],
      );
    } catch (error) {
      unsaved = new Map([...written, ...unsaved]); // what came meanwhile is newer
      throw error;
    }
  };
  return {
    cursor: (name) => known.cursor.get(name),
    chats: () => [...known.chat.keys()].map(parseAddress),
    companyOf({ address, actor }) {
      const company = inThread(address) ? known.chat.get(formatAddress(address)) : undefined;
      if (company === undefined || company === '') return undefined;
      return company === actor.id ? 'alone' : 'others';
    },
    heard({ address, actor, toOthers }, accepted) {
      if (!inThread(address) || actor.isBot) return;
      const name = formatAddress(address);
      const before = known.chat.get(name);
      if (before === undefined && accepted === 'ignored') return; // the bot takes no part in it
      const isAlone = toOthers !== true && (before === undefined || before === '' || before === actor.id);
      const value = isAlone ? actor.id : several;
      if (value !== before) put('chat', { name, value });
    },
    pass: (cursor) => note('cursor', cursor),
    async isAccepted(message) {
      const rows = await database.query('SELECT FROM parley_accepted WHERE account = $1 AND message = $2', [
        account,
        keyOf(message),
      ]);
      return rows.length > 0;
    },
    async claim(messages) {
      if (messages.length === 0) return [];
      const keys = messages.map(keyOf);
      await database.query(
        `INSERT INTO parley_accepted (account, message, instance)
         SELECT $1, message, $3 FROM unnest($2::text[]) AS own (message) ON CONFLICT DO NOTHING`,
        [account, keys, instance],
      );
      const rows = await database.query<{ message: string }>(
        'SELECT message FROM parley_accepted WHERE account = $1 AND message = ANY($2::text[]) AND instance <> $3',
        [account, keys, instance],
      );
      const theirs = new Set(rows.map(({ message }) => message));
      return messages.filter((message) => theirs.has(keyOf(message)));
    },
    async written() {
      await Promise.allSettled(writing);
    },
    async save({ cursor, message }) {
      if (cursor !== undefined) note('cursor', cursor);
      const chat = message && formatAddress(message.address);
      if (chat !== undefined && !known.chat.has(chat)) put('chat', { name: chat, value: '' });
      const work = write(message === undefined ? null : keyOf(message));
      writing.add(work);
      try {
        await work;
      } finally {
        writing.delete(work);
      }
    },
  };
}
