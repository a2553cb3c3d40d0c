// Makes the world of the simulated Discord: the page's guild and people, with what their shelf stored.
import { displayNames } from '#sandbox/contract.ts';
import { rememberBlocks } from '#sandbox/shown.ts';
import { createGuild, newMember, type Overwrite } from './guilds.ts';
import { ordinary, permissionBits } from './permission-bits.ts';
import { forgetSaved, keepWorld, newestSaved, savedIDs } from './saved-world.ts';
import { createSnowflakes } from './snowflake.ts';
import { directOf, type Room, roomIn, type World, type WorldEvent, type WorldPerson } from './world.ts';
import type { WorldOptions } from './world-options.ts';

/** A guild with an open room, a private one and a hidden one, the bot, `you`, `guest` and their direct messages, as its shelf kept them. */
export function createWorld({ clock, shelf, locale = 'en-US' }: WorldOptions): World {
  const freshID = createSnowflakes(clock, newestSaved(shelf));
  const newID = savedIDs(shelf, freshID);
  const person = (globalName: string): WorldPerson => ({
    id: newID(),
    username: globalName.toLowerCase(),
    globalName,
    kind: 'person',
  });
  const bot: WorldPerson = { id: newID(), username: 'parley', globalName: undefined, kind: 'bot' };
  const you = person(displayNames.you);
  const guest = person(displayNames.guest);
  const at = clock.now();
  const home = createGuild(newID, { name: 'Sandbox', ownerID: you.id, bot, everyone: ordinary, at });
  home.members.set(guest.id, newMember(guest.id, at));
  const listeners = new Set<(happening: WorldEvent) => void>();
  const newRoom = (name: string, overwrites: readonly (readonly [string, Overwrite])[] = []): Room =>
    roomIn(home, { id: newID(), type: 'text', name, overwrites: new Map(overwrites) });
  const { viewChannel } = permissionBits;
  const allow = (id: string) => [id, { of: 'member', allow: viewChannel, deny: 0n }] as const;
  const world: World = {
    clock,
    newID,
    forget(message) {
      world.byID.delete(message.id);
      forgetSaved(shelf, message);
    },
    guilds: new Map([[home.id, home]]),
    home,
    rooms: {
      room: newRoom('general'),
      private: newRoom('private', [
        [home.id, { of: 'role', allow: 0n, deny: viewChannel }],
        allow(bot.id),
        allow(you.id),
      ]),
      hidden: newRoom('staff', [[bot.id, { of: 'member', allow: 0n, deny: viewChannel }]]),
    },
    blocksOf: rememberBlocks(),
    locale,
    bot,
    people: new Map([bot, you, guest].map((one) => [one.id, one])),
    channels: new Map(),
    directs: new Map(),
    threads: new Map(),
    messages: new Map(),
    byID: new Map(),
    whispers: new Map(),
    you,
    guest,
    typingUntil: new Map(),
    urlOf: () => '',
    notify(happening) {
      for (const listener of [...listeners]) listener(happening);
    },
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  for (const room of Object.values(world.rooms)) world.channels.set(room.id, room);
  directOf(world, you);
  directOf(world, guest);
  world.newID = freshID;
  keepWorld(world, shelf);
  return world;
}
