// A lane with work, and what is in progress in it.
import PQueue from 'p-queue';
import type { MessageEvent } from '#adapters/gateway/terms/inbound.ts';

/** A lane with work. */
export interface ActiveLane {
  /** Changes when the platform gives the chat another id. */
  name: string;
  queue: PQueue;
  /** Present from the beginning of a turn until its answer is delivered. */
  stopped: AbortController | undefined;
  /** Its run waits for a person to answer. */
  asks: boolean;
  /** Called when its run begins to wait. */
  onAsk: () => void;
  /** Accepted while the lane was idle: in the next turn, or marked as waiting for it. */
  fresh: MessageEvent[];
}

/** A lane with no work in progress. */
export function newLane(name: string): ActiveLane {
  const queue = new PQueue({ concurrency: 1 });
  return { name, queue, stopped: undefined, asks: false, onAsk: () => {}, fresh: [] };
}
