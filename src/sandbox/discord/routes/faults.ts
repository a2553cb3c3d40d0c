// Faults that were asked for, until they are used up. It decides what happens to a call; the server carries it out.
import type { Fault, FaultTarget } from '#sandbox/contract.ts';

/** A fault that happens to an API call, as opposed to the live connection. */
export type CallFault = Exclude<Fault, { kind: 'drop_socket' | 'invalid_session' }>;

export interface Faults {
  add(fault: CallFault): void;
  /** The fault that happens to this call, used up by one, or undefined. */
  take(target: FaultTarget | undefined): CallFault | undefined;
}

/** Faults that may wait; the oldest give way. */
const maxWaiting = 100;

export function createFaults(): Faults {
  let pending: CallFault[] = [];
  return {
    add(fault) {
      pending.push({ ...fault });
      if (pending.length > maxWaiting) pending.shift();
    },
    take(target) {
      pending = pending.filter((fault) => fault.times > 0);
      const fault = pending.find((one) => one.target === 'any' || one.target === target);
      if (fault !== undefined) fault.times -= 1;
      return fault;
    },
  };
}

/** Which calls a fault's target means: the method and the route with `:id` in place of ids. */
export function targetOf(method: string, route: string): FaultTarget | undefined {
  if (route === '/channels/:id/messages') return method === 'POST' ? 'send' : 'receive';
  if (route === '/channels/:id/messages/:id' && method === 'PATCH') return 'edit';
  if (route === '/webhooks/:id/:token/messages/@original' && method === 'PATCH') return 'edit';
  if (route === '/webhooks/:id/:token') return 'send';
  if (route === '/channels/:id/typing') return 'typing';
  return undefined;
}
