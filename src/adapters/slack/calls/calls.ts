// Reading calls that can wait: checked answers, timeout with rate limits. Not for sending, which never waits here.
import type { WebClient } from '@slack/web-api';
import type { ZodType } from 'zod';
import type { Clock } from '#base/clock.ts';
import { ParleyError } from '#base/errors.ts';
import { formatZodError } from '#base/json.ts';
import { explain } from './explain.ts';

interface ReadRequest<T> {
  method: string;
  args: Record<string, unknown>;
  schema: ZodType<T>;
}

export type ReadCall = <T>(reading: ReadRequest<T>, signal: AbortSignal) => Promise<T>;

interface RetryPolicy {
  clock: Clock;
  /** Pauses in a row, each as long as Slack asks, before a call is given up. */
  maxPauses: number;
  /** Receives every pause that begins, in milliseconds. */
  onPause?: (ms: number) => void;
}

/** Calls that wait out rate limits as far as their timeout goes; every other error is thrown at once. */
export function createReadCalls(web: WebClient, { clock, maxPauses, onPause }: RetryPolicy): ReadCall {
  return async ({ method, args, schema }, signal) => {
    for (let pauses = 0; ; pauses += 1) {
      signal.throwIfAborted();
      try {
        const result = schema.safeParse(await web.apiCall(method, args));
        if (result.success) return result.data;
        throw new ParleyError('slack_answer', `${method}: ${formatZodError(result.error).join('; ')}`);
      } catch (error) {
        const { kind, retryAfterMs = 0 } = explain(error);
        if (kind !== 'rate_limit' || pauses === maxPauses) throw error;
        onPause?.(retryAfterMs);
        await clock.sleep(retryAfterMs, signal);
      }
    }
  };
}
