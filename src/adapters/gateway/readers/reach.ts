// What the accounts of one person may read now: their own words, and the rooms and spaces where they were seen.

import type { Sighting } from '#adapters/gateway/ledger/people/identities.ts';
import type { Address } from '#adapters/gateway/terms/address.ts';
import type { PromptOrigin } from '#engine/wire/runs/prompt.ts';
import type { OpenRooms } from './open-rooms.ts';
import type { ReadingOptions } from './reading-options.ts';

/** The rooms where a person was seen last. In others they are reminded of nothing in private. */
const maxRooms = 200;

/** A place where the person was seen, with its address now. */
interface Seen {
  sighting: Sighting;
  address: Address;
}

type ReachOf = (
  accounts: readonly string[],
) => Promise<{ reach: NonNullable<PromptOrigin['reach']>; seen: Seen[] }>;

/** Computes which rooms a person may be reminded of. */
export function createReach({ ledger, looks }: ReadingOptions, openRooms: OpenRooms): ReachOf {
  const { identities: people } = ledger;
  const { inTime } = openRooms;

  /** What the account may read of a room where it was seen: from which time on, or undefined for nothing. */
  const sinceOf = async ({ audience, userID, firstSeenAt }: Sighting, address: Address) => {
    const look = looks.of(address)?.ofRoom(address, userID);
    switch (look && (await inTime(look))) {
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
    await openRooms.swept(address.platform);
    return await looks.of(address)?.ofSpace(address, userID);
  };

  return async (accounts) => {
    const seen = people.sightings(accounts, maxRooms).map((sighting) => ({
      sighting,
      address: openRooms.addressOf(sighting.audience),
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
          isOpen: await inTime(mayOpen(sighting, address)),
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
}
