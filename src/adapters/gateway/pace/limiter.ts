// When a chat or an account may be called again: what the platform said (`retry_after`), in its headers and in its documents.
import type { Address } from '#adapters/gateway/terms/address.ts';
import { formatAddress, roomOf } from '#adapters/gateway/terms/address.ts';
import type {
  CallType,
  ChannelCapabilities,
  ChannelFailure,
  DocumentedRate,
  RateLimitHeaders,
} from '#adapters/gateway/terms/channel.ts';
import { createExpiring } from '#base/caches/expiring.ts';
import { type Clock, laterOf, type MonotonicMs, momentAfter, momentIn, msUntil } from '#base/clock.ts';
import type { Urgency } from './allowance.ts';
import { allowance } from './allowance.ts';
import { createPriorityQueue, type PriorityQueue } from './priority-queue.ts';
import { createSlidingWindows } from './sliding-windows.ts';

export interface LimitedCall {
  address: Address;
  act: CallType;
  urgency: Urgency;
}

export interface Limiter {
  /** Takes note of a rate limit: nothing that it holds for is called before `retryAfterMs` is over. */
  hold(call: Pick<LimitedCall, 'address' | 'act'>, failure: ChannelFailure): void;
  /** Takes note of what an answer's headers said to this bot, by the name that `botOf` gives. */
  learn(bot: string, budget: RateLimitHeaders): void;
  /** Milliseconds until this call may be made; 0 when it may be now. */
  wait(call: LimitedCall): number;
  /** Counts the call when it may be made now; false, and nothing is counted, when it may not. */
  tryTake(call: LimitedCall): boolean;
  /**
   * Waits until the call may be made, and counts it: finals before previews, and of equals in one chat who came first.
   * Rejects when the signal aborts.
   */
  take(call: LimitedCall, signal: AbortSignal): Promise<void>;
}

interface LimiterOptions {
  clock: Clock;
  /** How the address's platform limits calls. */
  capsOf(address: Address): Partial<Pick<ChannelCapabilities, 'pace' | 'threadsLimitedAlone' | 'editGapMs'>>;
  /** The bot of the address: platforms count the calls of each token. Its platform when absent. */
  botOf?(address: Address): string;
}

/** What is waited for when a platform names no time, or none that lies ahead. */
const unnamedMs = 1_000;
/** Of a window at least this long, answers in progress use their share evenly: spent in a burst, it would leave all of them standing still for the rest. */
const longWindowMs = 10_000;
/** Entries about chats above which those that are over are forgotten. */
const maxEntries = 10_000;

const ranks: Readonly<Record<Urgency, number>> = { final: 0, preview: 1, sign: 2 };

/** What headers said of a bucket. */
interface BucketState {
  limit: number;
  remaining: number;
  resetAt: MonotonicMs;
  /** The longest time to a reset that was seen: at most as long as the bucket lasts. */
  periodMs: number;
}

/** A call with the names under which limits are kept for it. */
interface Named {
  urgency: Urgency;
  account: string;
  place: string;
  act: string;
  /** This kind of call in all chats of the account. */
  actOfAll: string;
  bucket: string;
  windows: readonly Window[];
}

/** At most `calls` within any `perMs`, counted under this name. */
interface Window {
  key: string;
  calls: number;
  perMs: number;
}

/** One limiter for all calls of all chats; a limit in one chat never delays another. */
export function createLimiter({
  clock,
  capsOf,
  botOf = ({ platform }) => platform,
}: LimiterOptions): Limiter {
  const until = createExpiring<string, MonotonicMs>({ clock, most: maxEntries, untilOf: (at) => at });
  const buckets = createExpiring<string, BucketState>({
    ...{ clock, most: maxEntries, untilOf: ({ resetAt }) => resetAt },
  });
  const lines = new Map<string, PriorityQueue<Named>>();
  const windows = createSlidingWindows(clock);

  const named = ({ address, act, urgency }: LimitedCall): Named => {
    const { pace = [], threadsLimitedAlone = false, editGapMs } = capsOf(address);
    const account = `${address.platform}:${address.account}`;
    const place = threadsLimitedAlone ? formatAddress(address) : roomOf(address);
    const bucketPlace = threadsLimitedAlone ? (address.thread ?? address.chat) : address.chat;
    const paced = pace.flatMap((one, index) =>
      one.acts.includes(act) && one.kinds?.includes(address.kind) !== false
        ? windowsOf(one, { key: `${index} ${one.per === 'account' ? account : place}`, urgency })
        : [],
    );
    const gap = { key: `preview ${place}`, calls: 1, perMs: editGapMs?.[address.kind] ?? 0 };
    return {
      ...{ urgency, account, place },
      act: `${place} ${act}`,
      actOfAll: `${account} ${act}`,
      bucket: `${botOf(address)} ${bucketPlace} ${act}`,
      windows: urgency === 'preview' ? [...paced, gap] : paced,
    };
  };

  const heldFor = (key: string): number => {
    const end = until.get(key);
    return end === undefined ? 0 : Math.max(0, msUntil(clock, end));
  };

  const bucketWait = ({ bucket, urgency }: Named): number => {
    const entry = buckets.get(bucket);
    if (entry === undefined || entry.resetAt <= clock.monotonic()) return 0;
    const reserved = entry.limit - allowance(entry.limit, urgency);
    return entry.remaining > reserved ? 0 : msUntil(clock, entry.resetAt);
  };

  const waitOf = (call: Named): number =>
    Math.max(
      heldFor(call.account),
      heldFor(call.place),
      heldFor(call.act),
      heldFor(call.actOfAll),
      bucketWait(call),
      ...call.windows.map((window) => windows.wait(window.key, window)),
    );

  const go = (call: Named): void => {
    const entry = buckets.get(call.bucket);
    if (entry !== undefined) spend(entry, clock.monotonic());
    for (const { key, perMs } of call.windows) windows.count(key, perMs);
  };

  const lineOf = (account: string): PriorityQueue<Named> => {
    const line =
      lines.get(account) ??
      createPriorityQueue({ clock, waitOf, go, rankOf: ({ urgency }) => ranks[urgency] });
    lines.set(account, line);
    return line;
  };

  return {
    wait: (call) => waitOf(named(call)),
    hold({ address, act }, { wholeAccount, sameActOnly, retryAfterMs = 0 }) {
      const names = named({ address, act, urgency: 'final' });
      const inChat = sameActOnly === true ? names.act : names.place;
      const inAll = sameActOnly === true ? names.actOfAll : names.account;
      const key = wholeAccount === true ? inAll : inChat;
      const at = momentIn(clock, retryAfterMs > 0 ? retryAfterMs : unnamedMs);
      until.set(key, laterOf(at, until.get(key) ?? at));
    },
    learn(bot, { place, act, limit, remaining, resetAfterMs }) {
      const key = `${bot} ${place} ${act}`;
      const resetAt = momentIn(clock, resetAfterMs);
      const before = buckets.get(key);
      // an answer that comes late must not give back what calls after it have spent
      const same =
        before !== undefined &&
        msUntil(clock, before.resetAt) > 0 &&
        resetAt < momentAfter(before.resetAt, 500);
      const left = same ? Math.min(before.remaining, remaining) : remaining;
      const periodMs = Math.max(resetAfterMs, before?.limit === limit ? before.periodMs : 0);
      buckets.set(key, { limit, remaining: left, resetAt, periodMs });
      // what was thought to be spent may be free after all
      if (before !== undefined && !same) for (const line of lines.values()) line.serve();
    },
    tryTake(call) {
      const names = named(call);
      return lineOf(names.account).pass(names);
    },
    take(call, signal) {
      const names = named(call);
      return lineOf(names.account).join(names, signal);
    },
  };
}

/** The windows of a pace for a call of this urgency: a long one gives previews their share evenly, so that each has fewer the more there are. */
function windowsOf(
  { calls, perMs }: DocumentedRate,
  { key, urgency }: { key: string; urgency: Urgency },
): Window[] {
  const share = allowance(calls, urgency);
  const whole = { key, calls: share, perMs };
  if (urgency !== 'preview' || perMs < longWindowMs) return [whole];
  return [whole, { key: `${key} previews`, calls: 1, perMs: perMs / share }];
}

/** Counts a call in a bucket, and begins the next one when it is over: until headers say otherwise, as large and as long as the last. */
function spend(entry: BucketState, now: MonotonicMs): void {
  if (entry.resetAt <= now) {
    entry.remaining = entry.limit;
    entry.resetAt = momentAfter(now, entry.periodMs);
  }
  entry.remaining -= 1;
}
