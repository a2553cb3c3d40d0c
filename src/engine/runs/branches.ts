// What happens to a session as a whole while runs may be active in it: forked, taken back, removed.
import { ParleyError } from '#base/errors.ts';
import { defined } from '#base/json.ts';
import { truncate } from '#base/text.ts';
import { refuseOtherRequest, requestHashOf } from '#engine/sessions/same-request.ts';
import type { Session } from '#engine/sessions/session-rows.ts';
import { titleLimit, unknownSession, updatedEvent, withoutReverted } from '#engine/sessions/sessions.ts';
import { toWireSession, untitled } from '#engine/sessions/wire-shapes.ts';
import type { WireSession } from '#engine/wire/message.ts';
import type { EngineService } from '#engine/wire/service.ts';
import type { TeamSessions } from './instance.ts';
import type { RunTables } from './run-tables.ts';

export type Branches = Pick<
  EngineService,
  'forkSession' | 'revertSession' | 'unrevertSession' | 'deleteSession' | 'sessionSnapshots' | 'sessionDiff'
>;

export interface BranchRooms {
  /** Ends a session's run and waits until it has stopped. */
  stop(sessionID: string): Promise<unknown>;
  /** Removes what other parts of the engine store of a session, in the transaction; returns what is to be done after it. */
  forget(sessionID: string): () => Promise<void>;
  team: TeamSessions;
}

/** The branches over the tables. */
export function createBranches(tables: RunTables, { stop, forget, team }: BranchRooms): Branches {
  const { conversation, events, clock, newId } = tables;
  const { sessions, messages, snapshots } = conversation;

  const existing = (sessionID: string): Session => {
    const session = sessions.get(sessionID);
    if (session === undefined) throw unknownSession(sessionID);
    return session;
  };
  const idle = (sessionID: string): Session => {
    const session = existing(sessionID);
    if (tables.runs.running(sessionID) === undefined) return session;
    throw new ParleyError('session_busy', 'A run is active in this session.', {
      hint: 'Wait for its end, or cancel it first.',
    });
  };
  const wire = (sessionID: string): WireSession =>
    toWireSession(existing(sessionID), [], snapshots.count(sessionID));

  return {
    async forkSession(sessionID, { messageID, idempotencyKey } = {}) {
      return events.commit((record) => {
        const parent = existing(sessionID);
        const known = idempotencyKey === undefined ? undefined : sessions.ofKey(idempotencyKey);
        const requestHash = requestHashOf({ fork: sessionID, messageID });
        refuseOtherRequest(known?.requestHash, requestHash);
        if (known !== undefined) {
          if (known.parentID === sessionID) return wire(known.id);
          throw new ParleyError('idempotency_key_reused', 'This key made another session. Use a new one.');
        }
        const said = withoutReverted(messages.ofSession(sessionID)).filter(
          ({ completedAtMs }) => completedAtMs !== undefined,
        );
        const last = messageID === undefined ? said.length - 1 : indexOf(said, messageID);
        const now = clock.now();
        const fork: Session = {
          id: newId('ses'),
          title: truncate(`${parent.title ?? untitled} (fork)`, titleLimit),
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
        for (const message of said.slice(0, last + 1)) {
          const id = newId('msg');
          messages.insert({ ...message, id, sessionID: fork.id });
          for (const part of conversation.parts.ofMessage(message.id))
            conversation.parts.insert(id, { ...part, id: newId('prt') });
        }
        record(updatedEvent(fork));
        return wire(fork.id);
      });
    },
    async revertSession(sessionID, messageID) {
      return events.commit((record) => {
        const session = idle(sessionID);
        const now = clock.now();
        const ids = withoutReverted(messages.ofSession(sessionID));
        const first = indexOf(ids, messageID);
        snapshots.push(sessionID, idsOf(ids), now);
        messages.keepOnly(sessionID, idsOf(ids.slice(0, first)), now);
        sessions.touch(sessionID, now);
        record(updatedEvent(session));
        return wire(sessionID);
      });
    },
    async unrevertSession(sessionID) {
      return events.commit((record) => {
        const session = idle(sessionID);
        const before = snapshots.pop(sessionID);
        if (before === undefined)
          throw new ParleyError('nothing_to_unrevert', 'Nothing was reverted in this session.');
        const now = clock.now();
        messages.keepOnly(sessionID, before, now);
        sessions.touch(sessionID, now);
        record(updatedEvent(session));
        return wire(sessionID);
      });
    },
    async sessionSnapshots(sessionID) {
      existing(sessionID);
      return snapshots.ofSession(sessionID);
    },
    async sessionDiff(sessionID) {
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
    async deleteSession(sessionID) {
      existing(sessionID);
      await stop(sessionID);
      for (const each of team.sessionsOf(sessionID)) await stop(each);
      const afters = events.commit((record) => {
        const all = [sessionID, ...team.sessionsOf(sessionID)];
        team.forget(sessionID);
        return all.map((each) => {
          // Between the stop and here another run may have begun.
          idle(each);
          const after = forget(each);
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

function indexOf(messages: readonly { id: string }[], messageID: string): number {
  const index = messages.findIndex(({ id }) => id === messageID);
  if (index >= 0) return index;
  throw new ParleyError(
    'message_not_found',
    `There is no message ${JSON.stringify(truncate(messageID, 100))} that is in this session.`,
    { hint: 'List its messages.' },
  );
}
