// The conversations and their messages, behind an asynchronous interface. Runs write through the rows, in their transactions.
import { setImmediate } from 'node:timers/promises';
import type { Clock } from '#base/clock.ts';
import { ParleyError } from '#base/errors.ts';
import type { NewId } from '#base/ids.ts';
import { defined } from '#base/json.ts';
import { type MaskText, maskedValue } from '#base/masked-value.ts';
import type { Sqlite } from '#base/sqlite/sqlite.ts';
import { truncate } from '#base/text.ts';
import { createBatched } from '#base/waiting/batched.ts';
import type { EventLog } from '#engine/events/event-log.ts';
import type { EventDraft } from '#engine/events/event-store.ts';
import { withoutNotes } from '#engine/wire/channels/notes.ts';
import type { MessagePageQuery, Page, SessionChange, SessionFilter } from '#engine/wire/sessions/filters.ts';
import type { WireSession, WireSessionMessage } from '#engine/wire/sessions/message.ts';
import type { CreateSession } from '#engine/wire/sessions/session-operations.ts';
import type { TodoItem } from '#engine/wire/sessions/todo.ts';
import { createMessageCache } from './message-cache.ts';
import { createMessageRows, type Message, type MessageRows } from './message-rows.ts';
import { createPartRows, type PartRows } from './part-rows.ts';
import { createPartWords, type PartWords } from './part-words.ts';
import type { PlaceNameTable } from './place-names.ts';
import { refuseOtherRequest, requestHashOf } from './same-request.ts';
import { createSessionRows, type Session, type SessionRows } from './session-rows.ts';
import { createSnapshotRows, type SnapshotRows } from './snapshot-rows.ts';
import { createSummaryRows, type StoredSummary, type SummaryRows } from './summary-rows.ts';
import { createTodoRows, type TodoRows } from './todo-rows.ts';
import { type StoredMessage, toWireSession, untitled, wireMessage } from './wire-shapes.ts';

/** The tables of this room, for transactions of the rooms above. */
export interface ConversationRows {
  sessions: SessionRows;
  messages: MessageRows;
  parts: PartRows;
  snapshots: SnapshotRows;
  summaries: SummaryRows;
  todos: TodoRows;
  words: PartWords;
}

export interface Sessions {
  /** The same key gives the same session. */
  create(input: CreateSession, options?: { idempotencyKey?: string | undefined }): Promise<WireSession>;
  /** There are new texts, since a run has ended, say: they are indexed in a moment. */
  written(): void;
  /** What is not indexed yet will be, after the next run. */
  close(): Promise<void>;
  /** Newest first, without their messages; `total` counts all that fit. */
  find(wanted: SessionFilter & Page): Promise<{ sessions: WireSession[]; total: number }>;
  update(sessionID: string, change: SessionChange): Promise<WireSession>;
  todos(sessionID: string): Promise<TodoItem[]>;
  setTodos(sessionID: string, todos: readonly TodoItem[]): Promise<void>;
  get(sessionID: string): Promise<WireSession | undefined>;
  has(sessionID: string): Promise<boolean>;
  /** The project that it belongs to. */
  projectOf(sessionID: string): string | undefined;
  /** Oldest first, `all` with those that a revert set aside; a ParleyError `session_not_found` when there is no session. */
  messages(sessionID: string, which: 'standing' | 'all'): Promise<WireSessionMessage[]>;
  /** A page of the messages that no revert set aside, and how many there are. */
  messagePage(
    sessionID: string,
    page: MessagePageQuery,
  ): Promise<{ messages: WireSessionMessage[]; total: number }>;
  /**
   * The newest messages that may be sent to a model and that are in no summary, oldest first, how many older ones of
   * these there are, and the summary that holds for those before. With `summarized` those in the summary count as the others.
   */
  recent(
    sessionID: string,
    wanted: { limit: number; except?: string | undefined; summarized?: 'too' | undefined },
  ): Promise<{ messages: StoredMessage[]; older: number; summary: StoredSummary | undefined }>;
  message(messageID: string): Promise<StoredMessage | undefined>;
  /** Finished messages were written to. */
  changed(messageIDs: readonly string[]): void;
}

/** In characters; longer titles are cut. */
export const titleLimit = 80;

/** The error for a session id that names nothing. */
export function unknownSession(sessionID: string): ParleyError {
  return new ParleyError('session_not_found', `There is no session ${JSON.stringify(sessionID)}.`, {
    hint: 'List the sessions, or create one first.',
  });
}

/** The rows over the engine's open database; without `names` no place has one. */
export function createConversationRows(database: Sqlite, names?: PlaceNameTable): ConversationRows {
  return {
    sessions: createSessionRows(database, names),
    messages: createMessageRows(database),
    parts: createPartRows(database),
    snapshots: createSnapshotRows(database),
    summaries: createSummaryRows(database),
    todos: createTodoRows(database),
    words: createPartWords(database),
  };
}

/** A search finds what was written since then too: it indexes first. In milliseconds. */
const indexedWithinMs = 5_000;

/** The door over the rows. */
export function createSessions(options: {
  rows: ConversationRows;
  events: EventLog;
  /** The model that is meant; throws a ParleyError for one that cannot be had. */
  modelOf(wanted: NonNullable<CreateSession['model']>): { providerID: string; modelID: string };
  clock: Clock;
  newId: NewId;
  /** What sessions of channels have that name none of their own. */
  ofChannels?: Pick<CreateSession, 'projectID' | 'workspaceRoot'> | undefined;
  /** Masks secrets in what outlasts a list of things to do; nothing is masked when absent. */
  mask?: MaskText | undefined;
}): Sessions {
  const { rows, events, modelOf, clock, newId, ofChannels = {}, mask = async (text) => text } = options;
  const withParts = (messages: readonly Message[]): StoredMessage[] => {
    const parts = rows.parts.ofMessages(messages.map((message) => message.id));
    return messages.map((message) => ({ ...message, parts: parts.get(message.id) ?? [] }));
  };
  const finished = createMessageCache((ids) => withParts(rows.messages.ofIDs(ids)));
  const existing = (sessionID: string): Session => {
    const session = rows.sessions.get(sessionID);
    if (session === undefined) throw unknownSession(sessionID);
    return session;
  };
  const indexing = createBatched({
    clock,
    ms: indexedWithinMs,
    async work() {
      // what the disk refuses is indexed after the next run, or by a search; its problem is in the status
      while (await events.together(rows.words.indexSome).catch(() => false)) await setImmediate();
    },
  });
  return {
    written: indexing.nudge,
    close: indexing.stop,
    async create(input, { idempotencyKey } = {}) {
      const now = clock.now();
      const { directory, parentID, sourceKind, sourceMetadata } = input;
      const usual = sourceKind === 'channel' ? ofChannels : {};
      const usualRoot = directory === undefined ? usual.workspaceRoot : undefined;
      const { projectID = usual.projectID, workspaceRoot = usualRoot } = input;
      const { providerID, modelID } = input.model === undefined ? {} : modelOf(input.model);
      const chosenModel =
        providerID === undefined || modelID === undefined ? undefined : { providerID, modelID };
      const requestHash = requestHashOf(input);
      const session: Session = {
        id: newId('ses'),
        createdAtMs: now,
        updatedAtMs: now,
        ...defined({
          ...{ title: givenTitle(input.title), projectID, directory, workspaceRoot, chosenModel, parentID },
          ...{ sourceKind, sourceMetadata, idempotencyKey, requestHash },
        }),
      };
      return events.commit((record) => {
        const known = idempotencyKey === undefined ? undefined : rows.sessions.ofKey(idempotencyKey);
        refuseOtherRequest(known?.requestHash, requestHash);
        if (known !== undefined) return toWireSession(known, []);
        if (parentID !== undefined) existing(parentID);
        rows.sessions.insert(session);
        record(updatedEvent(session));
        return toWireSession(session, []);
      });
    },
    async find({ limit, offset, ...filter }) {
      const { text } = filter;
      if (text !== undefined) await indexing.flush();
      const found = (id: string) => (text === undefined ? {} : { found: rows.sessions.found(id, text) });
      return {
        sessions: rows.sessions
          .page(filter, { limit, offset })
          .map((session) => ({ ...toWireSession(session, []), ...found(session.id) })),
        total: rows.sessions.count(filter),
      };
    },
    async update(sessionID, change) {
      const title = givenTitle(change.title);
      return events.commit((record) => {
        existing(sessionID);
        rows.sessions.change(sessionID, clock.now(), { ...change, title });
        const session = rows.sessions.withPlace(sessionID) ?? existing(sessionID);
        record(updatedEvent(session));
        return toWireSession(session, [], rows.snapshots.count(sessionID));
      });
    },
    async todos(sessionID) {
      existing(sessionID);
      return rows.todos.get(sessionID);
    },
    async setTodos(sessionID, todos) {
      const remembered = await maskedValue(todos, mask);
      events.commit((record) => {
        existing(sessionID);
        rows.todos.set(sessionID, clock.now(), { todos, remembered });
        record({ type: 'todo.updated', properties: { sessionID, todos: [...todos] } });
      });
    },
    projectOf: (sessionID) => rows.sessions.lasting(sessionID)?.projectID,
    async get(sessionID) {
      const session = rows.sessions.withPlace(sessionID);
      if (session === undefined) return undefined;
      return toWireSession(
        session,
        withParts(withoutReverted(rows.messages.ofSession(sessionID))),
        rows.snapshots.count(sessionID),
      );
    },
    has: async (sessionID) => rows.sessions.has(sessionID),
    async messages(sessionID, which) {
      existing(sessionID);
      const messages = rows.messages.ofSession(sessionID);
      return withParts(which === 'all' ? messages : withoutReverted(messages)).map(wireMessage);
    },
    async messagePage(sessionID, page) {
      existing(sessionID);
      if (page.before !== undefined && rows.messages.get(page.before)?.sessionID !== sessionID)
        throw new ParleyError('message_not_found', 'This session has no message with the id in `before`.');
      const messages = withParts(rows.messages.page(sessionID, page)).map(wireMessage);
      return { messages, total: rows.messages.count(sessionID) };
    },
    async recent(sessionID, { limit, except, summarized }) {
      const summary = rows.summaries.newest(sessionID);
      const which = { after: summarized === 'too' ? undefined : summary?.lastMessageID, except };
      const ids = rows.messages.recent(sessionID, { ...which, limit });
      const older = ids.length < limit ? 0 : rows.messages.countSendable(sessionID, which) - ids.length;
      return { messages: finished(ids), older, summary };
    },
    async message(messageID) {
      const message = rows.messages.get(messageID);
      return message && { ...message, parts: rows.parts.ofMessage(message.id) };
    },
    changed: finished.drop,
  };
}

/** The messages that no revert has set aside. */
export function withoutReverted(messages: readonly Message[]): Message[] {
  return messages.filter(({ revertedAtMs }) => revertedAtMs === undefined);
}

/** That a session is new or has changed, as an event. */
export function updatedEvent(session: Session): EventDraft {
  return {
    type: 'session.updated',
    properties: { sessionID: session.id, title: session.title ?? untitled },
  };
}

/** The title that its first words give a session that has none: those of the person, not what they quote. */
export function titleOf({
  parts,
}: {
  parts: readonly { type: string; text?: string | undefined }[];
}): string | undefined {
  const texts = parts.map(({ type, text }) => (type === 'text' ? withoutNotes(text ?? '') : ''));
  const text = texts.find((each) => each !== '')?.replace(/\s+/g, ' ');
  return text && truncate(text, titleLimit);
}

/** A given title, trimmed and cut; a blank one counts as none. */
function givenTitle(given: string | undefined): string | undefined {
  const title = truncate(given?.trim() ?? '', titleLimit);
  return title === '' ? undefined : title;
}
