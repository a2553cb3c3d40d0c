// A fork: a new session with a copy of the messages of another one, up to one of them.
import { ParleyError } from '#base/errors.ts';
import { defined } from '#base/json.ts';
import { truncate } from '#base/text.ts';
import type { RunTables } from '#engine/runs/tables/run-tables.ts';
import { refuseOtherRequest, requestHashOf } from '#engine/sessions/same-request.ts';
import type { Session } from '#engine/sessions/session-rows.ts';
import { titleLimit, updatedEvent, withoutReverted } from '#engine/sessions/sessions.ts';
import { untitled } from '#engine/sessions/wire-shapes.ts';
import type { SessionService } from '#engine/wire/sessions/session-operations.ts';
import { messageIndex, type SessionLookup } from './session-lookup.ts';

/** What the fork of a session with this title is called. */
export function forkTitle(title: string): string {
  return truncate(`${title} (fork)`, titleLimit);
}

/** Forks sessions of the tables; the same key again gives the same fork. */
export function createFork(
  { conversation, events, clock, newId }: RunTables,
  { existing, wire }: Pick<SessionLookup, 'existing' | 'wire'>,
): SessionService['forkSession'] {
  const { sessions, messages, todos } = conversation;
  return async ({ sessionID, messageID }, { idempotencyKey } = {}) => {
    return events.commit((record) => {
      const parent = existing(sessionID);
      const known = idempotencyKey === undefined ? undefined : sessions.ofKey(idempotencyKey);
      const requestHash = requestHashOf({ fork: sessionID, messageID });
      refuseOtherRequest(known?.requestHash, requestHash);
      if (known !== undefined) {
        if (known.parentID === sessionID) return wire(known.id);
        throw new ParleyError('idempotency_key_reused', 'This key made another session. Use a new one.');
      }
      const copied = withoutReverted(messages.ofSession(sessionID)).filter(
        ({ completedAtMs }) => completedAtMs !== undefined,
      );
      const last = messageID === undefined ? copied.length - 1 : messageIndex(copied, messageID);
      const now = clock.now();
      const fork: Session = {
        id: newId('ses'),
        title: forkTitle(parent.title ?? untitled),
        parentID: sessionID,
        // A fork is a client's: the chat continues in the session that it came from.
        sourceKind: 'api',
        createdAtMs: now,
        updatedAtMs: now,
        ...defined({
          projectID: parent.projectID,
          directory: parent.directory,
          workspaceRoot: parent.workspaceRoot,
          chosenModel: parent.chosenModel,
          model: parent.model,
          idempotencyKey,
          requestHash,
        }),
      };
      sessions.insert(fork);
      const copies = new Map<string, string>();
      for (const message of copied.slice(0, last + 1)) {
        const id = newId('msg');
        copies.set(message.id, id);
        messages.insert({ ...message, id, sessionID: fork.id });
        for (const part of conversation.parts.ofMessage(message.id))
          conversation.parts.insert(id, { ...part, id: newId('prt') });
      }
      for (const { messageID: at, todos: list } of todos.remembered(sessionID)) {
        const messageID = at === undefined ? undefined : copies.get(at);
        if (at === undefined || messageID !== undefined) todos.remember(fork.id, { messageID, todos: list });
      }
      todos.restore(fork.id, now, todos.when(fork.id, [...copies.values()]) ?? todos.get(sessionID));
      record(updatedEvent(fork));
      return wire(fork.id);
    });
  };
}
