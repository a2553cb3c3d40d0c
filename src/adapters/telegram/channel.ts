// One Telegram bot as a channel of the gateway: long polling in, one Bot API call for each thing that goes out.
import type { Update } from 'grammy/types';
import type { Channel, DocumentedRate } from '#adapters/gateway/terms/channel.ts';
import type { InboundEvent, Sink } from '#adapters/gateway/terms/inbound.ts';
import { createPlatformTime } from '#adapters/gateway/terms/platform-time.ts';
import { chatAddress } from '#adapters/telegram/codecs/address-codec.ts';
import { answerPress, choiceEvent } from '#adapters/telegram/codecs/choices.ts';
import { movedBetween } from '#adapters/telegram/codecs/inbound-codec.ts';
import { markRepeat, repeatUnits, textLimit, withChoices } from '#adapters/telegram/codecs/part-body.ts';
import { createUpdateReader } from '#adapters/telegram/codecs/update-codec.ts';
import { refuseBusiness } from '#adapters/telegram/updates/business.ts';
import { createComments } from '#adapters/telegram/updates/comments.ts';
import { connectBot } from '#adapters/telegram/updates/connect.ts';
import { createDiscussions } from '#adapters/telegram/updates/discussions.ts';
import { currentChat, noteMove } from '#adapters/telegram/updates/moves.ts';
import { pollUpdates } from '#adapters/telegram/updates/poll-updates.ts';
import { createRecentMessages, type RecentMessages } from '#adapters/telegram/updates/recent-messages.ts';
import { healUnfinished } from '#adapters/text/heal.ts';
import { renderTelegram } from '#adapters/text/telegram.ts';
import type { Clock } from '#base/clock.ts';
import { errorMessage, ParleyError } from '#base/errors.ts';
import type { Log } from '#base/log/log.ts';
import { createMask } from '#base/secrets.ts';
import { createTelegramClient, plainRoot } from './calls/client.ts';
import { explainTelegram } from './calls/explain.ts';
import { checkTelegram } from './check.ts';
import { offerMenu } from './command-menu.ts';
import { createDrafts } from './live.ts';
import { openFile } from './open-file.ts';
import { createOutgoing } from './outgoing.ts';
import { telegramPace } from './pace.ts';
import { createRights } from './rights.ts';
import { fileLimit } from './send-file.ts';

export interface TelegramChannelOptions {
  token: string;
  /** Another Bot API server, without `/bot`; Telegram's own when absent. */
  apiUrl?: string | undefined;
  clock: Clock;
  log: Log;
  /** How long Telegram holds a poll when nothing comes, 1 to 50; 30 when absent. */
  pollSeconds?: number | undefined;
  /** How fast it writes; Telegram's figures when absent, and an empty list for a server without limits. */
  pace?: readonly DocumentedRate[] | undefined;
  /** Whether what is written in groups is held in memory for a while, for the next answer there; it is when absent. */
  hears?: (() => boolean) | undefined;
  /** Time limit of every other call; 15 when absent. */
  callSeconds?: number | undefined;
}

const caps = {
  // About one call a second in a chat and 20 a minute in a group, edits counted (Telegram's bot FAQ, tdlib/td#3034).
  editGapMs: { dm: 3000, group: 3000, channel: 3000 },
  typingMs: 5000,
  idempotentSend: false,
  splitsAt: 4_096,
  files: { limitBytes: fileLimit },
};

/** A channel for the bot that the token belongs to; nothing is called before `run` or a first call. */
export function createTelegramChannel(options: TelegramChannelOptions): Channel {
  const { token, clock, log } = options;
  const apiUrl = plainRoot(options.apiUrl);
  const pollSeconds = options.pollSeconds ?? 30;
  const mask = createMask([token]);
  const explain: Channel['explain'] = (error) => explainTelegram(error, mask);
  const time = createPlatformTime(clock);
  const at = { token, apiUrl, received: time.received };
  const client = createTelegramClient({ ...at, timeoutSeconds: options.callSeconds ?? 15, idleMs: 20_000 });
  const { api } = client;
  const render: Channel['render'] = (markdown) =>
    renderTelegram(markdown, { units: textLimit - repeatUnits });
  const drafts = createDrafts({ client, clock, render: (markdown) => render(healUnfinished(markdown)) });
  let running: { sink: Sink; account: string } | undefined;
  let recent: RecentMessages | undefined;
  const rights = createRights({
    client,
    self: Number.parseInt(token, 10),
    current(chat) {
      if (running !== undefined) return currentChat(running.sink, chat);
      throw new ParleyError(
        'telegram_not_connected',
        'Telegram cannot be asked before the bot is connected.',
      );
    },
    explain,
  });

  async function reportMoved(from: string, to: string): Promise<void> {
    if (running === undefined) return;
    try {
      const moved = movedBetween(running.account, from, to);
      await noteMove(running.sink, moved);
      await running.sink.accept(moved);
    } catch (error) {
      // Telegram reports the move by an update as well; here only the refused call counts.
      log.error(
        { channel: 'telegram', from, to, error: errorMessage(error) },
        'a moved group could not be handed in',
      );
    }
  }

  async function connected(sink: Sink, signal: AbortSignal): Promise<void> {
    const self = await connectBot({ client, sink, clock, log, explain }, signal);
    if (self === undefined) return;
    running = { sink, account: String(self.id) };
    void offerMenu({ client, log, explain }, signal);
    // The watchdog of the loop ends a hung poll by the clock; the client's own limit only backs it up.
    const connect = () => createTelegramClient({ ...at, timeoutSeconds: pollSeconds + 15 });
    const read = createUpdateReader(self);
    recent ??= createRecentMessages(self);
    let refusals = Promise.resolve();
    const placed = createComments(sink);
    const isDiscussed = createDiscussions({ client, self: self.id, clock, explain });
    const toEvents = async (update: Update): Promise<InboundEvent[]> => {
      if (options.hears?.() !== false) recent?.add(update);
      const stop = update.stopped_message_generation;
      if (stop !== undefined) drafts.stopped(stop.draft_id);
      const query = update.callback_query;
      const business = update.business_connection;
      if (business !== undefined)
        refusals = refusals.then(() => refuseBusiness(business, { client, sink, log, explain }));
      const post = update.channel_post;
      const isCopied = post !== undefined && (await isDiscussed(post.chat.id, signal));
      if (query === undefined) return read(update).filter(({ type }) => !isCopied || type !== 'message');
      const about = {
        account: String(self.id),
        at: time.now() ?? clock.now(),
        settle: answerPress(query.id, { api, log, explain }),
      };
      const event = choiceEvent(query, about);
      return event === undefined ? [] : [event];
    };
    await pollUpdates({ connect, sink, clock, log, pollSeconds, explain, toEvents, placed }, signal);
  }

  return {
    platform: 'telegram',
    caps: { ...caps, pace: options.pace ?? telegramPace },
    now: time.now,
    async run(sink, signal) {
      sink.report('connecting');
      try {
        await connected(sink, signal);
        sink.report('stopped');
      } catch (error) {
        const { words, kind } = explain(error);
        sink.report('failed', words);
        // The cause stays behind: client errors can hold the token.
        throw kind === 'auth' ? new ParleyError('telegram_auth', words) : error;
      } finally {
        running = undefined;
      }
    },
    render,
    withChoices,
    live: drafts.live,
    markRepeat,
    ...createOutgoing({ client, connection: at, moved: reportMoved }),
    // a private chat has the id of its person (Bot API, Chat); who never wrote to the bot is refused there
    direct: async ({ account }, actorID) =>
      /^\d+$/.test(actorID) ? chatAddress(account, { id: Number(actorID), type: 'private' }) : undefined,
    open: (file, limitBytes, signal) => openFile({ client, token, apiUrl, file, limitBytes, signal }),
    // how long a group's history is, and whether newcomers see it, Telegram does not say
    earlier: async (address, before) => recent?.before(address, before) ?? [],
    rights,
    placeNames: { threads: false, of: rights.namesOf },
    explain,
    check: (standing, rooms) => checkTelegram(client, explain, { standing, rooms }),
  };
}
