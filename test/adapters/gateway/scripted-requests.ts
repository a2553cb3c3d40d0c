// The permissions and questions of an engine whose answers a test scripts.
import { ParleyError } from '#base/errors.ts';
import type { Engine } from '#engine/wire/contract.ts';
import type { EngineEvent } from '#engine/wire/events/event.ts';
import type { PermissionRequest, Question, QuestionRequest } from '#engine/wire/runs/request.ts';
import type { ScriptedEvents } from './scripted-events.ts';

export interface ScriptedRequests
  extends Pick<Engine, 'permissions' | 'questions' | 'replyPermission' | 'replyQuestion' | 'rejectQuestion'> {
  /** A run asks for approval to use a tool; again under the same id when it was begun again. */
  askLeave(runID: string, id: string, args?: unknown): void;
  askQuestions(runID: string, id: string, questions: Question[]): void;
  /** Ends what is asked without an answer. */
  expire(id: string): void;
  /** Every answer that came, in order. */
  replies: { id: string; reply: string | string[] | null; by: string | undefined }[];
}

/** What the engine says of an approval that it takes. */
export function repliedWith(
  requestID: string,
  reply: 'once' | 'always' | 'reject',
): Awaited<ReturnType<Engine['replyPermission']>> {
  return {
    ...{ ok: true, requestID, reply, status: 'applied' },
    ...{ persistedRule: false, ruleID: null, standingRuleID: null, runID: 'run_1' },
  };
}

export function createScriptedRequests({
  announce,
  sessionOf,
  clockAheadMs,
}: Pick<ScriptedEvents, 'announce'> & {
  sessionOf(runID: string): string;
  clockAheadMs(): number;
}): ScriptedRequests {
  const waiting = new Map<string, PermissionRequest | QuestionRequest>();
  const replies: ScriptedRequests['replies'] = [];
  const asked = (runID: string) => ({
    sessionID: sessionOf(runID),
    runID,
    requestedAtMs: Date.UTC(2026, 0, 2, 3, 4, 5) + clockAheadMs(),
    expiresAtMs: Date.UTC(2026, 0, 2, 3, 19, 5) + clockAheadMs(), // 15 minutes after the manual clock begins
  });
  const settle = (id: string, status: 'answered' | 'expired'): void => {
    const request = waiting.get(id);
    if (request === undefined)
      throw new ParleyError('request_settled', 'This request has expired: nobody answered in time.');
    waiting.delete(id);
    const { sessionID, runID } = request;
    const properties =
      'requestID' in request
        ? { sessionID, runID, requestID: id, status }
        : { sessionID, runID, id, ok: true, status };
    announce(
      { type: 'requestID' in request ? 'permission.replied' : 'question.replied', properties } as EngineEvent, // as above
      sessionID,
    );
  };

  const answered = (id: string, reply: string[] | null, by: string | undefined) => {
    settle(id, 'answered');
    replies.push({ id, reply, by });
    return { ok: true as const, id, runID: 'run_1' };
  };

  return {
    permissions: async () => [...waiting.values()].filter((one) => 'requestID' in one),
    questions: async () => [...waiting.values()].filter((one) => 'questions' in one),
    async replyPermission({ requestID: id, reply, by }) {
      settle(id, 'answered');
      replies.push({ id, reply, by: by?.name });
      return repliedWith(id, reply === 'always' ? 'always' : reply === 'reject' ? 'reject' : 'once');
    },
    replyQuestion: async ({ requestID: id, answer, by }) =>
      answered(id, typeof answer === 'string' ? [answer] : answer, by?.name),
    rejectQuestion: async ({ requestID: id, by }) => answered(id, null, by?.name),
    replies,
    askLeave(runID, id, args = { url: 'https://example.org' }) {
      const whole = { argsSource: 'model', argsIntegrity: 'whole', query: null } as const;
      const asks = { requestID: id, agent: 'parley', tool: 'web_fetch', args, actionDigest: 'd' };
      const request = { ...asked(runID), ...asks, ...whole };
      waiting.set(id, request);
      announce({ type: 'permission.asked', properties: request }, request.sessionID);
    },
    askQuestions(runID, id, questions) {
      const request = { ...asked(runID), id, questions };
      waiting.set(id, request);
      const tool = { callID: 'c', messageID: 'm' };
      announce(
        { type: 'question.asked', properties: { ...request, messageID: 'm', tool } },
        request.sessionID,
      );
    },
    expire: (id) => settle(id, 'expired'),
  };
}
