// What a sink is made of. Shapes only.

import type { Admission } from '#adapters/gateway/admission/admission.ts';
import type { Approvers } from '#adapters/gateway/admission/approvers.ts';
import type { Assistants } from '#adapters/gateway/admission/assistants.ts';
import type { ChannelRules } from '#adapters/gateway/admission/channel-rules.ts';
import type { Limits } from '#adapters/gateway/admission/limits.ts';
import type { InboxRow } from '#adapters/gateway/ledger/inbox/inbox-row.ts';
import type { Ledger } from '#adapters/gateway/ledger/ledger.ts';
import type { Connection } from '#adapters/gateway/pace/connection.ts';
import type { Reading } from '#adapters/gateway/readers/reading.ts';
import type { Address } from '#adapters/gateway/terms/address.ts';
import type { ChatMigratedEvent, InboundEvent, MessageEvent } from '#adapters/gateway/terms/inbound.ts';
import type { PhraseBook } from '#adapters/gateway/terms/phrase-book.ts';
import type { Clock } from '#base/clock.ts';
import type { NewId } from '#base/ids.ts';
import type { Log } from '#base/log/log.ts';
import type { MaskText } from '#base/masked-value.ts';

export interface SinkOptions {
  ledger: Ledger;
  connection: Connection;
  /** How it is talked in this channel, and by which person; may change. */
  talk: () => ChannelRules;
  admission: Admission;
  assistants: Pick<Assistants, 'laneOf' | 'nameIn'>;
  limits: () => Limits;
  approvers: Pick<Approvers, 'isApprover'>;
  book: PhraseBook;
  /** As secrets are masked in the ledger; not at all when absent. */
  mask?: MaskText | undefined;
  /** How long an event is tried that cannot be taken in although the disk works, in milliseconds. */
  giveUpMs: () => number;
  /** Called when an event is passed by, with the reason in words. */
  passedBy: (why: string) => void;
  /** Notes which bot an event came to, before anything is stored of it. */
  learn: (event: InboundEvent) => Promise<void>;
  clock: Clock;
  newId: NewId;
  log: Log;
  /** Called with every new row as soon as it is written. */
  onAccepted: (row: AcceptedRow) => void;
  reading: Pick<Reading, 'changed' | 'doubt'>;
  /** Sends what is in the outbox; never waited for. */
  deliver: (outboxID: string, address: Address) => void;
  /** Called after the commit of a change of a message that a run answers. */
  onAmended: () => void;
  /** Called after the commit that gave a chat another id. */
  onMoved: (move: ChatMigratedEvent) => void;
}

export interface AcceptedRow {
  lane: string;
  event: MessageEvent;
  /** The row, when it is a command or answers what a run asks: it waits for nothing. */
  command: InboxRow | undefined;
}
