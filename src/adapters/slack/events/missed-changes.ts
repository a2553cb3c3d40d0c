// Edits and deletions that no event reported, as the newest page of a channel shows them.

import { isLater, type SlackMessage } from '#adapters/slack/calls/wire.ts';
import { tombstone } from '#adapters/slack/codecs/change.ts';
import type { Moment } from '#adapters/slack/rooms/known-rooms.ts';
import type { FoundMessages } from './found-messages.ts';

/** A message that is younger may not be on every page yet, in milliseconds. */
const settlesMs = 10_000;
/** Older messages are left out: without a plan Slack hides them after 90 days, and a workspace may have them deleted after a time. */
const recentMs = 30 * 24 * 60 * 60_000;

/** The newest page of a channel. */
interface ChannelPage {
  channel: string;
  /** What was read up to here before, as `ts`; undefined at the first reading, which shows no change. */
  from: string | undefined;
  recent: readonly SlackMessage[];
  /** The page has everything that is later than this. */
  reaches: string;
  /** When the page was requested, in milliseconds since the epoch. */
  asked: number;
  since: Moment;
}

/** Reads changes off pages: messages that were edited, that were accepted and are gone, or that have a tombstone in their place. */
export function createMissedChanges({
  receiver,
}: {
  receiver: Pick<FoundMessages, 'foundEdit' | 'foundGone' | 'accepted'>;
}): { read(page: ChannelPage): Promise<void> } {
  /** Per channel, the latest change that was seen: edits after it are new. */
  const seen = new Map<string, string>();

  const goneFrom = async ({ channel, recent, reaches, asked }: ChannelPage): Promise<Set<string>> => {
    // an empty page may be that of a channel whose history the app may not read
    if (recent.length === 0) return new Set();
    const there = new Set(recent.filter(({ subtype }) => subtype !== tombstone).map(({ ts }) => ts));
    const oldest = String((asked - recentMs) / 1000);
    const from = isLater(reaches, oldest) ? reaches : oldest;
    const until = String((asked - settlesMs) / 1000);
    const accepted = await receiver.accepted(channel, { from, until });
    return new Set(accepted.filter((ts) => !there.has(ts)));
  };

  return {
    async read(page) {
      const { channel, from, recent, since } = page;
      const latest = recent.flatMap((message) => [message.ts, message.edited?.ts ?? message.ts]);
      if (from !== undefined) {
        const after = seen.get(channel) ?? from;
        for (const message of recent.toReversed()) {
          const at = message.edited?.ts;
          if (at === undefined || isLater(message.ts, from) || !isLater(at, after)) continue;
          await receiver.foundEdit({ channel, message, since });
        }
        const gone = await goneFrom(page);
        // an imported message was never accepted: of one with replies a tombstone says it
        if (!seen.has(channel)) for (const { ts, subtype } of recent) if (subtype === tombstone) gone.add(ts);
        for (const ts of gone) await receiver.foundGone({ channel, ts, since });
      }
      seen.set(
        channel,
        [...latest, from ?? '0'].reduce((a, b) => (isLater(b, a) ? b : a)),
      );
    },
  };
}
