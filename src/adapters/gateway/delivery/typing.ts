// The indicator that the bot works: renewed until the answer is there. Failures are ignored.

import type { Limiter } from '#adapters/gateway/pace/limiter.ts';
import { type Address, formatAddress } from '#adapters/gateway/terms/address.ts';
import type { Channel } from '#adapters/gateway/terms/channel.ts';
import { type Clock, type MonotonicMs, momentIn, msSince, msUntil } from '#base/clock.ts';
import { errorMessage } from '#base/errors.ts';
import type { Log } from '#base/log/log.ts';
import { createWaker, isAbort, type Waker, waitAbandoned } from '#base/waiting/async.ts';

interface Work {
  /** No sign is sent after this resolves; what the platform still shows is taken down, at the latest after a rate limit. */
  stop(): Promise<void>;
}

export interface Typing {
  /**
   * Shows typing in this place (a chat, or one thread of it) until the work is stopped; work that is over at once shows none.
   * Works in one place share a sign. `message` is the one that is answered.
   */
  show(channel: Channel, address: Address, message?: string): Work;
  /** Something was posted there, which takes the sign down: it is shown again if there is still work. */
  posted(address: Address): void;
  /**
   * An answer has just grown there before the person's eyes, which says as much as the sign: it is shown again when nothing
   * has grown for a while. Most platforms cannot take a sign down, and an edit leaves it there, below the whole answer.
   */
  grew(address: Address): void;
}

interface TypingOptions {
  limiter: Limiter;
  /** Whether it is shown at all there. */
  isShown?: (address: Address) => boolean;
  clock: Clock;
  log: Log;
  /** Ends what is still waited for. */
  signal: AbortSignal;
}

/** An answer that has not grown for so long looks finished, or stuck. */
const stillMs = 5_000;
/** Work that ends within this time needs no sign: it would cost a call, and flicker. */
const firstAfterMs = 200;
/** No work takes this long: a typing indicator that was forgotten ends by itself. */
const longestMs = 15 * 60_000;
/** An answer does not wait longer than this for a sign that is just being sent. */
const timeoutMs = 1_000;

/** Where a sign is shown. */
interface Spot {
  channel: Channel;
  address: Address;
  /** The message that is answered by the first of its works. */
  message: string | undefined;
}

interface Sign {
  spot: Spot;
  works: number;
  /** A call was begun that shows it. */
  shown: boolean;
  /** When an answer that is growing may need it again. */
  neededAt: MonotonicMs;
  waker: Waker;
  ended: AbortController;
  done: Promise<void>;
}

/** Shows the typing indicators of all chats, and renews each one before the platform lets it expire. */
export function createTyping({ limiter, isShown = () => true, clock, log, signal }: TypingOptions): Typing {
  const indicators = new Map<string, Sign>();

  /** False when the platform asks for a pause first. */
  const notify = async ({ channel, address, message }: Spot, state: 'typing' | 'idle'): Promise<boolean> => {
    try {
      await channel.presence(address, state, message);
      return true;
    } catch (error) {
      const failure = channel.explain(error);
      if (failure.kind === 'rate_limit') limiter.hold({ address, act: 'typing' }, failure);
      log.debug({ kind: failure.kind, words: failure.words }, 'typing indicator failed');
      return failure.kind !== 'rate_limit';
    }
  };

  const begin = (spot: Spot): Sign => {
    const { channel, address } = spot;
    const ended = new AbortController();
    const waker = createWaker();
    const call = { address, act: 'typing', urgency: 'sign' } as const;
    const begun = clock.monotonic();
    const refreshMs = channel.caps.typingMs * 0.8;
    const sign: Sign = {
      spot,
      works: 0,
      shown: false,
      neededAt: begun,
      waker,
      ended,
      done: Promise.resolve(),
    };
    const loop = async (): Promise<void> => {
      await clock.sleep(firstAfterMs, ended.signal);
      while (msSince(clock, begun) < longestMs) {
        const still = msUntil(clock, sign.neededAt);
        if (still > 0) {
          await waker.wait(clock, still, ended.signal);
          continue;
        }
        const left = limiter.wait(call);
        if (left === 0 && limiter.tryTake(call)) {
          sign.shown = true;
          await notify(spot, 'typing');
        }
        await waker.wait(clock, left === 0 ? refreshMs : Math.min(left, refreshMs), ended.signal);
      }
    };
    sign.done = loop().catch((error: unknown) => {
      if (!isAbort(error, ended.signal))
        log.warn({ words: errorMessage(error) }, 'typing indicator ended early');
    });
    return sign;
  };

  const endsInTime = async (done: Promise<void>): Promise<boolean> => {
    const timeout = new AbortController();
    const timedOut = clock.sleep(timeoutMs, timeout.signal).then(
      () => false,
      () => true,
    );
    const inTime = await Promise.race([done.then(() => true), timedOut]);
    timeout.abort(waitAbandoned);
    return inTime;
  };

  /** Takes the sign down; inside a rate limit, as soon as that is over and unless there is work again. */
  const clear = async (spot: Spot): Promise<void> => {
    const call = { address: spot.address, act: 'typing', urgency: 'final' } as const;
    if (limiter.wait(call) === 0 && (await notify(spot, 'idle'))) return;
    const later = async (): Promise<void> => {
      do {
        for (let left = limiter.wait(call); left > 0; left = limiter.wait(call))
          await clock.sleep(left, signal);
        if (indicators.has(formatAddress(spot.address))) return;
      } while (!(await notify(spot, 'idle')));
    };
    later().catch((error: unknown) => {
      if (!isAbort(error, signal)) log.debug({ error: String(error) }, 'typing indicator stayed');
    });
  };

  return {
    show(channel, address, message) {
      if (!isShown(address)) return { stop: async () => {} };
      const place = formatAddress(address);
      const sign = indicators.get(place) ?? begin({ channel, address, message });
      indicators.set(place, sign);
      sign.works += 1;
      let stopped = false;
      return {
        async stop() {
          if (stopped) return;
          stopped = true;
          sign.works -= 1;
          if (sign.works > 0) return;
          indicators.delete(place);
          sign.ended.abort(waitAbandoned);
          if (!sign.shown) return;
          const inTime = await endsInTime(sign.done);
          await clear(sign.spot);
          // a sign that was still being sent may arrive after all, and would then be below the answer
          if (!inTime) void sign.done.then(() => (indicators.has(place) ? undefined : clear(sign.spot)));
        },
      };
    },
    posted(address) {
      indicators.get(formatAddress(address))?.waker.wake();
    },
    grew(address) {
      const sign = indicators.get(formatAddress(address));
      if (sign === undefined) return;
      sign.neededAt = momentIn(clock, stillMs);
      sign.waker.wake();
    },
  };
}
