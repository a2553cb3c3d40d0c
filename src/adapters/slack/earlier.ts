// What was said in a Slack thread or channel before a message. Not the catching up of missed messages.
import type { WebClient } from '@slack/web-api';
import type { Address } from '#adapters/gateway/address.ts';
import type { Earlier, EarlierPage } from '#adapters/gateway/channel.ts';
import { type Clock, type MonotonicMs, momentIn, msUntil } from '#base/clock.ts';
import { filesOf, wordsOf } from './content.ts';
import type { Directory } from './directory.ts';
import { explain } from './explain.ts';
import { mentionedUsers } from './text.ts';
import { isLater, millisOf, pageSchema, type SlackMessage, type SlackPage } from './wire.ts';

interface Source {
  web: WebClient;
  directory: Directory;
}

const pageSize = 200;
/** Pages of one thread at most: Slack tells replies oldest first, so that the newest are only reached through all pages. */
const mostPages = 10;
/** Slack says how long to wait after a refusal; if not, as long as it grants some apps between two calls. */
const usualPauseMs = 60_000;

/** What somebody said; every other subtype is a notice of Slack's, or the place of what was deleted. */
const spoken = new Set([undefined, 'bot_message', 'file_share', 'me_message', 'thread_broadcast']);

/**
 * The thread before `nativeID`, oldest page first, at most 2,000 messages. Slack grants some apps one call a minute and 15 messages
 * a call (docs.slack.dev, "Rate limits" of conversations.replies): the refusal is thrown, behind what came before it.
 */
export async function* earlierInThread(
  source: Source,
  { account, chat: channel, thread: ts }: Address,
  { nativeID: latest }: { nativeID: string },
): AsyncGenerator<EarlierPage> {
  let cursor: string | undefined;
  for (let pages = 1; pages <= mostPages; pages += 1) {
    const args = { channel, ts, latest, limit: pageSize, cursor };
    const page = pageSchema.parse(await source.web.apiCall('conversations.replies', args));
    cursor = page.response_metadata?.next_cursor || undefined;
    yield { messages: await saidIn(page, { ...source, account, latest }), more: cursor !== undefined };
    if (cursor === undefined) return;
  }
}

/**
 * A reader of what was just said in channels and threads: one call each time, and none while Slack has said that it will refuse it.
 * `names` are those that are told in time.
 */
export function createRecent({ clock }: { clock: Clock }) {
  let pausedUntil: MonotonicMs | undefined;
  return async (
    source: Source,
    { account, chat: channel, thread: ts }: Address,
    { nativeID: latest, limit, since }: { nativeID: string; limit: number; since: number },
  ): Promise<Earlier[]> => {
    if (pausedUntil !== undefined && msUntil(clock, pausedUntil) > 0) return [];
    const args = {
      channel,
      latest,
      oldest: String(since / 1000),
      limit: ts === undefined ? limit : pageSize,
    };
    const [method, more] =
      ts === undefined ? ['conversations.history', {}] : ['conversations.replies', { ts }];
    try {
      const page = pageSchema.parse(await source.web.apiCall(method, { ...args, ...more }));
      const said = await saidIn(page, { ...source, account, latest });
      return said.filter(({ at }) => at >= since);
    } catch (error) {
      const { kind, retryAfterMs } = explain(error);
      if (kind !== 'rate_limit') throw error;
      pausedUntil = momentIn(clock, retryAfterMs ?? usualPauseMs);
      return [];
    }
  };
}

async function saidIn(
  { messages }: SlackPage,
  { directory, account, latest }: Source & { account: string; latest: string },
): Promise<Earlier[]> {
  const said = messages.filter(({ ts, subtype }) => spoken.has(subtype) && isLater(latest, ts));
  const [, botUser = ''] = account.split('/');
  const ids = said.flatMap(({ user, text }) => [...(user ? [user] : []), ...mentionedUsers(text ?? '')]);
  const users = await directory.names([...new Set(ids)].filter((id) => id !== botUser));
  return said.map((message) => earlierOf(message, { botUser, users }));
}

function earlierOf(
  message: SlackMessage,
  names: { botUser: string; users: ReadonlyMap<string, string> },
): Earlier {
  const { ts, user, username, bot_profile: profile, text } = message;
  const fromBot = user === names.botUser;
  return {
    nativeID: ts,
    author: username ?? names.users.get(user ?? '') ?? profile?.name ?? user ?? 'someone',
    fromBot,
    at: millisOf(ts),
    // its own blocks say what its text says
    text: wordsOf(fromBot ? { ts, text } : message, names),
    files: filesOf(message),
  };
}
