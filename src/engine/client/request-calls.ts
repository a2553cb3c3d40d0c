// The client's calls about what runs ask of people: approval for tools, and questions.
import type {
  PermissionRequest,
  PermissionRule,
  permissionReplies,
  QuestionRequest,
} from '#engine/wire/runs/request.ts';
import type { Verbs } from './request.ts';

export interface By {
  by?: { person: string; name: string };
}

/** `permissions` and `questions` of the client. */
export function requestCalls({ get, post, json }: Verbs) {
  return {
    permissions: {
      list: () => get<PermissionRequest[]>('/permission'),
      reply: (requestID: string, reply: (typeof permissionReplies)[number], more: By = {}) =>
        post<{ ok: true; reply: 'once' | 'always' | 'reject'; ruleID: string | null; runID: string }>(
          `/permission/${encodeURIComponent(requestID)}/reply`,
          {
            reply,
            ...more,
          },
        ),
      rules: () => get<PermissionRule[]>('/permission/rules'),
      removeRule: (id: string) =>
        json<{ ok: true }>(`/permission/rules/${encodeURIComponent(id)}`, { method: 'DELETE' }),
    },
    questions: {
      list: () => get<QuestionRequest[]>('/question'),
      reply: (id: string, answer: string | string[], more: By = {}) =>
        post<{ ok: true; runID: string }>(`/question/${encodeURIComponent(id)}/reply`, { answer, ...more }),
      reject: (id: string, more: By = {}) =>
        post<{ ok: true; runID: string }>(`/question/${encodeURIComponent(id)}/reject`, more),
    },
  };
}
