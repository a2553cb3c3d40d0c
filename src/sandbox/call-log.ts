// The newest calls that a bot has made on a simulated platform, for tests.
import type { Clock } from '#base/clock.ts';

/** A call as it was answered; status 0 while it is open and when its answer never went out. */
export interface LoggedCall {
  name: string;
  status: number;
  at: number;
}

interface CallLog {
  /** Notes a call; its status may be set later. */
  record(name: string, status: number): LoggedCall;
  calls(): LoggedCall[];
}

const maxCalls = 10_000;

/** An empty log. */
export function createCallLog(clock: Pick<Clock, 'now'>): CallLog {
  const log: LoggedCall[] = [];
  return {
    record(name, status) {
      const call = { name, status, at: clock.now() };
      log.push(call);
      if (log.length > maxCalls) log.shift();
      return call;
    },
    calls: () => log.map((call) => ({ ...call })),
  };
}
