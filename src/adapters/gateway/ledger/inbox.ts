// Every accepted message, once, until it has its one visible outcome. Uniqueness is the database's, not the code's.
import type { z } from 'zod';
import type { Address } from '#adapters/gateway/address.ts';
import { formatAddress, parseAddress } from '#adapters/gateway/address.ts';
import type { MessageEvent, PreviewEvent } from '#adapters/gateway/inbound.ts';
import { anyObject, parseJson } from '#base/json.ts';
import type { Sqlite } from '#base/sqlite.ts';

export const quotingSchema = `CREATE INDEX inbox_quoting ON inbox (json_extract(event, '$.quoted.nativeID'))
  WHERE json_extract(event, '$.quoted.nativeID') IS NOT NULL`;

export type InboxKind = 'message' | 'command';
export type InboxState = 'waiting' | 'taken' | 'answered' | 'refused' | 'cancelled';

export interface InboxRow {
  id: string;
  address: Address;
  lane: string;
  person: string;
  kind: InboxKind;
  state: InboxState;
  turnID: string | undefined;
  event: MessageEvent;
  saidAt: number;
  receivedAt: number;
  /** When its author deleted it; its words no longer exist then. */
  deletedAt: number | undefined;
}

export type NewInboxRow = Omit<InboxRow, 'address' | 'state' | 'turnID' | 'saidAt' | 'deletedAt'>;

export interface Inbox {
  /** False when this message is there already. */
  insert(row: NewInboxRow): boolean;
  find(address: Address, nativeID: string): InboxRow | undefined;
  /** Waiting messages of a lane in the order in which they were written, as those of a turn. */
  waiting(lane: string): InboxRow[];
  /** The messages that a turn answers; not those that only answered what it asked. */
  ofTurn(turnID: string): InboxRow[];
  /** The newest answered messages of a person in a lane, with the turn that answered them. */
  lastTurn(lane: string, person: string): { turnID: string; rows: InboxRow[] } | undefined;
  take(ids: readonly string[], turnID: string): void;
  settle(ids: readonly string[], state: InboxState): void;
  /** All messages of a turn have their outcome. */
  settleTurn(turnID: string, state: InboxState): void;
  setText(id: string, text: string): void;
  /** Takes the words and files out of a message that was deleted. */
  erase(id: string, at: number): void;
  /** The message, and the rows in which it was answered once more. */
  findAll(address: Address, nativeID: string): InboxRow[];
  /** What other messages quote of this one is not stored any more. */
  unquote(address: Address, nativeID: string): void;
  /** A second telling of a waiting message that knows of files where the first knew of none. */
  addFiles(event: MessageEvent): void;
  /** What the platform hung on a message later, unless it is taken into a run already; false where nothing of it is new. */
  addShared(event: PreviewEvent): boolean;
  /** True when a message of the same album and person was accepted in this chat. */
  hasAlbum(event: MessageEvent, person: string): boolean;
  /** True once anything in this very thread or chat was accepted. */
  knows(address: Address): boolean;
  /** How many messages of a person were accepted in this room (its threads included) since then. */
  saidIn(address: Address, by: { person: string; since: number }): number;
  /** How many messages of these accounts were accepted since then, commands not counted. */
  saidBy(persons: readonly string[], since: number): number;
  /** How many were accepted in this room since then, commands not counted. */
  heardIn(address: Address, since: number): number;
  /** The newest message of an account in this very chat or thread. */
  lastIn(address: Address, person: string): InboxRow | undefined;
  /** The place of the newest direct message of an account. */
  lastDirect(person: string): Pick<InboxRow, 'person' | 'lane' | 'address' | 'receivedAt'> | undefined;
  lanesWaiting(): string[];
  /** What the gateway itself carries out: commands, and answers to what runs ask. */
  commandsWaiting(): InboxRow[];
  backlog(platform: string): number;
}

interface Raw {
  id: string;
  address: string;
  lane: string;
  person: string;
  kind: InboxKind;
  state: InboxState;
  turn_id: string | null;
  event: string;
  said_at_ms: number;
  received_at_ms: number;
  deleted_at_ms: number | null;
}

const storedEvent = anyObject as unknown as z.ZodType<MessageEvent>; // written by `insert` alone, in this file

function fromRow(raw: Raw): InboxRow {
  return {
    id: raw.id,
    address: parseAddress(raw.address),
    lane: raw.lane,
    person: raw.person,
    kind: raw.kind,
    state: raw.state,
    turnID: raw.turn_id ?? undefined,
    event: parseJson(raw.event, storedEvent, `inbox row ${raw.id}`),
    saidAt: raw.said_at_ms,
    receivedAt: raw.received_at_ms,
    deletedAt: raw.deleted_at_ms ?? undefined,
  };
}

/** The table `inbox`. */
export function createInbox(database: Sqlite): Inbox {
  const columns =
    'id, address, lane, person, kind, state, turn_id, event, said_at_ms, received_at_ms, deleted_at_ms';
  const many = (where: string) =>
    database.prepare<string[], Raw>(`SELECT ${columns} FROM inbox WHERE ${where}`);
  const insert = database.prepare(
    `INSERT INTO inbox (id, platform, account, chat, native_id, address, lane, person, kind, state, event, said_at_ms, received_at_ms)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 'waiting', ?, ?, ?) ON CONFLICT (platform, account, chat, native_id) DO NOTHING`,
  );
  const byNative = many('platform = ? AND account = ? AND chat = ? AND native_id = ?');
  // a retry has the id of its message with a mark behind it
  const withRetries = database.prepare<[object], Raw>(
    `SELECT ${columns} FROM inbox WHERE platform = @platform AND account = @account AND chat = @chat
       AND (native_id = @nativeID OR (native_id > @nativeID || '~' AND native_id < @nativeID || char(127))) ORDER BY id`,
  );
  const erase = database.prepare(
    `UPDATE inbox SET deleted_at_ms = ?,
       event = json_remove(json_set(event, '$.text', '', '$.files', json('[]')), '$.quoted', '$.shared') WHERE id = ?`,
  );
  const byLane = many("lane = ? AND state = 'waiting' AND kind = 'message' ORDER BY said_at_ms, id");
  const byTurn = many("turn_id = ? AND kind = 'message' ORDER BY said_at_ms, id");
  const answered = many(
    "lane = ? AND person = ? AND kind = 'message' AND state = 'answered' AND turn_id IS NOT NULL ORDER BY received_at_ms DESC, id DESC LIMIT 1",
  );
  const lastHere = many(
    "address = ? AND person = ? AND native_id NOT LIKE 'due:%' ORDER BY received_at_ms DESC, id DESC LIMIT 1",
  );
  const commands = many("state = 'waiting' AND kind = 'command' ORDER BY id");
  const take = database.prepare("UPDATE inbox SET state = 'taken', turn_id = ? WHERE id = ?");
  const settle = database.prepare('UPDATE inbox SET state = ? WHERE id = ?');
  const settleTurn = database.prepare('UPDATE inbox SET state = ? WHERE turn_id = ?');
  const setEvent = database.prepare("UPDATE inbox SET event = json_set(event, '$.text', ?) WHERE id = ?");
  const unquote = database.prepare(
    // else SQLite reads all messages of the chat
    `UPDATE inbox INDEXED BY inbox_quoting SET event = json_remove(event, '$.quoted.text', '$.quoted.files')
     WHERE json_extract(event, '$.quoted.nativeID') = @nativeID AND platform = @platform AND account = @account AND chat = @chat`,
  );
  const setFiles = database.prepare(
    `UPDATE inbox SET event = json_set(event, '$.files', json(?))
     WHERE platform = ? AND account = ? AND chat = ? AND native_id = ? AND state = 'waiting' AND json_array_length(event, '$.files') = 0`,
  );
  const setShared = database.prepare(
    "UPDATE inbox SET event = json_set(event, '$.shared', json(?)) WHERE id = ?",
  );
  const album = database.prepare<string[], { one: 1 }>(
    `SELECT 1 AS one FROM (SELECT event, person FROM inbox WHERE address = ? ORDER BY rowid DESC LIMIT 50)
     WHERE person = ? AND json_extract(event, '$.album') = ? LIMIT 1`,
  );
  const known = database.prepare<[string], { one: 1 }>(
    'SELECT 1 AS one FROM inbox WHERE address = ? LIMIT 1',
  );
  const lanes = database.prepare<[], { lane: string }>(
    "SELECT DISTINCT lane FROM inbox WHERE state = 'waiting' AND kind = 'message'",
  );
  const said = database.prepare<[string, number, string, string, string], { n: number }>(
    'SELECT count(*) AS n FROM inbox WHERE person = ? AND received_at_ms > ? AND platform = ? AND account = ? AND chat = ?',
  );
  const saidBy = database.prepare<[string, number], { n: number }>(
    "SELECT count(*) AS n FROM inbox WHERE person IN (SELECT value FROM json_each(?)) AND received_at_ms > ? AND kind = 'message'",
  );
  const received = database.prepare<[string, string, string, number], { n: number }>(
    "SELECT count(*) AS n FROM inbox WHERE platform = ? AND account = ? AND chat = ? AND received_at_ms > ? AND kind = 'message'",
  );
  const direct = many("person = ? AND address LIKE '%:dm:%' ORDER BY received_at_ms DESC, id DESC LIMIT 1");
  // by the indexes of what waits and of what is answered, in this order: the inbox itself holds every message
  const backlog = database.prepare<[{ platform: string }], { n: number }>(
    `SELECT (SELECT count(*) FROM inbox WHERE state = 'waiting' AND +platform = @platform) +
       (SELECT count(*) FROM turns CROSS JOIN inbox ON inbox.turn_id = turns.id
        WHERE turns.state = 'running' AND inbox.state = 'taken' AND inbox.platform = @platform) AS n`,
  );
  return {
    insert(row) {
      const { platform, account, chat } = row.event.address;
      const address = formatAddress(row.event.address);
      const native = [platform, account, chat, row.event.nativeID];
      const rest = [
        address,
        row.lane,
        row.person,
        row.kind,
        JSON.stringify(row.event),
        row.event.at,
        row.receivedAt,
      ];
      return insert.run(row.id, ...native, ...rest).changes === 1;
    },
    find({ platform, account, chat }, nativeID) {
      const [raw] = byNative.all(platform, account, chat, nativeID);
      return raw === undefined ? undefined : fromRow(raw);
    },
    waiting: (lane) => byLane.all(lane).map(fromRow),
    ofTurn: (turnID) => byTurn.all(turnID).map(fromRow),
    lastTurn(lane, person) {
      const [raw] = answered.all(lane, person);
      if (raw?.turn_id == null) return undefined;
      return { turnID: raw.turn_id, rows: byTurn.all(raw.turn_id).map(fromRow) };
    },
    take(ids, turnID) {
      for (const id of ids) take.run(turnID, id);
    },
    settle(ids, state) {
      for (const id of ids) settle.run(state, id);
    },
    settleTurn(turnID, state) {
      settleTurn.run(state, turnID);
    },
    erase(id, at) {
      erase.run(at, id);
    },
    findAll: ({ platform, account, chat }, nativeID) =>
      withRetries.all({ platform, account, chat, nativeID }).map(fromRow),
    unquote({ platform, account, chat }, nativeID) {
      unquote.run({ platform, account, chat, nativeID });
    },
    setText(id, text) {
      setEvent.run(text, id);
    },
    addFiles({ address: { platform, account, chat }, nativeID, files }) {
      if (files.length > 0) setFiles.run(JSON.stringify(files), platform, account, chat, nativeID);
    },
    addShared({ address: { platform, account, chat }, nativeID, shared }) {
      const rows = withRetries.all({ platform, account, chat, nativeID }).map(fromRow);
      const open = rows.filter(({ state, kind }) => state === 'waiting' && kind === 'message');
      return open
        .map(({ id, event }) => {
          const before = event.shared ?? [];
          const after = [...new Set([...before, ...shared])];
          return after.length > before.length && setShared.run(JSON.stringify(after), id).changes > 0;
        })
        .includes(true);
    },
    hasAlbum: (event, person) =>
      event.album !== undefined && album.get(formatAddress(event.address), person, event.album) !== undefined,
    knows: (address) => known.get(formatAddress(address)) !== undefined,
    saidIn: ({ platform, account, chat }, { person, since }) =>
      said.get(person, since, platform, account, chat)?.n ?? 0,
    saidBy: (persons, since) => saidBy.get(JSON.stringify(persons), since)?.n ?? 0,
    heardIn: ({ platform, account, chat }, since) => received.get(platform, account, chat, since)?.n ?? 0,
    lastIn(address, person) {
      const raw = lastHere.get(formatAddress(address), person);
      return raw && fromRow(raw);
    },
    lastDirect(person) {
      const [raw] = direct.all(person);
      return raw && fromRow(raw);
    },
    lanesWaiting: () => lanes.all().map((row) => row.lane),
    commandsWaiting: () => commands.all().map(fromRow),
    backlog: (platform) => backlog.get({ platform })?.n ?? 0,
  };
}
