// discord.js's REST client without its retries and waits: one attempt. The core retries.
import { type InternalRequest, REST, type RESTOptions } from 'discord.js';
import { type Clock, type MonotonicMs, msSince } from '#base/clock.ts';
import { defined } from '#base/json.ts';
import { withTimeout } from '#base/waiting/async.ts';

/** Longest wait for the head of one answer, which is all that discord.js limits. */
const timeoutMs = 15_000;
/** Longest wait for one answer whole: a body that breaks off in the middle is otherwise waited for by no clock. */
const wholeMs = 30_000;

/** Wall time and monotonic time drift apart by no more than this between two calls, unless someone sets the clock. */
const jitterMs = 500;

/** How the API is reached. */
interface ApiReach {
  /** Base of the REST API, without the version; Discord's own when absent. */
  apiUrl?: string | undefined;
  /** Calls of all routes that Discord grants this bot in a second; its usual 50 when absent. */
  callsPerSecond?: number | undefined;
}

/**
 * Options for a client that reports a rate limit at once instead of queueing behind it, and never sends twice. A call
 * that discord.js refuses inside a limit leaves one of its timers until that limit ends; it does nothing then.
 */
export function restOptions({ apiUrl, callsPerSecond }: ApiReach): Partial<RESTOptions> {
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
  /** One moment, by both clocks. */
  #moment: { wallMs: number; at: MonotonicMs };

  constructor(options: Partial<RESTOptions>, clock: Clock) {
    super(options);
    this.#clock = clock;
    this.#moment = { wallMs: clock.now(), at: clock.monotonic() };
  }

  /**
   * discord.js counts its limits by the wall clock: set back by an hour, that would hold every call for an hour. What it knows of
   * limits is forgotten then; Discord's next answers name them again.
   */
  #forgetIfSet(): void {
    const { wallMs, at } = this.#moment;
    const set = this.#clock.now() - wallMs - msSince(this.#clock, at);
    this.#moment = { wallMs: this.#clock.now(), at: this.#clock.monotonic() };
    if (Math.abs(set) < jitterMs) return;
    this.globalReset = -1;
    this.globalRemaining = this.options.globalRequestsPerSecond;
    this.handlers.clear();
  }

  override async request(options: InternalRequest): Promise<unknown> {
    this.#forgetIfSet();
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

/** A REST client that lives as long as the channel. Its timers do not hold the process. */
export function createRest(options: ApiReach & { token: string; clock: Clock }): Rest {
  const rest = new LimitedREST(restOptions(options), options.clock);
  return () => rest.setToken(options.token);
}
