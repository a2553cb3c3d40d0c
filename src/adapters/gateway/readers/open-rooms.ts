// The rooms that count as open: who reads them is asked again whenever that may have changed unseen.
import { type Address, formatAddress, type Platform, parseAddress } from '#adapters/gateway/address.ts';
import { waitAbandoned } from '#base/waiting/async.ts';
import type { Looks } from './looks.ts';
import type { ReadingOptions } from './reading-options.ts';

/** A chat does not wait longer for looks, in milliseconds; what is not known by then is not shown. */
const timeoutMs = 3_000;

export interface OpenRooms {
  audienceOf(address: Address): string;
  addressOf(audience: string): Address;
  /** Asks who reads the room now, and notes it; undefined when the platform does not say. */
  confirm(audience: string, address: Address): ReturnType<Looks['readers']>;
  /** Whether all rooms that close silently are known in time, where everyone would be shown what they hold. */
  areKnown(): Promise<boolean>;
  /** Asks for all open rooms of a platform again. */
  lookAgain(platform: Platform): void;
  /** Resolves when what was asked again last is answered. */
  swept(platform: Platform): Promise<void>;
  /** What a look gives by the time that a chat waits for it; undefined when it takes longer. */
  inTime<T>(look: Promise<T>): Promise<T | undefined>;
}

/** The rooms of a ledger that are open now. */
export function createOpenRooms(options: ReadingOptions): OpenRooms {
  const { ledger, looks, roomsChanged, clock, signal } = options;
  const { rooms } = ledger;

  /** By platform, the last time that its open rooms were asked for. */
  const sweeping = new Map<Platform, Promise<void>>();

  const audienceOf = (address: Address): string =>
    `room:${formatAddress(ledger.chatMigrations.originalAddress(address))}`;
  const addressOf = (audience: string): Address =>
    rooms.get(audience)?.address ?? parseAddress(audience.slice('room:'.length));

  /** Asks who reads the room now, and notes it. */
  const confirm = async (audience: string, address: Address) => {
    const readers = await looks.of(address)?.readers(address);
    if (readers !== undefined && rooms.get(audience)?.restricted !== readers.restricted) {
      await ledger.commit(() => rooms.set(audience, readers.restricted), 'written');
      roomsChanged();
    }
    return readers;
  };

  /** What a look gives by the time that a chat waits for it. */
  const inTime = async <T>(look: Promise<T>): Promise<T | undefined> => {
    const waited = new AbortController();
    try {
      const late = clock.sleep(timeoutMs, AbortSignal.any([signal, waited.signal])).catch(() => undefined);
      return await Promise.race([look, late.then(() => undefined)]);
    } finally {
      waited.abort(waitAbandoned);
    }
  };

  /** Asks for the open rooms that close silently, where everyone would see them; whether all is known in time. */
  const areKnown = async (): Promise<boolean> => {
    if (!options.everyone()) return true;
    const open = looks.silent().flatMap(rooms.open);
    const looked = await inTime(Promise.all(open.map(({ audience, address }) => confirm(audience, address))));
    return looked !== undefined && !looked.includes(undefined);
  };

  const lookAgain = (platform: Platform): void => {
    const sweep = Promise.all(
      rooms.open(platform).map(({ audience, address }) => {
        looks.of(address)?.dropRoom(address);
        return confirm(audience, address);
      }),
    ).then(
      () => undefined,
      () => undefined, // the gateway closes, or its disk refuses: the room is asked about again at the next connection
    );
    sweeping.set(platform, sweep);
  };

  return {
    ...{ audienceOf, addressOf, confirm, areKnown, lookAgain, inTime },
    swept: async (platform) => {
      await sweeping.get(platform);
    },
  };
}
