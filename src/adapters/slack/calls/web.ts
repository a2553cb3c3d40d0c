// The Web API client as this adapter uses it: one attempt, a time limit, no pausing queue.
import { type Logger, LogLevel, WebClient, type WebClientOptions } from '@slack/web-api';
import { codeOf } from '#base/errors.ts';
import { defined } from '#base/json.ts';
import type { Log } from '#base/log/log.ts';
import { anySignal } from '#base/waiting/async.ts';

/** Milliseconds until a call without an answer is given up. */
export const callLimitMs = 15_000;

export interface WebOptions {
  apiUrl?: string | undefined;
  log: Log;
  /** Ends every call of this client, pending or later. */
  signal?: AbortSignal | undefined;
  /** Told the `Date` header of every answer. */
  received?: ((date: string | null) => void) | undefined;
}

/**
 * Options under which the client makes exactly one attempt: no retries (a lost answer would post twice), rate limits
 * thrown at once (waiting would pause the queue for every chat), and a time limit.
 */
export function webOptions(options: WebOptions): WebClientOptions {
  const { apiUrl, signal, received } = options;
  return defined({
    slackApiUrl: apiUrl,
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    timeout: callLimitMs,
    fetch: signal === undefined && received === undefined ? undefined : fetchUntil(signal, received),
  });
}

/** A client for a bot token. What its calls throw has the method, for `explain`. */
export function createWeb(token: string, options: WebOptions): WebClient {
  return new NamingClient(token, { ...webOptions(options), logger: sdkLogger(options.log) });
}

/** Every method of the client goes through `apiCall`, whose errors do not say which it was. */
class NamingClient extends WebClient {
  override async apiCall(...call: Parameters<WebClient['apiCall']>): ReturnType<WebClient['apiCall']> {
    try {
      return await super.apiCall(...call);
    } catch (error) {
      throw namingMethod(error, call[0]);
    }
  }
}

/** The same error, from which `explain` knows the method whose call threw it; an error that is not the SDK's stays unchanged. */
export function namingMethod(error: unknown, method: string): unknown {
  return codeOf(error)?.startsWith('slack_webapi_') === true
    ? Object.assign(error as object, { method })
    : error;
}

function fetchUntil(
  signal: AbortSignal | undefined,
  received: WebOptions['received'],
): NonNullable<WebClientOptions['fetch']> {
  return async (url, init) => {
    using within = anySignal(init?.signal, signal);
    const response = await fetch(url, { ...init, signal: within.signal });
    const { status, statusText, headers, body } = response;
    received?.(headers.get('date'));
    // read here, where the call can still be ended
    return new Response(body === null ? null : await response.arrayBuffer(), { status, statusText, headers });
  };
}

/**
 * Passes the SDKs' log lines on at debug level, since their errors are also thrown and reported once. Drops their debug lines, which
 * contain people's messages.
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
