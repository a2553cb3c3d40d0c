// What a platform brings and cannot be taken in although disk, network and platform work: tried for some minutes, then passed by, so that it holds up nothing behind it.

import { isRefusedForLong } from '#adapters/gateway/ledger/refused-rows.ts';
import { formatAddress } from '#adapters/gateway/terms/address.ts';
import type { Channel } from '#adapters/gateway/terms/channel.ts';
import type { Cursor, InboundEvent, Sink } from '#adapters/gateway/terms/inbound.ts';
import { isDiskFailure } from '#base/files/disk-failures.ts';
import { isAbort } from '#base/waiting/async.ts';
import type { SinkOptions } from './sink-options.ts';

/** Events that are counted at a time; the oldest is forgotten, and tried for longer. */
const maxCounted = 1_000;
/** What an outage is, or a token that is not valid: over in its time, or the channel's own problem. */
const passing = new Set<string>(['transient', 'rate_limit', 'auth']);

/** What an event is known by when its platform brings it again. */
function keyOf(event: InboundEvent): string {
  const address = event.type === 'moved' ? event.to : event.address;
  return `${event.type} ${formatAddress(address)} ${'nativeID' in event ? event.nativeID : ''}`;
}

interface Refused extends Pick<SinkOptions, 'clock' | 'log' | 'giveUpMs' | 'passedBy'> {
  accept: Sink['accept'];
  pass: Sink['pass'];
  explain: Channel['explain'];
}

/**
 * `accept` and `take`, which do what is left to do for something that was refused six times and for `giveUpMs` since the start: `pass` is called with its
 * cursor, it is ignored, with a line in the log, and `passedBy` is told why. What the disk refuses is waited for, however long it takes;
 * in `take` also what the network or the platform refuses for the moment.
 */
export function passingRefused(options: Refused): Pick<Sink, 'accept' | 'take'> {
  const { accept, pass, explain, clock, log, giveUpMs } = options;
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
  const bounded = async <T>(
    {
      key,
      cursor,
      isOutage,
    }: { key: string; cursor?: Cursor | undefined; isOutage(error: unknown): boolean },
    { work, instead }: { work: () => Promise<T>; instead: T },
  ): Promise<T> => {
    try {
      const outcome = await work();
      if (counted.size > 0) counted.delete(key);
      return outcome;
    } catch (error) {
      if (isAbort(error) || isDiskFailure(error) || isOutage(error) || !isOver(key)) throw error;
      counted.delete(key);
      const { words } = explain(error); // the channel's own tokens are masked in it
      log.error({ event: key, words }, 'an event cannot be taken in, and was passed by');
      if (cursor !== undefined) pass(cursor);
      options.passedBy(words);
      return instead;
    }
  };
  const isOutage = (error: unknown): boolean => {
    const { kind, unexpected } = explain(error);
    return passing.has(kind) && unexpected !== true;
  };
  return {
    accept: (event, cursor, written) =>
      bounded(
        { key: keyOf(event), cursor, isOutage: () => false },
        { work: () => accept(event, cursor, written), instead: 'ignored' as const },
      ),
    take: ({ key, cursor }, work) => bounded({ key, cursor, isOutage }, { work, instead: undefined }),
  };
}
