// What was said in a Slack thread before a message: one page of its replies. Not the catching up of missed messages.
import type { WebClient } from '@slack/web-api';
import type { Address } from '#adapters/gateway/address.ts';
import type { Earlier } from '#adapters/gateway/channel.ts';
import type { Directory } from './directory.ts';
import { decodeText, mentionedUsers } from './text.ts';
import { pageSchema } from './wire.ts';

/**
 * The first message of the thread and the newest of one page of replies before `nativeID`, oldest first. Exactly one call of
 * conversations.replies, which Slack may grant once a minute only; names are those that are told in time.
 */
export async function earlierInThread(
  { web, directory }: { web: WebClient; directory: Directory },
  { account, chat: channel, thread: ts }: Address,
  { nativeID: latest, limit }: { nativeID: string; limit: number },
): Promise<Earlier[]> {
  const answer = await web.apiCall('conversations.replies', { channel, ts, latest, limit: 100 });
  const messages = pageSchema.parse(answer).messages.filter((message) => Number(message.ts) < Number(latest));
  const [first, ...replies] = messages;
  const kept = first === undefined ? [] : [first, ...replies.slice(-(limit - 1))];
  const [, botUser = ''] = account.split('/');
  const ids = kept.flatMap(({ user, text }) => [...(user ? [user] : []), ...mentionedUsers(text ?? '')]);
  const users = await directory.names([...new Set(ids)].filter((id) => id !== botUser));
  return kept.map(({ ts: nativeID, user, username, bot_profile: profile, text }) => ({
    nativeID,
    author: users.get(user ?? '') ?? username ?? profile?.name ?? user ?? 'someone',
    fromBot: user === botUser,
    text: decodeText(text ?? '', { botUser, users }),
  }));
}
