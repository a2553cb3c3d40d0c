// Faults that wait for the next calls that they fit. It counts them; the servers carry them out.
import type { Fault, FaultTarget } from './contract.ts';

/** A fault that befalls an API call, as opposed to the live connection. */
export type CallFault = Extract<Fault, { target: FaultTarget }>;

export interface Faults {
  add(fault: CallFault): void;
  /** Uses up one occurrence of the oldest fault that fits a call; undefined when the call may pass. */
  take(target: FaultTarget | undefined): CallFault | undefined;
}

/** Faults that may wait; the oldest give way. */
const maxWaiting = 100;

/** An empty list; faults of the same target are served in the order they were added. */
export function createFaults(): Faults {
  const waiting: CallFault[] = [];
  return {
    add(fault) {
      if (fault.times <= 0) return;
      waiting.push({ ...fault });
      if (waiting.length > maxWaiting) waiting.shift();
    },
    take(called) {
      const index = waiting.findIndex(({ target }) => target === 'any' || target === called);
      const fault = waiting[index];
      if (fault === undefined) return undefined;
      fault.times -= 1;
      if (fault.times === 0) waiting.splice(index, 1);
      return fault;
    },
  };
}
