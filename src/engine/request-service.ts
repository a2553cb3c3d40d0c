// What runs ask of people, as the engine itself offers it: listed, answered, allowed permanently.
import { ParleyError } from '#base/errors.ts';
import { truncate } from '#base/text.ts';
import type { Permissions } from './permissions/permissions.ts';
import { wirePermission, wireQuestion } from './permissions/request-events.ts';
import type { Requests } from './permissions/requests.ts';
import { type Answerer, choiceIn, interruptedCallOptions, type Question } from './wire/runs/request.ts';
import type { RequestService } from './wire/runs/request-operations.ts';

/** Characters of a refused answer in its refusal. */
const shownAnswerChars = 100;

/** One answer for each question; about a call that may have run only a choice is one, in the words that its run knows. */
function checkedAnswers(answers: readonly string[], questions: readonly Question[]): string[] {
  if (answers.length !== questions.length)
    throw new ParleyError(
      'invalid_answer',
      `Expected ${questions.length} answers, one for each question, got ${answers.length}.`,
    );
  return answers.map((answer, index) => {
    if (questions[index]?.interruptedCall === undefined) return answer;
    const choice = choiceIn(interruptedCallOptions, answer);
    if (choice !== undefined) return interruptedCallOptions[choice] ?? answer;
    const choices = interruptedCallOptions.map((option) => JSON.stringify(option)).join(', ');
    const got = JSON.stringify(truncate(answer, shownAnswerChars));
    throw new ParleyError('invalid_answer', `Expected one of ${choices}, got ${got}.`);
  });
}

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
    const questions = requests.pending('question').find((request) => request.id === id)?.questions;
    const given = reply === null || questions === undefined ? reply : checkedAnswers(reply, questions);
    const request = requests.answer(id, 'question', { reply: given, by });
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
