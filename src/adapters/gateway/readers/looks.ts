// Looks at a platform for who may read what, cached for some minutes. An event that says otherwise drops them; what cannot be known is undefined.
import PQueue from 'p-queue';
import type { Address } from '#adapters/gateway/terms/address.ts';
import type { Channel, ReadingRight, ReadingRights, RoomReaders } from '#adapters/gateway/terms/channel.ts';
import { type Clock, type MonotonicMs, momentIn, msUntil } from '#base/clock.ts';
import type { Log } from '#base/log/log.ts';
import { withTimeout } from '#base/waiting/async.ts';

export interface Looks {
  /** See `ReadingRights.closesSilently`. */
  readonly closesSilently: boolean;
  ofRoom(room: Address, actorID: string): Promise<ReadingRight | undefined>;
  ofSpace(space: Address, actorID: string): Promise<boolean | undefined>;
  readers(room: Address): Promise<RoomReaders | undefined>;
  /** Whether the account is a guest, or of another workspace; false where there are no such accounts. */
  isOutsider(bot: Address, actorID: string): Promise<boolean | undefined>;
  /** Looks at this room are made again, for every person; also those that are not answered yet. */
  dropRoom(at: Address): void;
  /**
   * Looks are made again in the space of this address, or in the chat where it has none: all of them, or, for one account, those that are
   * about it and those at who reads a room. Also looks that are not answered yet.
   */
  drop(at: Address, actorID?: string | undefined): void;
}

export interface LookTimes {
  /** How long a look holds, in milliseconds; `lookMs` when absent. */
  cacheMs?: number | undefined;
  /** What one look may take, in milliseconds; `longestMs` when absent. */
  longestMs?: number | undefined;
}

/** How long a look holds, in milliseconds. An event of the platform ends it sooner. */
export const lookMs = 5 * 60_000;
/** What could not be looked at is asked again after this, in milliseconds, unless the platform says how long it is to be left alone. */
const failedMs = 15_000;
/** One look, in milliseconds. */
const longestMs = 10_000;
/** Looks at one platform at a time. */
const maxAtOnce = 8;
/** More are not cached: all are dropped, and made again as they are needed. */
const maxCached = 20_000;
/** A look that was dropped so often before its answer is given up. */
const maxTries = 3;

interface Look {
  /** The room that it is about; undefined for a space. */
  chat: string | undefined;
  /** Who it is about; undefined for who reads a room. */
  actorID: string | undefined;
  answer: Promise<unknown>;
  /** Undefined until it is answered. */
  until: MonotonicMs | undefined;
}

/** One question to the platform. */
interface Question<T> {
  at: Address;
  of: 'room' | 'space';
  actorID: string | undefined;
  key: string;
  ask: (rights: ReadingRights, signal: AbortSignal) => Promise<T>;
}

/**
 * Asks a platform who may read what, and caches each answer. A channel without `rights` knows nothing of any person.
 */
export function createLooks(options: {
  channel: Pick<Channel, 'rights' | 'explain' | 'platform'>;
  clock: Clock;
  log: Log;
  signal: AbortSignal;
  times?: LookTimes | undefined;
}): Looks {
  const { channel, clock, log, signal, times } = options;
  const queue = new PQueue({ concurrency: maxAtOnce });
  /** By space, or by chat where there is none. */
  const groups = new Map<string, Map<string, Look>>();
  let cached = 0;
  const groupOf = ({ account, space, chat }: Address): string => JSON.stringify([account, space ?? chat]);

  const cache = (group: string, key: string, look: Look): void => {
    if (cached >= maxCached) {
      groups.clear();
      cached = 0;
    }
    const looks = groups.get(group) ?? new Map<string, Look>();
    if (!looks.has(key)) cached += 1;
    groups.set(group, looks.set(key, look));
  };

  const begin = <T>({ at, of, actorID, ask }: Question<T>, rights: ReadingRights): Look => {
    const chat = of === 'room' ? at.chat : undefined;
    const made: Look = { chat, actorID, answer: Promise.resolve(), until: undefined };
    made.answer = queue
      .add(() =>
        withTimeout({ clock, ms: times?.longestMs ?? longestMs, what: 'A look', signal }, (each) =>
          ask(rights, each),
        ),
      )
      .then(
        (result) => {
          made.until = momentIn(clock, times?.cacheMs ?? lookMs);
          return result;
        },
        (error: unknown) => {
          signal.throwIfAborted();
          const { words, retryAfterMs = failedMs } = channel.explain(error);
          log.warn({ platform: channel.platform, words }, 'who may read could not be looked up');
          made.until = momentIn(clock, retryAfterMs);
          return undefined;
        },
      );
    return made;
  };

  const isFresh = ({ until }: Look): boolean => until === undefined || msUntil(clock, until) > 0;

  const look = async <T>(question: Question<T>): Promise<T | undefined> => {
    const { rights } = channel;
    if (rights === undefined) return undefined;
    const group = groupOf(question.at);
    for (let tries = 0; tries < maxTries; tries += 1) {
      const known = groups.get(group)?.get(question.key);
      const current = known !== undefined && isFresh(known) ? known : begin(question, rights);
      if (current !== known) cache(group, question.key, current);
      const answer = (await current.answer) as T | undefined; // what is cached under the key answers this question
      if (groups.get(group)?.get(question.key) === current) return answer;
      // dropped before its answer: that may be older than the reason
    }
    return undefined;
  };

  const dropThose = (at: Address, isMeant: (look: Look) => boolean): void => {
    const group = groupOf(at);
    const looks = groups.get(group);
    if (looks === undefined) return;
    for (const [key, look] of looks) {
      if (!isMeant(look)) continue;
      looks.delete(key);
      cached -= 1;
    }
    if (looks.size === 0) groups.delete(group);
  };

  const fields = ({ chat, thread }: Address): (string | undefined)[] => [chat, thread];
  return {
    closesSilently: channel.rights?.closesSilently === true,
    ofRoom: (at, actorID) =>
      look({
        at,
        of: 'room',
        actorID,
        key: JSON.stringify(['room', ...fields(at), actorID]),
        ask: (rights, each) => rights.ofRoom(at, actorID, each),
      }),
    ofSpace: (at, actorID) =>
      look({
        at,
        of: 'space',
        actorID,
        key: JSON.stringify(['space', actorID]),
        ask: (rights, each) => rights.ofSpace(at, actorID, each),
      }),
    readers: (at) =>
      look({
        at,
        of: 'room',
        actorID: undefined,
        key: JSON.stringify(['readers', ...fields(at)]),
        ask: (rights, each) => rights.readers(at, each),
      }),
    isOutsider: (at, actorID) =>
      look({
        at,
        of: 'space',
        actorID,
        key: JSON.stringify(['outsider', actorID]),
        ask: async (rights, each) => (await rights.isOutsider?.(at, actorID, each)) ?? false,
      }),
    dropRoom: (at) => dropThose(at, ({ chat }) => chat === at.chat),
    drop: (at, actorID) =>
      dropThose(at, (look) => [actorID, undefined].includes(look.actorID) || actorID === undefined),
  };
}
