// Names of people, looked up once and stored for a while, and channels as Slack has them now. A failed look-up is no error.
import type { WebClient } from '@slack/web-api';
import { z } from 'zod';
import { withTimeout } from '#base/async.ts';
import { type Clock, type MonotonicMs, momentIn, msUntil } from '#base/clock.ts';
import { errorMessage } from '#base/errors.ts';
import type { Log } from '#base/log.ts';
import { errorWord } from './error-word.ts';
import { channelSchema, type SlackChannel } from './wire.ts';

export interface Directory {
  /** The channel as Slack has it now; undefined when it does not say within a moment. */
  channel(id: string): Promise<SlackChannel | undefined>;
  /** The same, where Slack says that there is no such channel for the bot: it is in it no more, or never was. */
  sight(id: string): Promise<SlackChannel | 'not there' | undefined>;
  /** Display names of those ids that Slack told. */
  names(ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
}

interface CachedName<T> {
  value: T;
  until: MonotonicMs;
}

const keptMs = 60 * 60_000;
/** A look-up that failed is tried again after this. */
const failedMs = 60_000;
/** Socket Mode wants its acknowledgement within 3 s: names are waited for only so long. */
const timeoutMs = 1500;
const maxCachedNames = 2000;

const userSchema = z.object({
  user: z.object({
    name: z.string().nullish(),
    real_name: z.string().nullish(),
    profile: z.object({ display_name: z.string().nullish() }).nullish(),
  }),
});

/** An empty directory that asks `web`. */
export function createDirectory(options: { web: WebClient; clock: Clock; log: Log }): Directory {
  const { web, clock, log } = options;
  const users = new Map<string, CachedName<string | undefined>>();

  async function retryWhileLocked<T>(what: string, work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await withTimeout({ clock, ms: timeoutMs, what }, work);
    } catch (error) {
      log.debug({ what, words: errorMessage(error) }, 'a name could not be looked up');
      return undefined;
    }
  }

  function save<T>(saved: Map<string, CachedName<T>>, key: string, entry: { value: T; ms: number }): T {
    saved.delete(key);
    saved.set(key, { value: entry.value, until: momentIn(clock, entry.ms) });
    if (saved.size > maxCachedNames) saved.delete([...saved.keys()][0] ?? '');
    return entry.value;
  }

  async function nameOf(id: string): Promise<string | undefined> {
    const known = users.get(id);
    if (known !== undefined && msUntil(clock, known.until) > 0) return known.value;
    const name = await retryWhileLocked('users.info', async () => {
      const { user } = userSchema.parse(await web.users.info({ user: id }));
      return user.profile?.display_name || user.real_name || user.name || undefined;
    });
    return save(users, id, { value: name ?? known?.value, ms: name === undefined ? failedMs : keptMs });
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
