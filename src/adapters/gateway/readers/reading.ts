// Who may be shown what was written somewhere else: a person in private, and a room. Made of what was seen here and of looks at the platforms.

import type { Account } from '#adapters/gateway/ledger/people/person-links.ts';
import type { Connection } from '#adapters/gateway/pace/connection.ts';
import type { Address } from '#adapters/gateway/terms/address.ts';
import type { MemberEvent, RoomEvent } from '#adapters/gateway/terms/inbound.ts';
import type { PromptOrigin } from '#engine/wire/runs/prompt.ts';
import { createOpenRooms } from './open-rooms.ts';
import { createReach } from './reach.ts';
import type { ReadingOptions } from './reading-options.ts';

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
  /** Each time that the connection becomes ready, asks who reads the rooms that count as open: nothing was heard of the platform for a while. */
  follow(connection: Pick<Connection, 'channel' | 'status' | 'onChange'>): void;
  /** A message says that a room is open which counts as closed: the platform is asked. */
  doubt(audience: string): void;
  /** Rooms that were open and are being asked about again: they may have closed. */
  asking(): number;
}

const nothing: Recallable['reach'] = { audiences: [], spaces: [] };

/** The rule of who may read what, over the ledger and the platforms' answers. */
export function createReading(options: ReadingOptions): Reading {
  const { ledger, looks, roomsChanged } = options;
  const { identities: people, rooms } = ledger;
  const openRooms = createOpenRooms(options);
  const { audienceOf, addressOf, confirm, inTime } = openRooms;
  const reachOf = createReach(options, openRooms);

  return {
    async inPrivate({ address: direct, person, event }) {
      const outsider = looks.of(direct)?.isOutsider(direct, event.actor.id);
      const [isKnown, isOutsider, { reach }] = await Promise.all([
        openRooms.areKnown(),
        outsider && inTime(outsider),
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
        const outsider = isWide ? looks.of(address)?.isOutsider(address, sighting.userID) : undefined;
        return outsider === undefined ? [] : [inTime(outsider)];
      });
      const [isKnown, ...outsiders] = await Promise.all([openRooms.areKnown(), ...looked]);
      return { reach, outsiders: !outsiders.includes(false) || !isKnown };
    },
    async inRoom(address) {
      const ofRoom = async () => {
        await openRooms.swept(address.platform);
        // a thread that is a room of its own says nothing about the room that it is in
        const own = audienceOf(address);
        const isRoom = rooms.get(own) !== undefined;
        return await confirm(isRoom ? own : audienceOf({ ...address, thread: undefined }), address);
      };
      const [isKnown, readers] = await Promise.all([openRooms.areKnown(), inTime(ofRoom())]);
      return { reach: nothing, outsiders: readers?.outsiders !== false || !isKnown };
    },
    asking: openRooms.asking,
    changed(event) {
      const { address } = event;
      if (event.type === 'room') {
        rooms.set(audienceOf(address), event.restricted);
        looks.of(address)?.dropRoom(address);
        roomsChanged();
        return;
      }
      const { actorID, of, change, at } = event;
      looks.of(address)?.drop(address, actorID);
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
        if (isReady && !wasReady) openRooms.lookAgain(platform);
        wasReady = isReady;
      });
    },
    doubt(audience) {
      confirm(audience, addressOf(audience)).catch(() => undefined); // asked about again at the next message
    },
  };
}
