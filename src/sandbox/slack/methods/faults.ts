// Faults waiting for the next calls that fit them.
import type { Fault, FaultTarget } from '#sandbox/contract.ts';

/** A fault that waits for a call. */
export type CallFault = Exclude<Fault, { kind: 'drop_socket' } | { kind: 'invalid_session' }>;

export interface Faults {
  add(fault: CallFault): void;
  /** Uses up one occurrence of the oldest fault that fits the method. */
  take(method: string): CallFault | undefined;
}

const targets: Record<string, FaultTarget> = {
  'chat.postMessage': 'send',
  'chat.postEphemeral': 'send',
  response_url: 'send',
  'chat.update': 'edit',
  'chat.delete': 'edit',
  'chat.startStream': 'send',
  'chat.appendStream': 'edit',
  'chat.stopStream': 'edit',
  'assistant.threads.setStatus': 'typing',
  'conversations.history': 'receive',
  'conversations.replies': 'receive',
  'apps.connections.open': 'receive',
};

/** An empty list of faults; at most 100 wait, the oldest give way. */
export function createFaults(): Faults {
  const waiting: { fault: CallFault; left: number }[] = [];
  return {
    add(fault) {
      if (fault.times <= 0) return;
      waiting.push({ fault, left: fault.times });
      if (waiting.length > 100) waiting.shift();
    },
    take(method) {
      const target = targets[method];
      const index = waiting.findIndex(({ fault }) => fault.target === 'any' || fault.target === target);
      const found = waiting[index];
      if (found === undefined) return undefined;
      found.left -= 1;
      if (found.left === 0) waiting.splice(index, 1);
      return found.fault;
    },
  };
}
