// A guild of the sandbox with people in it and a connected channel: for tests of who may read what on Discord.
import assert from 'node:assert/strict';
import type { Address } from '#adapters/gateway/terms/address.ts';
import type { ReadingRights } from '#adapters/gateway/terms/channel.ts';
import type { MemberEvent, MessageEvent, RoomEvent } from '#adapters/gateway/terms/inbound.ts';
import type { DiscordSandboxOptions } from '#sandbox/discord/server.ts';
import type { RoomKind } from '#sandbox/places.ts';
import { until } from '../../support/found.ts';
import { connect, memorySink, openSandbox } from './harness.ts';

/** Ann and Bob are members, Eve is not. Rooms have Ann and the bot in them. */
export async function openClub(options: Partial<DiscordSandboxOptions> = {}) {
  const opened = await openSandbox({ limits: { calls: 10_000, perMs: 1000, global: 10_000 }, ...options });
  const { sandbox } = opened;
  const { places } = sandbox;
  const [ann = '', bob = '', eve = ''] = ['Ann', 'Bob', 'Eve'].map((name) => places.addAccount(name));
  const space = places.addSpace('club');
  places.joinSpace(ann, space);
  places.joinSpace(bob, space);
  const sink = memorySink();
  const connected = await connect({ sandbox, sink, callsPerSecond: 10_000, readyTimeoutMs: 600_000 });
  // Nothing but the test calls Discord from here on.
  await until('the commands are registered', () => sandbox.commands().length > 0);
  const { rights } = connected.channel;
  assert.ok(rights);
  const { signal } = new AbortController();
  const room = (kind: RoomKind, parent?: string) =>
    places.addRoom({ space, kind, name: kind, parent, members: [ann] });
  const address = (chat: string, thread?: string): Address => ({
    platform: 'discord',
    account: sandbox.botID,
    space,
    chat,
    kind: 'channel',
    ...(thread === undefined ? {} : { thread }),
  });
  const came = async (id: string): Promise<MessageEvent> => {
    const find = () => sink.messages().find(({ nativeID }) => nativeID === id);
    await until(`the message ${id} came`, () => find() !== undefined);
    const event = find();
    assert.ok(event);
    return event;
  };
  return {
    ...opened,
    places,
    sink,
    connected,
    space,
    room,
    address,
    ann,
    bob,
    eve,
    came,
    /** Says something as Ann and resolves with the event. */
    said: async (where: string, text = 'hello') =>
      came(await places.say({ account: ann, room: where, text })),
    ofRoom: (where: Address, actor: string) => rights.ofRoom(where, actor, signal),
    ofSpace: (actor: string) => rights.ofSpace(address(space), actor, signal),
    readers: (where: Address): ReturnType<ReadingRights['readers']> => rights.readers(where, signal),
    roomEvents: (): RoomEvent[] => sink.events.filter((event) => event.type === 'room'),
    memberEvents: (): MemberEvent[] => sink.events.filter((event) => event.type === 'member'),
    async [Symbol.asyncDispose]() {
      await connected.stop();
      await opened[Symbol.asyncDispose]();
    },
  };
}

/** Waits until an answer of the channel is the wanted one: events reach it a moment after they happen. */
export async function soon<T>(what: string, ask: () => Promise<T>, wanted: T): Promise<void> {
  const end = Date.now() + 10_000;
  for (;;) {
    const answer = await ask();
    if (JSON.stringify(answer) === JSON.stringify(wanted)) return;
    if (Date.now() > end) assert.deepEqual(answer, wanted, what);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

export type Club = Awaited<ReturnType<typeof openClub>>;

/** What the gateway was told of a room, in order. */
export const toldOf = ({ roomEvents }: Club, chat: string): boolean[] =>
  roomEvents().flatMap(({ address, restricted }) => (address.chat === chat ? [restricted] : []));

export const untilTold = (club: Club, chat: string, restricted: boolean): Promise<void> =>
  until(
    `the room was said to be ${restricted ? 'restricted' : 'open'}`,
    () => toldOf(club, chat).at(-1) === restricted,
  );
