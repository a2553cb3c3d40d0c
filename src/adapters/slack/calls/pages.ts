// History and replies in whole, oldest first, within bounds.
import type { ReadCall } from './calls.ts';
import { isLater, pageSchema, type SlackMessage } from './wire.ts';

interface MessagePage {
  /** What is later than the mark, oldest first. */
  fresh: SlackMessage[];
  /** The newest page as it came: also messages that were known, which may have been edited or replied to. */
  recent: SlackMessage[];
  /** The newest page has everything that is later than this. */
  reaches: string;
  /** More lay between the mark and `fresh` than is ever fetched. */
  cut: boolean;
}

const pageSize = 100;
/** Pages of one place that are fetched at most: 5000 messages. */
const maxPages = 50;

/**
 * A channel's messages since `since`. Slack pages from the newest down, so that what was missed is only complete when
 * the last page is in.
 */
export async function historySince(
  call: ReadCall,
  place: { channel: string; since: string | undefined },
  signal: AbortSignal,
): Promise<MessagePage> {
  const { channel, since } = place;
  const found: MessagePage = { fresh: [], recent: [], reaches: '0', cut: false };
  let cursor: string | undefined;
  for (let pages = 1; ; pages += 1) {
    const args = { channel, limit: pageSize, cursor };
    const page = await call({ method: 'conversations.history', args, schema: pageSchema }, signal);
    if (pages === 1) {
      found.recent = page.messages;
      found.reaches = page.has_more === true ? (page.messages.at(-1)?.ts ?? '0') : '0';
    }
    if (since === undefined) return found;
    const fresh = page.messages.filter((message) => isLater(message.ts, since));
    found.fresh.push(...fresh);
    cursor = page.response_metadata?.next_cursor || undefined;
    found.cut = pages === maxPages && cursor !== undefined;
    if (cursor === undefined || fresh.length < page.messages.length || found.cut) break;
  }
  found.fresh.sort((a, b) => Number(a.ts) - Number(b.ts));
  return found;
}

/** A thread's replies since `since`, oldest first. */
export async function repliesSince(
  call: ReadCall,
  place: { channel: string; thread: string; since: string },
  signal: AbortSignal,
): Promise<SlackMessage[]> {
  const { channel, thread, since } = place;
  const fresh: SlackMessage[] = [];
  let cursor: string | undefined;
  for (let pages = 1; pages <= maxPages; pages += 1) {
    const args = { channel, ts: thread, oldest: since, limit: pageSize, cursor };
    const page = await call({ method: 'conversations.replies', args, schema: pageSchema }, signal);
    fresh.push(...page.messages.filter((one) => one.ts !== thread && isLater(one.ts, since)));
    cursor = page.response_metadata?.next_cursor || undefined;
    if (cursor === undefined) break;
  }
  return fresh.sort((a, b) => Number(a.ts) - Number(b.ts));
}
