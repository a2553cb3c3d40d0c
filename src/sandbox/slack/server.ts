// The Slack sandbox: the Web API and Socket Mode on one loopback port, over a small workspace. Not a full Slack.
import { createServer } from 'node:http';
import type { Clock } from '#base/clock.ts';
import { ParleyError } from '#base/errors.ts';
import type { SandboxChat, SandboxServer, SandboxUser, Say } from '#sandbox/contract.ts';
import { dateAnswer } from '#sandbox/dated.ts';
import type { LoadUsers } from '#sandbox/load-users.ts';
import { createCounter, listenAgain, noShelf, type Shelf } from '#sandbox/store.ts';
import { runTyped } from './composer.ts';
import { createDirector } from './events/event-dispatcher.ts';
import type { MentionOrder } from './events/events.ts';
import { createSocketHub } from './events/socket-hub.ts';
import { createInstall, type InstallActs } from './install.ts';
import { createLoadUsers } from './load-users.ts';
import { createAppCommands } from './methods/app-commands.ts';
import { createFaults } from './methods/faults.ts';
import { answer } from './methods/http.ts';
import { createRates } from './methods/rates.ts';
import { createPlaces, type SlackPlaces } from './places.ts';
import { deleteFiles, deleteMessage, editMessage } from './said.ts';
import { isThinking, shownMessages } from './show.ts';
import { watchBot } from './watch-bot.ts';
import { createWorld } from './world/create-world.ts';
import { encodeText } from './world/entities.ts';
import { pressPayload } from './world/presses.ts';
import { messageShape } from './world/shapes.ts';
import { isStreaming } from './world/stream-state.ts';
import { allScopes, tokens } from './world/tokens.ts';
import { bot, organisation, people, team } from './world/workspace.ts';
import { roomFor, type Wire } from './world/world.ts';

export interface SlackSandboxOptions {
  clock: Clock;
  /** Where the page's conversations outlast the process; nothing does without it. */
  shelf?: Shelf | undefined;
  /** Installed in one workspace unless set otherwise; an organisation has a second one, with a channel in which the guest and the bot are. */
  install?: 'workspace' | 'organisation' | undefined;
  /** Scopes of the bot token; all that the bot asks for unless set otherwise. */
  scopes?: readonly string[] | undefined;
  /** Methods that the workspace refuses, each with Slack's word: `{'chat.startStream': 'access_denied'}`. */
  refusals?: Readonly<Record<string, string>> | undefined;
  mentionOrder?: MentionOrder | undefined;
  /** `none`: it takes as many calls as come, for load. Slack's own rates unless set otherwise. */
  rates?: 'as Slack' | 'none' | undefined;
  /** Bot events that the app subscribed to (`app_mention`, `message.im`, ...); all unless set otherwise. */
  subscriptions?: readonly string[] | undefined;
  /** An envelope not acknowledged for this long is delivered again; 3000 as on Slack. */
  ackMs?: number | undefined;
  /** Time between pings of the server, 5000 unless set otherwise; 0 sends none. */
  pingMs?: number | undefined;
  /** The `host:port` that it names for Socket Mode, where a proxy is before it; its own unless set otherwise. */
  socketHost?: (() => string) | undefined;
  /** The app's slash commands; `/parley` and `/retry` unless set otherwise. */
  slashCommands?: readonly string[] | undefined;
  /** How many further people there are, for load; none unless set otherwise. */
  users?: number | undefined;
  /** The language of the apps of its people; English unless set otherwise. */
  locale?: string | undefined;
}

/** What Slack can do also what all platforms can. */
export interface SlackSandbox extends SandboxServer, InstallActs {
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
  hook(said: {
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
  /** Runs a slash command of the app as a user; nothing of it is in the chat. `room`: the id of another conversation. */
  slash(run: { chat: SandboxChat; user: SandboxUser; command: string; text: string; room?: string }): void;
  /** Presses the stop button under a message that the bot is streaming, and reports that to the bot. */
  stopStream(id: string, user: SandboxUser): void;
  /** Archives the room: who is in it can read it, and nobody writes. */
  archive(): void;
  /** Titles of the threads in a person's direct message with the bot. */
  titles(user: SandboxUser): string[];
  /** Open Socket Mode connections. */
  connections(): number;
  readonly users: LoadUsers;
  readonly places: SlackPlaces;
}

/** Units of a message's longest text; longer ones Slack cuts. */
const saidLimit = 40_000;
const maxCalls = 10_000;

/** Starts the sandbox on a free port of 127.0.0.1; `close` ends every connection. */
export async function createSlackSandbox(options: SlackSandboxOptions): Promise<SlackSandbox> {
  const { clock, shelf = noShelf } = options;
  const server = createServer({ keepAliveTimeout: 60_000 });
  const host = `127.0.0.1:${await listenAgain(server, shelf)}`;
  const world = createWorld({
    clock,
    shelf,
    origin: `http://${host}`,
    install: options.install,
    locale: options.locale,
  });
  const faults = createFaults();
  const closing = new AbortController();
  const hub = createSocketHub({ clock, ackMs: options.ackMs ?? 3000, pingMs: options.pingMs ?? 5000 });
  const director = createDirector({
    world,
    hub,
    mentionOrder: options.mentionOrder ?? 'alternating',
    ids: createCounter({ clock, shelf }, 'event', 0),
    hearing: { subscriptions: options.subscriptions, scopes: options.scopes ?? allScopes },
  });
  const { users, publish: received } = createLoadUsers({ world, director }, options.users ?? 0);
  const { publish, onBotMessage } = watchBot(received);
  const installed = createInstall({ world, director });
  const commands = createAppCommands({
    names: options.slashCommands ?? ['/parley', '/retry'],
    ...{ world, hub, publish, clock, origin: `http://${host}` },
  });
  const calls: { name: string; status: number; at: number }[] = [];
  const http = {
    context: {
      world,
      clock,
      publish,
      ticket: () => `ws://${options.socketHost?.() ?? host}${hub.ticketPath()}`,
      origin: () => `http://${host}`,
      scopes: options.scopes ?? allScopes,
      lockedOut: installed.lockedOut,
    },
    clock,
    faults,
    rates: options.rates === 'none' ? undefined : createRates(clock),
    commands,
    refusals: options.refusals ?? {},
    revoked: installed.refusal,
    closing: closing.signal,
    record(call: { name: string; status: number }) {
      calls.push({ ...call, at: clock.now() });
      if (calls.length > maxCalls) calls.shift();
    },
  };
  server.on('request', (request, response) => {
    dateAnswer(response, clock);
    void answer(request, response, http);
  });
  server.on('upgrade', (request, socket, head) => hub.upgrade(request, socket, head));

  function ownMessage(id: string) {
    const message = world.byID(id);
    if (message.user === bot.user)
      throw new ParleyError('not_a_users_message', `The message ${id} is the bot's; users change their own.`);
    return message;
  }

  return {
    platform: 'slack',
    url: `http://${host}/api/`,
    tokens,
    users,
    places: createPlaces({ world, director, commands, onBotMessage }),
    userID: (user) => `${world.install === 'organisation' ? organisation.id : team.id}/${people[user].id}`,
    async say(say: Say) {
      if (say.text !== '' || (say.files ?? []).length === 0) refuseUnsayable(say.text);
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
        ? runTyped({ room, by: people[say.user], text: say.text, inThread: parent !== undefined }, commands)
        : undefined;
      if (ran !== undefined) return { id: ran };
      const mention = say.mention === true ? `<@${bot.user}> ` : '';
      const message = world.add({
        room,
        user: people[say.user].id,
        text: mention + encodeText(say.text),
        thread: parent === undefined ? undefined : (parent.thread ?? parent.ts),
        ...(say.files === undefined
          ? {}
          : { files: say.files.map(world.files.add), subtype: 'file_share' as const }),
      });
      director.posted(message);
      return { id: message.ts };
    },
    async editSaid(id, text) {
      refuseUnsayable(text);
      editMessage({ world, director }, ownMessage(id), text);
    },
    async deleteSaid(id) {
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
      const said = { room, user: 'B0ALERTS0', username: name, text, subtype: 'bot_message' as const };
      const message = world.add({ ...said, ...cards, thread });
      director.posted(message);
      return { id: message.ts };
    },
    share({ chat, user, text, name, mime, bytes }) {
      const file = world.files.add({ name, mime, bytes });
      const message = world.add({
        room: roomFor(world, chat, user),
        user: people[user].id,
        text: encodeText(text),
        files: [file],
        subtype: 'file_share',
      });
      director.posted(message);
      return { id: message.ts };
    },
    deleteFiles: (id) => deleteFiles({ world, director }, ownMessage(id)),
    join(user) {
      const text = `<@${people[user].id}> has joined the channel`;
      const room = roomFor(world, 'room', user);
      const message = world.add({ room, user: people[user].id, text, subtype: 'channel_join' });
      director.posted(message);
      return { id: message.ts };
    },
    pressButton: (press) => hub.deliverOnce('interactive', pressPayload(world, press)),
    whispers: (user) =>
      [...world.messages()].flatMap(({ onlyFor, text }) => (onlyFor === people[user].id ? [text] : [])),
    slash({ chat, user, command, text, room: other }) {
      const room = other === undefined ? roomFor(world, chat, user) : world.workspace.room(other);
      if (room === undefined) throw new ParleyError('unknown_room', `There is no conversation ${other}.`);
      commands.run({ room, by: people[user], command, text });
    },
    stopStream(id, user) {
      const message = world.byID(id);
      if (message.stream === undefined || !isStreaming(message, clock.now()))
        throw new ParleyError('not_a_stream', `The message ${id} is not one that the bot streams now.`);
      message.stream.state = 'stopped_by_user';
      director.stopped(message, people[user].id);
    },
    shown: (chat, user) => shownMessages(world, chat, user),
    typing: (chat, user) => isThinking(world, chat, { user, now: clock.now() }),
    inject(fault) {
      if (fault.kind === 'drop_socket') hub.drop('with notice');
      else if (fault.kind === 'invalid_session') hub.drop('silently');
      else faults.add(fault);
    },
    onChange: director.onChange,
    calls: () => [...calls],
    archive() {
      roomFor(world, 'room', 'you').archived = true;
    },
    titles: (user) => world.messagesIn(roomFor(world, 'dm', user).id).flatMap(({ title }) => title ?? []),
    ...installed.acts,
    connections: () => hub.connections(),
    async close() {
      closing.abort();
      await hub.close();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}

/** What the client would not let a person send. */
function refuseUnsayable(text: string): void {
  const { length } = text.trim();
  if (length === 0 || length > saidLimit)
    throw new ParleyError('invalid_text', `A person's text has 1 to ${saidLimit} units, this has ${length}.`);
}
