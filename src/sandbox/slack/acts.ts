// What people and other apps do in the simulated Slack: they write, change, delete, share files, join and run commands.
import type { Clock } from '#base/clock.ts';
import { ParleyError } from '#base/errors.ts';
import type { SandboxChat, SandboxServer, SandboxUser } from '#sandbox/contract.ts';
import { refuseUnsayable } from '#sandbox/refuse-unsayable.ts';
import { runTyped } from './composer.ts';
import type { Director } from './events/event-dispatcher.ts';
import { deleteMessage, editMessage, tombstoneFiles } from './message-edits.ts';
import type { AppCommands } from './methods/app-commands.ts';
import { encodeText } from './world/entities.ts';
import { messageShape } from './world/shapes.ts';
import { isStreaming } from './world/stream-state.ts';
import { bot, pagePeople } from './world/workspace.ts';
import { roomFor, type Wire, type World } from './world/world.ts';

export interface SlackActs
  extends Pick<SandboxServer, 'say' | 'editMessage' | 'deleteMessage' | 'redeliver'> {
  /** Unfurls a link of a message: a `message_changed` whose text is the same. */
  unfurl(id: string): void;
  /** Posts a file as a user. */
  share(file: {
    chat: SandboxChat;
    user: SandboxUser;
    text: string;
    name: string;
    mime: string;
    bytes: Uint8Array;
  }): { id: string };
  /** Another app posts blocks or attachments, as an incoming webhook does. */
  hook(message: {
    chat: 'room' | 'private';
    name: string;
    text?: string;
    thread?: string;
    blocks?: Wire[];
    attachments?: Wire[];
  }): { id: string };
  /** Deletes the files of a message; the message stays. */
  deleteFiles(id: string): void;
  /** Posts the notice that a user joined the room. */
  join(user: SandboxUser): { id: string };
  /** Runs a slash command of the app as a user; nothing of it appears in the chat. `room`: the id of another conversation. */
  slash(run: { chat: SandboxChat; user: SandboxUser; command: string; text: string; room?: string }): void;
  /** Presses the stop button under a message that the bot is streaming, and reports that to the bot. */
  stopStream(id: string, user: SandboxUser): void;
  /** Archives the room: who is in it can read it, and nobody writes. */
  archive(): void;
}

/** Units of a message's longest text; longer ones Slack cuts. */
const maxText = 40_000;

/** The acts over a workspace. */
export function createActs(on: {
  world: World;
  director: Director;
  commands: AppCommands;
  clock: Clock;
}): SlackActs {
  const { world, director, commands, clock } = on;

  function ownMessage(id: string) {
    const message = world.byID(id);
    if (message.user === bot.user)
      throw new ParleyError('not_a_users_message', `The message ${id} is the bot's; users change their own.`);
    return message;
  }

  return {
    async say(say) {
      if (say.text !== '' || (say.files ?? []).length === 0) refuseUnsayable(say.text, maxText);
      const room = roomFor(world, say.chat, say.user);
      const target = say.thread ?? say.replyTo;
      const parent = target === undefined ? undefined : world.byID(target);
      if (parent !== undefined && parent.room !== room)
        throw new ParleyError(
          'other_chat',
          `The message ${parent.ts} is not in this chat, so it has no thread here.`,
        );
      const isTyped = say.mention !== true && (say.files ?? []).length === 0;
      const ran = isTyped
        ? runTyped(
            { room, by: pagePeople[say.user], text: say.text, inThread: parent !== undefined },
            commands,
          )
        : undefined;
      if (ran !== undefined) return { id: ran };
      const mention = say.mention === true ? `<@${bot.user}> ` : '';
      const message = world.add({
        room,
        user: pagePeople[say.user].id,
        text: mention + encodeText(say.text),
        thread: parent === undefined ? undefined : (parent.thread ?? parent.ts),
        ...(say.files === undefined
          ? {}
          : { files: say.files.map(world.files.add), subtype: 'file_share' as const }),
      });
      director.posted(message);
      return { id: message.ts };
    },
    async editMessage(id, text) {
      refuseUnsayable(text, maxText);
      editMessage({ world, director }, ownMessage(id), text);
    },
    async deleteMessage(id) {
      deleteMessage({ world, director }, ownMessage(id));
    },
    async redeliver(id) {
      director.redeliver(world.byID(id));
    },
    unfurl(id) {
      const message = world.byID(id);
      const before = messageShape(world, message);
      message.attachments = [{ id: 1, title: 'A page', title_link: 'https://sandbox.invalid/' }];
      director.changed({ before, after: message, kind: 'unfurl' });
    },
    hook({ chat, name, text = '', thread, ...cards }) {
      const room = roomFor(world, chat, 'you');
      const content = { room, user: 'B0ALERTS0', username: name, text, subtype: 'bot_message' as const };
      const message = world.add({ ...content, ...cards, thread });
      director.posted(message);
      return { id: message.ts };
    },
    share({ chat, user, text, name, mime, bytes }) {
      const file = world.files.add({ name, mime, bytes });
      const message = world.add({
        room: roomFor(world, chat, user),
        user: pagePeople[user].id,
        text: encodeText(text),
        files: [file],
        subtype: 'file_share',
      });
      director.posted(message);
      return { id: message.ts };
    },
    deleteFiles: (id) => tombstoneFiles({ world, director }, ownMessage(id)),
    join(user) {
      const text = `<@${pagePeople[user].id}> has joined the channel`;
      const room = roomFor(world, 'room', user);
      const message = world.add({ room, user: pagePeople[user].id, text, subtype: 'channel_join' });
      director.posted(message);
      return { id: message.ts };
    },
    slash({ chat, user, command, text, room: other }) {
      const room = other === undefined ? roomFor(world, chat, user) : world.workspace.room(other);
      if (room === undefined) throw new ParleyError('unknown_room', `There is no conversation ${other}.`);
      commands.run({ room, by: pagePeople[user], command, text });
    },
    stopStream(id, user) {
      const message = world.byID(id);
      if (message.stream === undefined || !isStreaming(message, clock.now()))
        throw new ParleyError('not_a_stream', `The message ${id} is not one that the bot streams now.`);
      message.stream.state = 'stopped_by_user';
      director.stopped(message, pagePeople[user].id);
    },
    archive() {
      roomFor(world, 'room', 'you').archived = true;
    },
  };
}
