// The Web API client as this adapter uses it: one attempt, a time limit, no pausing queue. Not the methods' meaning.
import { type Logger, LogLevel, WebClient, type WebClientOptions } from '@slack/web-api';
import { defined } from '#base/json.ts';
import type { Log } from '#base/log.ts';

/** Milliseconds until a call without an answer is given up. */
export const callLimitMs = 15_000;

export interface WebOptions {
  apiUrl?: string | undefined;
  log: Log;
  /** Ends every call of this client, pending or later. */
  signal?: AbortSignal | undefined;
}

/**
 * Options under which the client makes exactly one attempt: no retries (a lost answer would post twice), rate limits
 * thrown at once (waiting would pause the queue for every chat), and a time limit.
 */
export function webOptions(options: WebOptions): WebClientOptions {
  const { apiUrl, signal } = options;
  return defined({
    slackApiUrl: apiUrl,
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    timeout: callLimitMs,
    fetch: signal === undefined ? undefined : fetchUntil(signal),
  });
}

/** A client for a bot token. */
export function createWeb(token: string, options: WebOptions): WebClient {
  return new WebClient(token, { ...webOptions(options), logger: sdkLogger(options.log) });
}

function fetchUntil(signal: AbortSignal): NonNullable<WebClientOptions['fetch']> {
  return (url, init) => {
    const limit = init?.signal;
    return fetch(url, { ...init, signal: limit ? AbortSignal.any([limit, signal]) : signal });
  };
}

/**
 * The SDKs' own words, at debug: what went wrong is thrown as well and told once by whoever handles it. Their debug
 * lines are dropped, since those carry what people wrote.
 */
export function sdkLogger(log: Log): Logger {
  const say = (...words: unknown[]) => log.debug({ sdk: 'slack' }, words.map(String).join(' '));
  return {
    debug: () => undefined,
    info: say,
    warn: say,
    error: say,
    setLevel: () => undefined,
    getLevel: () => LogLevel.ERROR,
    setName: () => undefined,
  };
}
