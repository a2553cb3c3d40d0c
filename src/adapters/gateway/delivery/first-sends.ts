// Answers whose first part is on record as being sent by the very commit that made it: one commit fewer before a person reads it.

import type { NewOutboxRow } from '#adapters/gateway/ledger/outbox.ts';
import type { Connection } from '#adapters/gateway/pace/connection.ts';
import type { Limiter } from '#adapters/gateway/pace/limiter.ts';
import type { Address } from '#adapters/gateway/terms/address.ts';

export interface FirstSends {
  /**
   * Whether the first of these parts is sent as soon as they are stored: nothing holds it up, and it takes no preview's place. Only such a
   * part may be stored as being sent, since a process that dies before it is sent leaves behind that it may stand.
   */
  isNext(address: Address, parts: NewOutboxRow['parts']): boolean;
  /** The first part of this row was stored as being sent. */
  note(id: string): void;
  /** Whether it was, and nothing has tried to send it yet. */
  isNoted(id: string): boolean;
  /** It is tried now: whatever comes of it, it may stand from here on. */
  tried(id: string): void;
}

/** For the answers of one process: what an earlier one stored as being sent may stand already. */
export function createFirstSends(options: {
  connectionOf: (address: Address) => Connection | undefined;
  limiter: Pick<Limiter, 'wait'>;
}): FirstSends {
  const ids = new Set<string>();
  return {
    isNext(address, [first]) {
      if (first === undefined || first.preview !== undefined || first.standing !== undefined) return false;
      if (options.connectionOf(address)?.status().state !== 'ready') return false;
      return options.limiter.wait({ address, act: 'send', urgency: 'final' }) === 0;
    },
    note: (id) => void ids.add(id),
    isNoted: (id) => ids.has(id),
    tried: (id) => void ids.delete(id),
  };
}
