// The rooms that count as open: who reads them is asked again whenever that may have changed unseen.
import { type Address, formatAddress, type Platform, parseAddress } from '#adapters/gateway/terms/address.ts';
import { backoffMs, waitAbandoned } from '#base/waiting/async.ts';
import type { Looks } from './looks.ts';
import type { ReadingOptions } from './reading-options.ts';

/** A chat does not wait longer for looks, in milliseconds; what is not known by then is not shown. */
const timeoutMs = 3_000;
/** Between questions for rooms of which the platform did not say who reads them, in milliseconds. */
const pauses = { firstMs: 15_000, capMs: 5 * 60_000 };

export interface OpenRooms {
  audienceOf(address: Address): string;
  addressOf(audience: string): Address;
  /** Asks who reads the room now, and notes it; undefined when the platform does not say. */
  confirm(audience: string, address: Address): ReturnType<Looks['readers']>;
  /** Whether all rooms that close silently are known in time, where everyone would be shown what they hold. */
  areKnown(): Promise<boolean>;
  /**
   * Asks for all open rooms of a platform again. One of which the platform does not say who reads it counts as closed, and is asked about
   * until it does.
   */
  lookAgain(platform: Platform): void;
  /** Rooms that were open and are being asked about again. */
  asking(): number;
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
  let underWay = 0;

  const audienceOf = (address: Address): string =>
    `room:${formatAddress(ledger.chatMigrations.originalAddress(address))}`;
  const addressOf = (audience: string): Address =>
    rooms.get(audience)?.address ?? parseAddress(audience.slice('room:'.length));

  /** Asks who reads the room now, and notes it. */
  const confirm = async (audience: string, address: Address) => {
    const readers = await looks.of(address)?.readers(address);
    const known = rooms.get(audience);
    if (readers !== undefined && (known?.restricted !== readers.restricted || known.unsure)) {
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

  /** Asks for all of these, those of bots that are connected. */
  const askAll = async (open: ReturnType<typeof rooms.open>): Promise<void> => {
    underWay += open.length;
    try {
      await Promise.all(
        open.map(async ({ audience, address }) => {
          if (looks.of(address) === undefined || (await confirm(audience, address)) !== undefined) return;
          await ledger.commit(() => rooms.unsure(audience), 'written');
          roomsChanged();
        }),
      );
    } finally {
      underWay -= open.length;
    }
  };

  const lookAgain = (platform: Platform): void => {
    const open = rooms.open(platform);
    for (const { address } of open) looks.of(address)?.dropRoom(address);
    const sweep = askAll(open);
    const untilKnown = async (): Promise<void> => {
      await sweep;
      for (let attempt = 1; ; attempt += 1) {
        if (!rooms.open(platform).some(({ unsure }) => unsure)) return;
        await clock.sleep(backoffMs(attempt, pauses), signal);
        if (sweeping.get(platform) !== done) return; // connected anew: all are asked about again
        await askAll(rooms.open(platform).filter(({ unsure }) => unsure));
      }
    };
    const done = sweep.catch(() => undefined); // the gateway closes, or its disk refuses: the room is asked about again at the next connection
    sweeping.set(platform, done);
    untilKnown().catch(() => undefined); // likewise
  };

  return {
    ...{ audienceOf, addressOf, confirm, areKnown, lookAgain, inTime },
    asking: () => underWay,
    swept: async (platform) => {
      await sweeping.get(platform);
    },
  };
}
