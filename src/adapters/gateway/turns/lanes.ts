// One lane per session: its messages are answered one batch after another, and no lane waits for another.
import PQueue from 'p-queue';
import type { Address } from '#adapters/gateway/address.ts';
import type { Connection } from '#adapters/gateway/delivery/connection.ts';
import type { Sender } from '#adapters/gateway/delivery/sender.ts';
import type { InboxRow } from '#adapters/gateway/ledger/inbox.ts';
import type { Turn } from '#adapters/gateway/ledger/turns.ts';
import { backoffMs, isAbort } from '#base/async.ts';
import { wordsOf } from '#base/errors.ts';
import { commitAnswer, runTurn, type TurnDeps } from './turn.ts';

export interface LanesOptions extends TurnDeps {
  sender: Sender;
  connectionOf: (address: Address) => Connection | undefined;
  /** A burst of messages becomes one turn when each comes within this time of the one before. */
  debounceMs: number;
}

export interface Lanes {
  /** Looks for waiting messages of a lane, after what it does now. */
  wake(lane: string): void;
  /** Delivers an answer that an earlier process had ready; what the lane does next comes after it. */
  deliver(outboxID: string, to: { lane: string; address: Address }): void;
  /** Goes on with a turn that an earlier process began. */
  resume(turn: Turn): void;
  busy(lane: string): boolean;
  /** Takes no more batches; resolves when what is under way has ended. */
  drain(): Promise<void>;
}

const batchLimit = 20;
const mostFailures = 3;
const retry = { firstMs: 1_000, capMs: 30_000 };

/** Lanes over the ledger's inbox. */
export function createLanes(options: LanesOptions): Lanes {
  const { ledger, clock, newId, log, sender, signal, connectionOf } = options;
  const queues = new Map<string, PQueue>();
  const closing = new AbortController();
  const open = AbortSignal.any([signal, closing.signal]);

  const enqueue = (lane: string, work: () => Promise<void>): void => {
    const queue = queues.get(lane) ?? new PQueue({ concurrency: 1 });
    queues.set(lane, queue);
    void queue
      .add(work)
      .catch((error: unknown) => {
        if (!isAbort(error, signal)) log.error({ lane, words: wordsOf(error) }, 'lane broke off');
      })
      .finally(() => {
        if (queue.size === 0 && queue.pending === 0) queues.delete(lane);
      });
  };

  const answerWaiting = async (lane: string): Promise<void> => {
    while (!closing.signal.aborted) {
      const turn = await ledger.persist(() => nextTurn(lane), signal);
      if (turn === undefined) return;
      await answer(turn);
    }
  };

  /** A turn of what waits now, begun; undefined when nothing waits, or nothing may begin. */
  const nextTurn = async (lane: string): Promise<Turn | undefined> => {
    for (;;) {
      await earlierOnes(lane);
      const { batch, complete } = waitingIn(lane);
      const last = batch.at(-1);
      if (last === undefined || closing.signal.aborted) return undefined;
      if (connectionOf(last.address) === undefined) return undefined; // switched off: its messages keep waiting
      const quietFor = clock.now() - last.receivedAt;
      // What waits is read again inside the commit: an edit or a deletion may have been committed before it.
      if (complete || quietFor >= options.debounceMs)
        return ledger.commit(() => begin(lane, waitingIn(lane).batch));
      await clock.sleep(options.debounceMs - quietFor, signal);
    }
  };

  /** Waits while messages said before those that wait may still come in; not when the lane is to end. */
  const earlierOnes = async (lane: string): Promise<void> => {
    const [first] = ledger.inbox.waiting(lane);
    if (first === undefined) return;
    const { address, receivedAt } = first;
    const passed = connectionOf(address)?.backlog.passed({ chat: address.chat, receivedAt }, open);
    await passed?.catch((error: unknown) => {
      if (signal.aborted || !isAbort(error, open)) throw error;
    });
  };

  /** Waiting messages of one person; complete when no more could be added to them. */
  const waitingIn = (lane: string): { batch: InboxRow[]; complete: boolean } => {
    const waiting = ledger.inbox.waiting(lane).slice(0, batchLimit);
    const other = waiting.findIndex((row) => row.person !== waiting[0]?.person);
    const batch = other === -1 ? waiting : waiting.slice(0, other);
    return { batch, complete: other !== -1 || batch.length === batchLimit };
  };

  const begin = (lane: string, batch: readonly InboxRow[]): Turn | undefined => {
    const last = batch.at(-1);
    if (last === undefined) return undefined;
    const id = newId('trn');
    const replyTo = last.address.kind === 'dm' ? undefined : last.event.nativeID;
    ledger.turns.insert({ id, lane, address: last.address, replyTo, at: clock.now() });
    ledger.inbox.take(
      batch.map((row) => row.id),
      id,
    );
    ledger.corrections.take(lane, id);
    ledger.turns.begin(id);
    const none = { sessionID: undefined, runID: undefined };
    return { id, lane, address: last.address, replyTo, state: 'running', attempts: 0, ...none };
  };

  const answer = async (turn: Turn): Promise<void> => {
    const connection = connectionOf(turn.address);
    if (connection === undefined) return;
    const outboxID = await committed(turn, connection).catch((error: unknown) => {
      // Put off in good order: the next start goes on, and does not take this for a death.
      if (signal.aborted) ledger.transact(() => ledger.turns.park(turn.id));
      throw error;
    });
    await sender.deliver(outboxID, turn.address);
  };

  /** The turn's answer in the outbox: after trouble it is begun again, and in the end told in words. */
  const committed = async (turn: Turn, { channel }: Connection): Promise<string> => {
    for (let attempts = turn.attempts; ; attempts += 1) {
      try {
        // A disk that refuses to be written is waited for: that is no attempt, whoever's disk it is.
        return await ledger.persist(() => runTurn({ ...turn, attempts }, channel, options), signal);
      } catch (error) {
        if (isAbort(error, signal) || signal.aborted) throw error;
        const ref = newId('ref');
        log.error({ turn: turn.id, ref, words: wordsOf(error) }, 'turn failed');
        if (attempts + 1 >= mostFailures) {
          const markdown = `⚠️ Something went wrong on my side; please send that again. (reference ${ref})`;
          const failed = { markdown, delivered: false, state: 'failed' } as const;
          const deps = { ledger, clock, newId, channel, runID: undefined };
          return ledger.persist(() => commitAnswer(turn, failed, deps), signal);
        }
        await clock.sleep(backoffMs(attempts + 1, retry), signal);
      }
    }
  };

  return {
    wake(lane) {
      if (!closing.signal.aborted) enqueue(lane, () => answerWaiting(lane));
    },
    deliver(outboxID, { lane, address }) {
      enqueue(lane, () => sender.deliver(outboxID, address));
    },
    resume(turn) {
      enqueue(turn.lane, async () => {
        await ledger.persist(() => ledger.commit(() => ledger.turns.begin(turn.id)), signal);
        await answer(turn);
      });
    },
    busy: (lane) => queues.has(lane),
    async drain() {
      closing.abort();
      await Promise.all([...queues.values()].map((queue) => queue.onIdle()));
    },
  };
}
