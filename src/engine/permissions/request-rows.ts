// The requests table: what people were asked, and what became of it. That each is answered once is a constraint here in SQL. Called inside transactions.
import { defined } from '#base/json.ts';
import type { Sqlite } from '#base/sqlite/sqlite.ts';
import type { Answerer, Question } from '#engine/wire/runs/request.ts';

/** `answered` becomes `taken` when the run that asked has had the answer; `dropped` when its run ended without it. */
type RequestState = 'pending' | 'answered' | 'taken' | 'expired' | 'dropped';

/** The call that asks. */
export interface RequestingCall {
  sessionID: string;
  runID: string;
  /** What the run answers: the same for a run that was started again. */
  userMessageID: string;
  /** The answer that is being written, and the part of it that is the call. */
  messageID: string;
  callID: string;
  agent: string;
  tool: string;
  args: unknown;
  /** Called where others wait too: a room, which waits until then. */
  inRoom?: boolean | undefined;
  /** Of an instance of a mission: the run in whose chat it is shown, and who asks there. */
  shownIn?: { sessionID: string; runID: string; requester: string } | undefined;
}

export interface StoredRequest extends RequestingCall {
  id: string;
  kind: 'permission' | 'question';
  digest: string;
  questions?: Question[] | undefined;
  state: RequestState;
  /** `once`, `always` or `reject`; of a question the answers, or null when it was refused. */
  reply?: string | string[] | null | undefined;
  by?: Answerer | undefined;
  requestedAtMs: number;
  expiresAtMs: number;
  settledAtMs?: number | undefined;
}

interface Row {
  id: string;
  kind: 'permission' | 'question';
  session_id: string;
  run_id: string;
  user_message_id: string;
  message_id: string;
  call_id: string;
  agent: string;
  tool: string;
  args: string;
  digest: string;
  questions: string | null;
  state: RequestState;
  reply: string | null;
  answered_by: string | null;
  requested_at_ms: number;
  expires_at_ms: number;
  settled_at_ms: number | null;
  shown_session_id: string | null;
  shown_run_id: string | null;
  asked_by: string | null;
}

export interface RequestRows {
  insert(request: StoredRequest): void;
  get(id: string): StoredRequest | undefined;
  /** In every state, oldest first. */
  all(): StoredRequest[];
  pending(): StoredRequest[];
  /** The newest request for the same action on behalf of the same message that is pending, or answered and not taken. */
  open(userMessageID: string, kind: StoredRequest['kind'], digest: string): StoredRequest | undefined;
  pendingOf(userMessageID: string): StoredRequest[];
  /** A run that was started again asks again. */
  attach(id: string, asking: RequestingCall): void;
  /** False when it was not pending any more: the first answer, or its end, stands. */
  settle(
    id: string,
    to: { state: 'answered' | 'expired' | 'dropped'; reply?: unknown; by?: Answerer | undefined; at: number },
  ): boolean;
  take(id: string): boolean;
  removeSession(sessionID: string): void;
}

/** Statements over the engine's open database. */
export function createRequestRows(database: Sqlite): RequestRows {
  const insert = database.prepare<Omit<Row, 'settled_at_ms'>>(
    `INSERT INTO requests (id, kind, session_id, run_id, user_message_id, message_id, call_id, agent, tool, args, digest,
       questions, state, reply, answered_by, requested_at_ms, expires_at_ms, shown_session_id, shown_run_id, asked_by)
     VALUES (:id, :kind, :session_id, :run_id, :user_message_id, :message_id, :call_id, :agent, :tool, :args, :digest,
       :questions, :state, :reply, :answered_by, :requested_at_ms, :expires_at_ms, :shown_session_id, :shown_run_id, :asked_by)`,
  );
  const get = database.prepare<[string], Row>('SELECT * FROM requests WHERE id = ?');
  const all = database.prepare<[], Row>('SELECT * FROM requests ORDER BY position');
  const pending = database.prepare<[], Row>(
    "SELECT * FROM requests WHERE state = 'pending' ORDER BY position",
  );
  const open = database.prepare<[string, string, string], Row>(
    `SELECT * FROM requests WHERE user_message_id = ? AND kind = ? AND digest = ? AND state IN ('pending', 'answered')
     ORDER BY position DESC LIMIT 1`,
  );
  const pendingOf = database.prepare<[string], Row>(
    "SELECT * FROM requests WHERE user_message_id = ? AND state = 'pending'",
  );
  const attach = database.prepare<[string, string, string, string | null, string]>(
    'UPDATE requests SET run_id = ?, message_id = ?, call_id = ?, shown_run_id = ? WHERE id = ?',
  );
  const settle = database.prepare<[object]>(
    `UPDATE requests SET state = @state, reply = @reply, answered_by = @by, settled_at_ms = @at
     WHERE id = @id AND state = 'pending'`,
  );
  const take = database.prepare<[string]>(
    "UPDATE requests SET state = 'taken' WHERE id = ? AND state = 'answered'",
  );
  const removeSession = database.prepare<[string]>('DELETE FROM requests WHERE session_id = ?');
  const one = (row: Row | undefined): StoredRequest | undefined => row && fromRow(row);
  return {
    insert(request) {
      insert.run(toRow(request));
    },
    get: (id) => one(get.get(id)),
    all: () => all.all().map(fromRow),
    pending: () => pending.all().map(fromRow),
    open: (userMessageID, kind, digest) => one(open.get(userMessageID, kind, digest)),
    pendingOf: (userMessageID) => pendingOf.all(userMessageID).map(fromRow),
    attach(id, { runID, messageID, callID, shownIn }) {
      attach.run(runID, messageID, callID, shownIn?.runID ?? null, id);
    },
    settle(id, { state, reply, by, at }) {
      const json = (value: unknown): string | null => (value === undefined ? null : JSON.stringify(value));
      return settle.run({ id, state, reply: json(reply), by: json(by), at }).changes === 1;
    },
    take: (id) => take.run(id).changes === 1,
    removeSession(sessionID) {
      removeSession.run(sessionID);
    },
  };
}

function toRow(request: StoredRequest): Omit<Row, 'settled_at_ms'> {
  return {
    id: request.id,
    kind: request.kind,
    session_id: request.sessionID,
    run_id: request.runID,
    user_message_id: request.userMessageID,
    message_id: request.messageID,
    call_id: request.callID,
    agent: request.agent,
    tool: request.tool,
    args: JSON.stringify(request.args ?? null),
    digest: request.digest,
    questions: request.questions === undefined ? null : JSON.stringify(request.questions),
    state: request.state,
    reply: null,
    answered_by: null,
    requested_at_ms: request.requestedAtMs,
    expires_at_ms: request.expiresAtMs,
    shown_session_id: request.shownIn?.sessionID ?? null,
    shown_run_id: request.shownIn?.runID ?? null,
    asked_by: request.shownIn?.requester ?? null,
  };
}

function fromRow(row: Row): StoredRequest {
  return {
    id: row.id,
    kind: row.kind,
    sessionID: row.session_id,
    runID: row.run_id,
    userMessageID: row.user_message_id,
    messageID: row.message_id,
    callID: row.call_id,
    agent: row.agent,
    tool: row.tool,
    args: JSON.parse(row.args),
    digest: row.digest,
    state: row.state,
    requestedAtMs: row.requested_at_ms,
    expiresAtMs: row.expires_at_ms,
    ...defined({
      questions: row.questions === null ? undefined : JSON.parse(row.questions),
      reply: row.reply === null ? undefined : JSON.parse(row.reply),
      by: row.answered_by === null ? undefined : JSON.parse(row.answered_by),
      settledAtMs: row.settled_at_ms ?? undefined,
      shownIn:
        row.shown_session_id === null || row.shown_run_id === null
          ? undefined
          : {
              sessionID: row.shown_session_id,
              runID: row.shown_run_id,
              requester: row.asked_by ?? row.agent,
            },
    }),
  };
}
