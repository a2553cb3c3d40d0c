// One connection of a Slack account, by Socket Mode or by polling: who the bot is, what was missed, and what comes.
import type { Sink } from '#adapters/gateway/terms/inbound.ts';
import type { createPlatformTime } from '#adapters/gateway/terms/platform-time.ts';
import { createReadCalls } from '#adapters/slack/calls/calls.ts';
import { explain } from '#adapters/slack/calls/explain.ts';
import { createWeb } from '#adapters/slack/calls/web.ts';
import type { Identity } from '#adapters/slack/codecs/change.ts';
import { addressIn } from '#adapters/slack/codecs/inbound.ts';
import { type Farewell, lossOf } from '#adapters/slack/codecs/uninstalled.ts';
import { runPolling } from '#adapters/slack/events/polling.ts';
import { createMarks } from '#adapters/slack/events/read-positions.ts';
import { createReader } from '#adapters/slack/events/reader.ts';
import { createReceiver } from '#adapters/slack/events/receiver.ts';
import type { OpenStreams } from '#adapters/slack/outgoing/open-streams.ts';
import { createDirectory, type Directory } from '#adapters/slack/rooms/directory.ts';
import type { SlackPeople } from '#adapters/slack/rooms/people.ts';
import { createSlackRooms } from '#adapters/slack/rooms/rooms.ts';
import type { Clock } from '#base/clock.ts';
import { defined } from '#base/json.ts';
import type { SlackChannelOptions } from './channel-options.ts';
import { identify } from './identify.ts';
import { runSocketMode } from './socket-mode.ts';

/** Live messages wait for missed ones while those are read, but not for a pause of this length. */
const orderWorthMs = 5_000;

/** Old threads asked for replies: after an outage many, in a polling round only a few in turn. */
const oldThreads = { socket: 50, polling: 2 };

/** What outlives one connection of the account. */
export interface SharedParts {
  /** Takes the date of each answer of Slack's. */
  received: ReturnType<typeof createPlatformTime>['received'];
  /** For what is compared with Slack's timestamps. */
  slackClock: Clock;
  open: OpenStreams;
  people: SlackPeople;
  /** Called with the names of the connection, once they exist. */
  onDirectory(directory: Directory): void;
  /** Called with the bot as Slack knows it, at each connection. */
  onIdentity(bot: Identity): void;
}

/** Connects and hands in what comes until the signal aborts; rejects with what made the connection impossible. */
export async function connectSlack(
  options: SlackChannelOptions,
  shared: SharedParts,
  { sink, signal }: { sink: Sink; signal: AbortSignal },
): Promise<void> {
  const { botToken, appToken, apiUrl, clock, log, replyInThread: mentionsOpen } = options;
  const { slackClock, open, people } = shared;
  const web = createWeb(botToken, { apiUrl, log, received: shared.received, signal });
  sink.report('connecting');
  // a socket brings what is new next to the reading of what was missed; polling reads all in order
  const behind: Sink['reportBacklog'] =
    appToken === undefined ? () => {} : (chats) => sink.reportBacklog(chats);
  behind('all');
  const onFailure = (words: string) => sink.report('reconnecting', words);
  const bot = await identify({ web, clock, onFailure }, signal);
  shared.onIdentity(bot);
  const onPause = (ms: number) => {
    if (ms > orderWorthMs) behind([]);
  };
  const call = createReadCalls(web, { clock, maxPauses: 5, onPause });
  const atOnce = createReadCalls(web, { clock, maxPauses: 0 });
  const directory = createDirectory({ web, clock, log });
  shared.onDirectory(directory);
  const rooms = createSlackRooms({
    clock,
    ask: directory.channel,
    async notify(room) {
      const address = addressIn({ bot, room }, undefined);
      await sink.accept({ type: 'room', address, restricted: room.restricted });
    },
  });
  const marks = createMarks({
    ...{ call: atOnce, sink, rooms, clock: slackClock, log },
    workspaces: bot.workspaces,
  });
  const receiver = createReceiver({
    bot,
    clock: slackClock,
    whisper({ channel, user, thread }, words) {
      const content = defined({ channel, user, text: words, thread_ts: thread });
      web.apiCall('chat.postEphemeral', content).catch((error: unknown) => {
        log.debug({ words: explain(error).words }, 'a press was not answered');
      });
    },
    directory,
    rooms,
    people,
    sink,
    replyInThread: mentionsOpen,
    held: (name) => reader.held(name),
  });
  const reader = createReader({
    call,
    marks,
    receiver,
    rooms,
    sink,
    clock: slackClock,
    log,
    left: behind,
    oldThreads: appToken === undefined ? oldThreads.polling : oldThreads.socket,
  });
  if (appToken === undefined)
    return runPolling({ clock, reader, sink, pollMs: options.pollMs ?? 3000 }, signal);
  const silenceMs = options.silenceMs ?? 60_000;
  const onStop = open.stop;
  const onGap = people.forget;
  const onFarewell = (farewell: Farewell) => lossOf(farewell, web);
  const onCallback = (team: string, organisation: string): void => {
    if (organisation === bot.team) bot.workspaces?.add(team);
  };
  const wired = { onFarewell, onCallback, reader, receiver, rooms, sink, onStop, onGap };
  return runSocketMode({ appToken, apiUrl, clock, log, silenceMs, ...wired }, signal);
}
