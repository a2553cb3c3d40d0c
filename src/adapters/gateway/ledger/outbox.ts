// What has to be sent and what has arrived: intent before I/O, one receipt a part. A row leaves only when all of it has arrived.
import { z } from 'zod';
import type { Address } from '#adapters/gateway/terms/address.ts';
import { formatAddress, parseAddress } from '#adapters/gateway/terms/address.ts';
import { ephemeralIn } from '#adapters/gateway/terms/ephemeral-part.ts';
import type { MessagePart } from '#adapters/text/part.ts';
import { type Json, parseJson } from '#base/json.ts';
import type { Sqlite } from '#base/sqlite/sqlite.ts';
import { createRefusedRows } from './refused-rows.ts';
import type { Traffic } from './traffic.ts';

type OutboxState = 'open' | 'handing over' | 'done' | 'failed';

export interface OutboxPart {
  ordinal: number;
  /** The send key: nonce or metadata, the same for every attempt. */
  key: string;
  part: MessagePart;
  /** The preview that this part replaces, if one was begun. */
  preview: { key: string; nativeID: string | undefined } | undefined;
  state: 'unsent' | 'sending' | 'sent';
  possibleRepeat: boolean;
  nativeID: string | undefined;
  /** Attempts that failed in a way that another one may fix; undefined where none did. */
  refused: { times: number; since: number; words: string } | undefined;
}

export interface OutboxRow {
  id: string;
  address: Address;
  replyTo: string | undefined;
  turnID: string | undefined;
  /** The run whose delivery is reported to the engine; absent for notices and failures. */
  runID: string | undefined;
  /** When it was stored, in milliseconds since the epoch; nothing of it was sent before. */
  createdAt: number;
  parts: OutboxPart[];
}

export interface NewOutboxRow {
  id: string;
  address: Address;
  replyTo?: string | undefined;
  turnID?: string | undefined;
  runID?: string | undefined;
  parts: readonly {
    part: MessagePart;
    key: string;
    preview?: { key: string; nativeID?: string | undefined } | undefined;
    /** What it repeats may stand already, as a preview of unknown outcome. */
    possibleRepeat?: boolean | undefined;
    /** The id of the message that shows exactly this already. */
    standing?: string | undefined;
  }[];
  at: number;
  /** The first part is being sent from now on, as `sending` would say. */
  isBeingSent?: boolean | undefined;
}

export interface Outbox {
  insert(outgoing: NewOutboxRow): void;
  get(id: string): OutboxRow | undefined;
  /** The row that answers a turn: there is at most one. */
  idOfTurn(turnID: string): string | undefined;
  /** Rows with something still to do, oldest first, with the lane that they answer; what answers a command has none. */
  open(): { id: string; address: Address; lane: string | undefined }[];
  sending(id: string, ordinal: number): void;
  /** Back to unsent after a failure that certainly had no effect. */
  unsent(id: string, ordinal: number): void;
  /** Counts a failure that another attempt may fix. */
  refusedPart(id: string, ordinal: number, failure: { words: string; at: number }): void;
  /** The words that are in the chat in the place of a part that is given up; `words` are for the status. */
  gaveUp(
    id: string,
    given: { ordinal: number; nativeID: string; at: number; part: MessagePart; words: string },
  ): void;
  /** From the next attempt on it may be a repeat and has to say so. */
  mayRepeat(id: string, ordinal: number): void;
  forgetPreview(id: string, ordinal: number): void;
  /** Another part takes the place of one that will never be delivered; of an ephemeral one also the place of its preview and of all behind it. */
  replace(id: string, ordinal: number, part: MessagePart): void;
  /** With the last receipt, the answer of a run is to be handed over to the engine. */
  received(id: string, receipt: { ordinal: number; nativeID: string; at: number }): void;
  setState(id: string, state: 'done' | 'failed', error?: string): void;
  /** Undefined for an id that no row has. */
  stateOf(id: string): OutboxState | undefined;
  /** Opens a failed row again; the sender is to be called with its address. Undefined for a row that has not failed. */
  reopen(id: string): Address | undefined;
  /** Takes a row off the list of undelivered ones. */
  dismiss(id: string, at: number): void;
  /** What rooms of a platform refused since then, and parts that were given up anywhere, by the reason that was noted: once for each chat, the newest first, at most ten of each bot's account. */
  refused(platform: string, since: number): { account: string; words: string; at: number }[];
  /** Called inside the transaction in which a row gets its end. */
  onSettled(listener: () => void): void;
  /** What is not confirmed or not handed over, by the account of the bot. */
  backlog(platform: string): ReadonlyMap<string, number>;
}

const reopenFailed = `UPDATE outbox SET state = 'open', error = NULL, dismissed_at_ms = NULL
  WHERE id = ? AND state = 'failed' RETURNING address`;

interface Raw {
  id: string;
  address: string;
  reply_to: string | null;
  turn_id: string | null;
  run_id: string | null;
  created_at_ms: number;
}

interface RawPart {
  ordinal: number;
  key: string;
  text: string;
  body: string;
  preview_key: string | null;
  preview_id: string | null;
  state: OutboxPart['state'];
  possible_repeat: number;
  native_id: string | null;
  refusals: number;
  refused_since_ms: number | null;
  refused_words: string | null;
}

const storedBody = z.unknown() as z.ZodType<Json>; // only `insert` and `replace` write it, in this file

function partFromRow(raw: RawPart): OutboxPart {
  return {
    ordinal: raw.ordinal,
    key: raw.key,
    part: { text: raw.text, body: parseJson(raw.body, storedBody, `outbox part ${raw.key}`) },
    preview:
      raw.preview_key === null ? undefined : { key: raw.preview_key, nativeID: raw.preview_id ?? undefined },
    state: raw.state,
    possibleRepeat: raw.possible_repeat === 1,
    nativeID: raw.native_id ?? undefined,
    refused:
      raw.refused_since_ms === null
        ? undefined
        : { times: raw.refusals, since: raw.refused_since_ms, words: raw.refused_words ?? '' },
  };
}

/** The tables `outbox` and `outbox_parts`; receipts are reported to `traffic`. */
export function createOutbox(database: Sqlite, traffic: Traffic): Outbox {
  const listeners: (() => void)[] = [];
  const refused = createRefusedRows(database);
  const insert = database.prepare(
    "INSERT INTO outbox (id, address, reply_to, turn_id, run_id, state, created_at_ms) VALUES (?, ?, ?, ?, ?, 'open', ?)",
  );
  const insertPart = database.prepare(
    `INSERT INTO outbox_parts (outbox_id, ordinal, key, text, body, preview_key, preview_id, possible_repeat, state, attempts)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const select = database.prepare<[string], Raw>(
    'SELECT id, address, reply_to, turn_id, run_id, created_at_ms FROM outbox WHERE id = ?',
  );
  const byTurn = database.prepare<[string], { id: string }>('SELECT id FROM outbox WHERE turn_id = ?');
  const selectParts = database.prepare<[string], RawPart>(
    `SELECT ordinal, key, text, body, preview_key, preview_id, state, possible_repeat, native_id, refusals, refused_since_ms, refused_words
     FROM outbox_parts WHERE outbox_id = ? ORDER BY ordinal`,
  );
  const open = database.prepare<[], { id: string; address: string; lane: string | null }>(
    `SELECT outbox.id, outbox.address, turns.lane FROM outbox LEFT JOIN turns ON turns.id = outbox.turn_id
     WHERE outbox.state IN ('open', 'handing over') ORDER BY outbox.id`,
  );
  const change = (set: string) =>
    database.prepare<[string, number]>(`UPDATE outbox_parts SET ${set} WHERE outbox_id = ? AND ordinal = ?`);
  const sending = change("state = 'sending', attempts = attempts + 1");
  const unsent = change("state = 'unsent'");
  const mayRepeat = change('possible_repeat = 1');
  const forgetPreview = change('preview_key = NULL, preview_id = NULL');
  const replace = database.prepare(
    "UPDATE outbox_parts SET text = ?, body = ?, state = 'unsent', possible_repeat = 0 WHERE outbox_id = ? AND ordinal = ?",
  );
  const dropBehind = database.prepare('DELETE FROM outbox_parts WHERE outbox_id = ? AND ordinal > ?');
  const received = database
    .prepare<[string, number, string, number], string>(
      `UPDATE outbox_parts SET state = 'sent', native_id = ?, received_at_ms = ? WHERE outbox_id = ? AND ordinal = ?
       RETURNING (SELECT address FROM outbox WHERE id = outbox_id)`,
    )
    .pluck();
  const allStand = database.prepare<[string]>(
    `UPDATE outbox SET state = 'handing over' WHERE id = ? AND run_id IS NOT NULL
     AND NOT EXISTS (SELECT 1 FROM outbox_parts WHERE outbox_id = outbox.id AND state <> 'sent')`,
  );
  const setState = database.prepare('UPDATE outbox SET state = ?, error = ? WHERE id = ?');
  const stateOf = database.prepare<[string], OutboxState>('SELECT state FROM outbox WHERE id = ?').pluck();
  const reopen = database.prepare<[string], string>(reopenFailed).pluck();
  const dismiss = database.prepare('UPDATE outbox SET dismissed_at_ms = ? WHERE id = ?');
  const backlog = database.prepare<[string], { address: string; n: number }>(
    `SELECT address, count(*) AS n FROM outbox
     WHERE state IN ('open', 'handing over') AND address LIKE ? || ':%' GROUP BY address`,
  );
  const noteReceived: Outbox['received'] = (id, { ordinal, nativeID, at }) => {
    const address = received.get(nativeID, at, id, ordinal);
    allStand.run(id);
    if (address !== undefined) traffic.spoke(parseAddress(address), at);
  };
  return {
    insert(outgoing) {
      const { id, address, replyTo, turnID, runID, at } = outgoing;
      insert.run(id, formatAddress(address), replyTo ?? null, turnID ?? null, runID ?? null, at);
      outgoing.parts.forEach(({ part, key, preview, possibleRepeat }, ordinal) => {
        const shown = [preview?.key ?? null, preview?.nativeID ?? null];
        const repeat = possibleRepeat === true ? 1 : 0;
        const state = outgoing.isBeingSent === true && ordinal === 0 ? ['sending', 1] : ['unsent', 0];
        insertPart.run(id, ordinal, key, part.text, JSON.stringify(part.body), ...shown, repeat, ...state);
      });
      outgoing.parts.forEach(({ standing }, ordinal) => {
        if (standing !== undefined) noteReceived(id, { ordinal, nativeID: standing, at });
      });
    },
    get(id) {
      const raw = select.get(id);
      if (raw === undefined) return undefined;
      return {
        id: raw.id,
        address: parseAddress(raw.address),
        replyTo: raw.reply_to ?? undefined,
        turnID: raw.turn_id ?? undefined,
        runID: raw.run_id ?? undefined,
        createdAt: raw.created_at_ms,
        parts: selectParts.all(id).map(partFromRow),
      };
    },
    idOfTurn: (turnID) => byTurn.get(turnID)?.id,
    open: () =>
      open
        .all()
        .map(({ id, address, lane }) => ({ id, address: parseAddress(address), lane: lane ?? undefined })),
    sending: (id, ordinal) => void sending.run(id, ordinal),
    unsent: (id, ordinal) => void unsent.run(id, ordinal),
    mayRepeat: (id, ordinal) => void mayRepeat.run(id, ordinal),
    refusedPart: refused.note,
    gaveUp(id, { ordinal, nativeID, at, part: { text, body }, words }) {
      replace.run(text, JSON.stringify(body), id, ordinal);
      refused.gaveUp(id, { ordinal, at, words });
      noteReceived(id, { ordinal, nativeID, at });
    },
    forgetPreview: (id, ordinal) => void forgetPreview.run(id, ordinal),
    replace(id, ordinal, { text, body }) {
      const before = selectParts.all(id).map(partFromRow)[ordinal];
      replace.run(text, JSON.stringify(body), id, ordinal);
      if (before === undefined || ephemeralIn(before.part) === undefined) return;
      forgetPreview.run(id, ordinal);
      dropBehind.run(id, ordinal);
    },
    received: noteReceived,
    setState(id, state, error) {
      setState.run(state, error ?? null, id);
      for (const listener of listeners) listener();
    },
    stateOf: (id) => stateOf.get(id),
    reopen: (id) => reopen.all(id).map((address) => parseAddress(address))[0],
    dismiss: (id, at) => void dismiss.run(at, id),
    refused: refused.list,
    onSettled: (listener) => void listeners.push(listener),
    backlog: (platform) => byAccount(backlog.iterate(platform)),
  };
}

function byAccount(counts: Iterable<{ address: string; n: number }>): Map<string, number> {
  const sums = new Map<string, number>();
  for (const { address, n } of counts) {
    const { account } = parseAddress(address);
    sums.set(account, n + (sums.get(account) ?? 0));
  }
  return sums;
}
