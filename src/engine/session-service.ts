// What the engine's own interface offers about sessions, over the sessions and their summaries.
import type { Summaries } from './distillation/summaries.ts';
import type { Sessions } from './sessions/sessions.ts';
import type { EngineService } from './wire/service.ts';

type SessionService = Pick<
  EngineService,
  | 'createSession'
  | 'listSessions'
  | 'findSessions'
  | 'updateSession'
  | 'summarizeSession'
  | 'todos'
  | 'setTodos'
  | 'getSession'
  | 'hasSession'
  | 'messages'
  | 'allMessages'
>;

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
}): SessionService {
  return {
    createSession: sessions.create,
    listSessions: async (page) => (await sessions.find({}, page)).sessions,
    findSessions: sessions.find,
    async updateSession(sessionID, change) {
      const ends = endArchived && change.archived === true;
      // first, so that a death in between leaves something to do again; and after, for what was stored in the meantime
      if (ends) await endMemory(sessionID);
      const updated = await sessions.update(sessionID, change);
      if (ends) await endMemory(sessionID);
      return updated;
    },
    summarizeSession: summaries.summarize,
    todos: sessions.todos,
    setTodos: sessions.setTodos,
    getSession: sessions.get,
    hasSession: (sessionID) => sessions.has(sessionID),
    messages: (sessionID) => sessions.messages(sessionID, 'standing'),
    allMessages: (sessionID) => sessions.messages(sessionID, 'all'),
  };
}
