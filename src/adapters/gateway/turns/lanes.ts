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
  let closing = false;

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
    while (!closing) {
      const batch = await nextBatch(lane);
      const [first] = batch;
      if (first === undefined || closing) return;
      if (connectionOf(first.address) === undefined) return; // switched off: its messages keep waiting
      const turn = begin(lane, batch);
      await answer(turn);
    }
  };

  /** Waiting messages of one person, once no more come within the debounce. */
  const nextBatch = async (lane: string): Promise<InboxRow[]> => {
    for (;;) {
      const waiting = ledger.inbox.waiting(lane).slice(0, batchLimit);
      const other = waiting.findIndex((row) => row.person !== waiting[0]?.person);
      const batch = other === -1 ? waiting : waiting.slice(0, other);
      const last = batch.at(-1);
      if (last === undefined || other !== -1 || batch.length === batchLimit) return batch;
      const quietFor = clock.now() - last.receivedAt;
      if (quietFor >= options.debounceMs) return batch;
      await clock.sleep(options.debounceMs - quietFor, signal);
    }
  };

  const begin = (lane: string, batch: readonly InboxRow[]): Turn => {
    const last = batch.at(-1) as InboxRow; // the caller has seen that it is not empty
    const id = newId('trn');
    const replyTo = last.address.kind === 'dm' ? undefined : last.event.nativeID;
    ledger.transact(() => {
      ledger.turns.insert({ id, lane, address: last.address, replyTo, at: clock.now() });
      ledger.inbox.take(
        batch.map((row) => row.id),
        id,
      );
    });
    const none = { sessionID: undefined, runID: undefined };
    return { id, lane, address: last.address, replyTo, state: 'running', attempts: 0, ...none };
  };

  const answer = async (turn: Turn): Promise<void> => {
    const connection = connectionOf(turn.address);
    if (connection === undefined) return;
    const outboxID = await committed(turn, connection);
    await sender.deliver(outboxID, turn.address);
  };

  /** The turn's answer in the outbox: after trouble it is begun again, and in the end told in words. */
  const committed = async (turn: Turn, { channel }: Connection): Promise<string> => {
    for (let attempts = turn.attempts; ; attempts += 1) {
      try {
        return await runTurn({ ...turn, attempts }, channel, options);
      } catch (error) {
        if (isAbort(error, signal) || signal.aborted) throw error;
        const ref = newId('ref');
        log.error({ turn: turn.id, ref, words: wordsOf(error) }, 'turn failed');
        if (attempts + 1 >= mostFailures) {
          const markdown = `⚠️ Something went wrong on my side; please send that again. (reference ${ref})`;
          const failed = { markdown, delivered: false, state: 'failed' } as const;
          return commitAnswer(turn, failed, { ledger, clock, newId, channel, runID: undefined });
        }
        await clock.sleep(backoffMs(attempts + 1, retry), signal);
      }
    }
  };

  return {
    wake(lane) {
      if (!closing) enqueue(lane, () => answerWaiting(lane));
    },
    resume(turn) {
      enqueue(turn.lane, () => answer(turn));
    },
    busy: (lane) => queues.has(lane),
    async drain() {
      closing = true;
      await Promise.all([...queues.values()].map((queue) => queue.onIdle()));
    },
  };
}
