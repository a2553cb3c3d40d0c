// What Discord's headers say of each bucket, as the gateway's limiter wants it. Decides nothing.
import type { APIRequest, ResponseLike } from 'discord.js';
import type { CallType, RateLimitHeaders } from '#adapters/gateway/terms/channel.ts';

const routes: readonly { method: string; path: RegExp; act: CallType }[] = [
  { method: 'POST', path: /^\/channels\/(\d+)\/messages$/, act: 'send' },
  { method: 'PATCH', path: /^\/channels\/(\d+)\/messages\/\d+$/, act: 'edit' },
  { method: 'DELETE', path: /^\/channels\/(\d+)\/messages\/\d+$/, act: 'remove' },
  { method: 'POST', path: /^\/channels\/(\d+)\/typing$/, act: 'typing' },
  { method: 'PUT', path: /^\/channels\/(\d+)\/messages\/\d+\/reactions\//, act: 'react' },
];

/**
 * The budget that an answer names; undefined for other routes, for answers without such headers, and for refusals, whose
 * headers may be those of another limit (`explain` distinguishes them).
 */
export function answerBudget(
  request: Pick<APIRequest, 'method' | 'path'>,
  { headers, status }: Pick<ResponseLike, 'headers' | 'status'>,
): RateLimitHeaders | undefined {
  if (status === 429) return undefined;
  const number = (name: string): number | undefined => {
    const text = headers.get(name);
    const value = text === null || text === '' ? Number.NaN : Number(text);
    return Number.isFinite(value) && value >= 0 ? value : undefined;
  };
  const limit = number('X-RateLimit-Limit');
  const remaining = number('X-RateLimit-Remaining');
  const resetAfter = number('X-RateLimit-Reset-After');
  if (limit === undefined || remaining === undefined || resetAfter === undefined) return undefined;
  for (const { method, path, act } of routes) {
    const place = request.method.toUpperCase() === method ? path.exec(request.path)?.[1] : undefined;
    if (place !== undefined) return { place, act, limit, remaining, resetAfterMs: resetAfter * 1000 };
  }
  return undefined;
}
