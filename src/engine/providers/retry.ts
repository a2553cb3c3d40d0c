// Whether and when a failed call is tried again. Only for calls that have shown nothing yet.

import type { Clock } from '#base/clock.ts';
import { codeOf } from '#base/errors.ts';
import { backoffMs } from '#base/waiting/async.ts';
import { type ClassifiedError, ProviderFailure } from '#engine/providers/calls/provider-failure.ts';

/** How often a call is tried again. */
const retries = 2;
/** A provider that asks for a longer wait is not waited for: the run fails, and the person gets a message. */
const longestWaitMs = 20_000;

/** The wait before the next attempt, or undefined when there is none; `attempt` counts from 1. */
export function retryDelay(error: unknown, attempt: number, clock: Clock): number | undefined {
  if (attempt > retries || !(error instanceof ProviderFailure) || !error.judged.passing) return undefined;
  const asked = retryAfterMs(error.judged.retryAfter, clock.now());
  const wait = asked ?? backoffMs(attempt, { firstMs: 500, capMs: 5_000 });
  return wait > longestWaitMs ? undefined : wait;
}

/** True when the model did not answer: it is out, overloaded, says nothing, or nobody pays for it. */
export function isOutage(error: unknown): boolean {
  return codeOf(error) === 'timeout' || (error instanceof ProviderFailure && isOut(error));
}

/**
 * True when another model may do better: whatever is between this one and its answer, and an answer that is empty or withheld. Not where
 * the program itself failed, or what it wrote was too much.
 */
export function mayAnotherAnswer(error: unknown): boolean {
  if (error instanceof ProviderFailure) return error.judged.code !== 'ENGINE_DISPATCH_FAILED';
  const code = codeOf(error);
  return code === 'timeout' || code === 'EMPTY_ANSWER' || code === 'CONTENT_FILTERED';
}

/** How long the provider asks to be left alone, in milliseconds; undefined where it does not say. */
export function waitAskedFor(error: unknown, now: number): number | undefined {
  return error instanceof ProviderFailure ? retryAfterMs(error.judged.retryAfter, now) : undefined;
}

/** What `retry-after-ms` or `retry-after` asks for: seconds, or a date, which the clock that dated the answer counts from. */
function retryAfterMs(
  { ms: inMs, after, date }: ClassifiedError['retryAfter'],
  now: number,
): number | undefined {
  const ms = Number(inMs ?? Number.NaN);
  if (Number.isFinite(ms)) return Math.max(0, ms);
  if (after === undefined) return undefined;
  const seconds = Number(after);
  const dated = Date.parse(date ?? '');
  const from = Number.isFinite(dated) ? dated : now;
  const wait = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(after) - from;
  return Number.isFinite(wait) ? Math.max(0, wait) : undefined;
}

/** What may pass by itself, and an account without credit: the provider is out until someone pays. */
function isOut({ judged }: ProviderFailure): boolean {
  return judged.passing || judged.code === 'PROVIDER_BILLING';
}
