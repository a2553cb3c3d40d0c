// One lane per session: its messages are answered one batch after another, and no lane waits for another.

import type { Turn } from '#adapters/gateway/ledger/turns/turns.ts';
import type { Address } from '#adapters/gateway/terms/address.ts';
import type { MessageEvent } from '#adapters/gateway/terms/inbound.ts';
import { errorMessage } from '#base/errors.ts';
import { isAbort } from '#base/waiting/async.ts';
import { type ActiveLane, newLane } from './active-lane.ts';
import { createAnswerTurn } from './answer-turn.ts';
import type { LanesOptions } from './lanes-options.ts';
import { createNextTurn } from './next-turn.ts';

export interface Lanes {
  /** Looks for waiting messages of a lane, after what it does now; `fresh` was accepted just now. */
  wake(name: string, fresh?: MessageEvent): void;
  /** Delivers an answer that an earlier process had ready; what the lane does next comes after it. */
  deliver(outboxID: string, to: { lane: string; address: Address }): void;
  /** Goes on with a turn that an earlier process began. */
  resume(turn: Turn): void;
  /** Ends the lane's turn as the person's own stop button does; false when there is none. */
  stop(name: string): boolean;
  /** Lanes have been renamed: their work continues under these names. */
  rename(newName: (name: string) => string): void;
  /** Takes no more batches; resolves when all work has ended, or only waits for a person. */
  drain(): Promise<void>;
  /** Lanes that are at work. */
  working(): number;
  /** Resolves when no lane is at work. */
  idle(): Promise<void>;
}

/** Handles the inbox lane by lane: one turn after the other in each, all lanes at the same time. */
export function createLanes(options: LanesOptions): Lanes {
  const { ledger, log, sender, signal } = options;
  const lanes = new Map<string, ActiveLane>();
  const closing = new AbortController();
  const nextTurn = createNextTurn(options, closing.signal);
  const answer = createAnswerTurn(options);

  const laneNamed = (name: string): ActiveLane => {
    const known = lanes.get(name);
    if (known !== undefined) return known;
    const made = newLane(name);
    lanes.set(name, made);
    return made;
  };

  const enqueue = (lane: ActiveLane, work: () => Promise<void>): void => {
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

  const answerWaiting = async (lane: ActiveLane): Promise<void> => {
    while (!closing.signal.aborted) {
      const turn = await ledger.persist(() => nextTurn(lane), signal);
      if (turn === undefined) return;
      await answer(turn, lane);
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
        // Messages under the new name that came before the news of the renaming follow those under the old one.
        if (other !== undefined) enqueue(lane, () => other.queue.onIdle());
        lane.name = name;
        lanes.set(name, lane);
        enqueue(lane, () => answerWaiting(lane));
      }
    },
    async drain() {
      closing.abort();
      const rests = (lane: ActiveLane): Promise<void> =>
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
