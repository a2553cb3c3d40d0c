// What runs ask of people, as the engine itself offers it: listed, answered, allowed permanently.
import { ParleyError } from '#base/errors.ts';
import type { Permissions } from './permissions/permissions.ts';
import { wirePermission, wireQuestion } from './permissions/request-events.ts';
import type { Requests } from './permissions/requests.ts';
import type { EngineService } from './wire/service.ts';

type RequestService = Pick<
  EngineService,
  | 'permissions'
  | 'replyPermission'
  | 'permissionRules'
  | 'removePermissionRule'
  | 'questions'
  | 'replyQuestion'
>;

/** The door over requests and permissions; `revive` resumes a run that its process left behind, and gives the id of the one that goes on. */
export function createRequestService(options: {
  requests: Requests;
  permissions: Permissions;
  revive(runID: string): Promise<string>;
}): RequestService {
  const { requests, permissions, revive } = options;
  return {
    permissions: async () => requests.pending('permission').map(wirePermission),
    async replyPermission(requestID, { reply: given, by }) {
      const { request, reply, rule } = permissions.reply(requestID, given, by);
      const runID = await revive(request.shownIn?.runID ?? request.runID);
      const asked = { ...wirePermission(request), runID };
      return { request: asked, reply, ...(rule === undefined ? {} : { rule }) };
    },
    permissionRules: async () => permissions.rules(),
    removePermissionRule: async (id) => permissions.removeRule(id),
    questions: async () => requests.pending('question').map(wireQuestion),
    async replyQuestion(id, { answer, by }) {
      const asked = requests.pending('question').find((request) => request.id === id);
      const expected = asked?.questions?.length;
      if (answer !== null && expected !== undefined && answer.length !== expected) {
        throw new ParleyError(
          'invalid_answer',
          `Expected ${expected} answers, one for each question, got ${answer.length}.`,
        );
      }
      const request = requests.answer(id, 'question', { reply: answer, by });
      const runID = await revive(request.shownIn?.runID ?? request.runID);
      return { ...wireQuestion(request), runID };
    },
  };
}
