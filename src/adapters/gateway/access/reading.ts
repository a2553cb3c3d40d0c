// Who may be shown what somewhere else was written: a person in private, and a room. Made of what was seen here and of looks at the platforms.
import { type Address, formatAddress, type Platform, parseAddress } from '#adapters/gateway/address.ts';
import type { Connection } from '#adapters/gateway/delivery/connection.ts';
import type { MemberEvent, RoomEvent } from '#adapters/gateway/inbound.ts';
import type { Sighting } from '#adapters/gateway/ledger/identities.ts';
import type { Ledger } from '#adapters/gateway/ledger/ledger.ts';
import type { Account } from '#adapters/gateway/ledger/persons.ts';
import type { Clock } from '#base/clock.ts';
import type { PromptOrigin } from '#engine/wire/prompt.ts';
import type { Looks } from './looks.ts';

/** What a prompt's origin says of what its run may recall. */
export type Recallable = Pick<PromptOrigin, 'reach' | 'outsiders'>;

export interface Reading {
  /** What a person may be shown in private: their own words on all accounts, and what those accounts may read now where they were seen. */
  inPrivate(row: { address: Address; person: string; event: { actor: { id: string } } }): Promise<Recallable>;
  /** What a person may be shown outside of any chat: what any of these accounts, which are all theirs, may be shown in private. */
  ofPerson(accounts: readonly Account[]): Promise<Recallable>;
  /** What a room may be shown: all that is open in its space, unless an outsider reads along or it cannot be known. */
  inRoom(address: Address): Promise<Recallable>;
  /** Takes in what the platform says; inside the transaction of its event. */
  changed(event: RoomEvent | MemberEvent): void;
  /** Each time that the connection becomes ready, asks who reads the rooms that count as open: nothing of the platform was received for a while. */
  follow(connection: Pick<Connection, 'channel' | 'status' | 'onChange'>): void;
  /** A message says that a room is open which counts as closed: the platform is asked. */
  doubt(audience: string): void;
}

/** A chat does not wait longer for looks, in milliseconds; what is not known by then is not shown. */
const timeoutMs = 3_000;
/** The rooms where a person was seen last. In others they are reminded of nothing in private. */
const maxRooms = 200;

const nothing: Recallable['reach'] = { audiences: [], spaces: [] };

export interface ReadingOptions {
  ledger: Pick<Ledger, 'identities' | 'rooms' | 'chatMigrations' | 'commit'>;
  looks: ReadonlyMap<Platform, Looks>;
  /** Whether everyone the bot talks to may be shown what is open. */
  everyone: () => boolean;
  /** Whether each chat of the platform remembers itself only. */
  isChatOnly: (platform: string) => boolean;
  /** Called when a room may have to be reported to the engine as open or closed. */
  roomsChanged: () => void;
  clock: Clock;
  signal: AbortSignal;
}

/** The rule over a ledger and looks. */
export function createReading(options: ReadingOptions): Reading {
  const { ledger, looks, roomsChanged, clock, signal } = options;
  const { identities: people, rooms } = ledger;
  /** By platform, the last time that its open rooms were asked for. */
  const sweeping = new Map<Platform, Promise<void>>();

  const audienceOf = (address: Address): string =>
    `room:${formatAddress(ledger.chatMigrations.originalAddress(address))}`;
  const addressOf = (audience: string): Address =>
    rooms.get(audience)?.address ?? parseAddress(audience.slice('room:'.length));

  /** Asks who reads the room now, and notes it. */
  const confirm = async (audience: string, address: Address) => {
    const readers = await looks.get(address.platform)?.readers(address);
    if (readers !== undefined && rooms.get(audience)?.restricted !== readers.restricted) {
      await ledger.commit(() => rooms.set(audience, readers.restricted), 'written');
      roomsChanged();
    }
    return readers;
  };

  /** What the looks give by the time that a chat waits for them. */
  const retryWhileLocked = async <T>(look: Promise<T>): Promise<T | undefined> => {
    const waited = new AbortController();
    try {
      const late = clock.sleep(timeoutMs, AbortSignal.any([signal, waited.signal])).catch(() => undefined);
      return await Promise.race([look, late.then(() => undefined)]);
    } finally {
      waited.abort();
    }
  };

  /** What the account may read of a room where it was seen: from which time on, or undefined for nothing. */
  const sinceOf = async ({ audience, userID, firstSeenAt }: Sighting, address: Address) => {
    const look = looks.get(address.platform)?.ofRoom(address, userID);
    switch (look && (await retryWhileLocked(look))) {
      case 'everything':
        return { audience, since: undefined };
      case 'since joining':
        return { audience, since: firstSeenAt };
      case 'nothing':
        // a person who comes back was not there in between
        await ledger.commit(() => people.left({ userID, address, audience }), 'written');
        return undefined;
      case undefined:
        return undefined;
    }
  };

  /** Whether the account may open all that is open in a space where it was seen; undefined when that cannot be known. */
  const mayOpen = async ({ userID }: Sighting, address: Address): Promise<boolean | undefined> => {
    await sweeping.get(address.platform);
    return await looks.get(address.platform)?.ofSpace(address, userID);
  };

  /** Asks for the open rooms that close silently, where everyone would see them; whether all is known in time. */
  const openIsKnown = async (): Promise<boolean> => {
    if (!options.everyone()) return true;
    const open = [...looks].flatMap(([platform, { closesSilently }]) =>
      closesSilently ? rooms.open(platform) : [],
    );
    const looked = await retryWhileLocked(
      Promise.all(open.map(({ audience, address }) => confirm(audience, address))),
    );
    return looked !== undefined && !looked.includes(undefined);
  };

  const lookAgain = (platform: Platform): void => {
    const sweep = Promise.all(
      rooms.open(platform).map(({ audience, address }) => {
        looks.get(platform)?.dropRoom(address);
        return confirm(audience, address);
      }),
    ).then(
      () => undefined,
      () => undefined, // the gateway closes, or its disk refuses: the room is asked about again at the next connection
    );
    sweeping.set(platform, sweep);
  };

  /** What these accounts of one person may read now: their own words, and where they were seen. */
  const reachOf = async (accounts: readonly string[]) => {
    const seen = people.sightings(accounts, maxRooms).map((sighting) => ({
      sighting,
      address: addressOf(sighting.audience),
    }));
    const spaceOf = new Map(
      seen.flatMap(({ sighting, address }) =>
        sighting.space === undefined
          ? []
          : [[JSON.stringify([sighting.space, sighting.userID]), { sighting, address }] as const],
      ),
    );
    const [readable, opened] = await Promise.all([
      Promise.all(seen.map(({ sighting, address }) => sinceOf(sighting, address))),
      Promise.all(
        [...spaceOf.values()].map(async ({ sighting, address }) => ({
          space: sighting.space ?? '',
          isOpen: await retryWhileLocked(mayOpen(sighting, address)),
        })),
      ),
    ]);
    const audiences = new Set(accounts.map((one) => `person:${one}`));
    const since: Record<string, number> = {};
    const whole = new Set<string>();
    for (const room of readable) {
      if (room === undefined) continue;
      audiences.add(room.audience);
      if (room.since === undefined) whole.add(room.audience);
      else since[room.audience] = Math.min(room.since, since[room.audience] ?? room.since);
    }
    for (const audience of whole) delete since[audience]; // another account of the person reads all of it
    const spaces = new Set(opened.flatMap(({ space, isOpen }) => (isOpen === true ? [space] : [])));
    return { reach: { audiences: [...audiences], spaces: [...spaces], since }, seen };
  };

  return {
    async inPrivate({ address: direct, person, event }) {
      const outsider = looks.get(direct.platform)?.isOutsider(direct, event.actor.id);
      const [isKnown, isOutsider, { reach }] = await Promise.all([
        openIsKnown(),
        outsider && retryWhileLocked(outsider),
        reachOf(people.accountsOf(person)),
      ]);
      return { reach, outsiders: isOutsider !== false || !isKnown };
    },
    async ofPerson(accounts) {
      const own = accounts.map(({ person }) => person);
      const wide = accounts.filter(({ platform }) => !options.isChatOnly(platform));
      if (wide.length === 0)
        return { reach: { audiences: own.map((one) => `person:${one}`), spaces: [] }, outsiders: true };
      const { reach, seen } = await reachOf(own);
      const looked = seen.flatMap(({ sighting, address }) => {
        const isWide = wide.some(({ platform }) => platform === address.platform);
        const outsider = isWide
          ? looks.get(address.platform)?.isOutsider(address, sighting.userID)
          : undefined;
        return outsider === undefined ? [] : [retryWhileLocked(outsider)];
      });
      const [isKnown, ...outsiders] = await Promise.all([openIsKnown(), ...looked]);
      return { reach, outsiders: !outsiders.includes(false) || !isKnown };
    },
    async inRoom(address) {
      const ofRoom = async () => {
        await sweeping.get(address.platform);
        // a thread that is its own room says nothing of the room that it is in
        const own = audienceOf(address);
        const isRoom = rooms.get(own) !== undefined;
        return await confirm(isRoom ? own : audienceOf({ ...address, thread: undefined }), address);
      };
      const [isKnown, readers] = await Promise.all([openIsKnown(), retryWhileLocked(ofRoom())]);
      return { reach: nothing, outsiders: readers?.outsiders !== false || !isKnown };
    },
    changed(event) {
      const { address } = event;
      if (event.type === 'room') {
        rooms.set(audienceOf(address), event.restricted);
        looks.get(address.platform)?.dropRoom(address);
        roomsChanged();
        return;
      }
      const { actorID, of, change, at } = event;
      looks.get(address.platform)?.drop(address, actorID);
      const audience = of === 'room' ? audienceOf(address) : undefined;
      if (actorID === undefined) return;
      if (change === 'left') people.left({ userID: actorID, address, audience });
      if (change === 'joined' && audience !== undefined)
        people.joined({ userID: actorID, address, audience, at });
    },
    follow(connection) {
      const { platform } = connection.channel;
      let wasReady = false;
      connection.onChange(() => {
        const isReady = connection.status().state === 'ready';
        if (isReady && !wasReady) lookAgain(platform);
        wasReady = isReady;
      });
    },
    doubt(audience) {
      confirm(audience, addressOf(audience)).catch(() => undefined); // asked about again at the next message
    },
  };
}
