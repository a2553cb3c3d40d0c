// What a turn is worked on with. A shape only.

import type PQueue from 'p-queue';
import type { Assistants } from '#adapters/gateway/admission/assistants.ts';
import type { ByPlatform } from '#adapters/gateway/admission/channel-rules.ts';
import type { Sender } from '#adapters/gateway/delivery/sender.ts';
import type { Typing } from '#adapters/gateway/delivery/typing.ts';
import type { Ledger } from '#adapters/gateway/ledger/ledger.ts';
import type { Limiter } from '#adapters/gateway/pace/limiter.ts';
import type { Reading } from '#adapters/gateway/readers/reading.ts';
import type { RequestRelay } from '#adapters/gateway/requests/request-relay.ts';
import type { PhraseBook } from '#adapters/gateway/terms/phrase-book.ts';
import type { UploadStore } from '#adapters/uploads/store.ts';
import type { Clock } from '#base/clock.ts';
import type { NewId } from '#base/ids.ts';
import type { Log } from '#base/log/log.ts';
import type { Engine } from '#engine/wire/contract.ts';
import type { HandOvers } from './hand-overs.ts';

export interface TurnDeps extends Omit<ByPlatform, 'accessOf' | 'rulesOf'> {
  sender: Pick<Sender, 'first'>;
  engine: Engine;
  ledger: Ledger;
  limiter: Limiter;
  /** See `PreviewOptions`. */
  rendering: PQueue;
  typing: Typing;
  asks: RequestRelay;
  assistants: Assistants;
  uploads: UploadStore;
  reading: Pick<Reading, 'inPrivate' | 'inRoom'>;
  handOvers: Pick<HandOvers, 'flush'>;
  book: PhraseBook;
  clock: Clock;
  newId: NewId;
  log: Log;
  signal: AbortSignal;
}
