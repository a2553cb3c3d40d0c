// What runs ask of people, as the engine itself offers it: listed, answered, allowed permanently.
import { ParleyError } from '#base/errors.ts';
import type { Permissions } from './permissions/permissions.ts';
import { wirePermission, wireQuestion } from './permissions/request-events.ts';
import type { Requests } from './permissions/requests.ts';
import type { Answerer } from './wire/runs/request.ts';
import type { RequestService } from './wire/runs/request-operations.ts';

/** The door over requests and permissions; `revive` resumes a run that its process left behind, and gives the id of the one that goes on. */
export function createRequestService(options: {
  requests: Requests;
  permissions: Permissions;
  revive(runID: string): Promise<string>;
}): RequestService {
  const { requests, permissions, revive } = options;
  /** One that is settled says so itself, whoever's it is. */
  const refuseForeign = (
    kind: 'permission' | 'question',
    asked: { sessionID: string; requestID: string },
  ) => {
    const found = requests.pending(kind).find(({ id }) => id === asked.requestID);
    if (found !== undefined && found.sessionID !== asked.sessionID)
      throw new ParleyError('request_not_found', 'This session has no such request.');
  };
  const replyPermission: RequestService['replyPermission'] = async ({ requestID, reply: given, by }) => {
    const { request, reply, rule } = permissions.reply(requestID, given, by);
    const runID = await revive(request.shownIn?.runID ?? request.runID);
    const ruleID = rule?.id ?? null;
    return {
      ...{ ok: true, requestID, reply, status: 'applied' },
      ...{ persistedRule: rule !== undefined, ruleID, standingRuleID: ruleID, runID },
    };
  };
  const answered = async (
    id: string,
    { reply, by }: { reply: string[] | null; by: Answerer | undefined },
  ) => {
    const expected = requests.pending('question').find((request) => request.id === id)?.questions?.length;
    if (reply !== null && expected !== undefined && reply.length !== expected)
      throw new ParleyError(
        'invalid_answer',
        `Expected ${expected} answers, one for each question, got ${reply.length}.`,
      );
    const request = requests.answer(id, 'question', { reply, by });
    const runID = await revive(request.shownIn?.runID ?? request.runID);
    return { ok: true as const, id, runID };
  };
  const replyQuestion: RequestService['replyQuestion'] = ({ requestID, answer, by }) =>
    answered(requestID, { reply: typeof answer === 'string' ? [answer] : answer, by });
  return {
    permissions: async () => requests.pending('permission').map(wirePermission),
    replyPermission,
    async approveTool({ sessionID, requestID, by }) {
      refuseForeign('permission', { sessionID, requestID });
      return replyPermission({ requestID, reply: 'once', by });
    },
    async denyTool({ sessionID, requestID, by }) {
      refuseForeign('permission', { sessionID, requestID });
      return replyPermission({ requestID, reply: 'reject', by });
    },
    permissionRules: async () => permissions.rules(),
    removePermissionRule: async ({ id }) => permissions.removeRule(id),
    questions: async () => requests.pending('question').map(wireQuestion),
    replyQuestion,
    rejectQuestion: ({ requestID, by }) => answered(requestID, { reply: null, by }),
    async answerQuestion({ sessionID, ...reply }) {
      refuseForeign('question', { sessionID, requestID: reply.requestID });
      return replyQuestion(reply);
    },
  };
}
