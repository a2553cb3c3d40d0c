// What runs ask people in chats: shown once, answered once, settled visibly, across restarts.
import { z } from 'zod';
import { type Address, formatAddress, parseAddress } from '#adapters/gateway/terms/address.ts';
import { parseJson } from '#base/json.ts';
import { createRareRows } from '#base/sqlite/rare-rows.ts';
import type { Sqlite } from '#base/sqlite/sqlite.ts';
import { permissionRequest, questionRequest } from '#engine/wire/runs/request.ts';

const storedRequest = z.discriminatedUnion('kind', [
  permissionRequest.extend({ kind: z.literal('permission') }),
  questionRequest.extend({ kind: z.literal('question') }),
]);

/** A request of the engine's, as it was when it was shown; its times are the gateway's own. */
export type RequestSnapshot = z.infer<typeof storedRequest>;

/**
 * `open`: shown and waiting for the person. `answered`: an answer was accepted and is on its way to the engine. `settled`:
 * it is over, and the chat is to be shown how. `over`: the chat was shown.
 */
type PostedRequestState = 'open' | 'answered' | 'settled' | 'over';

export interface PostedRequest {
  /** The engine's id of the request. */
  id: string;
  turnID: string;
  lane: string;
  /** Who is asked; in a room, who spoke there. A question is answered only by them, approval is given by all who may. */
  person: string;
  address: Address;
  /** Which person has to answer what, as text, where it is not the other side of a direct message. */
  behalf?: string | undefined;
  request: RequestSnapshot;
  /** Of a question: what was answered so far, in order; of a permission, the choice. */
  answers: readonly string[];
  /** The message that asks, or asks last. */
  outboxID: string;
  /** The message by which the chat that needs approval learned that it is asked somewhere else. */
  noticeID?: string | undefined;
  /** It is below the beginning of the answer, which its turn had shown before. */
  belowPreview: boolean;
  state: PostedRequestState;
  /** How it ended, in a few words; set once it is settled. */
  outcome: string | undefined;
}

export interface PostedRequests {
  insert(asked: Omit<PostedRequest, 'answers' | 'state' | 'outcome'>): void;
  get(id: string): PostedRequest | undefined;
  /** What waits for this person in this lane. */
  openFor(lane: string, person: string): PostedRequest | undefined;
  /** What waits in this chat or thread for any person, newest first. */
  openAt(address: Address): PostedRequest[];
  /** The request that this message of the inbox answers. */
  ofAnswer(inboxID: string): PostedRequest | undefined;
  ofTurn(turnID: string): PostedRequest[];
  /** What waits for an answer of any person, oldest first. */
  open(): PostedRequest[];
  /** What is to be shown as settled. */
  settled(): PostedRequest[];
  /** What is not open any more and has this id, or one that ends so in any case. */
  closedAs(idEnd: string): PostedRequest[];
  /** The name under which the last answer was given, as its platform shows it; undefined where none was given in a chat. */
  answererOf(id: string): string | undefined;
  /** Accepts an answer to an open request. */
  answer(id: string, answer: { inboxID: string; text: string }): void;
  /** The request continues: its next question is in this message. */
  askOn(id: string, outboxID: string): void;
  /** Ends a request that has not ended; false when it has. */
  settle(id: string, outcome: string): boolean;
  shown(id: string): void;
  /** Whether a turn that is not at work any more has left something open. */
  isLeft(): boolean;
  /** Ends what such turns have asked. */
  settleLeft(outcome: string): void;
}

interface Raw {
  id: string;
  turn_id: string;
  lane: string;
  person: string;
  address: string;
  behalf: string | null;
  request: string;
  answers: string;
  outbox_id: string;
  notice_id: string | null;
  below_preview: 0 | 1;
  state: PostedRequestState;
  outcome: string | null;
}

const answersSchema = z.array(z.string());

function fromRow(raw: Raw): PostedRequest {
  return {
    id: raw.id,
    turnID: raw.turn_id,
    lane: raw.lane,
    person: raw.person,
    address: parseAddress(raw.address),
    behalf: raw.behalf ?? undefined,
    request: parseJson(raw.request, storedRequest, `asked request ${raw.id}`),
    answers: parseJson(raw.answers, answersSchema, `answers to ${raw.id}`),
    outboxID: raw.outbox_id,
    noticeID: raw.notice_id ?? undefined,
    belowPreview: raw.below_preview === 1,
    state: raw.state,
    outcome: raw.outcome ?? undefined,
  };
}

/** The requests that were posted in chats, in the table `asked`. */
export function createPostedRequests(database: Sqlite): PostedRequests {
  const many = (where: string) =>
    database.prepare<string[], Raw>(
      `SELECT id, turn_id, lane, person, address, behalf, request, answers, outbox_id, notice_id, below_preview, state, outcome FROM posted_requests WHERE ${where}`,
    );
  const insert = database.prepare(
    `INSERT INTO posted_requests (id, turn_id, lane, person, address, behalf, request, answers, outbox_id, notice_id, below_preview, state)
     VALUES (?, ?, ?, ?, ?, ?, ?, '[]', ?, ?, ?, 'open')`,
  );
  const byID = many('id = ?');
  const open = many("lane = ? AND person = ? AND state = 'open' ORDER BY rowid DESC LIMIT 1");
  const openAt = many("address = ? AND state = 'open' ORDER BY rowid DESC");
  const byAnswer = many('answer_inbox_id = ?');
  const allOpen = many("state = 'open' ORDER BY rowid");
  const byTurn = many('turn_id = ? ORDER BY rowid');
  const settled = many("state = 'settled' ORDER BY rowid");
  const closed = many("state <> 'open' AND substr(id, -length(?)) = ? COLLATE NOCASE ORDER BY rowid");
  const answerer = database
    .prepare<[string], string | null>(
      "SELECT json_extract(event, '$.actor.name') FROM inbox WHERE id = (SELECT answer_inbox_id FROM posted_requests WHERE id = ?)",
    )
    .pluck();
  const answer = database.prepare(
    `UPDATE posted_requests SET state = 'answered', answer_inbox_id = ?, answers = json_insert(answers, '$[#]', ?)
     WHERE id = ? AND state = 'open'`,
  );
  const askOn = database.prepare("UPDATE posted_requests SET state = 'open', outbox_id = ? WHERE id = ?");
  const settle = database.prepare(
    "UPDATE posted_requests SET state = 'settled', outcome = ? WHERE id = ? AND state IN ('open', 'answered')",
  );
  const shown = database.prepare(
    "UPDATE posted_requests SET state = 'over' WHERE id = ? AND state = 'settled'",
  );
  const left = "state = 'open' AND (SELECT state FROM turns WHERE turns.id = turn_id) <> 'running'";
  const isLeft = many(`${left} LIMIT 1`);
  const settleLeft = database.prepare(
    `UPDATE posted_requests SET state = 'settled', outcome = ? WHERE ${left}`,
  );
  const standing = createRareRows(database, "posted_requests WHERE state <> 'over'");
  const one = (raw: Raw | undefined): PostedRequest | undefined => raw && fromRow(raw);
  return {
    insert({ id, turnID, lane, person, address, behalf, request, outboxID, noticeID, belowPreview }) {
      standing.written();
      const where = [turnID, lane, person, formatAddress(address), behalf ?? null];
      insert.run(id, ...where, JSON.stringify(request), outboxID, noticeID ?? null, belowPreview ? 1 : 0);
    },
    get: (id) => one(byID.get(id)),
    openFor: (lane, person) => (standing.exist() ? one(open.get(lane, person)) : undefined),
    openAt: (address) => (standing.exist() ? openAt.all(formatAddress(address)).map(fromRow) : []),
    ofAnswer: (inboxID) => one(byAnswer.get(inboxID)),
    open: () => allOpen.all().map(fromRow),
    ofTurn: (turnID) => byTurn.all(turnID).map(fromRow),
    settled: () => (standing.exist() ? settled.all().map(fromRow) : []),
    closedAs: (idEnd) => closed.all(idEnd, idEnd).map(fromRow),
    answererOf: (id) => answerer.get(id) ?? undefined,
    answer(id, { inboxID, text }) {
      answer.run(inboxID, text, id);
    },
    askOn(id, outboxID) {
      askOn.run(outboxID, id);
    },
    settle: (id, outcome) => settle.run(outcome, id).changes === 1,
    shown(id) {
      shown.run(id);
    },
    isLeft: () => standing.exist() && isLeft.get() !== undefined,
    settleLeft(outcome) {
      settleLeft.run(outcome);
    },
  };
}
