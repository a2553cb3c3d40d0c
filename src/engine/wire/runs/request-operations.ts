// The operations on what runs ask of people: approval for tools and questions, listed and answered. The first answer counts.
import { z } from 'zod';
import { noFields, nothing } from '#engine/operations/fields.ts';
import { operation, type ServiceOf } from '#engine/operations/operation.ts';
import {
  answerer,
  permissionReplies,
  permissionRequest,
  questionAnswer,
  questionRequest,
  standingRule,
} from './request.ts';

const by = answerer.optional();
const runID = z
  .string()
  .describe('The run that goes on: another one than that which asked where its process has died since');
const replied = z.object({
  ok: z.literal(true),
  requestID: z.string(),
  reply: z.enum(['once', 'always', 'reject']),
  status: z.literal('applied'),
  persistedRule: z.boolean(),
  ruleID: z.string().nullable(),
  /** As in Tandem's wire. */
  standingRuleID: z.string().nullable(),
  runID,
});
const answered = z.object({ ok: z.literal(true), id: z.string(), runID });
const answer = z.union([questionAnswer, z.string().max(10_000)], {
  error: 'expected a text, or a list with one text for each question, as in {"answer": ["yes"]}',
});
const ofSession = { sessionID: z.string(), requestID: z.string(), by };
const again = 'the first answer counts, and the same one by the same person again is no error';

/** What clients ask about tool calls that wait for approval: `client.permissions`. */
export const permissionOperations = {
  permissions: operation({
    effect: 'read',
    method: 'GET',
    path: '/permission',
    summary: 'What waits for approval, oldest first',
    about: 'Pending requests',
    input: noFields,
    output: z.array(permissionRequest),
    call: 'list',
  }),
  /**
   * `always` is stored for the agent and the tool. A ParleyError `request_settled` when it is no longer pending, unless the same person gave
   * the same answer before: then the call is safe to repeat. A run that its process left behind is started again by the answer.
   */
  replyPermission: operation({
    effect: 'change',
    method: 'POST',
    path: '/permission/:requestID/reply',
    summary: `Allows a tool call once or always, or refuses it; ${again}`,
    about: 'Applied',
    input: z.object({ requestID: z.string(), reply: z.enum(permissionReplies), by }),
    output: replied,
    call: 'reply',
    first: 'requestID',
  }),
  /** The same errors, and `request_not_found` for one of another session. */
  approveTool: operation({
    effect: 'change',
    method: 'POST',
    path: '/sessions/:sessionID/tools/:requestID/approve',
    summary: 'Allows a pending request of this session, once',
    about: 'Applied',
    input: z.object(ofSession),
    output: replied,
    call: 'approve',
  }),
  denyTool: operation({
    effect: 'change',
    method: 'POST',
    path: '/sessions/:sessionID/tools/:requestID/deny',
    summary: 'Refuses a pending request of this session, once',
    about: 'Applied',
    input: z.object(ofSession),
    output: replied,
    call: 'deny',
  }),
  permissionRules: operation({
    effect: 'read',
    method: 'GET',
    path: '/permission/rules',
    summary: 'Permanent approvals, newest first',
    about: 'Standing rules',
    input: noFields,
    output: z.array(standingRule),
    call: 'rules',
    unaudited: 'shows no words',
  }),
  removePermissionRule: operation({
    effect: 'remove',
    method: 'DELETE',
    path: '/permission/rules/:id',
    summary: 'Takes a standing rule back',
    about: 'It no longer exists',
    input: z.object({ id: z.string() }),
    output: nothing,
    call: 'removeRule',
    first: 'id',
  }),
};

/** What clients ask about questions of runs: `client.questions`. */
export const questionOperations = {
  questions: operation({
    effect: 'read',
    method: 'GET',
    path: '/question',
    summary: 'What waits for an answer, oldest first',
    about: 'Pending questions',
    input: noFields,
    output: z.array(questionRequest),
    call: 'list',
  }),
  /** One answer for each question. The same errors as with permissions. */
  replyQuestion: operation({
    effect: 'change',
    method: 'POST',
    path: '/question/:requestID/reply',
    summary: `Answers each question of a request, in order; ${again}`,
    about: 'Applied',
    input: z.object({ requestID: z.string(), answer, by }),
    output: answered,
    call: 'reply',
    first: 'requestID',
  }),
  rejectQuestion: operation({
    effect: 'change',
    method: 'POST',
    path: '/question/:requestID/reject',
    summary: 'Tells the run that there will be no answer',
    about: 'Applied',
    input: z.object({ requestID: z.string(), by }),
    output: answered,
    call: 'reject',
    first: 'requestID',
  }),
  answerQuestion: operation({
    effect: 'change',
    method: 'POST',
    path: '/sessions/:sessionID/questions/:requestID/answer',
    summary: 'Answers a pending question of this session',
    about: 'Applied',
    input: z.object({ ...ofSession, answer }),
    output: answered,
    call: 'answer',
  }),
};

export type RequestService = ServiceOf<typeof permissionOperations & typeof questionOperations>;
