// Speaks to the sandbox without any client library: one call, its status and its whole answer.
import type { TelegramSandbox } from '#sandbox/telegram/server.ts';

export interface Answer {
  status: number;
  ok: boolean;
  result?: Loose;
  error_code?: number;
  description?: string;
  parameters?: { retry_after?: number; migrate_to_chat_id?: number };
}

/** A result whose shape the calling test knows; the spec's judge checks it. */
// biome-ignore lint/suspicious/noExplicitAny: results of many methods, each test reads what it asked for
type Loose = any;

export type Caller = (method: string, params?: object | FormData) => Promise<Answer>;

/** A caller with the sandbox's own token, or another one. */
export function callerOf(sandbox: TelegramSandbox, token = sandbox.tokens.bot): Caller {
  return async (method, params = {}) => {
    const body =
      params instanceof FormData
        ? { body: params }
        : { body: JSON.stringify(params), headers: { 'content-type': 'application/json' } };
    const response = await fetch(`${sandbox.url}/bot${token}/${method}`, { method: 'POST', ...body });
    return { status: response.status, ...((await response.json()) as Omit<Answer, 'status'>) };
  };
}
