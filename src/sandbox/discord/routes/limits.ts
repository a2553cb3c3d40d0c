// Rate limits: one bucket for each route and channel, and one over all. It counts and writes the headers; it never waits.
import { createHash } from 'node:crypto';
import type { Clock } from '#base/clock.ts';

export interface RateLimits {
  /** Calls of one route in one channel within `perMs`. Discord's message routes usually stand at 5 in 5000. */
  calls: number;
  perMs: number;
  /** Calls of all routes within one second; Discord's is 50. */
  global: number;
}

/** Room enough that a test or a story does not wait, with Discord's own global limit. */
export const easyLimits: RateLimits = { calls: 30, perMs: 1000, global: 50 };

export interface RateLimitCheck {
  headers: Record<string, string>;
  /** Set when the call is over a limit: how long to wait. */
  refused?: { retryAfterMs: number; scope: 'bucket' | 'global' };
}

export interface RouteLimits {
  take(method: string, route: string, channel: string): RateLimitCheck;
  /** The headers and wait of a bucket that is declared exhausted for this long. */
  exhausted(method: string, route: string, retryAfterMs: number): RateLimitCheck;
}

interface Bucket {
  used: number;
  resetAt: number;
}

export function createRouteLimits(clock: Clock, limits: RateLimits): RouteLimits {
  const buckets = new Map<string, Bucket>();
  const take = (key: string, perMs: number): Bucket => {
    const now = clock.now();
    if (buckets.size > 1000)
      for (const [old, { resetAt }] of buckets) if (resetAt <= now) buckets.delete(old);
    const bucket = buckets.get(key);
    const current =
      bucket === undefined || bucket.resetAt <= now ? { used: 0, resetAt: now + perMs } : bucket;
    current.used += 1;
    buckets.set(key, current);
    return current;
  };
  const headers = (method: string, route: string, bucket: Bucket): Record<string, string> => ({
    'X-RateLimit-Limit': String(limits.calls),
    'X-RateLimit-Remaining': String(Math.max(0, limits.calls - bucket.used)),
    'X-RateLimit-Reset': (bucket.resetAt / 1000).toFixed(3),
    'X-RateLimit-Reset-After': (Math.max(0, bucket.resetAt - clock.now()) / 1000).toFixed(3),
    'X-RateLimit-Bucket': createHash('sha256').update(`${method} ${route}`).digest('hex').slice(0, 32),
  });
  const refusal = (base: Record<string, string>, retryAfterMs: number): RateLimitCheck => ({
    headers: { ...base, 'Retry-After': String(Math.ceil(retryAfterMs / 1000)), 'X-RateLimit-Scope': 'user' },
    refused: { retryAfterMs, scope: 'bucket' },
  });
  return {
    take(method, route, channel) {
      const now = clock.now();
      const all = take('global', 1000);
      if (all.used > limits.global) {
        const retryAfterMs = all.resetAt - now;
        return {
          headers: {
            'Retry-After': String(Math.ceil(retryAfterMs / 1000)),
            'X-RateLimit-Global': 'true',
            'X-RateLimit-Scope': 'global',
          },
          refused: { retryAfterMs, scope: 'global' },
        };
      }
      const bucket = take(`${method} ${route} ${channel}`, limits.perMs);
      const base = headers(method, route, bucket);
      return bucket.used > limits.calls ? refusal(base, bucket.resetAt - now) : { headers: base };
    },
    exhausted(method, route, retryAfterMs) {
      const bucket = { used: limits.calls, resetAt: clock.now() + retryAfterMs };
      return refusal(headers(method, route, bucket), retryAfterMs);
    },
  };
}
