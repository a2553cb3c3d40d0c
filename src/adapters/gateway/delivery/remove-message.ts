// Takes one of the bot's messages out of its chat, again after what may pass.

import type { Connection } from '#adapters/gateway/pace/connection.ts';
import type { Limiter } from '#adapters/gateway/pace/limiter.ts';
import type { Address } from '#adapters/gateway/terms/address.ts';
import type { Channel, ChannelFailure } from '#adapters/gateway/terms/channel.ts';
import type { Clock } from '#base/clock.ts';
import type { Log } from '#base/log/log.ts';
import { backoffMs, isAbort } from '#base/waiting/async.ts';

/**
 * Resolves with true once the message is not in the chat any more, and with false where the platform leaves it there, which is logged as
 * a `what` that was not removed. `idOf` finds the message; none is no message. Rejects when the gateway stops.
 */
export type RemoveMessage = (
  connection: Connection,
  message: { address: Address; idOf: (channel: Channel) => Promise<string | undefined> },
  about: { what: 'preview' | 'answer' } & Readonly<Record<string, string | number>>,
) => Promise<boolean>;

const retry = { firstMs: 500, capMs: 30_000 };
/** Removing is worth less than the next answer in the chat: after this many failures the message stays. */
const maxAttempts = 6;

/** Removes messages within the platforms' rates. */
export function createRemoveMessage({
  limiter,
  clock,
  log,
  signal,
}: {
  limiter: Pick<Limiter, 'take' | 'hold'>;
  clock: Clock;
  log: Log;
  signal: AbortSignal;
}): RemoveMessage {
  const attempted = async (
    channel: Channel,
    { address, idOf }: Parameters<RemoveMessage>[1],
  ): Promise<ChannelFailure | undefined> => {
    await limiter.take({ address, act: 'remove', urgency: 'final' }, signal);
    try {
      const nativeID = await idOf(channel);
      if (nativeID !== undefined) await channel.remove(address, nativeID);
      return undefined;
    } catch (error) {
      if (isAbort(error, signal)) throw error;
      return channel.explain(error);
    }
  };

  return async (connection, message, { what, ...about }) => {
    for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
      await connection.ready(signal);
      const failure = await attempted(connection.channel, message);
      if (failure === undefined || failure.kind === 'gone') return true;
      const { kind, words } = failure;
      log.warn({ ...about, attempt, kind, words }, `${what} not removed`);
      if (kind === 'rate_limit') limiter.hold({ address: message.address, act: 'remove' }, failure);
      else if (kind !== 'transient') return false;
      else await clock.sleep(failure.retryAfterMs ?? backoffMs(attempt, retry), signal);
    }
    return false;
  };
}
