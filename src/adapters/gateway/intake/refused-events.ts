// Events that cannot be taken in although the disk works: tried for some minutes, then passed by, so that they hold up nothing behind them.
import { formatAddress } from '#adapters/gateway/address.ts';
import type { Cursor, InboundEvent, Sink } from '#adapters/gateway/inbound.ts';
import { isRefusedForLong } from '#adapters/gateway/ledger/refused-rows.ts';
import { errorMessage } from '#base/errors.ts';
import { isDiskFailure } from '#base/files/disk-failures.ts';
import type { SinkOptions } from './sink-options.ts';

/** Events that are counted at a time; the oldest is forgotten, and tried for longer. */
const maxCounted = 1_000;

/** What an event is known by when its platform brings it again. */
function keyOf(event: InboundEvent): string {
  const address = event.type === 'moved' ? event.to : event.address;
  return `${event.type} ${formatAddress(address)} ${'nativeID' in event ? event.nativeID : ''}`;
}

/**
 * `accept`, which for an event that it refused six times and for `giveUpMs` since the start does what is left to do: `pass` is called with its cursor, and the event
 * is ignored, with a line in the log. What the disk refuses is waited for, however long it takes.
 */
export function passingRefused(
  accept: Sink['accept'],
  { clock, log, giveUpMs, pass }: Pick<SinkOptions, 'clock' | 'log' | 'giveUpMs'> & Pick<Sink, 'pass'>,
): Sink['accept'] {
  const counted = new Map<string, { times: number; since: number }>();
  const isOver = (key: string): boolean => {
    const now = clock.now();
    const refused = counted.get(key) ?? { times: 0, since: now };
    refused.times += 1;
    counted.set(key, refused);
    const [oldest = ''] = counted.keys();
    if (counted.size > maxCounted) counted.delete(oldest);
    return isRefusedForLong(refused, { now, giveUpMs: giveUpMs() });
  };
  return async (event, cursor?: Cursor, written?) => {
    try {
      const outcome = await accept(event, cursor, written);
      if (counted.size > 0) counted.delete(keyOf(event));
      return outcome;
    } catch (error) {
      if (isDiskFailure(error)) throw error;
      const key = keyOf(event);
      if (!isOver(key)) throw error;
      counted.delete(key);
      log.error({ event: key, words: errorMessage(error) }, 'an event cannot be taken in, and was passed by');
      if (cursor !== undefined) pass(cursor);
      return 'ignored';
    }
  };
}
