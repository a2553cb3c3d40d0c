// One turn: a batch of messages and the run that answers it. Its id is the run's idempotency key, as long as it stays in one session.
import type { Address } from '#adapters/gateway/terms/address.ts';
import { formatAddress, parseAddress } from '#adapters/gateway/terms/address.ts';
import { createRareRows } from '#base/sqlite/rare-rows.ts';
import type { Sqlite } from '#base/sqlite/sqlite.ts';

type TurnState = 'running' | 'answered' | 'failed';

export interface Turn {
  id: string;
  lane: string;
  address: Address;
  /** The message that the answer replies to. */
  replyTo: string | undefined;
  state: TurnState;
  /** How many times a process has begun to work on it. */
  attempts: number;
  sessionID: string | undefined;
  runID: string | undefined;
  /** The idempotency key of its run; its id, until it had to leave a session that is not the account's own any more. */
  runKey: string;
}

export interface PreviewRow {
  ordinal: number;
  key: string;
  /** Absent while it is not known whether the platform has it. */
  nativeID: string | undefined;
}

export interface Turns {
  insert(turn: { id: string; lane: string; address: Address; replyTo: string | undefined; at: number }): void;
  begin(id: string): void;
  /** Work on it was put off in good order: that was no attempt. */
  park(id: string): void;
  started(id: string, run: { sessionID: string; runID: string }): void;
  setState(id: string, state: TurnState): void;
  get(id: string): Turn | undefined;
  /** Turns whose answer is not in the outbox yet, oldest first. */
  unanswered(): Turn[];
  previews(id: string): PreviewRow[];
  /** Written before a preview is posted, so that a restart knows that the preview may be in the chat. */
  intendPreview(id: string, preview: { ordinal: number; key: string }): void;
  previewPosted(id: string, preview: { ordinal: number; nativeID: string; at: number }): void;
  /** Whether this message of the address's chat is known as the preview of another turn. */
  ownsPreview(address: Address, nativeID: string): boolean;
  forgetPreview(id: string, ordinal: number): void;
}

interface Raw {
  id: string;
  lane: string;
  address: string;
  reply_to: string | null;
  state: TurnState;
  attempts: number;
  session_id: string | null;
  run_id: string | null;
  run_key: string | null;
}

function fromRow(raw: Raw): Turn {
  return {
    id: raw.id,
    lane: raw.lane,
    address: parseAddress(raw.address),
    replyTo: raw.reply_to ?? undefined,
    state: raw.state,
    attempts: raw.attempts,
    sessionID: raw.session_id ?? undefined,
    runID: raw.run_id ?? undefined,
    runKey: raw.run_key ?? raw.id,
  };
}

/** The tables `turns` and `previews`. */
export function createTurns(database: Sqlite): Turns {
  const insert = database.prepare(
    "INSERT INTO turns (id, lane, address, reply_to, state, created_at_ms) VALUES (?, ?, ?, ?, 'running', ?)",
  );
  const begin = database.prepare('UPDATE turns SET attempts = attempts + 1 WHERE id = ?');
  const park = database.prepare('UPDATE turns SET attempts = attempts - 1 WHERE id = ? AND attempts > 0');
  const started = database.prepare('UPDATE turns SET session_id = ?, run_id = ? WHERE id = ?');
  const setState = database.prepare('UPDATE turns SET state = ? WHERE id = ?');
  const columns = 'id, lane, address, reply_to, state, attempts, session_id, run_id, run_key';
  const byID = database.prepare<[string], Raw>(`SELECT ${columns} FROM turns WHERE id = ?`);
  const unanswered = database.prepare<[], Raw>(
    `SELECT ${columns} FROM turns WHERE state = 'running' ORDER BY id`,
  );
  const previews = database.prepare<[string], { ordinal: number; key: string; native_id: string | null }>(
    'SELECT ordinal, key, native_id FROM previews WHERE turn_id = ? ORDER BY ordinal',
  );
  const intend = database.prepare(
    'INSERT INTO previews (turn_id, ordinal, key) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
  );
  const owns = database
    .prepare<[string, string], 0 | 1>(
      `SELECT EXISTS (SELECT 1 FROM previews JOIN turns ON turns.id = previews.turn_id
       WHERE previews.native_id = ? AND turns.address = ?)`,
    )
    .pluck();
  const forget = database.prepare('DELETE FROM previews WHERE turn_id = ? AND ordinal = ?');
  const posted = database.prepare(
    'UPDATE previews SET native_id = ?, posted_at_ms = ? WHERE turn_id = ? AND ordinal = ?',
  );
  const posting = createRareRows(database, "previews WHERE turn_id > ''");
  return {
    insert({ id, lane, address, replyTo, at }) {
      insert.run(id, lane, formatAddress(address), replyTo ?? null, at);
    },
    begin(id) {
      begin.run(id);
    },
    park(id) {
      park.run(id);
    },
    started(id, { sessionID, runID }) {
      started.run(sessionID, runID, id);
    },
    setState(id, state) {
      setState.run(state, id);
    },
    get(id) {
      const raw = byID.get(id);
      return raw === undefined ? undefined : fromRow(raw);
    },
    unanswered: () => unanswered.all().map(fromRow),
    previews: (id) =>
      (posting.exist() ? previews.all(id) : []).map((row) => ({
        ordinal: row.ordinal,
        key: row.key,
        nativeID: row.native_id ?? undefined,
      })),
    intendPreview(id, { ordinal, key }) {
      posting.written();
      intend.run(id, ordinal, key);
    },
    previewPosted(id, { ordinal, nativeID, at }) {
      posted.run(nativeID, at, id, ordinal);
    },
    ownsPreview: (address, nativeID) => owns.get(nativeID, formatAddress(address)) === 1,
    forgetPreview(id, ordinal) {
      forget.run(id, ordinal);
    },
  };
}
