// The sandbox's Discord as the places of all platforms: guilds as spaces, channels and threads as rooms. Each act is Discord's own.

import { ParleyError } from '#base/errors.ts';
import { type PlaceMessage, type Places, textsOf } from '#sandbox/places.ts';
import { discordKinds, keepOut, letIn, makeRoom, type PlaceRoom, setRoomOpen } from './place-kinds.ts';
import { createGuild } from './world/guilds.ts';
import {
  changeMember,
  changeRole,
  deleteChannel,
  deleteRole,
  guildAt,
  join,
  leave,
  makeRole,
  setOverwrite,
  setPresence,
} from './world/moderation.ts';
import { ordinary, permissionBits } from './world/permission-bits.ts';
import { mayDo, mayReadHistory, maySee } from './world/permissions.ts';
import { allPings, post, remove, removeTogether, rewrite } from './world/speech.ts';
import {
  directOf,
  guildOf,
  homeOf,
  type World,
  type WorldChannel,
  type WorldMessage,
  type WorldPerson,
} from './world/world.ts';

/** The acts of an administrator, by Discord's ids. */
interface DiscordAdministration {
  makeRole(space: string, role: { name: string; permissions?: bigint }): string;
  /** Changes what a role may do in the guild; the guild's own id is @everyone's. */
  changeRole(space: string, roleID: string, permissions: bigint): void;
  deleteRole(space: string, roleID: string): void;
  /** The role that Discord made for the bot there. */
  botRoleOf(space: string): string;
  changeMember(
    space: string,
    change: Omit<Parameters<typeof changeMember>[2], 'personID'> & { account: string },
  ): void;
  /** Sets what a channel grants or denies to a role or a member; both 0 takes the overwrite away. */
  setOverwrite(
    room: string,
    overwrite: { id: string; of: 'role' | 'member'; allow?: bigint; deny?: bigint },
  ): void;
  setAgeRestricted(room: string, restricted: 'yes' | 'no'): void;
  /** Removes several messages with one act. */
  removeTogether(room: string, messages: readonly string[]): void;
  deleteRoom(room: string): void;
  /** The bot is removed from the guild, or an outage takes the guild away, or it is back. */
  setPresence(space: string, state: 'available' | 'unavailable' | 'without the bot'): void;
}

export interface DiscordPlaces extends Places {
  readonly admin: DiscordAdministration;
}

/** Bits of permissions, for `admin`. */
export { ordinary, permissionBits };

/** Places over the world; a ParleyError for what a person could not do on Discord. */
export function createDiscordPlaces(world: World): DiscordPlaces {
  const rooms = new Map<string, PlaceRoom>();
  const witnesses = createWitnesses(world);
  const roomAt = (id: string): PlaceRoom => {
    const room = rooms.get(id);
    if (room === undefined)
      throw new ParleyError('unknown_room', `Expected a room of the places, got "${id}".`);
    return room;
  };
  const personAt = (id: string): WorldPerson => {
    const person = world.people.get(id);
    if (person === undefined) throw new ParleyError('unknown_person', `Expected an account, got "${id}".`);
    return person;
  };
  const channelAt = (id: string): WorldChannel => {
    const channel = world.channels.get(id);
    if (channel === undefined) throw new ParleyError('unknown_room', `Expected a room, got "${id}".`);
    return channel;
  };
  const messageAt = (room: string, id: string): WorldMessage => {
    const message = world.byID.get(id);
    if (message === undefined || message.channelID !== room)
      throw new ParleyError('unknown_message', `Expected a message of the room ${room}, got "${id}".`);
    return message;
  };
  const newPerson = (name: string): WorldPerson => {
    const id = world.newID();
    const person: WorldPerson = { id, username: name.toLowerCase(), globalName: name, kind: 'person' };
    world.people.set(id, person);
    return person;
  };
  return {
    kinds: discordKinds,
    addAccount: (name) => newPerson(name).id,
    addSpace(name) {
      const ownerID = newPerson(`owner of ${name}`).id;
      const at = world.clock.now();
      const guild = createGuild(world.newID, { name, ownerID, bot: world.bot, everyone: ordinary, at });
      world.guilds.set(guild.id, guild);
      world.notify({ type: 'guild joined', guild });
      return guild.id;
    },
    addRoom({ space, kind, name, parent, members }) {
      const of = parent === undefined ? undefined : roomAt(parent);
      const room = makeRoom(world, guildAt(world, space), { kind, name, parent: of, members });
      rooms.set(room.channel.id, room);
      return room.channel.id;
    },
    parentOf(room) {
      const { channel } = roomAt(room);
      return channel.kind === 'thread' ? channel.parentID : undefined;
    },
    direct: (account) => directOf(world, personAt(account)).id,
    joinSpace(account, space, as = 'member') {
      if (as !== 'member') throw new ParleyError('no_such_membership', `Discord has no ${as} of a guild.`);
      join(world, guildAt(world, space), personAt(account).id);
    },
    leaveSpace: (personID, space, how) => leave(world, guildAt(world, space), { personID, how }),
    joinRoom: (account, room) => letIn(world, roomAt(room), personAt(account).id),
    leaveRoom: (personID, room, how) => keepOut(world, roomAt(room), { personID, how }),
    setOpen: (room, open) => setRoomOpen(world, roomAt(room), open ? 'open' : 'closed'),
    rename(room, name) {
      const { channel } = roomAt(room);
      channel.name = name;
      if (channel.kind === 'thread') world.notify({ type: 'thread changed', thread: channel });
      else world.notify({ type: 'room changed', room: channel });
    },
    renameSpace(space, name) {
      const guild = guildAt(world, space);
      guild.name = name;
      world.notify({ type: 'guild changed', guild });
    },
    async say({ account, room, text, mention, replyTo }) {
      const channel = channelAt(room);
      refuseSilent(world, channel, account);
      const content = mention === true ? `<@${world.bot.id}> ${text}` : text;
      const draft = { channel, authorID: account, content, pings: allPings, replyTo };
      return post(world, draft).id;
    },
    async edit(room, id, text) {
      rewrite(world, messageAt(room, id), { content: text, pings: allPings });
    },
    async remove(room, id) {
      remove(world, messageAt(room, id));
    },
    messages: (room) => shownIn(world, room),
    mayRead(account, room, id) {
      const whispered = world.whispers.get(room)?.find((whisper) => whisper.id === id);
      if (whispered !== undefined) return whispered.personID === account;
      const message = world.byID.get(id);
      const channel = world.channels.get(room);
      if (message === undefined || channel === undefined || message.channelID !== room) return false;
      if (mayReadHistory(world, channel, account)) return true;
      return maySee(world, channel, account) && witnesses.saw(account, id);
    },
    onBotMessage: (listener) => onBotMessage(world, listener),
    admin: administrationOf(world, messageAt),
  };
}

function administrationOf(
  world: World,
  messageAt: (room: string, id: string) => WorldMessage,
): DiscordAdministration {
  const roomOf = (id: string) => {
    const room = world.channels.get(id);
    if (room?.kind !== 'room') throw new ParleyError('unknown_room', `Expected a channel, got "${id}".`);
    return room;
  };
  return {
    makeRole: (space, role) => makeRole(world, guildAt(world, space), role).id,
    changeRole: (space, roleID, permissions) =>
      changeRole(world, guildAt(world, space), { roleID, permissions }),
    deleteRole: (space, roleID) => deleteRole(world, guildAt(world, space), roleID),
    botRoleOf: (space) => guildAt(world, space).botRoleID,
    changeMember: (space, { account, ...change }) =>
      changeMember(world, guildAt(world, space), { ...change, personID: account }),
    setOverwrite(room, { id, of, allow = 0n, deny = 0n }) {
      const overwrite = allow === 0n && deny === 0n ? undefined : { of, allow, deny };
      setOverwrite(world, roomOf(room), { id, overwrite });
    },
    setAgeRestricted(id, restricted) {
      const room = roomOf(id);
      room.ageRestricted = restricted;
      world.notify({ type: 'room changed', room });
    },
    removeTogether: (room, ids) =>
      removeTogether(
        world,
        room,
        ids.map((id) => messageAt(room, id)),
      ),
    deleteRoom(id) {
      const channel = world.channels.get(id);
      if (channel !== undefined && channel.kind !== 'dm') deleteChannel(world, channel);
    },
    setPresence: (space, state) => setPresence(world, guildAt(world, space), state),
  };
}

/** Refuses what the client would not let a person send: in a channel that they do not see, or may not write in. */
function refuseSilent(world: World, channel: WorldChannel, personID: string): void {
  const bits = channel.kind === 'thread' ? permissionBits.sendMessagesInThreads : permissionBits.sendMessages;
  if (maySee(world, channel, personID) && mayDo(world, channel, { personID, bits })) return;
  throw new ParleyError('may_not_speak', `The account ${personID} may not write in ${channel.id}.`);
}

function shownIn(world: World, room: string): PlaceMessage[] {
  const whispers = (world.whispers.get(room) ?? []).map(({ id, content, personID }) => ({
    id,
    author: world.bot.id,
    text: content,
    onlyTo: personID,
  }));
  const messages = (world.messages.get(room) ?? []).map(placeMessage);
  return whispers.length === 0
    ? messages
    : [...messages, ...whispers].sort((a, b) => (BigInt(a.id) < BigInt(b.id) ? -1 : 1));
}

function placeMessage({ id, authorID, content, attachments }: WorldMessage): PlaceMessage {
  return { id, author: authorID, text: content, files: textsOf(attachments) };
}

function onBotMessage(
  world: World,
  listener: (posted: { room: string; message: PlaceMessage }) => void,
): () => void {
  return world.listen((happening) => {
    if (happening.type === 'whispered') {
      const { channelID, id, content, personID, state } = happening.whisper;
      if (state === 'thinking') return;
      const message = { id, author: world.bot.id, text: content, onlyTo: personID };
      listener({ room: channelID, message });
    } else if (happening.type === 'posted' || happening.type === 'changed') {
      const { message } = happening;
      if (message.authorID !== world.bot.id || message.reply?.state === 'thinking') return;
      listener({ room: message.channelID, message: placeMessage(message) });
    }
  });
}

interface Witnesses {
  saw(personID: string, messageID: string): boolean;
}

/**
 * Who saw a message as it was posted, where reading back needs more: clients show to everyone who sees the channel what is written
 * while they look, and nothing of it is there once they look again. People of the sandbox always look.
 */
function createWitnesses(world: World): Witnesses {
  const seenBy = new Map<string, ReadonlySet<string>>();
  world.listen((happening) => {
    if (happening.type === 'removed') seenBy.delete(happening.message.id);
    if (happening.type !== 'posted') return;
    const { id, channelID } = happening.message;
    const channel = world.channels.get(channelID);
    const guild = guildOf(world, channelID);
    if (channel === undefined || guild === undefined || !mayLackHistory(world, channel)) return;
    const people = [...guild.members.keys()];
    seenBy.set(id, new Set(people.filter((personID) => maySee(world, channel, personID))));
  });
  return { saw: (personID, messageID) => seenBy.get(messageID)?.has(personID) === true };
}

/** Whether someone who sees the channel may not read back in it: looked at before each member is. */
function mayLackHistory(world: World, channel: WorldChannel): boolean {
  const home = homeOf(world, channel);
  if (home.kind !== 'room') return false;
  const everyone = world.guilds.get(home.guildID)?.roles.get(home.guildID)?.permissions ?? 0n;
  const { readMessageHistory } = permissionBits;
  return (
    (everyone & readMessageHistory) === 0n ||
    [...home.overwrites.values()].some(({ deny }) => (deny & readMessageHistory) !== 0n)
  );
}
