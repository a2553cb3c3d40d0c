// What the sender is made of. A shape only.

import type { Ledger } from '#adapters/gateway/ledger/ledger.ts';
import type { Connection } from '#adapters/gateway/pace/connection.ts';
import type { Limiter } from '#adapters/gateway/pace/limiter.ts';
import type { Address } from '#adapters/gateway/terms/address.ts';
import type { PhraseBook } from '#adapters/gateway/terms/phrase-book.ts';
import type { Clock } from '#base/clock.ts';
import type { NewId } from '#base/ids.ts';
import type { Log } from '#base/log/log.ts';
import type { Tracing } from '#base/tracing.ts';
import type { Typing } from './typing.ts';

export interface SenderOptions {
  ledger: Ledger;
  limiter: Limiter;
  typing: Pick<Typing, 'posted'>;
  connectionOf: (address: Address) => Connection | undefined;
  /** Reports to the engine that a run's answer is delivered; safe to repeat. */
  handOver: (delivery: { runID: string; deliveredAtMs: number; nativeIDs: string[] }) => Promise<void>;
  /** How long a part is tried that the platform refuses although its connection stands, in milliseconds. */
  giveUpMs: () => number;
  tracing: Tracing;
  book: PhraseBook;
  clock: Clock;
  newId: NewId;
  log: Log;
  signal: AbortSignal;
}
