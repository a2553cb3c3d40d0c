// The Slack sandbox: the Web API and Socket Mode on one loopback port, over a small workspace. Not a full Slack.
import type { Clock } from '#base/clock.ts';
import { createCallLog } from '#sandbox/call-log.ts';
import type { SandboxServer, SandboxUser } from '#sandbox/contract.ts';
import { createFaults } from '#sandbox/faults.ts';
import type { LoadUsers } from '#sandbox/load-users.ts';
import { openLoopback } from '#sandbox/loopback.ts';
import { createCounter, noShelf, type Shelf } from '#sandbox/store.ts';
import { createActs, type SlackActs } from './acts.ts';
import { createDirector } from './events/event-dispatcher.ts';
import type { MentionOrder } from './events/events.ts';
import { createSocketHub } from './events/socket-hub.ts';
import { createInstall, type InstallActs } from './install.ts';
import { createLoadUsers } from './load-users.ts';
import { createAppCommands } from './methods/app-commands.ts';
import { answer } from './methods/http.ts';
import { createRates } from './methods/rates.ts';
import { createPlaces, type SlackPlaces } from './places.ts';
import { isThinking, shownMessages } from './show.ts';
import { watchBot } from './watch-bot.ts';
import { createWorld } from './world/create-world.ts';
import { pressPayload } from './world/presses.ts';
import { allScopes, tokens } from './world/tokens.ts';
import { organisation, pagePeople, team } from './world/workspace.ts';
import { roomFor } from './world/world.ts';

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
  /** The `host:port` that it names for Socket Mode, where a proxy stands before it; its own unless set otherwise. */
  socketHost?: (() => string) | undefined;
  /** The app's slash commands; `/parley` and `/retry` unless set otherwise. */
  slashCommands?: readonly string[] | undefined;
  /** How many further people there are, for load; none unless set otherwise. */
  users?: number | undefined;
  /** The language of the apps of its people; English unless set otherwise. */
  locale?: string | undefined;
}

/** What Slack can do besides what all platforms can. */
export interface SlackSandbox extends SandboxServer, SlackActs, InstallActs {
  /** Titles of the threads in a person's direct message with the bot. */
  titles(user: SandboxUser): string[];
  /** Open Socket Mode connections. */
  connections(): number;
  /** Events that were sent and that nobody acknowledged. */
  pendingEvents(): number;
  readonly users: LoadUsers;
  readonly places: SlackPlaces;
}

/** Starts the sandbox on a free port of 127.0.0.1; `close` ends every connection. */
export async function createSlackSandbox(options: SlackSandboxOptions): Promise<SlackSandbox> {
  const { clock, shelf = noShelf } = options;
  const server = await openLoopback({ clock, shelf });
  const host = `127.0.0.1:${server.port}`;
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
  const log = createCallLog(clock);
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
    record: log.record,
  };
  server.onRequest((request, response) => void answer(request, response, http));
  server.onUpgrade((request, socket, head) => hub.upgrade(request, socket, head));

  return {
    platform: 'slack',
    url: `http://${host}/api/`,
    tokens,
    users,
    places: createPlaces({ world, director, commands, onBotMessage }),
    userID: (user) =>
      `${world.install === 'organisation' ? organisation.id : team.id}/${pagePeople[user].id}`,
    pressButton: (press) => hub.deliverOnce('interactive', pressPayload(world, press)),
    whispers: (user) =>
      [...world.messages()].flatMap(({ onlyFor, text }) => (onlyFor === pagePeople[user].id ? [text] : [])),
    shown: (chat, user) => shownMessages(world, chat, user),
    typing: (chat, user) => isThinking(world, chat, { user, now: clock.now() }),
    inject(fault) {
      if (fault.kind === 'drop_socket') hub.drop('with notice');
      else if (fault.kind === 'invalid_session') hub.drop('silently');
      else faults.add(fault);
    },
    onChange: director.onChange,
    calls: log.calls,
    titles: (user) => world.messagesIn(roomFor(world, 'dm', user).id).flatMap(({ title }) => title ?? []),
    ...createActs({ world, director, commands, clock }),
    ...installed.acts,
    connections: () => hub.connections(),
    pendingEvents: () => hub.pending(),
    async close() {
      closing.abort();
      await hub.close();
      await server.close();
    },
  };
}
