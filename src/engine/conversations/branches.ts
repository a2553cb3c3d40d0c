// What happens to a session as a whole while runs may be active in it: forked, taken back, removed.
import { isDeepStrictEqual } from 'node:util';
import { ParleyError } from '#base/errors.ts';
import type { RecordEvent } from '#engine/events/event-log.ts';
import type { TeamSessions } from '#engine/runs/instance.ts';
import type { RunTables } from '#engine/runs/tables/run-tables.ts';
import type { Session } from '#engine/sessions/session-rows.ts';
import { updatedEvent, withoutReverted } from '#engine/sessions/sessions.ts';
import type { SessionService } from '#engine/wire/sessions/session-operations.ts';
import { createFork } from './fork.ts';
import { createSessionLookup, messageIndex } from './session-lookup.ts';

export type Branches = Pick<
  SessionService,
  'forkSession' | 'revertSession' | 'unrevertSession' | 'deleteSession' | 'sessionSnapshots' | 'sessionDiff'
>;

interface BranchOptions {
  /** Ends a session's run and waits until it has stopped. */
  stop(sessionID: string): Promise<unknown>;
  /** Forgets what memory has for the session alone. It forgets first, so that a death in between leaves something to do again. */
  endMemory(sessionID: string): Promise<unknown>;
  /** Removes what other parts of the engine store of a session, in the transaction; returns what is to be done after it. */
  forget(sessionID: string): () => Promise<void>;
  team: TeamSessions;
}

/** The branches over the tables. */
export function createBranches(
  tables: RunTables,
  { stop, endMemory, forget, team }: BranchOptions,
): Branches {
  const { conversation, events, clock } = tables;
  const { sessions, messages, snapshots, todos } = conversation;
  const lookup = createSessionLookup(tables);
  const { existing, idle, wire } = lookup;
  /** From here on these stand, with the to-do list that belongs to them. */
  const stand = (session: Session, messageIDs: string[], record: RecordEvent): void => {
    const now = clock.now();
    const list = todos.when(session.id, messageIDs);
    messages.keepOnly(session.id, messageIDs, now);
    sessions.touch(session.id, now);
    if (list !== undefined && !isDeepStrictEqual(list, todos.get(session.id))) {
      todos.restore(session.id, now, list);
      record({ type: 'todo.updated', properties: { sessionID: session.id, todos: list } });
    }
    record(updatedEvent(session));
  };

  return {
    forkSession: createFork(tables, lookup),
    async revertSession({ sessionID, messageID }) {
      return events.commit((record) => {
        const session = idle(sessionID);
        const standing = withoutReverted(messages.ofSession(sessionID));
        const before = idsOf(standing);
        snapshots.push(sessionID, before, clock.now());
        stand(session, before.slice(0, messageIndex(standing, messageID)), record);
        return wire(sessionID);
      });
    },
    async unrevertSession({ sessionID }) {
      return events.commit((record) => {
        const session = idle(sessionID);
        const after = snapshots.pop(sessionID);
        if (after === undefined)
          throw new ParleyError('nothing_to_unrevert', 'Nothing was reverted in this session.');
        const before = idsOf(withoutReverted(messages.ofSession(sessionID)));
        // what was written since the revert is set aside now: it comes back once all that was reverted earlier has
        if (before.some((id) => !after.includes(id))) snapshots.putFirst(sessionID, before, clock.now());
        stand(session, after, record);
        return wire(sessionID);
      });
    },
    async sessionSnapshots({ sessionID }) {
      existing(sessionID);
      return snapshots.ofSession(sessionID);
    },
    async sessionDiff({ sessionID }) {
      existing(sessionID);
      const now = idsOf(withoutReverted(messages.ofSession(sessionID)));
      const before = snapshots.ofSession(sessionID).at(-1)?.messageIDs ?? [];
      const [exists, existed] = [new Set(now), new Set(before)];
      return {
        sessionID,
        currentMessageCount: now.length,
        lastSnapshotMessageCount: before.length,
        delta: now.length - before.length,
        removedMessageIDs: before.filter((id) => !exists.has(id)),
        addedMessageIDs: now.filter((id) => !existed.has(id)),
      };
    },
    async deleteSession({ sessionID }) {
      existing(sessionID);
      await stop(sessionID);
      for (const each of team.sessionsOf(sessionID)) await stop(each);
      for (const each of [sessionID, ...team.sessionsOf(sessionID)]) await endMemory(each);
      const afters = events.commit((record) => {
        const all = [sessionID, ...team.sessionsOf(sessionID)];
        team.forget(sessionID);
        return all.map((each) => {
          // Between the stop and here another run may have begun.
          idle(each);
          const after = forget(each);
          tables.feedback.removeSession(each);
          tables.runs.removeSession(each);
          messages.removeSession(each);
          sessions.remove(each);
          events.forget(each);
          record({ type: 'session.deleted', properties: { sessionID: each } });
          return after;
        });
      });
      for (const after of afters) await after();
    },
  };
}

function idsOf(messages: readonly { id: string }[]): string[] {
  return messages.map(({ id }) => id);
}
