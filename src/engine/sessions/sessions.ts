// The conversations and what was said in them, behind an asynchronous door. Runs write through the rows, in their transactions.
import type { Clock } from '#base/clock.ts';
import { ParleyError } from '#base/errors.ts';
import type { NewId } from '#base/ids.ts';
import { defined } from '#base/json.ts';
import type { Sqlite } from '#base/sqlite.ts';
import { truncate } from '#base/text.ts';
import type { EventLog } from '#engine/events/event-log.ts';
import type { CreateSession } from '#engine/wire/contract.ts';
import type { WireSession, WireSessionMessage } from '#engine/wire/message.ts';
import { createMessageRows, type MessageRows, messageSchema } from './message-rows.ts';
import { createPartRows, type PartRows, partSchema } from './part-rows.ts';
import { createSessionRows, type Session, type SessionRows, sessionSchema } from './session-rows.ts';
import { type StoredMessage, untitled, wireMessage, wireSession } from './wire-shapes.ts';

export const conversationSchema = sessionSchema + messageSchema + partSchema;

/** The tables of this room, for transactions of the rooms above. */
export interface ConversationRows {
  sessions: SessionRows;
  messages: MessageRows;
  parts: PartRows;
}

export interface Sessions {
  create(input: CreateSession): Promise<WireSession>;
  /** Newest first, without their messages. */
  list(page: { limit: number; offset: number }): Promise<WireSession[]>;
  get(sessionID: string): Promise<WireSession | undefined>;
  has(sessionID: string): Promise<boolean>;
  /** Oldest first; a ParleyError `session_not_found` when there is none. */
  messages(sessionID: string): Promise<WireSessionMessage[]>;
  /** The newest messages that may be sent to a model, oldest first, and how many older ones there are. */
  recent(
    sessionID: string,
    wanted: { limit: number; except: string },
  ): Promise<{ messages: StoredMessage[]; older: number }>;
  message(messageID: string): Promise<StoredMessage | undefined>;
}

/** In characters; longer titles are cut. */
export const titleLimit = 80;

/** The error for a session id that names nothing. */
export function unknownSession(sessionID: string): ParleyError {
  return new ParleyError('session_not_found', `There is no session ${JSON.stringify(sessionID)}.`, {
    cure: 'List the sessions, or create one first.',
  });
}

/** The rows over an open database with `conversationSchema`. */
export function createConversationRows(database: Sqlite): ConversationRows {
  return {
    sessions: createSessionRows(database),
    messages: createMessageRows(database),
    parts: createPartRows(database),
  };
}

/** The door over the rows. */
export function createSessions(options: {
  rows: ConversationRows;
  events: EventLog;
  clock: Clock;
  newId: NewId;
}): Sessions {
  const { rows, events, clock, newId } = options;
  const withParts = (messages: ReturnType<MessageRows['ofSession']>): StoredMessage[] => {
    const parts = rows.parts.ofMessages(messages.map((message) => message.id));
    return messages.map((message) => ({ ...message, parts: parts.get(message.id) ?? [] }));
  };
  return {
    async create(input) {
      const now = clock.now();
      const title = truncate(input.title?.trim() ?? '', titleLimit);
      const session: Session = {
        id: newId('ses'),
        createdAtMs: now,
        updatedAtMs: now,
        ...defined({
          title: title === '' ? undefined : title,
          projectID: input.projectID,
          directory: input.directory,
          sourceKind: input.sourceKind,
          sourceMetadata: input.sourceMetadata,
        }),
      };
      events.commit((record) => {
        rows.sessions.insert(session);
        record({
          type: 'session.updated',
          properties: { sessionID: session.id, title: session.title ?? untitled },
        });
      });
      return wireSession(session, []);
    },
    list: async (page) => rows.sessions.page(page).map((session) => wireSession(session, [])),
    async get(sessionID) {
      const session = rows.sessions.get(sessionID);
      return session && wireSession(session, withParts(rows.messages.ofSession(sessionID)));
    },
    has: async (sessionID) => rows.sessions.get(sessionID) !== undefined,
    async messages(sessionID) {
      if (rows.sessions.get(sessionID) === undefined) throw unknownSession(sessionID);
      return withParts(rows.messages.ofSession(sessionID)).map(wireMessage);
    },
    async recent(sessionID, { limit, except }) {
      const messages = withParts(rows.messages.recent(sessionID, { limit, except }));
      const others = rows.messages.countSendable(sessionID) - 1;
      return { messages, older: Math.max(0, others - messages.length) };
    },
    async message(messageID) {
      const message = rows.messages.get(messageID);
      return message && { ...message, parts: rows.parts.ofMessage(message.id) };
    },
  };
}
