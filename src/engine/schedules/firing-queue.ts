// Firings that are due, as gateways take and settle them. What makes them due is in timer.ts.

import { type Clock, momentIn, msUntil } from '#base/clock.ts';
import { createWaker, isAbort, type Waker } from '#base/waiting/async.ts';
import type { EventLog } from '#engine/events/event-log.ts';
import type { FiringOutcome } from '#engine/wire/schedules/schedule.ts';
import type { ScheduleService } from '#engine/wire/schedules/schedule-operations.ts';
import type { FiringRows } from './firing-rows.ts';
import type { HookRows } from './hook-rows.ts';
import type { ScheduleRows } from './schedule-rows.ts';

export interface FiringQueue {
  take: ScheduleService['takeFirings'];
  /** The outcome of a firing; one that cannot be sent stops its schedule or hook. */
  settle(id: string, outcome: FiringOutcome): void;
  /** What became of a firing once that is known, or how far it is after so long. */
  outcome(id: string, waitMs: number): Promise<ReturnType<FiringRows['outcome']>>;
  /** Something can be taken. */
  wake(): void;
}

/** What shows that a schedule cannot be sent any more. */
const stopping: ReadonlySet<FiringOutcome['status']> = new Set(['refused', 'failed']);
/** What no gateway has brought to an end. */
const open: ReadonlySet<string> = new Set(['waiting', 'accepted']);
/** Firings that a gateway is given at once. */
const maxAtOnce = 100;

/** Over the tables of one engine. */
export function createFiringQueue({
  rows,
  firings,
  hooks,
  events,
  clock,
}: {
  rows: Pick<ScheduleRows, 'get' | 'stop'>;
  firings: Pick<FiringRows, 'take' | 'accept' | 'settle' | 'outcome'>;
  hooks: Pick<HookRows, 'stop'>;
  events: Pick<EventLog, 'commit'>;
  clock: Clock;
}): FiringQueue {
  const waiting = new Set<Waker>();
  const asking = new Set<Waker>();
  return {
    async outcome(id, waitMs) {
      const end = momentIn(clock, waitMs);
      const waker = createWaker();
      asking.add(waker);
      try {
        for (;;) {
          const found = firings.outcome(id);
          const left = msUntil(clock, end);
          if (found === undefined || !open.has(found.status) || left <= 0) return found;
          await waker.wait(clock, left);
        }
      } finally {
        asking.delete(waker);
      }
    },
    async take({ gateway, platforms, wait_ms = 0 }, { signal } = {}) {
      const end = momentIn(clock, wait_ms);
      const waker = createWaker();
      waiting.add(waker);
      try {
        for (;;) {
          const taken = events.commit(() =>
            firings.take({ gateway, platforms, now: clock.now(), limit: maxAtOnce }),
          );
          const left = msUntil(clock, end);
          if (taken.length > 0 || left <= 0) return taken;
          await waker.wait(clock, left, signal);
        }
      } catch (error) {
        if (signal !== undefined && isAbort(error, signal)) return [];
        throw error;
      } finally {
        waiting.delete(waker);
      }
    },
    settle(id, outcome) {
      events.commit(() => {
        if (outcome.status === 'accepted') return firings.accept(id);
        const settled = firings.settle(id, outcome, clock.now());
        if (settled === undefined || !stopping.has(outcome.status)) return;
        const reason = outcome.reason ?? 'it could not be sent';
        if (settled.source === 'hook') return hooks.stop(settled.source_id, reason);
        const of = rows.get(settled.source_id);
        if (of !== undefined) rows.stop(of.id, reason);
      });
      for (const waker of asking) waker.wake();
    },
    wake() {
      for (const waker of waiting) waker.wake();
    },
  };
}
