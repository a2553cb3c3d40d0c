// Names of people, looked up once and kept for a while, and channels as Slack has them now. A failed look-up is no error.

import type { WebClient } from '@slack/web-api';
import { z } from 'zod';
import { errorWord } from '#adapters/slack/calls/error-word.ts';
import { channelSchema, type SlackChannel } from '#adapters/slack/calls/wire.ts';
import { createLruCache } from '#base/caches/lru-cache.ts';
import { type Clock, type MonotonicMs, momentIn, msUntil } from '#base/clock.ts';
import { errorMessage } from '#base/errors.ts';
import type { Log } from '#base/log/log.ts';
import { isTimeZone } from '#base/time-zone.ts';
import { withTimeout } from '#base/waiting/async.ts';

export interface Directory {
  /** The channel as Slack has it now; undefined when it does not say within a moment. */
  channel(id: string): Promise<SlackChannel | undefined>;
  /** The same, where Slack says that there is no such channel for the bot: it is in it no more, or never was. */
  sight(id: string): Promise<SlackChannel | 'not there' | undefined>;
  /** Display names of those ids that Slack knows. */
  names(ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** The language of a person's app, as far as it was looked up with the name; Slack is not called. */
  locale(id: string): string | undefined;
  /** The time zone of a person's profile, likewise. */
  zone(id: string): string | undefined;
}

interface CachedUser {
  name: string | undefined;
  locale: string | undefined;
  zone: string | undefined;
  until: MonotonicMs;
}

const cacheMs = 60 * 60_000;
/** A look-up that failed is tried again after this. */
const failedMs = 60_000;
/** Socket Mode wants its acknowledgement within 3 s: names are waited for only so long. */
const timeoutMs = 1500;
const maxCachedNames = 2000;

const userSchema = z.object({
  user: z.object({
    name: z.string().nullish(),
    locale: z.string().nullish(),
    tz: z.string().nullish(),
    real_name: z.string().nullish(),
    profile: z.object({ display_name: z.string().nullish() }).nullish(),
  }),
});

/** Looks up names and languages of people, and channels, by `web`. Caches names for an hour, at most 2,000. */
export function createDirectory(options: { web: WebClient; clock: Clock; log: Log }): Directory {
  const { web, clock, log } = options;
  const users = createLruCache<string, CachedUser>(maxCachedNames);

  async function retryWhileLocked<T>(what: string, work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await withTimeout({ clock, ms: timeoutMs, what }, work);
    } catch (error) {
      log.debug({ what, words: errorMessage(error) }, 'a name could not be looked up');
      return undefined;
    }
  }

  function save(id: string, user: Omit<CachedUser, 'until'>, ms: number): void {
    users.set(id, { ...user, until: momentIn(clock, ms) });
  }

  async function nameOf(id: string): Promise<string | undefined> {
    const known = users.get(id);
    if (known !== undefined && msUntil(clock, known.until) > 0) return known.name;
    const found = await retryWhileLocked('users.info', async () => {
      const { user } = userSchema.parse(await web.users.info({ user: id, include_locale: true }));
      const name = user.profile?.display_name || user.real_name || user.name || undefined;
      const zone = user.tz && isTimeZone(user.tz) ? user.tz : undefined;
      return { name, locale: user.locale ?? undefined, zone };
    });
    const name = found?.name ?? known?.name;
    const { locale, zone } = found ?? known ?? { locale: undefined, zone: undefined };
    save(
      id,
      { name, locale: locale ?? known?.locale, zone: zone ?? known?.zone },
      found?.name === undefined ? failedMs : cacheMs,
    );
    return name;
  }

  const sight: Directory['sight'] = (id) =>
    retryWhileLocked('conversations.info', async () => {
      try {
        return channelSchema.parse((await web.conversations.info({ channel: id })).channel);
      } catch (error) {
        if (errorWord(error) === 'channel_not_found') return 'not there';
        throw error;
      }
    });

  return {
    sight,
    locale: (id) => users.get(id)?.locale,
    zone: (id) => users.get(id)?.zone,
    async channel(id) {
      const seen = await sight(id);
      return seen === 'not there' ? undefined : seen;
    },
    async names(ids) {
      const pairs = await Promise.all(ids.map(async (id) => [id, await nameOf(id)] as const));
      return new Map(pairs.flatMap(([id, name]) => (name === undefined ? [] : [[id, name] as const])));
    },
  };
}
