// Keeps what places are called true where no event says it: asks the platform about rooms without a name, and about the others once a day.

import type { Ledger } from '#adapters/gateway/ledger/ledger.ts';
import type { Connection } from '#adapters/gateway/pace/connection.ts';
import { type Address, formatAddress } from '#adapters/gateway/terms/address.ts';
import type { Clock } from '#base/clock.ts';
import type { Log } from '#base/log/log.ts';
import { namePlace } from './name-places.ts';

/** Between two questions, in milliseconds: slow enough for the strictest limit (Slack's tier 3, 50 a minute, which other looks share). */
const gapMs = 3_000;
/** Rooms that are asked about in one round; those without a name come first. */
const maxAsked = 500;
const dayMs = 24 * 3_600_000;

interface NameKeeper {
  /** Asks each time that the connection becomes ready, and once a day while it is; one question at a time, next to all else. */
  follow(connection: Pick<Connection, 'channel' | 'status' | 'onChange'>): void;
}

/** Over a ledger; stops with the signal. `renamed` is called when the engine has names to be told. */
export function createNameKeeper(options: {
  ledger: Pick<Ledger, 'rooms' | 'bindings' | 'placeNames' | 'chatMigrations' | 'commit'>;
  /** Of several bots on a platform only the one that is in a room is asked about it. */
  connectionOf: (address: Address) => Pick<Connection, 'channel'> | undefined;
  renamed: () => void;
  clock: Clock;
  log: Log;
  signal: AbortSignal;
}): NameKeeper {
  const { ledger, renamed, clock, log, signal } = options;

  const isUnnamed = (address: Address): boolean => {
    const { channel, thread } = ledger.placeNames.of(address);
    return channel === undefined || (address.thread !== undefined && thread === undefined);
  };

  /** Rooms, and threads without a name where the platform names threads. */
  const placesOf = (platform: string, threads: boolean): Address[] => {
    const rooms = ledger.rooms.all(platform).map(({ address }) => address);
    const chats = ledger.bindings.chats(platform).filter(({ kind }) => kind !== 'dm');
    const places = new Map<string, Address>();
    for (const { thread, ...room } of [...rooms, ...chats]) {
      const place = threads && thread !== undefined ? { ...room, thread } : room;
      if (place === room || isUnnamed(place)) places.set(formatAddress(place), place);
    }
    const all = [...places.values()];
    return [...all.filter(isUnnamed), ...all.filter((each) => !isUnnamed(each))].slice(0, maxAsked);
  };

  const round = async (channel: Connection['channel'], until: AbortSignal): Promise<void> => {
    const { placeNames, platform } = channel;
    if (placeNames === undefined) return;
    for (const address of placesOf(platform, placeNames.threads)) {
      if (options.connectionOf(address)?.channel !== channel) continue;
      let waitMs = gapMs;
      try {
        const names = await placeNames.of(address, until);
        if (ledger.placeNames.differ(address, names)) {
          await ledger.commit(() => namePlace(ledger, { address, names }, 'all'), 'written');
          renamed();
        }
      } catch (error) {
        until.throwIfAborted();
        const { kind, words, retryAfterMs = 0 } = channel.explain(error);
        log.debug({ platform, kind, words }, 'what a room is called could not be asked');
        waitMs = Math.max(gapMs, retryAfterMs);
      }
      await clock.sleep(waitMs, until);
    }
  };

  const keep = async (channel: Connection['channel'], until: AbortSignal): Promise<void> => {
    for (;;) {
      await round(channel, until);
      await clock.sleep(dayMs, until);
    }
  };

  return {
    follow(connection) {
      let asking: AbortController | undefined;
      const end = (): void => {
        asking?.abort();
        asking = undefined;
      };
      connection.onChange(() => {
        const isReady = connection.status().state === 'ready';
        if (!isReady) return end();
        if (asking !== undefined || signal.aborted) return;
        asking = new AbortController();
        const until = AbortSignal.any([signal, asking.signal]);
        // it ends with the connection; what the disk refuses is in the status
        keep(connection.channel, until).catch(() => undefined);
      });
    },
  };
}
