// Callers in line for one account: the most urgent first, then who came first. It knows when to look again, not why one waits.
import { type Clock, type MonotonicMs, momentIn, msUntil } from '#base/clock.ts';

export interface PriorityQueue<Caller> {
  /** Resolves when it is this caller's turn, which is taken then; rejects with the signal's reason, and takes nothing, when it aborts. */
  join(caller: Caller, signal: AbortSignal): Promise<void>;
  /** Takes a turn now, if there is one that nobody in line may have. */
  pass(caller: Caller): boolean;
  /** Lets everyone go on who may: called when waiting times may have become shorter. */
  serve(): void;
}

interface PriorityQueueOptions<Caller> {
  clock: Clock;
  /** Smaller goes first. */
  rankOf(caller: Caller): number;
  /** Milliseconds until this caller may go if nobody else does before; 0 when it may go now. */
  waitOf(caller: Caller): number;
  /** Notes that the caller goes now. */
  go(caller: Caller): void;
}

interface QueuedCaller<Caller> {
  caller: Caller;
  rank: number;
  admit(): void;
}

/** A timer longer than this is set in pieces: beyond 24.8 days Node's own fire at once. */
const longestSleepMs = 3_600_000;

/** An empty queue that serves callers by rank, then by arrival. It sets no timer while nobody waits. */
export function createPriorityQueue<Caller>({
  clock,
  rankOf,
  waitOf,
  go,
}: PriorityQueueOptions<Caller>): PriorityQueue<Caller> {
  /** By rank, then by arrival. */
  const waiting: QueuedCaller<Caller>[] = [];
  let alarm: { at: MonotonicMs; off: AbortController } | undefined;

  const setAlarm = (inMs: number): void => {
    alarm?.off.abort();
    alarm = undefined;
    if (waiting.length === 0) return;
    const off = new AbortController();
    const left = Math.min(inMs, longestSleepMs);
    alarm = { at: momentIn(clock, left), off };
    clock.sleep(left, off.signal).then(serve, () => {
      // Put off: another alarm is set, or nobody waits any more.
    });
  };

  function serve(): void {
    let soonest = Number.POSITIVE_INFINITY;
    for (let at = 0; at < waiting.length; ) {
      const one = waiting[at] as QueuedCaller<Caller>; // within bounds
      const left = waitOf(one.caller);
      if (left > 0) {
        soonest = Math.min(soonest, left);
        at += 1;
      } else {
        waiting.splice(at, 1);
        go(one.caller);
        one.admit();
      }
    }
    setAlarm(soonest);
  }

  /** Nobody in line may go before the alarm; one that is due goes before a newcomer. */
  const serveDue = (): void => {
    if (alarm !== undefined && msUntil(clock, alarm.at) <= 0) serve();
  };

  const pass = (caller: Caller): boolean => {
    serveDue();
    if (waitOf(caller) > 0) return false;
    go(caller);
    return true;
  };

  const insert = (one: QueuedCaller<Caller>): void => {
    const behind = waiting.findIndex(({ rank }) => rank > one.rank);
    waiting.splice(behind === -1 ? waiting.length : behind, 0, one);
    const left = waitOf(one.caller);
    if (alarm === undefined || left < msUntil(clock, alarm.at)) setAlarm(left);
  };

  return {
    serve,
    pass,
    async join(caller, signal) {
      signal.throwIfAborted();
      if (pass(caller)) return;
      await new Promise<void>((resolve, reject) => {
        const leave = (): void => {
          waiting.splice(waiting.indexOf(one), 1);
          if (waiting.length === 0) setAlarm(0);
          reject(signal.reason);
        };
        const one: QueuedCaller<Caller> = {
          caller,
          rank: rankOf(caller),
          admit() {
            signal.removeEventListener('abort', leave);
            resolve();
          },
        };
        signal.addEventListener('abort', leave);
        insert(one);
      });
    },
  };
}
