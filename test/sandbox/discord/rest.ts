// A plain HTTP caller of the sandbox's REST routes. A helper of the sandbox's tests; discord.js has its own tests.
import type { DiscordSandbox } from '#sandbox/discord/server.ts';

export interface Answer {
  method: string;
  /** The path of the OpenAPI description. */
  template: string;
  status: number;
  headers: Headers;
  body: unknown;
}

export interface RestRequest {
  params?: Record<string, string>;
  query?: string;
  body?: unknown;
  token?: string;
}

export type Call = (method: string, template: string, asked?: RestRequest) => Promise<Answer>;

/** Calls routes of a sandbox by the description's templates, and keeps every answer. */
export function caller(sandbox: DiscordSandbox): { call: Call; answers: Answer[] } {
  const answers: Answer[] = [];
  const call: Call = async (method, template, asked = {}) => {
    const path = template.replace(/\{(\w+)\}/g, (_, name: string) =>
      encodeURIComponent(asked.params?.[name] ?? ''),
    );
    const response = await fetch(`${sandbox.url}/v10${path}${asked.query ?? ''}`, {
      method,
      headers: {
        Authorization: `Bot ${asked.token ?? sandbox.tokens.bot}`,
        'Content-Type': 'application/json',
      },
      ...(asked.body === undefined ? {} : { body: JSON.stringify(asked.body) }),
    });
    const text = await response.text();
    const answer = {
      method,
      template,
      status: response.status,
      headers: response.headers,
      body: text === '' ? undefined : JSON.parse(text),
    };
    answers.push(answer);
    return answer;
  };
  return { call, answers };
}
