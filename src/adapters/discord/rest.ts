// discord.js's REST client with everything of its own will switched off: one attempt, no waiting. The core retries.
import { type InternalRequest, REST, type RESTOptions } from 'discord.js';
import { withTimeout } from '#base/async.ts';
import type { Clock } from '#base/clock.ts';
import { defined } from '#base/json.ts';

/** Longest wait for the head of one answer, which is all that discord.js limits. */
const timeoutMs = 15_000;
/** Longest wait for one answer whole: a body that breaks off in the middle is otherwise waited for by no clock. */
const wholeMs = 30_000;

/** How the API is reached. */
export interface Reach {
  /** Base of the REST API, without the version; Discord's own when absent. */
  apiUrl?: string | undefined;
  /** Calls of all routes that Discord grants this bot in a second; its usual 50 when absent. */
  callsPerSecond?: number | undefined;
}

/**
 * Options for a client that reports a rate limit at once instead of queueing behind it, and never sends twice. A call
 * that discord.js refuses inside a limit leaves one of its timers until that limit ends; it does nothing then.
 */
export function restOptions({ apiUrl, callsPerSecond }: Reach): Partial<RESTOptions> {
  return {
    ...defined({ globalRequestsPerSecond: callsPerSecond }),
    version: '10',
    retries: 0,
    timeout: timeoutMs,
    offset: 0,
    rejectOnRateLimit: () => true,
    ...(apiUrl === undefined ? {} : { api: apiUrl.replace(/\/+$/, '') }),
  };
}

/**
 * A client whose calls end: with the answer, a failure, or a ParleyError `timeout`. Each call has a signal of its own,
 * since discord.js never takes its listener off a signal and would collect one a call on a signal that lives long.
 */
class LimitedREST extends REST {
  readonly #clock: Clock;

  constructor(options: Partial<RESTOptions>, clock: Clock) {
    super(options);
    this.#clock = clock;
  }

  override async request(options: InternalRequest): Promise<unknown> {
    const { signal: given, ...request } = options;
    const limit = {
      clock: this.#clock,
      ms: wholeMs,
      what: 'The call to Discord',
      signal: given ?? undefined,
    };
    return withTimeout(limit, (signal) => super.request({ ...request, signal }));
  }
}

/** Hands out the REST client; it has the token also after a 401, which makes discord.js forget it. */
export type Rest = () => REST;

/** A REST client that outlives the gateway's connections. Its sweeping timers do not hold the process. */
export function createRest(options: Reach & { token: string; clock: Clock }): Rest {
  const rest = new LimitedREST(restOptions(options), options.clock);
  return () => rest.setToken(options.token);
}
