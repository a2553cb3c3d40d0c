// One Slack account behind the channel contract: Socket Mode with an app token, polling without. Wiring only.
import type { Channel, DocumentedRate } from '#adapters/gateway/channel.ts';
import type { Sink } from '#adapters/gateway/inbound.ts';
import { createPlatformTime } from '#adapters/gateway/platform-time.ts';
import { renderSlack } from '#adapters/text/slack.ts';
import type { Clock } from '#base/clock.ts';
import { errorMessage } from '#base/errors.ts';
import { defined } from '#base/json.ts';
import type { Log } from '#base/log.ts';
import { createReadCalls } from './calls.ts';
import { checkAccount } from './check.ts';
import { checkRooms } from './check-rooms.ts';
import { withChoices } from './choices.ts';
import { createDirectory, type Directory } from './directory.ts';
import { ephemeralFor } from './ephemeral.ts';
import { explain } from './explain.ts';
import { linkedFile } from './file-link.ts';
import { openFile } from './files.ts';
import { identify } from './identify.ts';
import { addressIn } from './inbound.ts';
import { createOpenStreams } from './open-streams.ts';
import { createOutbound, markRepeat } from './outbound.ts';
import { slackPace } from './pace.ts';
import { createPeople } from './people.ts';
import { runPolling } from './polling.ts';
import { createMarks } from './read-positions.ts';
import { createReader } from './reader.ts';
import { createReceiver } from './receiver.ts';
import { createRemembered } from './remembered.ts';
import { createRights } from './rights.ts';
import { createRooms } from './rooms.ts';
import { fileLimit } from './send-file.ts';
import { runSocketMode } from './socket-mode.ts';
import { createEarlier, threadBefore } from './thread-history.ts';
import { type Farewell, lossOf } from './uninstalled.ts';
import { createWeb } from './web.ts';

export interface SlackChannelOptions {
  /** Bot User OAuth Token (`xoxb-…`). */
  botToken: string;
  /** App-Level Token (`xapp-…`) with connections:write; without it chats are polled. */
  appToken?: string | undefined;
  /** Base of the Web API, with a slash at the end; Slack's own unless set otherwise. */
  apiUrl?: string | undefined;
  /** Whether a mention at the top of a channel is answered in a separate thread; it is unless set otherwise. */
  replyInThread?: boolean | undefined;
  clock: Clock;
  log: Log;
  /** How fast it writes; Slack's documented rates when absent, and an empty list for a server without limits. */
  pace?: readonly DocumentedRate[] | undefined;
  /** Milliseconds between two rounds of polling, 3000 unless set otherwise; more with many chats. */
  pollMs?: number | undefined;
  /** Milliseconds without a ping of Slack after which a socket is rebuilt, 60 000 unless set otherwise. */
  silenceMs?: number | undefined;
}

/** Least time between two edits in a chat: chat.update is tier 3, 50 a minute for the whole workspace. */
const editGapMs = { dm: 3000, group: 3000, channel: 3000 };
/** Slack clears the thinking line after two minutes. */
const typingMs = 90_000;
/** Live messages wait for missed ones while those are read, but not for a pause of this length. */
const orderWorthMs = 5_000;
/** Old threads asked for replies: after an outage many, in a polling round only a few in turn. */
const oldThreads = { socket: 50, polling: 2 };

/** The channel of one Slack account; connects only in `run`. */
export function createSlackChannel(options: SlackChannelOptions): Channel {
  const { botToken, appToken, apiUrl, clock, log, replyInThread: mentionsOpen } = options;
  const time = createPlatformTime(clock);
  const { received } = time;
  /** For what is compared with Slack's timestamps. */
  const slackClock: Clock = { ...clock, now: () => time.now() ?? clock.now() };
  const shared = createWeb(botToken, { apiUrl, log, received });
  const open = createOpenStreams();
  const outbound = createOutbound(
    (signal) => (signal === undefined ? shared : createWeb(botToken, { apiUrl, log, received, signal })),
    { open, clock, apiUrl },
  );

  const look = createReadCalls(shared, { clock, maxPauses: 0 });
  const people = createPeople(look);
  /** The names of the present connection, so that nobody is looked up twice. */
  let known: Directory | undefined;

  async function connect(sink: Sink, signal: AbortSignal): Promise<void> {
    const web = createWeb(botToken, { apiUrl, log, received, signal });
    sink.report('connecting');
    // a socket brings what is new next to the reading of what was missed; polling reads all in order
    const behind: Sink['reportBacklog'] =
      appToken === undefined ? () => {} : (chats) => sink.reportBacklog(chats);
    behind('all');
    const onFailure = (words: string) => sink.report('reconnecting', words);
    const bot = await identify({ web, clock, onFailure }, signal);
    const onPause = (ms: number) => {
      if (ms > orderWorthMs) behind([]);
    };
    const call = createReadCalls(web, { clock, maxPauses: 5, onPause });
    const atOnce = createReadCalls(web, { clock, maxPauses: 0 });
    const directory = createDirectory({ web, clock, log });
    known = directory;
    const rooms = createRooms({
      clock,
      ask: directory.channel,
      async notify(room) {
        const address = addressIn({ bot, room }, undefined);
        await sink.accept({ type: 'room', address, restricted: room.restricted });
      },
    });
    const remembered = createRemembered();
    const marks = createMarks({
      ...{ call: atOnce, sink, rooms, clock: slackClock, log },
      workspaces: bot.workspaces,
    });
    const receiver = createReceiver({
      bot,
      clock: slackClock,
      whisper({ channel, user, thread }, words) {
        const said = defined({ channel, user, text: words, thread_ts: thread });
        web.apiCall('chat.postEphemeral', said).catch((error: unknown) => {
          log.debug({ words: explain(error).words }, 'a press was not answered');
        });
      },
      directory,
      rooms,
      people,
      remembered,
      sink,
      replyInThread: mentionsOpen,
      held: (name) => reader.held(name),
    });
    const reader = createReader({
      call,
      marks,
      receiver,
      rooms,
      remembered,
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

  const earlier = createEarlier({ clock });
  const sourceOf = (signal: AbortSignal) => {
    const web = createWeb(botToken, { apiUrl, log, received, signal });
    return { web, directory: known ?? createDirectory({ web, clock, log }) };
  };

  return {
    platform: 'slack',
    caps: {
      editGapMs,
      typingMs,
      idempotentSend: false,
      files: { limitBytes: fileLimit },
      pace: options.pace ?? slackPace,
    },
    async run(sink, signal) {
      try {
        await connect(sink, signal);
        sink.report('stopped');
      } catch (error) {
        if (!signal.aborted) {
          sink.report('failed', errorMessage(error));
          throw error;
        }
        sink.report('stopped');
      }
    },
    render: (markdown) => renderSlack(markdown),
    // without a socket nobody would hear of a press
    ...(appToken === undefined ? {} : { withChoices }),
    ...outbound,
    ephemeralFor,
    markRepeat,
    now: time.now,
    rights: createRights({ call: look, people }),
    earlier: (address, before, signal) => earlier(sourceOf(signal), address, before),
    thread: (address, before, signal) => threadBefore(sourceOf(signal), address, before),
    async open(file, limitBytes, signal) {
      const linked = await linkedFile(file, () => createWeb(botToken, { apiUrl, log, received, signal }));
      return openFile(linked, { limitBytes, signal }, { botToken, apiUrl });
    },
    async zoneOf(actorID) {
      const { user } = await shared.users.info({ user: actorID.slice(actorID.indexOf('/') + 1) });
      return user?.tz;
    },
    explain,
    check: async (standing, rooms = []) => [
      ...(await checkAccount(shared, { ...defined({ appToken, apiUrl, log, standing }) })),
      ...(await checkRooms(shared, rooms)),
    ],
  };
}
