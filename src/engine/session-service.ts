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

/** The calls, each as the sessions have it. */
export function createSessionService(
  sessions: Sessions,
  summaries: Pick<Summaries, 'summarize'>,
): SessionService {
  return {
    createSession: sessions.create,
    listSessions: async (page) => (await sessions.find({}, page)).sessions,
    findSessions: sessions.find,
    updateSession: sessions.update,
    summarizeSession: summaries.summarize,
    todos: sessions.todos,
    setTodos: sessions.setTodos,
    getSession: sessions.get,
    hasSession: (sessionID) => sessions.has(sessionID),
    messages: (sessionID) => sessions.messages(sessionID, 'standing'),
    allMessages: (sessionID) => sessions.messages(sessionID, 'all'),
  };
}
