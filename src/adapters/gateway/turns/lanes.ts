// One lane per session: its messages are answered one batch after another, and no lane waits for another.

import PQueue from 'p-queue';
import type { Address } from '#adapters/gateway/address.ts';
import type { Held } from '#adapters/gateway/delivery/backlog-gate.ts';
import type { Connection } from '#adapters/gateway/delivery/connection.ts';
import type { Sender } from '#adapters/gateway/delivery/sender.ts';
import type { MessageEvent } from '#adapters/gateway/inbound.ts';
import type { InboxRow } from '#adapters/gateway/ledger/inbox.ts';
import type { Turn } from '#adapters/gateway/ledger/turns.ts';
import { backoffMs, isAbort } from '#base/async.ts';
import { msSince } from '#base/clock.ts';
import { errorMessage } from '#base/errors.ts';
import type { Tracing } from '#base/tracing.ts';
import { createArrivals } from './arrivals.ts';
import { commitAnswer } from './commit-answer.ts';
import { traceTurn } from './trace-turn.ts';
import { runTurn } from './turn.ts';
import type { TurnDeps } from './turn-deps.ts';

export interface LanesOptions extends TurnDeps {
  sender: Sender;
  connectionOf: (address: Address) => Connection | undefined;
  /** A burst of messages becomes one turn when each comes within this time of the one before. */
  debounceMs(): number;
  tracing: Tracing;
  /** Shows a person that their message waits for a turn of others. */
  mark(message: MessageEvent): void;
}

export interface Lanes {
  /** Looks for waiting messages of a lane, after what it does now; `fresh` was accepted just now. */
  wake(name: string, fresh?: MessageEvent): void;
  /** Delivers an answer that an earlier process had ready; what the lane does next comes after it. */
  deliver(outboxID: string, to: { lane: string; address: Address }): void;
  /** Goes on with a turn that an earlier process began. */
  resume(turn: Turn): void;
  /** Ends the lane's turn as the person's own stop button does; false when there is none. */
  stop(name: string): boolean;
  /** Lanes have got other names: what they do continues under these. */
  rename(newName: (name: string) => string): void;
  /** Takes no more batches; resolves when all work has ended, or only waits for a person. */
  drain(): Promise<void>;
  /** Lanes that are at work. */
  working(): number;
  /** Resolves when no lane is at work. */
  idle(): Promise<void>;
}

const batchLimit = 20;
/** Telegram reports an album's messages one by one, within this time of each other. */
const albumMs = 1_000;
const maxFailures = 3;
const retry = { firstMs: 1_000, capMs: 30_000 };

/** A lane with work. */
interface Lane {
  /** Changes when the platform gives the chat another id. */
  name: string;
  queue: PQueue;
  /** Present from the beginning of a turn until its answer is delivered. */
  stopped: AbortController | undefined;
  /** Its run waits for a person to answer. */
  asks: boolean;
  /** To be shown when it begins to. */
  onAsk: () => void;
  /** Accepted while the lane was idle: in the next turn, or marked as waiting for it. */
  fresh: MessageEvent[];
}

/** Lanes over the ledger's inbox. */
export function createLanes(options: LanesOptions): Lanes {
  const { ledger, clock, newId, log, sender, signal, connectionOf } = options;
  const lanes = new Map<string, Lane>();
  const arrivals = createArrivals(clock);
  const closing = new AbortController();
  const open = AbortSignal.any([signal, closing.signal]);

  const laneNamed = (name: string): Lane => {
    const known = lanes.get(name);
    if (known !== undefined) return known;
    const queue = new PQueue({ concurrency: 1 });
    const made: Lane = { name, queue, stopped: undefined, asks: false, onAsk: () => {}, fresh: [] };
    lanes.set(name, made);
    return made;
  };

  const enqueue = (lane: Lane, work: () => Promise<void>): void => {
    const { queue } = lane;
    void queue
      .add(work)
      .catch((error: unknown) => {
        if (!isAbort(error, signal))
          log.error({ lane: lane.name, words: errorMessage(error) }, 'lane broke off');
      })
      .finally(() => {
        if (queue.size === 0 && queue.pending === 0 && lanes.get(lane.name) === lane) lanes.delete(lane.name);
      });
  };

  const answerWaiting = async (lane: Lane): Promise<void> => {
    while (!closing.signal.aborted) {
      const turn = await ledger.persist(() => nextTurn(lane), signal);
      if (turn === undefined) return;
      await answer(turn, lane);
    }
  };

  /** A turn of what waits now, begun; undefined when nothing waits, or nothing may begin. */
  const nextTurn = async (lane: Lane): Promise<Turn | undefined> => {
    for (let waited = false; ; ) {
      const { batch, complete } = waitingIn(lane);
      const [first, last] = [batch[0], batch.at(-1)];
      if (first === undefined || last === undefined || closing.signal.aborted) return undefined;
      if (!waited && mayFollow(first)) {
        await earlierOnes(first);
        waited = true;
        continue; // a message that has arrived since may belong before it
      }
      if (connectionOf(last.address) === undefined) return undefined; // switched off: its messages wait on
      const quietFor = msSince(clock, arrivals.of(last));
      const quietMs =
        last.event.album === undefined ? options.debounceMs() : Math.max(options.debounceMs(), albumMs);
      if (complete || quietFor >= quietMs) return beginIn(lane);
      await clock.sleep(quietMs - quietFor, signal);
    }
  };

  /** Whether messages said before this one may still come in. */
  const mayFollow = (row: InboxRow): boolean =>
    connectionOf(row.address)?.backlog.holds(heldAs(row)) === true;

  const heldAs = (row: InboxRow): Held => ({ chat: row.address.chat, receivedAt: arrivals.of(row) });

  /** Waits for them; not when the lane is to end. */
  const earlierOnes = async (row: InboxRow): Promise<void> => {
    const passed = connectionOf(row.address)?.backlog.passed(heldAs(row), open);
    await passed?.catch((error: unknown) => {
      if (signal.aborted || !isAbort(error, open)) throw error;
    });
  };

  /** Waiting messages of one person; complete when no more could be added to them. */
  const waitingIn = ({ name }: Lane): { batch: InboxRow[]; complete: boolean } => {
    const waiting = ledger.inbox.waiting(name).slice(0, batchLimit);
    const other = waiting.findIndex((row) => row.person !== waiting[0]?.person);
    const batch = other === -1 ? waiting : waiting.slice(0, other);
    return { batch, complete: other !== -1 || batch.length === batchLimit };
  };

  /** Those who are not in the turn that begins wait for it, and read that they do. */
  const beginIn = async (lane: Lane): Promise<Turn | undefined> => {
    const fresh = lane.fresh.splice(0);
    lane.stopped = new AbortController();
    try {
      // What waits is read again inside the commit: an edit or a deletion may have been committed before it.
      const { turn, batch } = await ledger.commit(() => begin(lane), 'written');
      if (turn === undefined) lane.stopped = undefined;
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

  const begin = (lane: Lane): { turn: Turn | undefined; batch: readonly InboxRow[] } => {
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

  const answer = async (turn: Turn, lane: Lane): Promise<void> => {
    const connection = connectionOf(turn.address);
    if (connection === undefined) return;
    lane.stopped ??= new AbortController();
    const span = traceTurn(turn, options);
    let failure: string | undefined = 'broken_off';
    let isAnswered = false;
    try {
      const outboxID = await committed(turn, connection, lane).catch((error: unknown) => {
        // Put off in good order: the next start continues, and does not take this for a death.
        if (signal.aborted) ledger.transact(() => ledger.turns.park(turn.id));
        throw error;
      });
      const now = ledger.turns.get(turn.id) ?? turn;
      failure = now.state === 'failed' ? now.state : undefined;
      isAnswered = true;
      await sender.deliver(outboxID, now.address);
    } finally {
      // a turn that is put off is reported by the process that finishes it, under the same key
      if (isAnswered || !signal.aborted) span.end(failure);
      lane.stopped = undefined;
      lane.asks = false;
    }
  };

  /** The turn's answer in the outbox: after problem it is begun again, and in the end told with a message. */
  const committed = async (turn: Turn, { channel }: Connection, lane: Lane): Promise<string> => {
    const stopped = lane.stopped ?? new AbortController();
    const waiting = (asks: boolean): void => {
      lane.asks = asks;
      if (asks) lane.onAsk();
    };
    for (let failures = 1; ; failures += 1) {
      try {
        const now = ledger.turns.get(turn.id) ?? turn;
        // A disk that refuses to be written is waited for: that is no attempt, whatever disk it is.
        return await ledger.persist(() => runTurn(now, channel, { ...options, stopped, waiting }), signal);
      } catch (error) {
        if (isAbort(error, signal) || signal.aborted) throw error;
        const ref = newId('ref');
        log.error({ turn: turn.id, ref, words: errorMessage(error) }, 'turn failed');
        if (failures === maxFailures) {
          const { address } = turn;
          const person = ledger.inbox.ofTurn(turn.id)[0]?.person;
          const markdown = options.book.for({ address, person }).answers.failed({ ref });
          const failed = { markdown, delivered: false, state: 'failed' } as const;
          const deps = { ledger, clock, newId, channel, run: undefined };
          return ledger.persist(() => commitAnswer(turn, failed, deps), signal);
        }
        await clock.sleep(backoffMs(failures, retry), signal);
      }
    }
  };

  return {
    wake(name, fresh) {
      if (closing.signal.aborted) return;
      const lane = laneNamed(name);
      if (fresh !== undefined && lane.stopped !== undefined) options.mark(fresh);
      else if (fresh !== undefined) lane.fresh.push(fresh);
      enqueue(lane, () => answerWaiting(lane));
    },
    deliver(outboxID, { lane, address }) {
      enqueue(laneNamed(lane), () => sender.deliver(outboxID, address));
    },
    resume(turn) {
      const lane = laneNamed(turn.lane);
      lane.stopped ??= new AbortController();
      enqueue(lane, async () => {
        await ledger.persist(() => ledger.commit(() => ledger.turns.begin(turn.id), 'written'), signal);
        await answer(ledger.turns.get(turn.id) ?? turn, lane);
      });
    },
    stop(name) {
      const stopped = lanes.get(name)?.stopped;
      stopped?.abort();
      return stopped !== undefined;
    },
    rename(newName) {
      for (const lane of [...lanes.values()]) {
        const name = newName(lane.name);
        if (name === lane.name) continue;
        lanes.delete(lane.name);
        const other = lanes.get(name);
        // Messages under the new name that came before the news of it continue after those under the old one.
        if (other !== undefined) enqueue(lane, () => other.queue.onIdle());
        lane.name = name;
        lanes.set(name, lane);
        enqueue(lane, () => answerWaiting(lane));
      }
    },
    async drain() {
      closing.abort();
      const rests = (lane: Lane): Promise<void> =>
        new Promise((resolve) => {
          lane.onAsk = resolve;
          if (lane.asks) resolve();
          void lane.queue.onIdle().then(resolve);
        });
      await Promise.all([...lanes.values()].map(rests));
    },
    working: () => lanes.size,
    async idle() {
      await Promise.all([...lanes.values()].map(({ queue }) => queue.onIdle()));
    },
  };
}
