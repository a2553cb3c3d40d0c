// One Slack account behind the channel contract: Socket Mode with an app token, polling without. Wiring only.
import type { Channel } from '#adapters/gateway/terms/channel.ts';
import { createPlatformTime } from '#adapters/gateway/terms/platform-time.ts';
import { createReadCalls } from '#adapters/slack/calls/calls.ts';
import { createWeb } from '#adapters/slack/calls/web.ts';
import type { Identity } from '#adapters/slack/codecs/change.ts';
import { withChoices } from '#adapters/slack/codecs/choices.ts';
import { connectSlack, type SharedParts } from '#adapters/slack/connection/connect.ts';
import { createEarlier, threadBefore } from '#adapters/slack/events/thread-history.ts';
import { ephemeralFor } from '#adapters/slack/outgoing/ephemeral.ts';
import { createOpenStreams } from '#adapters/slack/outgoing/open-streams.ts';
import { createOutbound, markRepeat } from '#adapters/slack/outgoing/outbound.ts';
import { fileLimit } from '#adapters/slack/outgoing/send-file.ts';
import { createDirectory, type Directory } from '#adapters/slack/rooms/directory.ts';
import { createNameLook } from '#adapters/slack/rooms/name-look.ts';
import { createSlackPeople } from '#adapters/slack/rooms/people.ts';
import { createRights } from '#adapters/slack/rooms/rights.ts';
import { renderSlack } from '#adapters/text/slack.ts';
import type { Clock } from '#base/clock.ts';
import { errorMessage } from '#base/errors.ts';
import { defined } from '#base/json.ts';
import { explain } from './calls/explain.ts';
import { linkedFile } from './codecs/file-link.ts';
import type { SlackChannelOptions } from './connection/channel-options.ts';
import { openFile } from './files.ts';
import { slackPace } from './pace.ts';
import { checkAccount } from './setup/check.ts';
import { checkRooms } from './setup/check-rooms.ts';

/** Least time between two edits in a chat: chat.update is tier 3, 50 a minute for the whole workspace. */
const editGapMs = { dm: 3000, group: 3000, channel: 3000 };
/** Slack clears the thinking line after two minutes. */
const typingMs = 90_000;

/** A channel for one Slack account. Makes no call before `run` or the first send. */
export function createSlackChannel(options: SlackChannelOptions): Channel {
  const { botToken, appToken, apiUrl, clock, log } = options;
  const time = createPlatformTime(clock);
  const { received } = time;
  /** For what is compared with Slack's timestamps. */
  const slackClock: Clock = { ...clock, now: () => time.now() ?? clock.now() };
  const web = createWeb(botToken, { apiUrl, log, received });
  const open = createOpenStreams();
  const outbound = createOutbound(
    (signal) => (signal === undefined ? web : createWeb(botToken, { apiUrl, log, received, signal })),
    { open, clock, apiUrl },
  );

  const look = createReadCalls(web, { clock, maxPauses: 0 });
  const people = createSlackPeople(look);
  /** The names of the present connection, so that nobody is looked up twice. */
  let known: Directory | undefined;
  let bot: Identity | undefined;
  const shared: SharedParts = {
    ...{ received, slackClock, open, people },
    onDirectory(directory) {
      known = directory;
    },
    onIdentity(identity) {
      bot = identity;
    },
  };

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
        await connectSlack(options, shared, { sink, signal });
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
    placeNames: createNameLook(look, () => bot),
    earlier: (address, before, signal) => earlier(sourceOf(signal), address, before),
    thread: (address, before, signal) => threadBefore(sourceOf(signal), address, before),
    async open(file, limitBytes, signal) {
      const linked = await linkedFile(file, () => createWeb(botToken, { apiUrl, log, received, signal }));
      return openFile(linked, { limitBytes, signal }, { botToken, apiUrl });
    },
    async zoneOf(actorID) {
      const { user } = await web.users.info({ user: actorID.slice(actorID.indexOf('/') + 1) });
      return user?.tz;
    },
    explain,
    check: async (standing, rooms = []) => [
      ...(await checkAccount(web, { ...defined({ appToken, apiUrl, log, standing }) })),
      ...(await checkRooms(web, rooms)),
    ],
  };
}
