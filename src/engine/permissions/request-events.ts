// Requests and their outcomes as events, and as clients read them. Pure.
import { z } from 'zod';
import { defined } from '#base/json.ts';
import type { EventDraft } from '#engine/events/event-store.ts';
import type { PermissionRequest, QuestionRequest } from '#engine/wire/runs/request.ts';
import type { StoredRequest } from './request-rows.ts';

/** The run in whose chat the request is shown, and the instance that asks where it is another one. */
function shownBy({ sessionID, runID, shownIn }: StoredRequest) {
  if (shownIn === undefined) return { sessionID, runID };
  return { sessionID: shownIn.sessionID, runID: shownIn.runID, requester: shownIn.requester };
}

/** A permission request as clients read it. */
export function wirePermission(request: StoredRequest): PermissionRequest {
  const { id, agent, tool, args, digest, requestedAtMs, expiresAtMs } = request;
  return {
    requestID: id,
    ...shownBy(request),
    agent,
    tool,
    args,
    argsSource: 'model',
    argsIntegrity: 'whole',
    query: queryOf(args),
    actionDigest: digest,
    requestedAtMs,
    expiresAtMs,
  };
}

function queryOf(args: unknown): string | null {
  const { data } = z.object({ query: z.string() }).safeParse(args);
  return data?.query ?? null;
}

/** A question request as clients read it. */
export function wireQuestion(request: StoredRequest): QuestionRequest {
  const { id, questions = [], requestedAtMs, expiresAtMs } = request;
  return { id, ...shownBy(request), questions, requestedAtMs, expiresAtMs };
}

/** That something is asked; again when a run that was started again asks it. */
export function requestEvent(request: StoredRequest): EventDraft {
  if (request.kind === 'permission') {
    return { type: 'permission.asked', properties: wirePermission(request) };
  }
  const { messageID, callID } = request;
  return {
    type: 'question.asked',
    properties: { ...wireQuestion(request), messageID, tool: { callID, messageID } },
  };
}

/** The result of it. */
export function repliedEvent(
  request: StoredRequest,
  outcome: { status: 'answered' | 'expired' | 'dropped'; reply?: string | string[] | null },
): EventDraft {
  const { status, reply } = outcome;
  const { id, kind } = request;
  const { sessionID, runID } = shownBy(request);
  if (kind === 'permission') {
    return {
      type: 'permission.replied',
      properties: {
        sessionID,
        runID,
        requestID: id,
        status,
        ...defined({ reply: typeof reply === 'string' ? reply : undefined }),
      },
    };
  }
  const answer = Array.isArray(reply) ? reply : undefined;
  return {
    type: 'question.replied',
    properties: { sessionID, runID, id, ok: answer !== undefined, status, ...defined({ answer }) },
  };
}
