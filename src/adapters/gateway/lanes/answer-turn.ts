// A turn that was begun, until its answer is in the chat: after a problem it is run again, and in the end fails with a message.

import type { Turn } from '#adapters/gateway/ledger/turns/turns.ts';
import type { Connection } from '#adapters/gateway/pace/connection.ts';
import { type CommittedAnswer, commitAnswer } from '#adapters/gateway/turns/commit-answer.ts';
import { traceTurn } from '#adapters/gateway/turns/trace-turn.ts';
import { runTurn } from '#adapters/gateway/turns/turn.ts';
import { errorMessage } from '#base/errors.ts';
import { backoffMs, isAbort } from '#base/waiting/async.ts';
import type { ActiveLane } from './active-lane.ts';
import type { LanesOptions } from './lanes-options.ts';

const maxFailures = 3;
const retry = { firstMs: 1_000, capMs: 30_000 };

/** Resolves when the turn's answer is in the chat; rejects when the gateway stops before. */
type AnswerTurn = (turn: Turn, lane: ActiveLane) => Promise<void>;

/** Runs turns of one gateway and delivers their answers; retries what may pass. */
export function createAnswerTurn(options: LanesOptions): AnswerTurn {
  const { ledger, clock, newId, log, sender, signal, connectionOf } = options;

  /** The turn's answer in the outbox: after a problem it is begun again, and in the end it is a message that says so. */
  const committed = async (
    turn: Turn,
    { channel }: Connection,
    lane: ActiveLane,
  ): Promise<CommittedAnswer> => {
    const stopped = lane.stopped ?? new AbortController();
    const waiting = (asks: boolean): void => {
      lane.asks = asks;
      if (asks) lane.onAsk();
    };
    for (let failures = 1; ; failures += 1) {
      try {
        // after a failure its chat may have moved, and its run may be known
        const now = failures === 1 ? turn : (ledger.turns.get(turn.id) ?? turn);
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
          const deps = { ledger, clock, newId, channel, sender, run: undefined, person: person ?? '' };
          return ledger.persist(() => commitAnswer(turn, failed, deps), signal);
        }
        await clock.sleep(backoffMs(failures, retry), signal);
      }
    }
  };

  return async (turn, lane) => {
    const connection = connectionOf(turn.address);
    if (connection === undefined) return;
    lane.stopped ??= new AbortController();
    const span = traceTurn(turn, options);
    let failure: string | undefined = 'broken_off';
    let isAnswered = false;
    try {
      const { outboxID, address, state } = await committed(turn, connection, lane).catch((error: unknown) => {
        // Put off in good order: the next start continues it, and does not count this as a death.
        if (signal.aborted) ledger.transact(() => ledger.turns.park(turn.id));
        throw error;
      });
      failure = state === 'failed' ? state : undefined;
      isAnswered = true;
      await sender.deliver(outboxID, address);
    } finally {
      // a turn that is put off is reported by the process that finishes it, under the same key
      if (isAnswered || !signal.aborted) span.end(failure);
      lane.stopped = undefined;
      lane.asks = false;
    }
  };
}
