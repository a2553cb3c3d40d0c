// Names of people and rooms, looked up once and kept for a while. A failed look-up gives the id, never an error.
import type { WebClient } from '@slack/web-api';
import { z } from 'zod';
import type { ChatKind } from '#adapters/gateway/address.ts';
import { withTimeout } from '#base/async.ts';
import type { Clock } from '#base/clock.ts';
import { wordsOf } from '#base/errors.ts';
import type { Log } from '#base/log.ts';
import type { Room } from './inbound.ts';
import { channelSchema, type SlackChannel } from './wire.ts';

export interface Directory {
  /** The room of a channel id. When Slack does not tell, it counts as restricted. `type` is an event's channel_type. */
  room(channel: string, type?: string): Promise<Room>;
  /** Display names of those ids that Slack told. */
  names(ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Takes in a channel that a list gave. */
  learn(channel: SlackChannel): Room;
}

interface Kept<T> {
  value: T;
  until: number;
}

const keptMs = 60 * 60_000;
/** A look-up that failed is tried again after this. */
const failedMs = 60_000;
/** Socket Mode wants its acknowledgement within 3 s: names are waited for only so long. */
const patienceMs = 1500;
const mostKept = 2000;

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
  const users = new Map<string, Kept<string | undefined>>();
  const rooms = new Map<string, Kept<Room>>();

  async function patiently<T>(what: string, work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await withTimeout({ clock, ms: patienceMs, what }, work);
    } catch (error) {
      log.debug({ what, words: wordsOf(error) }, 'a name could not be looked up');
      return undefined;
    }
  }

  function keep<T>(kept: Map<string, Kept<T>>, key: string, entry: { value: T; ms: number }): T {
    kept.delete(key);
    kept.set(key, { value: entry.value, until: clock.now() + entry.ms });
    if (kept.size > mostKept) kept.delete([...kept.keys()][0] ?? '');
    return entry.value;
  }

  async function nameOf(id: string): Promise<string | undefined> {
    const known = users.get(id);
    if (known !== undefined && known.until > clock.now()) return known.value;
    const name = await patiently('users.info', async () => {
      const { user } = userSchema.parse(await web.users.info({ user: id }));
      return user.profile?.display_name || user.real_name || user.name || undefined;
    });
    return keep(users, id, { value: name ?? known?.value, ms: name === undefined ? failedMs : keptMs });
  }

  function learn(channel: SlackChannel): Room {
    const kind: ChatKind = channel.is_im === true ? 'dm' : channel.is_mpim === true ? 'group' : 'channel';
    const restricted = kind !== 'channel' || channel.is_private === true;
    const room: Room = { channel: channel.id, kind, name: channel.name || channel.id, restricted };
    return keep(rooms, channel.id, { value: room, ms: keptMs });
  }

  return {
    learn,
    async room(channel, type) {
      if (type === 'im' || channel.startsWith('D'))
        return { channel, kind: 'dm', name: channel, restricted: true };
      const known = rooms.get(channel);
      if (known !== undefined && known.until > clock.now()) return known.value;
      const told = await patiently('conversations.info', async () => {
        const answer = await web.conversations.info({ channel });
        return learn(channelSchema.parse(answer.channel));
      });
      if (told !== undefined) return told;
      const kind: ChatKind = type === 'mpim' ? 'group' : 'channel';
      const guess = known?.value ?? { channel, kind, name: channel, restricted: type !== 'channel' };
      return keep(rooms, channel, { value: guess, ms: failedMs });
    },
    async names(ids) {
      const pairs = await Promise.all(ids.map(async (id) => [id, await nameOf(id)] as const));
      return new Map(pairs.flatMap(([id, name]) => (name === undefined ? [] : [[id, name] as const])));
    },
  };
}
