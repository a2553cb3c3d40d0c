// Sessions as their branches need them: there, without an active run, and in their wire shape.
import { ParleyError } from '#base/errors.ts';
import { truncate } from '#base/text.ts';
import type { RunTables } from '#engine/runs/tables/run-tables.ts';
import type { Session } from '#engine/sessions/session-rows.ts';
import { unknownSession } from '#engine/sessions/sessions.ts';
import { toWireSession } from '#engine/sessions/wire-shapes.ts';
import type { WireSession } from '#engine/wire/sessions/message.ts';

export interface SessionLookup {
  /** Throws as `unknownSession` when there is none. */
  existing(sessionID: string): Session;
  /** Throws a ParleyError `session_busy` while a run is active in it. */
  idle(sessionID: string): Session;
  /** Without its messages. */
  wire(sessionID: string): WireSession;
}

/** The lookup over the tables. */
export function createSessionLookup({ conversation, runs }: RunTables): SessionLookup {
  const existing = (sessionID: string): Session => {
    const session = conversation.sessions.get(sessionID);
    if (session === undefined) throw unknownSession(sessionID);
    return session;
  };
  return {
    existing,
    idle(sessionID) {
      const session = existing(sessionID);
      if (runs.running(sessionID) === undefined) return session;
      throw new ParleyError('session_busy', 'A run is active in this session.', {
        hint: 'Wait for its end, or cancel it first.',
      });
    },
    wire: (sessionID) =>
      toWireSession(
        conversation.sessions.withPlace(sessionID) ?? existing(sessionID),
        [],
        conversation.snapshots.count(sessionID),
      ),
  };
}

/** Where the message is among these; throws a ParleyError `message_not_found`. */
export function messageIndex(messages: readonly { id: string }[], messageID: string): number {
  const index = messages.findIndex(({ id }) => id === messageID);
  if (index >= 0) return index;
  throw new ParleyError(
    'message_not_found',
    `There is no message ${JSON.stringify(truncate(messageID, 100))} that is in this session.`,
    { hint: 'List its messages.' },
  );
}
