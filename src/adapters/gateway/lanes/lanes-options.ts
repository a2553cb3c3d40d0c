// What lanes are made of. A shape only.

import type { Sender } from '#adapters/gateway/delivery/sender.ts';
import type { Connection } from '#adapters/gateway/pace/connection.ts';
import type { Address } from '#adapters/gateway/terms/address.ts';
import type { MessageEvent } from '#adapters/gateway/terms/inbound.ts';
import type { TurnDeps } from '#adapters/gateway/turns/turn-deps.ts';
import type { Tracing } from '#base/tracing.ts';

export interface LanesOptions extends TurnDeps {
  sender: Sender;
  connectionOf: (address: Address) => Connection | undefined;
  /** A burst of messages becomes one turn when each comes within this time of the one before. */
  debounceMs(): number;
  tracing: Tracing;
  /** Shows a person that their message waits for a turn of others. */
  mark(message: MessageEvent): void;
}
