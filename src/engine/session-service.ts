// What the engine's own interface offers about sessions, over the sessions and their summaries.
import type { Branches } from './conversations/branches.ts';
import type { Summaries } from './distillation/summaries.ts';
import { type Sessions, unknownSession } from './sessions/sessions.ts';
import type { EngineService } from './wire/service.ts';
import type { SessionService } from './wire/sessions/session-operations.ts';

/** What is done by others: branches, the newest prompt, writes of clients. */
type Elsewhere = keyof Branches | 'sessionContext' | 'appendMessage' | 'attachSession';

/** The calls, each as the sessions have it. `endMemory` forgets what memory has for a session alone. */
export function createSessionService({
  sessions,
  summaries,
  endArchived = false,
  endMemory,
}: {
  sessions: Sessions;
  summaries: Pick<Summaries, 'summarize'>;
  /** Whether that is also done for a session that is archived. */
  endArchived: boolean | undefined;
  endMemory(sessionID: string): Promise<unknown>;
}): Omit<SessionService, Elsewhere> & Pick<EngineService, 'hasSession' | 'messages'> {
  const updateSession: SessionService['updateSession'] = async ({ sessionID, ...change }) => {
    const ends = endArchived && change.archived === true;
    // first, so that a death in between leaves something to do again; and after, for what was stored in the meantime
    if (ends) await endMemory(sessionID);
    const updated = await sessions.update(sessionID, change);
    if (ends) await endMemory(sessionID);
    return updated;
  };
  return {
    createSession: sessions.create,
    findSessions: sessions.find,
    updateSession,
    shareSession: updateSession,
    unshareSession: ({ sessionID }) => updateSession({ sessionID, shared: false }),
    summarizeSession: ({ sessionID, keep }, { idempotencyKey } = {}) =>
      summaries.summarize(sessionID, { keep, idempotencyKey }),
    todos: ({ sessionID }) => sessions.todos(sessionID),
    async setTodos({ sessionID, todos }) {
      await sessions.setTodos(sessionID, todos);
      return sessions.todos(sessionID);
    },
    async getSession({ sessionID }) {
      const session = await sessions.get(sessionID);
      if (session === undefined) throw unknownSession(sessionID);
      return session;
    },
    async sessionChildren({ sessionID, ...page }) {
      if (!(await sessions.has(sessionID))) throw unknownSession(sessionID);
      return sessions.find({ parentID: sessionID, ...page });
    },
    async sessionMessages({ sessionID, reverted, limit, before }) {
      if (limit !== undefined) return sessions.messagePage(sessionID, { before, limit });
      return { messages: await sessions.messages(sessionID, reverted ? 'all' : 'standing') };
    },
    hasSession: (sessionID) => sessions.has(sessionID),
    messages: (sessionID) => sessions.messages(sessionID, 'standing'),
  };
}
