// Faults that wait for the next calls that fit. It counts them; the server carries them out.
import type { Fault, FaultTarget } from '#sandbox/contract.ts';

export type CallFault = Extract<Fault, { target: FaultTarget }>;

export interface FaultList {
  add(fault: CallFault): void;
  /** The oldest fault that fits, counted down; undefined when the call may pass. */
  next(method: string): CallFault | undefined;
}

const targets: Readonly<Record<string, FaultTarget>> = {
  sendmessage: 'send',
  sendphoto: 'send',
  senddocument: 'send',
  editmessagetext: 'edit',
  sendmessagedraft: 'edit',
  sendchataction: 'typing',
  getupdates: 'receive',
};

/** Faults that may wait; the oldest give way. */
const maxWaiting = 100;

/** An empty list; faults of the same target are served in the order they were added. */
export function createFaultList(): FaultList {
  const waiting: CallFault[] = [];
  return {
    add(fault) {
      if (fault.times <= 0) return;
      waiting.push({ ...fault });
      if (waiting.length > maxWaiting) waiting.shift();
    },
    next(method) {
      const index = waiting.findIndex(({ target }) => target === 'any' || target === targets[method]);
      const fault = waiting[index];
      if (fault === undefined) return undefined;
      fault.times -= 1;
      if (fault.times === 0) waiting.splice(index, 1);
      return fault;
    },
  };
}
