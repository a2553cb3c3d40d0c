// Whether and when a failed call is tried again. Only for calls that have shown nothing yet.
import { APICallError, StreamProviderError } from 'ai';
import { backoffMs } from '#base/async.ts';
import type { Clock } from '#base/clock.ts';
import { codeOf } from '#base/errors.ts';
import { isBrokenConnection } from './failure.ts';

/** How often a call is tried again. */
const retries = 2;
/** A provider that asks for a longer wait is not waited for: the person is told instead. */
const longestWaitMs = 20_000;

/** The wait before the next attempt, or undefined when there is none; `attempt` counts from 1. */
export function retryDelay(error: unknown, attempt: number, clock: Clock): number | undefined {
  if (attempt > retries || !isPassing(error)) return undefined;
  const headers = APICallError.isInstance(error) ? error.responseHeaders : undefined;
  const asked = retryAfterMs(headers ?? {}, clock.now());
  const wait = asked ?? backoffMs(attempt, { firstMs: 500, capMs: 5_000 });
  return wait > longestWaitMs ? undefined : wait;
}

/** True when another provider may answer where this one could not: it is out, overloaded, or says nothing. */
export function isOutage(error: unknown): boolean {
  return codeOf(error) === 'timeout' || isPassing(error);
}

/** True for what may pass by itself: 429, 5xx, and a connection that was not made or was lost. */
function isPassing(error: unknown): boolean {
  if (isBrokenConnection(error)) return true;
  if (APICallError.isInstance(error)) {
    const { statusCode } = error;
    return statusCode === undefined ? error.isRetryable : statusCode === 429 || statusCode >= 500;
  }
  return StreamProviderError.isInstance(error) && error.isRetryable;
}

/** What `retry-after-ms` or `retry-after` (seconds, or a date) asks for. */
function retryAfterMs(headers: Record<string, string>, now: number): number | undefined {
  const ms = Number(headers['retry-after-ms'] ?? Number.NaN);
  if (Number.isFinite(ms)) return Math.max(0, ms);
  const after = headers['retry-after'];
  if (after === undefined) return undefined;
  const seconds = Number(after);
  const wait = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(after) - now;
  return Number.isFinite(wait) ? Math.max(0, wait) : undefined;
}
