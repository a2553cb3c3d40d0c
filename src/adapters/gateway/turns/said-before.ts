// What was said where the assistant is called, before it was: in a thread that is new to it, and in the room around the call. It never holds up an answer.
import type { Address } from '#adapters/gateway/address.ts';
import type { Channel, Earlier } from '#adapters/gateway/channel.ts';
import type { InboxRow } from '#adapters/gateway/ledger/inbox.ts';
import type { Ledger } from '#adapters/gateway/ledger/ledger.ts';
import { withTimeout } from '#base/async.ts';
import type { Clock } from '#base/clock.ts';
import type { Log } from '#base/log.ts';
import { truncate } from '#base/text.ts';
import { earlierNote, roomNote } from '#engine/wire/notes.ts';

/** What stood there, and the message that said it. */
export interface EarlierNote {
  nativeID: string;
  note: string;
}

export interface RoomContextLimits {
  messages: number;
  characters: number;
}

interface Deps {
  channel: Channel;
  ledger: Pick<Ledger, 'inbox' | 'company' | 'commit'>;
  roomContextOf(address: Address): RoomContextLimits;
  clock: Clock;
  log: Log;
  signal: AbortSignal;
}

const mostMessages = 20;
const mostCharsEach = 1_000;
const mostChars = 8_000;
/** An answer waits no longer than this for what went before it. */
const patienceMs = 3_000;
/** What is older does not explain a message, in milliseconds. */
const freshMs = 3_600_000;

/**
 * Notes on what was said before this message, oldest first; the newest are kept. `earlier`: in the thread, when the session is new, for
 * the session to keep; if others spoke there, that is noted. `roomContext`: in a room or a known thread, for this answer alone, without what the session holds. Empty in direct
 * messages, where the platform has no history for bots, and when it does not give it at once.
 */
export async function saidBefore(
  row: InboxRow,
  begun: 'before' | 'now' | 'instead of a lost one',
  deps: Deps,
): Promise<{ earlier: readonly EarlierNote[]; roomContext: readonly string[] }> {
  const nativeID = row.event.retryOf ?? row.event.nativeID;
  const { thread, ...room } = row.address;
  const opensThread = thread === nativeID;
  const isNewThread = thread !== undefined && !opensThread && begun !== 'before';
  if (isNewThread) {
    const said = await read(row.address, { nativeID, limit: mostMessages }, deps);
    // others were there before the bot: it does not take what they say for its own
    if (said.some(({ author, fromBot }) => !fromBot && author !== row.event.actor.name))
      await deps.ledger.commit(() => deps.ledger.company.share(row.address), 'written');
    const limits = { messages: mostMessages, characters: mostChars };
    const earlier = newest(said, limits, ({ author, text }) => earlierNote(author, text));
    return { earlier, roomContext: [] };
  }
  const limits = deps.roomContextOf(row.address);
  if (row.address.kind === 'dm' || limits.messages === 0) return { earlier: [], roomContext: [] };
  // a thread that opens at the message has nothing before it: the room around it has
  const place = opensThread ? room : row.address;
  const said = await read(place, { nativeID, limit: 2 * limits.messages }, deps);
  const fresh = said.filter(
    (each) => each.at > row.saidAt - freshMs && !isInSession(each, place, { row, ledger: deps.ledger }),
  );
  const notes = newest(fresh, limits, ({ author, at, text }) => roomNote(author, at, text));
  return { earlier: [], roomContext: notes.map(({ note }) => note) };
}

/** What the lane's session holds as a message; the bot's own words where all of the room share that session. */
function isInSession(
  { nativeID, fromBot }: Earlier,
  place: Address,
  { row, ledger }: { row: InboxRow; ledger: Deps['ledger'] },
): boolean {
  if (fromBot) return !row.lane.endsWith(`#${row.person}`) && place.thread === row.address.thread;
  return ledger.inbox.find(place, nativeID)?.lane === row.lane;
}

/** The newest that fit, oldest first; empty ones are left out. */
function newest(
  said: readonly Earlier[],
  { messages, characters }: RoomContextLimits,
  noteOf: (said: Earlier) => string,
): EarlierNote[] {
  const notes: EarlierNote[] = [];
  let chars = 0;
  for (const each of said
    .filter(({ text }) => text.trim() !== '')
    .slice(-messages)
    .reverse()) {
    const author = each.fromBot ? 'you' : each.author;
    const note = noteOf({ ...each, author, text: truncate(each.text, mostCharsEach) });
    chars += note.length;
    if (chars > characters) break;
    notes.unshift({ nativeID: each.nativeID, note });
  }
  return notes;
}

async function read(
  place: Address,
  before: { nativeID: string; limit: number },
  { channel, clock, log, signal }: Deps,
): Promise<Earlier[]> {
  if (channel.earlier === undefined) return [];
  try {
    const limit = { clock, ms: patienceMs, what: 'Reading what was said before', signal };
    // checked above: a channel that tells no history never comes here
    return (await withTimeout(limit, async (bounded) => channel.earlier?.(place, before, bounded))) ?? [];
  } catch (error) {
    if (signal.aborted) throw error;
    const { kind, words } = channel.explain(error);
    log.debug({ kind, words }, 'a message was answered without what was said before it');
    return [];
  }
}
