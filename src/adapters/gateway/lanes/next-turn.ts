// The next turn of a lane: waits until its messages are complete, and begins it in one commit.

import type { InboxRow } from '#adapters/gateway/ledger/inbox/inbox-row.ts';
import type { Turn } from '#adapters/gateway/ledger/turns/turns.ts';
import type { HeldMessage } from '#adapters/gateway/pace/backlog-gate.ts';
import { msSince } from '#base/clock.ts';
import { isAbort } from '#base/waiting/async.ts';
import type { ActiveLane } from './active-lane.ts';
import { createArrivals } from './arrivals.ts';
import type { LanesOptions } from './lanes-options.ts';
import { pasteMs } from './pastes.ts';

const batchLimit = 20;
/** Telegram reports an album's messages one by one, within this time of each other. */
const albumMs = 1_000;

/** How long more of the same is waited for after this message, in milliseconds, however short bursts are. */
function waitFor({ event: { album, paste } }: InboxRow): number {
  if (paste?.mayGoOn === true) return pasteMs;
  return album === undefined ? 0 : albumMs;
}

/** A turn of what waits in the lane now, begun; undefined when nothing waits, or nothing may begin. */
type NextTurn = (lane: ActiveLane) => Promise<Turn | undefined>;

/** Begins the next turn of a lane from its waiting messages, until `closing` aborts. */
export function createNextTurn(options: LanesOptions, closing: AbortSignal): NextTurn {
  const { ledger, clock, newId, signal, connectionOf } = options;
  const arrivals = createArrivals(clock);
  const open = AbortSignal.any([signal, closing]);

  /** Whether messages said before this one may still come in. */
  const mayFollow = (row: InboxRow): boolean =>
    connectionOf(row.address)?.backlog.holds(heldAs(row)) === true;

  const heldAs = (row: InboxRow): HeldMessage => ({ chat: row.address.chat, receivedAt: arrivals.of(row) });

  /** Waits for them; not when the lane is to end. */
  const earlierOnes = async (row: InboxRow): Promise<void> => {
    const passed = connectionOf(row.address)?.backlog.passed(heldAs(row), open);
    await passed?.catch((error: unknown) => {
      if (signal.aborted || !isAbort(error, open)) throw error;
    });
  };

  /** Waiting messages of one person; complete when no more could be added to them. */
  const waitingIn = ({ name }: ActiveLane): { batch: InboxRow[]; complete: boolean } => {
    const waiting = ledger.inbox.waiting(name).slice(0, batchLimit);
    const other = waiting.findIndex((row) => row.person !== waiting[0]?.person);
    const batch = other === -1 ? waiting : waiting.slice(0, other);
    return { batch, complete: other !== -1 || batch.length === batchLimit };
  };

  /** Those who are not in the turn that begins wait for it, and read that they do. */
  const beginIn = async (lane: ActiveLane): Promise<Turn | undefined> => {
    const fresh = lane.fresh.splice(0);
    lane.stopped = new AbortController();
    try {
      // What waits is read again inside the commit: an edit or a deletion may have been committed before it.
      const { turn, batch } = await ledger.commit(() => begin(lane), 'written');
      if (turn === undefined) {
        lane.stopped = undefined; // all that waited was taken back
        return undefined;
      }
      const taken = new Set(batch.map(({ event }) => event.nativeID));
      arrivals.forget(batch);
      for (const message of fresh) if (!taken.has(message.nativeID)) options.mark(message);
      return turn;
    } catch (error) {
      lane.stopped = undefined;
      lane.fresh.unshift(...fresh);
      throw error;
    }
  };

  const begin = (lane: ActiveLane): { turn: Turn | undefined; batch: readonly InboxRow[] } => {
    const { name } = lane;
    const { batch } = waitingIn(lane);
    const last = batch.at(-1);
    if (last === undefined) return { turn: undefined, batch };
    const id = newId('trn');
    const { nativeID, retryOf = last.event.due === undefined ? nativeID : undefined } = last.event;
    const replyTo = last.address.kind === 'dm' ? undefined : retryOf;
    ledger.turns.insert({ id, lane: name, address: last.address, replyTo, at: clock.now() });
    ledger.inbox.take(
      batch.map((row) => row.id),
      id,
    );
    ledger.corrections.take(name, id);
    ledger.turns.begin(id);
    const none = { sessionID: undefined, runID: undefined, runKey: id };
    const turn = { id, lane: name, address: last.address, replyTo, attempts: 1, ...none };
    return { turn: { ...turn, state: 'running' }, batch };
  };

  return async (lane) => {
    for (let waited = false; ; ) {
      const { batch, complete } = waitingIn(lane);
      const [first, last] = [batch[0], batch.at(-1)];
      if (first === undefined || last === undefined || closing.aborted) return undefined;
      if (!waited && mayFollow(first)) {
        await earlierOnes(first);
        waited = true;
        continue; // a message that has arrived since may belong before it
      }
      if (connectionOf(last.address) === undefined) return undefined; // switched off: its messages wait on
      const quietFor = msSince(clock, arrivals.of(last));
      const quietMs = Math.max(options.debounceMs(), waitFor(last));
      if (complete || quietFor >= quietMs) return beginIn(lane);
      await clock.sleep(quietMs - quietFor, signal);
    }
  };
}
