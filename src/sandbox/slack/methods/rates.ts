// How often Slack lets an app write: a call beyond that is answered with 429 and Retry-After. It counts; it never waits.
import type { Clock } from '#base/clock.ts';
import { type Args, textArg } from '#sandbox/slack/world/method.ts';

export interface Rates {
  /** Counts a call; seconds after which it may be made when it is one too many, which is not counted. */
  refuse(method: string, args: Args): number | undefined;
}

const minuteMs = 60_000;

/**
 * Calls a minute of each method, "per method per workspace per app" (docs.slack.dev, "Rate limits": tier 2 is 20, tier 3 is 50, tier 4 is
 * 100 and more), by the tier that each method's page names. How many more a burst may have is nowhere said, and none are given here.
 */
const perMinute: Readonly<Record<string, number>> = {
  'chat.update': 50,
  'chat.delete': 50,
  'chat.startStream': 20,
  'chat.appendStream': 100,
  'chat.stopStream': 20,
  'reactions.add': 50,
  'reactions.remove': 20,
};
/** "One message per second per channel" for chat.postMessage, with short bursts. */
const postsPerMinute = 60;

/** Nothing is counted yet. */
export function createRates(clock: Clock): Rates {
  /** Times of the calls of the last minute, by what is counted together. */
  const made = new Map<string, number[]>();
  return {
    refuse(method, args) {
      const isPost = method === 'chat.postMessage';
      const most = isPost ? postsPerMinute : perMinute[method];
      if (most === undefined) return undefined;
      const key = isPost ? `${method} ${textArg(args, 'channel') ?? ''}` : method;
      const now = clock.now();
      const recent = (made.get(key) ?? []).filter((at) => now - at < minuteMs);
      made.set(key, recent);
      const oldest = recent[0];
      if (oldest !== undefined && recent.length >= most) return Math.ceil((oldest + minuteMs - now) / 1000);
      recent.push(now);
      return undefined;
    },
  };
}
