// The sandbox's Discord: REST v10 and Gateway v10 on one loopback port, with the controls that tests and the page use.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import type { Clock } from '#base/clock.ts';
import { ParleyError } from '#base/errors.ts';
import { isAbort } from '#base/waiting/async.ts';
import type { SandboxChat, SandboxServer, SandboxUser, Say } from '#sandbox/contract.ts';
import { dateAnswer } from '#sandbox/dated.ts';
import type { LoadUsers } from '#sandbox/load-users.ts';
import { listenAgain, noShelf, type Shelf } from '#sandbox/store.ts';
import { createExtras, type DiscordExtras } from './extras.ts';
import { createGateway } from './gateway/gateway.ts';
import type { Withheld } from './gateway/identify.ts';
import { easyShards, type ShardRules } from './gateway/sharding.ts';
import { createLoadUsers } from './load-users.ts';
import { type MessagePayload, messagePayload } from './payloads/message-payload.ts';
import { placeOf } from './place-of.ts';
import { createDiscordPlaces, type DiscordPlaces } from './places.ts';
import { createApi } from './routes/api.ts';
import { newBotToken } from './routes/bot-token.ts';
import { createCdn } from './routes/cdn.ts';
import { createFaults } from './routes/faults.ts';
import { interactionRoutes } from './routes/interaction-routes.ts';
import { createLimiter, easyLimits, type RateLimits } from './routes/limits.ts';
import { messageRoutes } from './routes/message-routes.ts';
import { placeRoutes, type SessionStarts } from './routes/routes.ts';
import { shownMessages } from './shown-messages.ts';
import { createWorld } from './world/create-world.ts';
import { createInteractions } from './world/interactions.ts';
import { createPresses } from './world/presses.ts';
import { allPings, openThread, post, remove, rewrite, unfurl } from './world/speech.ts';
import { channelOf, type Interaction, type Message } from './world/world.ts';
import type { WorldOptions } from './world/world-options.ts';

export interface DiscordSandboxOptions extends Pick<WorldOptions, 'locale'> {
  clock: Clock;
  /** Where what is written on the page outlasts the process; nothing does without it. */
  shelf?: Shelf | undefined;
  newBotToken?: (() => string) | undefined;
  /** `refused` plays an application whose Message Content switch is off: close 4014, empty content. */
  messageContent?: 'allowed' | 'refused' | undefined;
  /** `allowed` plays an application whose Server Members switch is on, which it is not unless set otherwise. */
  guildMembers?: 'allowed' | 'refused' | undefined;
  heartbeatIntervalMs?: number | undefined;
  /** The `host:port` that it names for the gateway's socket, where a proxy is before it; its own unless set otherwise. */
  socketHost?: (() => string) | undefined;
  sessionStarts?: SessionStarts | undefined;
  /** How its guilds are divided among connections; as on Discord, but without a pause between two IDENTIFYs, unless set otherwise. */
  shards?: Partial<ShardRules> | undefined;
  /** Easy by default; give `{ calls: 5, perMs: 5000, global: 50 }` for Discord's usual strictness. */
  limits?: RateLimits | undefined;
  /** How many further people there are, for load; none unless set otherwise. */
  users?: number | undefined;
}

/** The contract's server, with what only Discord has. */
export interface DiscordSandbox extends SandboxServer, DiscordExtras {
  readonly botID: string;
  readonly guildID: string;
  /** The role that Discord makes for a bot; mentioning it mentions the bot. */
  readonly botRoleID: string;
  channelID(chat: SandboxChat, user: SandboxUser): string;
  /** A room of the guild that the bot may not see. */
  readonly hiddenChannelID: string;
  /** The message as the API writes it. */
  payload(id: string): MessagePayload;
  /** Opens a thread as `you`, at a message or free, and resolves with its id. */
  openThread(thread: { chat: 'room' | 'private'; name: string; from?: string; privacy?: 'private' }): {
    id: string;
  };
  /** A moderator locks and closes a thread. */
  lockThread(id: string): void;
  /** Names of the commands that the bot has registered. */
  commands(): string[];
  /** Runs a registered slash command as someone and sends it to the bot; resolves with the interaction at once. */
  slash(
    run: Pick<Say, 'chat' | 'user' | 'thread'> & { name: string; text?: string; installed?: 'person' },
  ): Pick<Interaction, 'id' | 'token'>;
  /** Reports the bot of an interaction once more. */
  redeliverSlash(id: string): void;
  /** Adds a link's preview to a message, which is sent as an update without an edit. */
  unfurl(id: string): void;
  /** Every link to an attachment that was given out so far is refused after this, as after a day. */
  expireLinks(): void;
  /** Op 7: asks connected clients to reconnect and resume. */
  askReconnect(): void;
  /** Every call with the bot's token is refused after this; who is connected already stays so. */
  revokeToken(): void;
  /** Turns the switch of the Server Members intent, as in the developer portal. */
  switchGuildMembers(to: 'allowed' | 'refused'): void;
  /** From every connection, or READY from one shard only. */
  withhold(what: Withheld, shard?: number): void;
  /** Cuts the connections of one shard. */
  dropShard(shard: number): void;
  readonly users: LoadUsers;
  /** Guilds, rooms and people beyond those of the page. */
  readonly places: DiscordPlaces;
}

/** Units of a person's longest text: 4000 with Nitro. Bots may write 2000. */
const saidLimit = 4000;
/** Most calls that are remembered. */
const keptCalls = 10_000;

/** Starts the server on 127.0.0.1. */
export async function createDiscordSandbox(options: DiscordSandboxOptions): Promise<DiscordSandbox> {
  const { clock, shelf = noShelf, messageContent = 'allowed', guildMembers = 'refused' } = options;
  const switches = { messageContent, guildMembers };
  const shards = { ...easyShards, ...options.shards };
  const world = createWorld({ clock, shelf, locale: options.locale });
  const users = createLoadUsers(world, options.users ?? 0);
  const token = options.newBotToken?.() ?? newBotToken(world.bot.id);
  const interactions = createInteractions(world);
  const presses = createPresses(world);
  const faults = createFaults();
  const closing = new AbortController();
  const calls: { name: string; status: number; at: number }[] = [];
  const record = (name: string, status: number): void => {
    calls.push({ name, status, at: clock.now() });
    if (calls.length > keptCalls) calls.shift();
  };
  let [revoked, port] = [false, 0];
  const gatewayURL = (): string => `ws://${options.socketHost?.() ?? `127.0.0.1:${port}`}`;
  const cdn = createCdn({ world, clock, origin: () => `http://127.0.0.1:${port}` });
  world.urlOf = cdn.urlOf;
  const gateway = createGateway({
    world,
    token,
    switches,
    shards,
    record,
    heartbeatIntervalMs: options.heartbeatIntervalMs ?? 41_250,
    url: gatewayURL,
  });
  const typingEnds = (channelID: string): void => {
    const until = world.typingUntil.get(channelID) ?? 0;
    clock.sleep(until - clock.now(), closing.signal).then(
      () => {
        if (world.typingUntil.get(channelID) === until) world.notify({ type: 'typing', channelID });
      },
      (error: unknown) => {
        if (!isAbort(error, closing.signal)) throw error;
      },
    );
  };
  const api = createApi({
    clock,
    valid: (given) => given === `Bot ${token}` && !revoked,
    faults,
    limiter: createLimiter(clock, options.limits ?? easyLimits),
    signal: closing.signal,
    record,
    files: cdn.files,
    routes: [
      placeRoutes({
        world,
        switches,
        gatewayURL,
        sessionStarts: options.sessionStarts,
        shards,
        identifies: gateway.identifies,
      }),
      messageRoutes({ world, messageContent, typing: typingEnds }),
      interactionRoutes(world, interactions, presses),
      cdn.routes,
    ],
  });
  const listener = getRequestListener(api.fetch, { overrideGlobalObjects: false });
  const server = createServer((request, response) => {
    dateAnswer(response, clock);
    void listener(request, response);
  });
  server.on('upgrade', (request, socket, head) => {
    gateway.sockets.handleUpgrade(request, socket, head, (client) => {
      gateway.sockets.emit('connection', client, request);
    });
  });
  port = await listenAgain(server, shelf);

  const found = (id: string): Message => {
    const message = world.byID.get(id);
    if (message === undefined)
      throw new ParleyError('unknown_message', `Expected the id of a message in the sandbox, got "${id}".`);
    return message;
  };

  /** A message of a person: people change their own, not the bot's. */
  const said = (id: string): Message => {
    const message = found(id);
    if (message.authorID === world.bot.id)
      throw new ParleyError(
        'not_a_users_message',
        `The message ${id} is the bot's; people change their own.`,
      );
    return message;
  };

  return {
    platform: 'discord',
    url: `http://127.0.0.1:${port}/api`,
    tokens: { bot: token },
    users,
    places: createDiscordPlaces(world),
    botID: world.bot.id,
    guildID: world.home.id,
    botRoleID: world.home.botRoleID,
    hiddenChannelID: world.rooms.hidden.id,
    userID: (user) => world[user].id,
    channelID: (chat, user) => channelOf(world, chat, user).id,
    payload: (id) => messagePayload(world, found(id)),
    async say(say) {
      if (say.text !== '' || (say.files ?? []).length === 0) refuseUnsayable(say.text);
      const { id } = post(world, {
        channel: placeOf(world, say),
        authorID: world[say.user].id,
        content: say.mention === true ? `<@${world.bot.id}> ${say.text}` : say.text,
        pings: allPings,
        replyTo: say.replyTo === undefined ? undefined : found(say.replyTo).id,
        files: say.files,
      });
      return { id };
    },
    async editSaid(id, text) {
      refuseUnsayable(text);
      rewrite(world, said(id), { content: text, pings: allPings });
    },
    async deleteSaid(id) {
      remove(world, said(id));
    },
    async redeliver(id) {
      gateway.repeat({ type: 'posted', message: found(id) });
    },
    openThread({ chat, name, from, privacy = 'public' as const }) {
      return openThread(world, {
        name,
        privacy,
        parentID: channelOf(world, chat, 'you').id,
        ownerID: world.you.id,
        members: [world.bot.id],
        from: from === undefined ? undefined : found(from),
      });
    },
    lockThread(id) {
      const thread = world.channels.get(id);
      if (thread?.kind !== 'thread')
        throw new ParleyError('unknown_thread', `Expected the id of a thread in the sandbox, got "${id}".`);
      thread.locked = true;
      world.notify({ type: 'thread changed', thread });
    },
    ...presses.control,
    commands: () => interactions.commands.map(({ name }) => name),
    slash({ name, text, installed = 'guild' as const, ...where }) {
      const channel = placeOf(world, { ...where, text: '' });
      return interactions.run({ name, text, person: world[where.user], channel, installed });
    },
    redeliverSlash(id) {
      const interaction = interactions.byID(id);
      if (interaction === undefined)
        throw new ParleyError('unknown_interaction', `Expected the id of an interaction, got "${id}".`);
      gateway.repeat({ type: 'command run', interaction });
    },
    ...createExtras(world),
    unfurl: (id) => unfurl(world, found(id)),
    expireLinks: () => cdn.expire(),
    askReconnect: () => gateway.askReconnect(),
    revokeToken() {
      revoked = true;
    },
    switchGuildMembers(to) {
      switches.guildMembers = to;
    },
    withhold: gateway.withhold,
    dropShard: (shard) => gateway.drop(shard),
    shown: (chat, user) => shownMessages(world, chat, user),
    typing: (chat, user) => (world.typingUntil.get(channelOf(world, chat, user).id) ?? 0) > clock.now(),
    inject(fault) {
      if (fault.kind === 'drop_socket') gateway.drop();
      else if (fault.kind === 'invalid_session') gateway.invalidate();
      else faults.add(fault);
    },
    onChange: (listener) => world.listen(() => listener()),
    calls: () => [...calls],
    async close() {
      closing.abort();
      gateway.close();
      const closed = once(server, 'close');
      server.close();
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
