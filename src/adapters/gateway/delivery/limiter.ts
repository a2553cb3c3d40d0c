// When a chat or an account may be called again: what the platform said in words (`retry_after`), in headers and in its documents.
import type { Address, Platform } from '#adapters/gateway/address.ts';
import { roomOf } from '#adapters/gateway/address.ts';
import type { Act, Budget, Failure, Pace } from '#adapters/gateway/channel.ts';
import type { Clock } from '#base/clock.ts';
import { allowance } from './allowance.ts';
import { createWindows } from './windows.ts';

/** `final`: parts of answers; `preview`: answers in the making, which leave a reserve; `sign`: typing and reactions, the first to give way. */
export type Urgency = 'final' | 'preview' | 'sign';

export interface Call {
  address: Address;
  act: Act;
  urgency: Urgency;
}

export interface Limiter {
  /** Takes note of a rate limit: nothing that it holds for is called before `retryAfterMs` is over. */
  hold(call: Pick<Call, 'address' | 'act'>, failure: Failure): void;
  /** Takes note of what an answer's headers said. */
  learn(platform: Platform, budget: Budget): void;
  /** Milliseconds until this call may be made; 0 when it may be now. */
  wait(call: Call): number;
  /** Counts the call when it may be made now; false, and nothing is counted, when it may not. */
  tryTake(call: Call): boolean;
  /** Waits until the call may be made, and counts it. Rejects when the signal aborts. */
  take(call: Call, signal: AbortSignal): Promise<void>;
}

export interface LimiterOptions {
  clock: Clock;
  /** The documented rates of the address's platform. */
  paceOf(address: Address): readonly Pace[];
}

/** What is waited for when a platform names no time. */
const unnamedMs = 1_000;
/** Entries about chats above which those that are over are forgotten. */
const mostKept = 10_000;

interface Told {
  limit: number;
  remaining: number;
  resetAt: number;
}

const accountOf = ({ platform, account }: Address): string => `${platform}:${account}`;
const placeOf = ({ thread, chat }: Address): string => thread ?? chat;
const isMinor = (act: Act): boolean => act === 'typing' || act === 'react' || act === 'live';

/** One limiter for all calls of all chats; a limit in one chat never delays another. */
export function createLimiter({ clock, paceOf }: LimiterOptions): Limiter {
  const until = new Map<string, number>();
  const told = new Map<string, Told>();
  const windows = createWindows(clock);

  const remainingHold = (key: string): number => Math.max(0, (until.get(key) ?? 0) - clock.now());

  const held = ({ address, act }: Call): number =>
    Math.max(
      remainingHold(accountOf(address)),
      remainingHold(roomOf(address)),
      remainingHold(`${roomOf(address)} ${act}`),
    );

  const toldOf = ({ address, act }: Call): Told | undefined => {
    const entry = told.get(`${address.platform} ${placeOf(address)} ${act}`);
    return entry === undefined || entry.resetAt <= clock.now() ? undefined : entry;
  };

  const toldWait = (call: Call): number => {
    const entry = toldOf(call);
    if (entry === undefined) return 0;
    const reserved = entry.limit - allowance(entry.limit, call.urgency);
    return entry.remaining > reserved ? 0 : entry.resetAt - clock.now();
  };

  /** The windows that a call is counted in, with their names. */
  const pacesOf = ({ address, act }: Call): { key: string; pace: Pace }[] =>
    paceOf(address).flatMap((pace, index) => {
      if (!pace.acts.includes(act) || pace.kinds?.includes(address.kind) === false) return [];
      const whose = pace.per === 'account' ? accountOf(address) : roomOf(address);
      return [{ key: `${index} ${whose}`, pace }];
    });

  const paceWait = (call: Call): number =>
    Math.max(
      0,
      ...pacesOf(call).map(({ key, pace }) =>
        windows.wait(key, { calls: allowance(pace.calls, call.urgency), perMs: pace.perMs }),
      ),
    );

  const wait = (call: Call): number => Math.max(held(call), toldWait(call), paceWait(call));

  const count = (call: Call): void => {
    const entry = toldOf(call);
    if (entry !== undefined) entry.remaining -= 1;
    for (const { key, pace } of pacesOf(call)) windows.count(key, pace.perMs);
  };

  const forget = (): void => {
    const now = clock.now();
    if (until.size > mostKept) for (const [key, at] of until) if (at <= now) until.delete(key);
    if (told.size > mostKept) for (const [key, { resetAt }] of told) if (resetAt <= now) told.delete(key);
  };

  return {
    wait,
    hold({ address, act }, failure) {
      const room = roomOf(address);
      const narrow = failure.sameActOnly === true && isMinor(act) ? `${room} ${act}` : room;
      const key = failure.wholeAccount === true ? accountOf(address) : narrow;
      const at = clock.now() + (failure.retryAfterMs ?? unnamedMs);
      until.set(key, Math.max(at, until.get(key) ?? 0));
      forget();
    },
    learn(platform, { place, act, limit, remaining, resetAfterMs }) {
      const key = `${platform} ${place} ${act}`;
      const resetAt = clock.now() + resetAfterMs;
      const before = told.get(key);
      // an answer that comes late must not give back what calls after it have spent
      const same = before !== undefined && before.resetAt > clock.now() && resetAt - before.resetAt < 500;
      told.set(key, { limit, resetAt, remaining: same ? Math.min(before.remaining, remaining) : remaining });
      forget();
    },
    tryTake(call) {
      if (wait(call) > 0) return false;
      count(call);
      return true;
    },
    async take(call, signal) {
      signal.throwIfAborted();
      for (let left = wait(call); left > 0; left = wait(call)) await clock.sleep(left, signal);
      count(call);
    },
  };
}
