// discord.js's REST client with everything of its own will switched off: one attempt, no waiting. The core retries.
import { REST, type RESTOptions } from 'discord.js';
import { defined } from '#base/json.ts';

/** Longest wait for one answer. */
const timeoutMs = 15_000;

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

/** Hands out the REST client; it has the token also after a 401, which makes discord.js forget it. */
export type Rest = () => REST;

/** A REST client that outlives the gateway's connections. Its sweeping timers do not hold the process. */
export function createRest(options: Reach & { token: string }): Rest {
  const rest = new REST(restOptions(options));
  return () => rest.setToken(options.token);
}
