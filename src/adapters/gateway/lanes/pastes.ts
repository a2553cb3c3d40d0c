// Long texts that a platform's app splits into messages: which message goes on with the one before. Not how they are joined.
import { formatAddress } from '#adapters/gateway/terms/address.ts';
import type { MessageEvent } from '#adapters/gateway/terms/inbound.ts';
import { createLruCache } from '#base/caches/lru-cache.ts';
import { type Clock, type MonotonicMs, momentIn, msSince } from '#base/clock.ts';

/** How long the rest of a split text is waited for, in milliseconds. */
export const pasteMs = 1_500;
/** Apps look for the end of a line or word before the limit: this share of it is near. */
const nearLimit = 0.8;
/** Telegram says when something was said in whole seconds. */
const secondMs = 1_000;
/** People whose long messages are held in mind at a time. */
const maxWriters = 1_000;

interface LongPart {
  nativeID: string;
  text: string;
  addressed: MessageEvent['addressed'];
  at: MonotonicMs;
  /** Of one that an earlier process took in: when it was said. */
  saidAt?: number | undefined;
}

export interface Pastes {
  /** The message as a part of a longer text, where it goes on with one, or may have a rest; any other as it is. */
  partOf(event: MessageEvent): MessageEvent;
  /** The message was accepted: what the same person says there right after it may be its rest. */
  accepted(event: MessageEvent): void;
}

/**
 * What is held in mind for a channel whose apps split texts at so many characters; nothing where they split none. `earlier` gives what waits
 * from an earlier process, and is asked with the first message.
 */
export function createPastes(
  { splitsAt, earlier }: { splitsAt: number | undefined; earlier: () => readonly MessageEvent[] },
  clock: Clock,
): Pastes {
  let long: ReturnType<typeof createLruCache<string, LongPart>> | undefined;
  const held = (): NonNullable<typeof long> => {
    if (long !== undefined) return long;
    long = createLruCache<string, LongPart>(maxWriters);
    for (const event of earlier())
      if (event.paste?.mayGoOn === true) long.set(keyOf(event), { ...partFrom(event), saidAt: event.at });
    return long;
  };
  const partFrom = ({ nativeID, text, addressed }: MessageEvent): LongPart => ({
    ...{ nativeID, text, addressed },
    at: momentIn(clock, 0),
  });
  const keyOf = ({ address, actor }: MessageEvent): string => `${formatAddress(address)} ${actor.id}`;
  const isPlain = ({ text, quoted, files, due, retryOf }: MessageEvent): boolean =>
    text !== '' &&
    quoted?.forwarded !== true &&
    files.length === 0 &&
    due === undefined &&
    retryOf === undefined;

  return {
    partOf(event) {
      if (splitsAt === undefined || !isPlain(event)) return event;
      const isLong = event.text.length >= splitsAt * nearLimit;
      const before = held().get(keyOf(event));
      const follows =
        before !== undefined &&
        before.nativeID !== event.nativeID &&
        (before.saidAt === undefined
          ? msSince(clock, before.at) <= pasteMs
          : event.at - before.saidAt <= pasteMs + secondMs);
      if (!isLong && !follows) return event;
      const { toOthers, ...rest } = event;
      return {
        ...(follows ? { ...rest, addressed: before.addressed } : event),
        paste: {
          ...(isLong && { mayGoOn: true as const }),
          ...(follows && { after: breakBetween(before.text, event.text, splitsAt) }),
        },
      };
    },
    accepted(event) {
      if (event.paste?.mayGoOn === true) held().set(keyOf(event), partFrom(event));
    },
  };
}

/**
 * What the platform removed where it cut. A part that is full was cut inside of a word; a shorter one at the end of a line where it has
 * lines, else between words. What stands at the ends already needs nothing more.
 */
function breakBetween(before: string, after: string, splitsAt: number): '' | ' ' | '\n' {
  if (before.length >= splitsAt || /\s$/.test(before) || /^\s/.test(after)) return '';
  return before.includes('\n') ? '\n' : ' ';
}
