// One Telegram bot as a channel of the gateway: long polling in, one Bot API call for each thing that goes out.
import type { ReactionTypeEmoji, Update } from 'grammy/types';
import type { Address } from '#adapters/gateway/address.ts';
import type { Channel, DocumentedRate } from '#adapters/gateway/channel.ts';
import { fileIn } from '#adapters/gateway/file-part.ts';
import type { InboundEvent, Sink } from '#adapters/gateway/inbound.ts';
import { createPlatformTime } from '#adapters/gateway/platform-time.ts';
import { healUnfinished } from '#adapters/text/heal.ts';
import { renderTelegram } from '#adapters/text/telegram.ts';
import type { Clock } from '#base/clock.ts';
import { errorMessage, ParleyError } from '#base/errors.ts';
import type { Log } from '#base/log.ts';
import { createMask } from '#base/secrets.ts';
import { truncate } from '#base/text.ts';
import { chatAddress, directTopicOf, postOf, telegramID, threadParameter } from './address-codec.ts';
import { refuseBusiness } from './business.ts';
import { checkTelegram } from './check.ts';
import { choiceEvent } from './choices.ts';
import { createClient, forGrammy, plainRoot } from './client.ts';
import { offerMenu } from './command-menu.ts';
import { createComments } from './comments.ts';
import { connectBot } from './connect.ts';
import { createDiscussions } from './discussions.ts';
import { explainTelegram, isAlreadyGone, isNotModified, movedTo } from './explain.ts';
import { createHeard, type Received } from './heard.ts';
import { movedBetween } from './inbound-codec.ts';
import { createDrafts } from './live.ts';
import { currentChat, noteMove } from './moves.ts';
import { openFile } from './open-file.ts';
import { telegramPace } from './pace.ts';
import { bodyOf, markRepeat, repeatUnits, textLimit, withChoices } from './part-body.ts';
import { pollUpdates } from './poll-updates.ts';
import { createRights } from './rights.ts';
import { fileLimit, sendFile } from './send-file.ts';
import { createUpdateReader } from './update-codec.ts';

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

/** Time limit of sending a file: 50 MB at 3 Mbit a second. */
const uploadSeconds = 150;

/** Bots may react with certain emoji only; these take the place of common ones that are not among them. */
const nearestReaction: Readonly<Record<string, string>> = {
  '✅': '👍',
  '☑️': '👍',
  '✔️': '👍',
  '❌': '👎',
  '⏳': '👀',
  '⌛': '👀',
  '⚠️': '🤔',
  '❓': '🤔',
  '❤️': '❤',
  '⚡️': '⚡',
};

/** Characters of a topic's name (Bot API, editForumTopic). */
const maxTitle = 128;

/** A channel for the bot that the token belongs to; nothing is called before `run` or a first call. */
export function createTelegramChannel(options: TelegramChannelOptions): Channel {
  const { token, clock, log } = options;
  const apiUrl = plainRoot(options.apiUrl);
  const pollSeconds = options.pollSeconds ?? 30;
  const mask = createMask([token]);
  const explain: Channel['explain'] = (error) => explainTelegram(error, mask);
  const time = createPlatformTime(clock);
  const at = { token, apiUrl, received: time.received };
  const client = createClient({ ...at, timeoutSeconds: options.callSeconds ?? 15, idleMs: 20_000 });
  const { api } = client;
  const uploads = createClient({ ...at, timeoutSeconds: uploadSeconds, idleMs: 20_000 });
  const render: Channel['render'] = (markdown) =>
    renderTelegram(markdown, { units: textLimit - repeatUnits });
  const drafts = createDrafts({ client, clock, render: (markdown) => render(healUnfinished(markdown)) });
  let running: { sink: Sink; account: string } | undefined;
  let received: Received | undefined;
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

  /** A group that moved is reported to the sink as soon as a call learns of it; the call itself still fails. */
  async function call<T>(address: Address, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      const to = movedTo(error);
      if (to !== undefined) await tellMoved(address.chat, to);
      throw error;
    }
  }

  async function tellMoved(from: string, to: string): Promise<void> {
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

  /** Confirms a press to Telegram, with a text that only the person who pressed sees. Its failures concern nobody else. */
  const answerTo =
    (query: string) =>
    (words: string | undefined): void => {
      const other = words === undefined ? {} : { text: words.slice(0, 200), show_alert: true };
      api.answerCallbackQuery(query, other).catch((error: unknown) => {
        log.debug({ channel: 'telegram', words: explain(error).words }, 'a press was not answered');
      });
    };

  async function connected(sink: Sink, signal: AbortSignal): Promise<void> {
    const self = await connectBot({ client, sink, clock, log, explain }, signal);
    if (self === undefined) return;
    running = { sink, account: String(self.id) };
    void offerMenu({ client, log, explain }, signal);
    // The watchdog of the loop ends a hung poll by the clock; the client's own limit only backs it up.
    const connect = () => createClient({ ...at, timeoutSeconds: pollSeconds + 15 });
    const read = createUpdateReader(self);
    received ??= createHeard(self);
    let refusals = Promise.resolve();
    const placed = createComments(sink);
    const isDiscussed = createDiscussions({ client, self: self.id, clock, explain });
    const toEvents = async (update: Update): Promise<InboundEvent[]> => {
      if (options.hears?.() !== false) received?.hear(update);
      const stop = update.stopped_message_generation;
      if (stop !== undefined) drafts.stopped(stop.draft_id);
      const query = update.callback_query;
      const business = update.business_connection;
      if (business !== undefined)
        refusals = refusals.then(() => refuseBusiness(business, { client, sink, log, explain }));
      const post = update.channel_post;
      const isCopied = post !== undefined && (await isDiscussed(post.chat.id, signal));
      if (query === undefined) return read(update).filter(({ type }) => !isCopied || type !== 'message');
      const about = { account: String(self.id), at: time.now() ?? clock.now(), settle: answerTo(query.id) };
      const event = choiceEvent(query, about);
      return event === undefined ? [] : [event];
    };
    await pollUpdates({ connect, sink, clock, log, pollSeconds, explain, toEvents, placed }, signal);
  }

  return {
    platform: 'telegram',
    caps: {
      // About one call a second in a chat and 20 a minute in a group, edits counted (Telegram's bot FAQ, tdlib/td#3034).
      editGapMs: { dm: 3000, group: 3000, channel: 3000 },
      typingMs: 5000,
      idempotentSend: false,
      files: { limitBytes: fileLimit },
      pace: options.pace ?? telegramPace,
    },
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
    async send(address, part, { replyTo, signal }) {
      const file = fileIn(part);
      // What is below a post answers something there, if only the post.
      const answered = replyTo ?? postOf(address);
      const reply =
        answered === undefined
          ? {}
          : {
              reply_parameters: {
                message_id: telegramID(answered, 'the answered message'),
                allow_sending_without_reply: true,
              },
            };
      const chat = telegramID(address.chat, 'the chat');
      const place = { ...threadParameter(address), ...reply };
      if (file !== undefined) {
        const sent = await call(address, () => sendFile(uploads.api, file, { chat, other: place, signal }));
        return { nativeID: String(sent) };
      }
      const { text, entities, markup } = bodyOf(part);
      const other = { entities, link_preview_options: { is_disabled: true }, ...place, ...markup };
      const message = await call(address, () => api.sendMessage(chat, text, other, forGrammy(signal)));
      return { nativeID: String(message.message_id) };
    },
    async edit(address, nativeID, part) {
      const { text, entities, markup } = bodyOf(part);
      const other = { entities, link_preview_options: { is_disabled: true }, ...markup };
      const [chat, message] = placeOf(address, nativeID);
      try {
        await call(address, () => api.editMessageText(chat, message, text, other));
      } catch (error) {
        if (!isNotModified(error)) throw error;
      }
    },
    async remove(address, nativeID) {
      const [chat, message] = placeOf(address, nativeID);
      try {
        await call(address, () => api.deleteMessage(chat, message));
      } catch (error) {
        if (!isAlreadyGone(error)) throw error;
      }
    },
    // a private chat has the id of its person (Bot API, Chat); who never wrote to the bot is refused there
    direct: async ({ account }, actorID) =>
      /^\d+$/.test(actorID) ? chatAddress(account, { id: Number(actorID), type: 'private' }) : undefined,
    async presence(address, state) {
      // A channel's direct messages show no chat actions (Bot API, sendChatAction).
      if (state === 'idle' || directTopicOf(address) !== undefined) return;
      const chat = telegramID(address.chat, 'the chat');
      await call(address, () => api.sendChatAction(chat, 'typing', threadParameter(address)));
    },
    async retitle(address, title) {
      if (address.kind !== 'dm' || address.thread === undefined) return;
      const chat = telegramID(address.chat, 'the chat');
      const topic = telegramID(address.thread, 'the topic');
      await call(address, () => api.editForumTopic(chat, topic, { name: truncate(title, maxTitle) }));
    },
    async react(address, nativeID, emoji) {
      const [chat, message] = placeOf(address, nativeID);
      // Which emoji are allowed changes with Telegram; it refuses the others with REACTION_INVALID.
      const allowed = (nearestReaction[emoji] ?? emoji) as ReactionTypeEmoji['emoji'];
      await call(address, () => api.setMessageReaction(chat, message, [{ type: 'emoji', emoji: allowed }]));
    },
    open: (file, limitBytes, signal) => openFile({ client, token, apiUrl, file, limitBytes, signal }),
    // how long a group's history is, and whether newcomers see it, Telegram does not say
    earlier: async (address, before) => received?.before(address, before) ?? [],
    rights,
    explain,
    check: (standing, rooms) => checkTelegram(client, explain, { standing, rooms }),
  };
}

function placeOf(address: Address, nativeID: string): [chat: number, message: number] {
  return [telegramID(address.chat, 'the chat'), telegramID(nativeID, 'the message')];
}
