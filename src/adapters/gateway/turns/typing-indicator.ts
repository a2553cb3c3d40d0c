// The typing indicator of one turn: shown while the assistant is at work, and not while it waits for the person.

import type { Typing } from '#adapters/gateway/delivery/typing.ts';
import type { Address } from '#adapters/gateway/terms/address.ts';
import type { Channel } from '#adapters/gateway/terms/channel.ts';

export interface WorkingSign {
  /** Takes the sign down until `resume`. */
  rest(): void;
  resume(): void;
  /** Removes it; no sign is sent after this resolves. */
  stop(): Promise<void>;
}

/** Shows the activity indicator for `message` from this moment until `stop`; `rest` hides it while a person is asked something. */
export function createWorkingSign(
  typing: Typing,
  channel: Channel,
  { address, message }: { address: Address; message: string | undefined },
): WorkingSign {
  let work = typing.show(channel, address, message);
  let state: 'working' | 'resting' | 'stopped' = 'working';
  let resting: Promise<void> = Promise.resolve();
  return {
    rest() {
      if (state !== 'working') return;
      state = 'resting';
      resting = work.stop();
    },
    resume() {
      if (state !== 'resting') return;
      state = 'working';
      work = typing.show(channel, address, message);
    },
    async stop() {
      state = 'stopped';
      await Promise.all([resting, work.stop()]);
    },
  };
}
