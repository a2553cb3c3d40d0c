// What was just said in a room, for a message that calls the assistant there: for that one run, and never worth waiting for. Not a thread's beginning.

import type { RoomContextLimits } from '#adapters/gateway/admission/channel-rules.ts';
import type { InboxRow } from '#adapters/gateway/ledger/inbox/inbox-row.ts';
import type { Ledger } from '#adapters/gateway/ledger/ledger.ts';
import type { Address } from '#adapters/gateway/terms/address.ts';
import type { Channel, ThreadMessage } from '#adapters/gateway/terms/channel.ts';
import type { Clock } from '#base/clock.ts';
import type { Log } from '#base/log/log.ts';
import { truncate } from '#base/text.ts';
import { withTimeout } from '#base/waiting/async.ts';
import { roomNote } from '#engine/wire/channels/notes.ts';
import { noteCompany } from './thread-history.ts';

interface RoomContextDeps {
  ledger: Pick<Ledger, 'held' | 'company' | 'commit'>;
  roomContextOf: (address: Address) => RoomContextLimits;
  clock: Clock;
  log: Log;
  signal: AbortSignal;
}

/** What was written longer ago is no part of what is talked about, in milliseconds. */
const reachMs = 60 * 60_000;
/** The clocks of a platform and of this machine may differ by as much, in milliseconds. */
const driftMs = 5 * 60_000;
const maxCharsEach = 2_000;
/** An answer waits no longer than this for what was written before it. */
const timeoutMs = 2_000;
/** What a session holds already is read with the rest and left out. */
const spare = 20;
/** The most that the platforms give in one call. */
const maxAtOnce = 100;

/**
 * Notes on what was written in the room, or in the thread, before the batch, oldest first: the newest within the operator's bounds. Empty
 * in direct messages, where the operator wants none, and where the platform does not report it at once. What the lane's session holds
 * is left out. `begun` is whether the session was there before: what was in a thread before that comes from earlier.ts.
 */
export async function roomContextFor(
  batch: readonly [InboxRow, ...InboxRow[]],
  channel: Channel,
  { begun, ...deps }: RoomContextDeps & { begun: 'before' | 'now' },
): Promise<string[]> {
  const [{ address, lane, event, writtenAt }] = batch;
  const bounds = deps.roomContextOf(address);
  if (address.kind === 'dm' || bounds.messages === 0 || channel.earlier === undefined) return [];
  const nativeID = event.retryOf ?? event.nativeID;
  const isOpener = address.thread === nativeID;
  const isGivenWhole = address.thread !== undefined && !isOpener && channel.thread !== undefined;
  if (isGivenWhole && begun === 'now') return [];
  const givenFrom = isGivenWhole ? (deps.ledger.held.firstWritten(lane, address) ?? 0) : 0;
  const since = Math.max(writtenAt - reachMs, givenFrom);
  const before = { nativeID, limit: Math.min(maxAtOnce, bounds.messages + spare) };
  const messages = await readPatiently(isOpener ? { ...address, thread: undefined } : address, before, {
    ...deps,
    channel,
  });
  if (begun === 'now' && address.thread !== undefined && !isOpener)
    await noteCompany(batch[0], messages, deps.ledger);
  const { held, answeredElsewhere } = deps.ledger.held.since(lane, address, since - driftMs);
  const known = new Set(held);
  for (const row of batch) {
    known.add(row.event.retryOf ?? row.event.nativeID);
    if (row.event.quoted !== undefined) known.add(row.event.quoted.nativeID);
  }
  return notesOf(
    messages.filter(
      ({ at, nativeID: id, fromBot }) =>
        at >= since && !known.has(id) && (!fromBot || answeredElsewhere.has(id)),
    ),
    bounds,
  );
}

async function readPatiently(
  place: Address,
  before: { nativeID: string; limit: number },
  { channel, clock, log, signal }: Omit<RoomContextDeps, 'ledger'> & { channel: Channel },
): Promise<readonly ThreadMessage[]> {
  try {
    const limit = { clock, ms: timeoutMs, what: 'Reading the room', signal };
    return await withTimeout(
      limit,
      async (bounded) => (await channel.earlier?.(place, before, bounded)) ?? [],
    );
  } catch (error) {
    if (signal.aborted) throw error;
    const { kind, words } = channel.explain(error);
    log.debug({ kind, words }, 'a room was answered without what was just said in it');
    return [];
  }
}

function notesOf(messages: readonly ThreadMessage[], bounds: RoomContextLimits): string[] {
  const notes: string[] = [];
  let chars = 0;
  for (const { author, fromBot, at, text, files = [] } of messages
    .toSorted((a, b) => a.at - b.at)
    .reverse()) {
    const names = files.map(({ name, mime }) => `[file ${name ?? mime ?? 'unnamed'}]`);
    const words = [truncate(text, maxCharsEach), ...names].filter((each) => each.trim() !== '').join(' ');
    if (words === '') continue;
    const note = roomNote(fromBot ? 'you' : author, at, words);
    chars += note.length;
    if (notes.length === bounds.messages || chars > bounds.characters) break;
    notes.unshift(note);
  }
  return notes;
}
