// The Telegram sandbox: a Bot API server on loopback with a small world behind it. The bot meets it only over HTTP.

import type { Clock } from '#base/clock.ts';
import { ParleyError } from '#base/errors.ts';
import type { Fault, SandboxChat, SandboxServer, SandboxUser, ShownDraft } from '#sandbox/contract.ts';
import type { LoadUsers } from '#sandbox/load-users.ts';
import { noShelf, type Shelf } from '#sandbox/store.ts';
import { createLoadUsers } from './load-users.ts';
import { type MenuOf, menuOf } from './methods/chat-methods.ts';
import { listen } from './methods/http-server.ts';
import { type Channels, createTelegramChannels } from './places/channels.ts';
import { createGroups } from './places/groups.ts';
import { createMembership } from './places/membership.ts';
import { createPeople, type SayFile } from './places/people.ts';
import { createPlaces } from './places/places.ts';
import type { TelegramPlaces } from './places/telegram-places.ts';
import { messageButtons, shownDraft, shownMessages, showsActivity } from './shown.ts';
import { createWorld } from './world/create-world.ts';
import { createFileShelf } from './world/file-shelf.ts';
import type { State } from './world/state.ts';
import { createUpdateQueue } from './world/update-queue.ts';
import type { TgMessage } from './world/wire.ts';
import type { World } from './world/world.ts';

const defaultToken = '7000000001:AAE-sandbox-token-of-no-worth-00000';

export interface TelegramSandboxOptions {
  clock: Clock;
  /** Where the page's chats outlast the process; nothing does without it. */
  shelf?: Shelf | undefined;
  /** `<bot id>:<secret>`; the bot's id is taken from it. */
  token?: string | undefined;
  /** Privacy mode of the bot, on unless set otherwise. */
  privacy?: 'on' | 'off' | undefined;
  /** Groups that are not supergroups yet; none unless set otherwise. */
  basicGroups?: readonly ('room' | 'private')[] | undefined;
  /** How many further people there are, for load; none unless set otherwise. */
  users?: number | undefined;
  /** The bot is an administrator of every room that `places` adds; a plain member unless set otherwise. */
  administrator?: boolean | undefined;
  /** People may connect the bot to their business accounts; off unless set otherwise. */
  businessMode?: 'on' | 'off' | undefined;
  /** The language of the apps of its people; English unless set otherwise. */
  locale?: string | undefined;
}

/** What only Telegram has, besides the common operations. */
export interface TelegramSandbox extends SandboxServer {
  /** The bot's @username, without the @. */
  readonly botName: string;
  draft(chat: SandboxChat, user: SandboxUser): ShownDraft | undefined;
  /** Posts a document as a person. */
  sayFile(say: SayFile): Promise<{ id: string }>;
  /** Posts whatever a message can hold: a place, a poll, a forward. */
  post(
    say: { chat: SandboxChat; user: SandboxUser; replyTo?: string },
    content: Partial<TgMessage>,
  ): Promise<{ id: string }>;
  /** Opens a topic in the room, or in someone's direct message; its id is a `thread`. */
  createTopic(name: string, directOf?: SandboxUser): string;
  /** The names of the topics in someone's direct message. */
  topics(user: SandboxUser): string[];
  /** Turns a basic group (see `basicGroups`) into a supergroup with another id. */
  migrate(chat: 'room' | 'private'): { from: string; to: string };
  /** Presses a button under the bot's message; the id of the callback query. */
  press(id: string, user: SandboxUser, data: string): string;
  /** Presses the stop button of the draft in the person's direct message. */
  stopDraft(user: SandboxUser): void;
  setPrivacy(privacy: 'on' | 'off'): void;
  /** A webhook that stands in the way of long polling; the empty string removes it. Nothing is ever posted to it. */
  setWebhook(url: string): void;
  /** `closed`: the person blocks the bot, or the group throws it out; `open` admits it again. */
  setAccess(place: { chat: SandboxChat; user: SandboxUser }, access: 'open' | 'closed'): void;
  /** Lets only administrators write in a group. */
  setReadOnly(chat: 'room' | 'private'): void;
  /** The commands that the client lists for someone: in private, in a group, or in one that they are an administrator of. */
  menu(of: MenuOf): string[];
  /** Every call is refused with 401 after this. */
  revokeToken(): void;
  /** Updates that the bot has not confirmed. */
  pendingUpdates(): number;
  /** True while a long poll waits. */
  polling(): boolean;
  readonly users: LoadUsers;
  /** Rooms and people of any number and kind. */
  readonly places: TelegramPlaces;
  readonly channels: Channels;
}

/** Starts the server on a free port of 127.0.0.1; `close` ends every connection and timer. */
export async function createTelegramSandbox(options: TelegramSandboxOptions): Promise<TelegramSandbox> {
  const { clock, shelf = noShelf } = options;
  const token = options.token ?? defaultToken;
  const closing = new AbortController();
  const listeners = new Set<() => void>();
  let revoked = false;
  const world = createWorld({
    clock,
    shelf,
    botID: Number.parseInt(token, 10),
    basicGroups: options.basicGroups ?? [],
    locale: options.locale,
  });
  const changed = (): void => {
    for (const listener of listeners) listener();
  };
  const state = createState(options, { world, changed, closing: closing.signal });
  const people = createPeople(state);
  const users = createLoadUsers(state, options.users ?? 0);
  listeners.add(users.look);
  const membership = createMembership(state);
  const groups = createGroups(state, membership);
  const botIs = options.administrator === true ? 'administrator' : 'member';
  const places = createPlaces({ state, groups, membership, botIs });
  const server = await listen(state, { token, valid: () => !revoked }, closing.signal);

  return {
    platform: 'telegram',
    url: server.url,
    tokens: { bot: token },
    users,
    places,
    channels: createTelegramChannels(state, membership),
    botName: world.bot.username ?? '',
    userID: (user) => String(world.people[user].id),
    say: async (say) => ({ id: String(people.say(say).message.message_id) }),
    sayFile: async (say) => ({ id: String(people.sayFile(say).message.message_id) }),
    post: async (say, content) => ({ id: String(people.post(say, content).message.message_id) }),
    editMessage: async (id, text) => people.edit(id, text),
    deleteMessage: async (id) => people.remove(id),
    redeliver: async (id) => people.redeliver(id),
    press: people.press,
    react: people.react,
    pressButton({ id, user, at }) {
      const data = messageButtons(world.find(id).stored.message)[at]?.data;
      if (data === undefined)
        throw new ParleyError('no_such_button', `The message ${id} has no button ${at}.`);
      people.press(id, user, data);
    },
    whispers: (user) => state.whispers.flatMap((one) => (one.user === user ? [one.text] : [])),
    alert(user) {
      const at = state.whispers.findLastIndex((one) => one.user === user);
      const newest = state.whispers[at];
      return newest === undefined ? undefined : { id: at + 1, text: newest.text };
    },
    stopDraft: people.stopDraft,
    menu: (of) => menuOf(state, of),
    createTopic: (name, directOf) =>
      String(
        groups.createTopic(
          directOf === undefined ? world.room('room', 'you') : world.room('dm', directOf),
          name,
        ),
      ),
    topics: (user) =>
      world.room('dm', user).messages.flatMap(({ message }) => message.forum_topic_created?.name ?? []),
    migrate: (chat) => groups.migrate(world.room(chat, 'you')),
    shown: (chat, user) => shownMessages(world.room(chat, user), { shelf: state.files, viewer: user }),
    draft: (chat, user) => shownDraft(world.room(chat, user), clock.now()),
    typing: (chat, user) => showsActivity(world.room(chat, user), clock.now()),
    inject(fault: Fault) {
      if (fault.kind === 'drop_socket' || fault.kind === 'invalid_session') server.dropPolls();
      else server.faults.add(fault);
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    calls: server.calls,
    setPrivacy(privacy) {
      state.privacy = privacy;
    },
    setWebhook(url) {
      state.webhook = url;
      // telegram-bot-api, abort_long_poll
      if (url !== '') state.queue.end('terminated by setWebhook request');
    },
    setAccess({ chat, user }, access) {
      membership.setBot(world.room(chat, user), access === 'open');
    },
    setReadOnly(chat) {
      world.room(chat, 'you').readOnly = true;
    },
    revokeToken() {
      revoked = true;
    },
    pendingUpdates: state.queue.pending,
    polling: state.queue.waiting,
    async close() {
      closing.abort();
      await server.close();
    },
  };
}

/** What the sandbox's parts have in common, as `options` begins it. */
function createState(
  options: TelegramSandboxOptions,
  { world, changed, closing }: { world: World; changed: () => void; closing: AbortSignal },
): State {
  const { clock, shelf = noShelf } = options;
  return {
    clock,
    shelf,
    world,
    queue: createUpdateQueue({ clock, shelf }),
    files: createFileShelf({ clock, shelf }),
    privacy: options.privacy ?? 'on',
    webhook: '',
    businessMode: options.businessMode ?? 'off',
    commands: new Map(),
    openQueries: new Map(),
    whispers: [],
    botListeners: new Set(),
    changed,
    changedIn(ms) {
      // Only the closing of the sandbox rejects this wait, and then nobody waits for an answer.
      clock.sleep(ms, closing).then(changed, () => undefined);
    },
  };
}
