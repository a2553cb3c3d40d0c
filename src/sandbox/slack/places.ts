// Members, guests, strangers and conversations of the sandbox's Slack, beyond those of the page.
import { ParleyError } from '#base/errors.ts';
import { type PlaceMessage, type Places, type RoomKind, textsOf } from '#sandbox/places.ts';
import { runTyped } from './composer.ts';
import type { Director } from './events/event-dispatcher.ts';
import { renameEvent } from './events/membership-events.ts';
import { deleteMessage, editMessage } from './message-edits.ts';
import type { AppCommands } from './methods/app-commands.ts';
import { createPlaceMembers, noticeKind } from './place-members.ts';
import { encodeText } from './world/entities.ts';
import { mayRead } from './world/reading.ts';
import { bot, type SlackAccount, team } from './world/workspace.ts';
import type { Stored, World } from './world/world.ts';

/**
 * A bot token is one workspace's, so that every space is that workspace. An account belongs to the workspace in which it first has a
 * standing: who joins as a stranger is of another one for ever, and is named `Actor.id` of that (`actorID`). A thread is a room whose id
 * is `CHANNEL/TS`.
 */
export interface SlackPlaces extends Places {
  /** The `Actor.id` that Slack's events give the account now: a stranger's has another workspace. Calls take either form. */
  actorID(account: string): string;
}

const kinds: readonly [RoomKind, ...RoomKind[]] = ['public', 'private', 'group', 'shared', 'public thread'];
const conversationKind = { public: 'channel', shared: 'channel', private: 'group', group: 'mpim' } as const;

interface PlacesOptions {
  world: World;
  director: Director;
  commands: AppCommands;
  /** Calls the listener after each message of the bot's that is new, has changed or has grown. */
  onBotMessage(listener: (message: Stored) => void): () => void;
}

/** The places of one sandbox. */
export function createPlaces({ world, director, commands, onBotMessage }: PlacesOptions): SlackPlaces {
  const { workspace } = world;
  const { known } = workspace;
  const members = createPlaceMembers({ world, director });
  const { at, notice, share, enter, exit, happenedIn, writableBy, joinSpace } = members;

  return {
    kinds,
    actorID: (id) => actorOf(known(id)),
    addAccount: (name) => actorOf(workspace.addAccount(name)),
    addSpace: () => team.id,
    addRoom({ kind, name, parent, members: joining }) {
      if (kind === 'public thread') {
        const { room } = at(parent ?? '');
        const [first] = [...joining.map(known), ...[...room.members].map(known)].filter(
          ({ id }) => id !== bot.user,
        );
        if (first === undefined)
          throw new ParleyError('empty_room', `Nobody is in ${room.id} to begin a thread.`);
        writableBy(first, room);
        const message = world.add({ room, user: first.id, text: encodeText(name) });
        director.posted(message);
        return `${room.id}/${message.ts}`;
      }
      if (!(kind in conversationKind))
        throw new ParleyError('unknown_kind', `Slack has no room of the kind "${kind}".`);
      const own = conversationKind[kind as keyof typeof conversationKind]; // looked up in the line before
      const room = workspace.addRoom({ kind: own, name, members: [bot.user] });
      if (kind === 'shared') share(room);
      for (const id of joining) enter(room, known(id));
      return room.id;
    },
    direct: (account) => workspace.directOf(known(account)).id,
    joinSpace: (id, _, as = 'member') => joinSpace(known(id), as),
    leaveSpace: (account, _, how) => members.leaveSpace(known(account), how),
    joinRoom: (account, room) => enter(at(room).room, known(account)),
    leaveRoom: (account, room, how) => exit(at(room).room, known(account), how),
    setOpen(id, open) {
      const { room, thread } = at(id);
      const wanted = open ? 'channel' : 'group';
      if (thread !== undefined || (room.kind !== 'channel' && room.kind !== 'group')) return false;
      if (room.kind === wanted) return true;
      room.kind = wanted;
      const [user = bot.user] = [...room.members].filter((one) => one !== bot.user);
      notice(room, user, {
        subtype: open ? 'channel_convert_to_public' : 'channel_convert_to_private',
        text: open
          ? 'made this channel *public*. Any member in this workspace can see and join it.'
          : 'made this channel *private*. Now, it can only be viewed or joined by invitation.',
      });
      return true;
    },
    rename(id, name) {
      const { room, thread } = at(id);
      if (thread !== undefined || room.kind === 'im' || room.kind === 'mpim') return;
      room.name = name;
      const [user = bot.user] = [...room.members].filter((one) => one !== bot.user);
      happenedIn(room, renameEvent(room, world.nextTs()));
      notice(room, user, {
        subtype: `${noticeKind(room)}_name`,
        text: `has renamed the channel to "${name}"`,
      });
    },
    renameSpace(_, name) {
      workspace.name = name;
      director.happened({ type: 'team_rename', name, event_ts: world.nextTs() });
    },
    move: undefined,
    async say({ account: id, room: place, text, mention, replyTo }) {
      const account = known(id);
      const { room, thread } = at(place);
      writableBy(account, room);
      const parent = replyTo === undefined ? undefined : world.find(room.id, replyTo);
      const inThread = thread !== undefined || parent !== undefined;
      const ran = mention === true ? undefined : runTyped({ room, by: account, text, inThread }, commands);
      if (ran !== undefined) return ran;
      const message = world.add({
        room,
        user: account.id,
        text: (mention === true ? `<@${bot.user}> ` : '') + encodeText(text),
        thread: thread ?? (parent === undefined ? undefined : (parent.thread ?? parent.ts)),
      });
      director.posted(message);
      return message.ts;
    },
    async edit(place, id, text) {
      const message = world.find(at(place).room.id, id);
      if (message !== undefined) editMessage({ world, director }, message, text);
    },
    async remove(place, id) {
      const message = world.find(at(place).room.id, id);
      if (message !== undefined) deleteMessage({ world, director }, message);
    },
    messages(place) {
      const { room, thread } = at(place);
      const all = world.messagesIn(room.id);
      const wanted = all.filter((one) =>
        thread === undefined ? true : one.ts === thread || one.thread === thread,
      );
      return wanted
        .filter(({ subtype }) => subtype === undefined || subtype === 'file_share')
        .map((one) => placed(one, workspace));
    },
    mayRead(account, place, id) {
      const message = world.find(at(place).room.id, id);
      return message !== undefined && mayRead(known(account), message);
    },
    onBotMessage: (listener) =>
      onBotMessage((message) => {
        const { room, thread } = message;
        listener({
          room: thread === undefined ? room.id : `${room.id}/${thread}`,
          message: placed(message, workspace),
        });
      }),
  };
}

function placed(message: Stored, workspace: World['workspace']): PlaceMessage {
  const { ts, user, onlyFor, files = [] } = message;
  const author = workspace.account(user);
  return {
    id: ts,
    author: author === undefined ? `${team.id}/${user}` : actorOf(author),
    text: textOf(message),
    files: textsOf(files),
    ...(onlyFor === undefined ? {} : { onlyTo: actorOf(workspace.known(onlyFor)) }),
  };
}

function actorOf({ home, id }: SlackAccount): string {
  return `${home}/${id}`;
}

/** A client shows the blocks where there are any; the text is for notifications. */
function textOf({ text, blocks = [] }: Stored): string {
  const markdown = blocks.flatMap((block) => (typeof block.text === 'string' ? [block.text] : []));
  return [text, ...markdown].join('\n');
}
