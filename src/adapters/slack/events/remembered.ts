// Which messages of each channel were accepted, to notice on a later page that one no longer exists. Replies are not on it. Lost at a restart.
import { isLater, type SlackMessage } from '#adapters/slack/wire.ts';

export interface Remembered {
  note(channel: string, ts: string): void;
  forget(channel: string, ts: string): void;
  /** Those that a page should have and has not; each is returned once. */
  gone(page: {
    channel: string;
    messages: readonly SlackMessage[];
    reaches: string;
    until: string;
  }): string[];
}

/** As many as a page has: what is older is on no page that is read twice. */
const maxOfChannel = 100;
const maxChannels = 1000;

/** Remembers which messages were accepted, to notice deletions: at most 100 of a channel, of 1,000 channels. Empty at first. */
export function createRemembered(): Remembered {
  const taken = new Map<string, Set<string>>();
  return {
    note(channel, ts) {
      const of = taken.get(channel) ?? new Set();
      taken.delete(channel);
      taken.set(channel, of.add(ts));
      const [oldest = ''] = of;
      if (of.size > maxOfChannel) of.delete(oldest);
      const [idle = ''] = taken.keys();
      if (taken.size > maxChannels) taken.delete(idle);
    },
    forget(channel, ts) {
      taken.get(channel)?.delete(ts);
    },
    gone({ channel, messages, reaches, until }) {
      const there = new Set(messages.map(({ ts }) => ts));
      const missing = [...(taken.get(channel) ?? [])].filter(
        (ts) => !there.has(ts) && isLater(ts, reaches) && !isLater(ts, until),
      );
      for (const ts of missing) taken.get(channel)?.delete(ts);
      return missing;
    },
  };
}
