// What was written in a thread before the assistant was first called into it: the whole of it within bounds. It never holds up an answer for long.

import type { InboxRow } from '#adapters/gateway/ledger/inbox/inbox-row.ts';
import type { Ledger } from '#adapters/gateway/ledger/ledger.ts';
import type { Address } from '#adapters/gateway/terms/address.ts';
import type { Channel, ThreadMessage } from '#adapters/gateway/terms/channel.ts';
import type { FileRef } from '#adapters/gateway/terms/inbound.ts';
import type { Clock } from '#base/clock.ts';
import type { Log } from '#base/log/log.ts';
import { truncate } from '#base/text.ts';
import { withTimeout } from '#base/waiting/async.ts';
import { earlierNote, threadNote } from '#engine/wire/channels/notes.ts';

/** What was there, the message that said it, and what came with it. */
export interface EarlierNote {
  nativeID: string;
  note: string;
  files: readonly FileRef[];
}

const maxMessages = 300;
const maxChars = 60_000;
const maxCharsEach = 4_000;
/** An answer waits no longer than this for what went before it; what was read by then is given. */
const timeoutMs = 8_000;

interface EarlierDeps {
  /** Characters that the prompt has room for next to the person's own; 60,000 when absent. */
  characters?: number | undefined;
  ledger: Pick<Ledger, 'company' | 'commit'>;
  clock: Clock;
  log: Log;
  signal: AbortSignal;
}

interface Thread {
  messages: Map<string, ThreadMessage>;
  title?: string | undefined;
  /** Whether all of it was read. */
  isWhole: boolean;
}

/**
 * Notes on what was in the thread of this message, oldest first; the newest are chosen, next to the first, and a cut is marked. At most 300
 * messages and 60,000 characters. If others spoke there, that is noted. Empty outside of threads, for the message that opens one, where the platform has no history for
 * bots, and when it gives none of it in time.
 */
export async function earlierIn(
  row: InboxRow,
  channel: Channel,
  deps: EarlierDeps,
): Promise<readonly EarlierNote[]> {
  const { thread } = row.address;
  const nativeID = row.event.retryOf ?? row.event.nativeID;
  if (thread === undefined || thread === nativeID || channel.thread === undefined) return [];
  const read: Thread = { messages: new Map(), isWhole: false };
  try {
    await readInto(read, { address: row.address, nativeID }, { ...deps, channel });
  } catch (error) {
    if (deps.signal.aborted) throw error;
    const { kind, words } = channel.explain(error);
    deps.log.debug({ kind, words }, 'a thread was answered without all that was written before');
  }
  await noteCompany(row, [...read.messages.values()], deps.ledger);
  return notesOf(read, { thread, maxChars: Math.min(maxChars, deps.characters ?? maxChars) });
}

/** Stores that others wrote in the thread before the bot was called: it then does not take their messages for its own. */
export async function noteCompany(
  { address, event }: InboxRow,
  messages: readonly ThreadMessage[],
  ledger: EarlierDeps['ledger'],
): Promise<void> {
  if (messages.some(({ author, fromBot }) => !fromBot && author !== event.actor.name))
    await ledger.commit(() => ledger.company.share(address), 'written');
}

async function readInto(
  read: Thread,
  { address, nativeID }: { address: Address; nativeID: string },
  { channel, clock, signal }: EarlierDeps & { channel: Channel },
): Promise<void> {
  const limit = { clock, ms: timeoutMs, what: 'Reading the thread', signal };
  await withTimeout(limit, async (bounded) => {
    const before = { nativeID, limit: maxMessages };
    for await (const { messages, more, title } of channel.thread?.(address, before, bounded) ?? []) {
      // too late: the answer has gone on without it
      if (bounded.aborted) return;
      for (const message of messages) read.messages.set(message.nativeID, message);
      read.title ??= title;
      read.isWhole = !more;
    }
  });
}

function notesOf(
  { messages, title, isWhole }: Thread,
  { thread, maxChars }: { thread: string; maxChars: number },
): EarlierNote[] {
  const all = [...messages.values()].filter(({ text, files = [] }) => text.trim() !== '' || files.length > 0);
  const [first, ...others] = all.toSorted((a, b) => a.at - b.at).map(noteOf);
  if (first === undefined) return [];
  const saved: EarlierNote[] = [];
  let chars = first.note.length;
  for (const note of others.toReversed()) {
    chars += note.note.length;
    if (chars > maxChars || saved.length + 1 === maxMessages) break;
    saved.unshift(note);
  }
  const isCut = !isWhole || saved.length < others.length;
  const about = [
    ...(title === undefined ? [] : [`it is called ${title}`]),
    ...(isCut ? ['it is longer: only a part of it follows, the newest of what was read'] : []),
  ];
  const head = about.map((words) => ({ nativeID: thread, note: threadNote(words), files: [] }));
  return [...head, first, ...saved];
}

function noteOf({ nativeID, author, fromBot, text, files = [] }: ThreadMessage): EarlierNote {
  const names = files.map(({ name, mime }) => `[file ${name ?? mime ?? 'unnamed'}]`);
  const words = [truncate(text, maxCharsEach), ...names].filter((each) => each.trim() !== '').join(' ');
  return { nativeID, note: earlierNote(fromBot ? 'you' : author, words), files };
}
