// A Slack channel next to a workspace of a member, a guest and a stranger, for tests of who may read what. No test.
import type { TestContext } from 'node:test';
import type { Address } from '#adapters/gateway/terms/address.ts';
import type { ReadingRights } from '#adapters/gateway/terms/channel.ts';
import type { InboundEvent } from '#adapters/gateway/terms/inbound.ts';
import { until } from '../../support/found.ts';
import { type Fixture, type FixtureOptions, fixture } from './fixture.ts';

export const botID = 'T0SANDBOX/U0PARLEY0';
export const never = new AbortController().signal;

export interface Stage extends Fixture {
  places: Fixture['sandbox']['places'];
  rights: ReadingRights;
  space: string;
  anna: string;
  gerd: string;
  sven: string;
  /** The address of a room by its id, in a thread where the id has one. */
  at(room: string, kind?: Address['kind']): Address;
  /** The last event of this type. */
  last<T extends InboundEvent['type']>(type: T): Extract<InboundEvent, { type: T }> | undefined;
  /** Waits for an event of this type that is right. */
  received<T extends InboundEvent['type']>(
    type: T,
    right?: (event: Extract<InboundEvent, { type: T }>) => boolean,
  ): Promise<Extract<InboundEvent, { type: T }>>;
  /** Calls of a method so far. */
  calls(method: string): number;
}

/** Anna is a member, Gerd a guest, Sven of another workspace. Not connected. */
export async function stage(t: TestContext, options: FixtureOptions = {}): Promise<Stage> {
  const made = await fixture(t, options);
  const { sandbox, sink, channel } = made;
  const { places } = sandbox;
  const { rights } = channel;
  if (rights === undefined) throw new Error('the channel has no rights');
  const space = places.addSpace('space');
  const anna = places.addAccount('anna');
  const gerd = places.addAccount('gerd');
  const stranger = places.addAccount('sven');
  places.joinSpace(anna, space);
  places.joinSpace(gerd, space, 'guest');
  places.joinSpace(stranger, space, 'stranger');
  const ofType = <T extends InboundEvent['type']>(type: T) =>
    sink.received.filter((event): event is Extract<InboundEvent, { type: T }> => event.type === type);
  return {
    ...made,
    places,
    rights,
    space,
    anna,
    gerd,
    sven: places.actorID(stranger),
    at(room, kind = 'channel') {
      const [chat = '', thread] = room.split('/');
      const place = { platform: 'slack' as const, account: botID, space: 'T0SANDBOX', chat, kind };
      return thread === undefined ? place : { ...place, thread };
    },
    last: (type) => ofType(type).at(-1),
    async received(type, right = () => true) {
      await until(`an event ${type}`, () => ofType(type).some(right));
      const found = ofType(type).find(right);
      if (found === undefined) throw new Error('it was there');
      return found;
    },
    calls: (method) => sandbox.calls().filter(({ name }) => name === method).length,
  };
}
