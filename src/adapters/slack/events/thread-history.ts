// What was written in a Slack thread or channel before a message.
import type { WebClient } from '@slack/web-api';
import type { Address } from '#adapters/gateway/terms/address.ts';
import type { ThreadMessage, ThreadPage } from '#adapters/gateway/terms/channel.ts';
import { explain } from '#adapters/slack/calls/explain.ts';
import {
  isLater,
  millisOf,
  pageSchema,
  type SlackMessage,
  type SlackPage,
} from '#adapters/slack/calls/wire.ts';
import { attachmentText, cardTexts, slackText } from '#adapters/slack/codecs/cards.ts';
import { filesOf } from '#adapters/slack/codecs/file-refs.ts';
import { decodeSlackText, mentionedUsers } from '#adapters/slack/codecs/text.ts';
import type { Directory } from '#adapters/slack/rooms/directory.ts';
import { type Clock, type MonotonicMs, momentIn, msUntil } from '#base/clock.ts';

interface Source {
  web: WebClient;
  directory: Directory;
}

const pageSize = 200;
/** Pages of one thread at most: Slack reports replies oldest first, so that the newest are only reached through all pages. */
const maxPages = 10;
/** Of a thread, older replies are not asked for again, in seconds. */
const recentSeconds = 3_600;
/** Slack says how long to wait after a refusal; if not, as long as it grants some apps between two calls. */
const usualPauseMs = 60_000;

/** Messages that someone wrote; every other subtype is a note of Slack's own, or the place of what was deleted. */
const spoken = new Set([undefined, 'bot_message', 'file_share', 'me_message', 'thread_broadcast']);

/**
 * The thread before `nativeID`, oldest page first, at most 2,000 messages. Slack grants some apps one call a minute and 15 messages
 * a call (docs.slack.dev, "Rate limits" of conversations.replies): the refusal is thrown, behind what came before it.
 */
export async function* threadBefore(
  source: Source,
  { account, chat: channel, thread: ts }: Address,
  { nativeID: latest }: { nativeID: string },
): AsyncGenerator<ThreadPage> {
  let cursor: string | undefined;
  for (let pages = 1; pages <= maxPages; pages += 1) {
    const args = { channel, ts, latest, limit: pageSize, cursor };
    const page = pageSchema.parse(await source.web.apiCall('conversations.replies', args));
    cursor = page.response_metadata?.next_cursor || undefined;
    yield {
      messages: await threadMessagesIn(page, { ...source, account, latest }),
      more: cursor !== undefined,
    };
    if (cursor === undefined) return;
  }
}

/**
 * A reader of what was just said in channels and threads, oldest first: one call each time, and none while Slack has said that it will
 * refuse it. Names are those that arrive in time.
 */
export function createEarlier({ clock }: { clock: Clock }) {
  let pausedUntil: MonotonicMs | undefined;
  return async (
    source: Source,
    { account, chat: channel, thread: ts }: Address,
    { nativeID: latest, limit }: { nativeID: string; limit: number },
  ): Promise<ThreadMessage[]> => {
    if (pausedUntil !== undefined && msUntil(clock, pausedUntil) > 0) return [];
    // replies come oldest first: of a thread that is known already, those of the last hour
    const oldest = String(Math.max(0, Number(latest) - recentSeconds));
    const [method, args] =
      ts === undefined
        ? ['conversations.history', { channel, latest, limit }]
        : ['conversations.replies', { channel, ts, latest, oldest, limit: pageSize }];
    try {
      const page = pageSchema.parse(await source.web.apiCall(method, args));
      const found = await threadMessagesIn(page, { ...source, account, latest });
      // several can be of one millisecond, and the id is exact
      return found.toSorted((a, b) => Number(a.nativeID) - Number(b.nativeID));
    } catch (error) {
      const { kind, retryAfterMs } = explain(error);
      if (kind !== 'rate_limit') throw error;
      pausedUntil = momentIn(clock, retryAfterMs ?? usualPauseMs);
      return [];
    }
  };
}

async function threadMessagesIn(
  { messages }: SlackPage,
  { directory, account, latest }: Source & { account: string; latest: string },
): Promise<ThreadMessage[]> {
  const spokenMessages = messages.filter(({ ts, subtype }) => spoken.has(subtype) && isLater(latest, ts));
  const [, botUser = ''] = account.split('/');
  const ids = spokenMessages.flatMap((message) => [
    ...(message.user ? [message.user] : []),
    ...mentionedUsers(markupOf(message)),
  ]);
  const users = await directory.names([...new Set(ids)].filter((id) => id !== botUser));
  return spokenMessages.map((message) => {
    const { ts, user, username, bot_profile: profile } = message;
    return {
      nativeID: ts,
      author: username ?? users.get(user ?? '') ?? profile?.name ?? user ?? 'someone',
      fromBot: user === botUser,
      at: millisOf(ts),
      text: decodeSlackText(markupOf(message), { botUser, users }),
      files: filesOf(message),
    };
  });
}

/** All that a message says, with what it passes on, in Slack's own markup. */
function markupOf(message: SlackMessage): string {
  const passed = (message.attachments ?? []).filter(({ is_share: isShare }) => isShare === true);
  const forwarded = passed.map((one) => `[forwarded] ${attachmentText(one)}`);
  return [slackText(message), ...cardTexts(message), ...forwarded].filter((each) => each !== '').join('\n');
}
