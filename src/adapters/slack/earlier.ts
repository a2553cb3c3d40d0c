// What was said in a Slack thread or channel before a message: one page of it. Not the catching up of missed messages.
import type { WebClient } from '@slack/web-api';
import type { Address } from '#adapters/gateway/address.ts';
import type { Earlier } from '#adapters/gateway/channel.ts';
import { cardTexts, textOf } from './cards.ts';
import type { Directory } from './directory.ts';
import { decodeText, mentionedUsers } from './text.ts';
import { millisOf, pageSchema, type SlackMessage } from './wire.ts';

interface Before {
  nativeID: string;
  limit: number;
}

/**
 * Of a thread its first message and the newest of one page of replies before `nativeID`, of a channel the newest messages before it;
 * oldest first. Exactly one call, which Slack may grant once a minute only; names are those that are told in time.
 */
export async function earlierIn(
  { web, directory }: { web: WebClient; directory: Directory },
  address: Address,
  before: Before,
): Promise<Earlier[]> {
  const kept = await (address.thread === undefined ? inChannel : inThread)(web, address, before);
  const [, botUser = ''] = address.account.split('/');
  const texts = new Map(
    kept.map((message) => [message.ts, [textOf(message), ...cardTexts(message)].join('\n').trim()]),
  );
  const ids = kept.flatMap(({ user, ts }) => [
    ...(user ? [user] : []),
    ...mentionedUsers(texts.get(ts) ?? ''),
  ]);
  const users = await directory.names([...new Set(ids)].filter((id) => id !== botUser));
  return kept.map(({ ts, user, username, bot_profile: profile, files }) => ({
    nativeID: ts,
    at: millisOf(ts),
    author: users.get(user ?? '') ?? username ?? profile?.name ?? user ?? 'someone',
    fromBot: user === botUser,
    text:
      decodeText(texts.get(ts) ?? '', { botUser, users }) ||
      (files ?? []).map(({ name }) => name ?? 'a file').join(', '),
  }));
}

async function inThread(
  web: WebClient,
  { chat: channel, thread: ts }: Address,
  { nativeID: latest, limit }: Before,
) {
  const answer = await web.apiCall('conversations.replies', { channel, ts, latest, limit: 100 });
  const [first, ...replies] = before(pageSchema.parse(answer).messages, latest);
  return first === undefined ? [] : [first, ...replies.slice(-(limit - 1))];
}

async function inChannel(web: WebClient, { chat: channel }: Address, { nativeID: latest, limit }: Before) {
  const answer = await web.apiCall('conversations.history', { channel, latest, limit: Math.min(100, limit) });
  return before(pageSchema.parse(answer).messages, latest)
    .filter(({ subtype }) => subtype === undefined || said.has(subtype))
    .toReversed();
}

/** Subtypes of messages that somebody wrote; all others are Slack's own notes (that somebody came, that a topic was set). */
const said = new Set(['bot_message', 'file_share', 'me_message', 'thread_broadcast']);

function before(messages: readonly SlackMessage[], latest: string): SlackMessage[] {
  return messages.filter(({ ts }) => Number(ts) < Number(latest));
}
