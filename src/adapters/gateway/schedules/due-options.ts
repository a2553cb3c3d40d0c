// What the gateway hands to the delivery of due schedules. A shape only.

import type { Admission } from '#adapters/gateway/admission/admission.ts';
import type { Assistants } from '#adapters/gateway/admission/assistants.ts';
import type { ChannelRules } from '#adapters/gateway/admission/channel-rules.ts';
import type { Limits } from '#adapters/gateway/admission/limits.ts';
import type { OwnerNotices } from '#adapters/gateway/admission/notify-owners.ts';
import type { Sender } from '#adapters/gateway/delivery/sender.ts';
import type { Lanes } from '#adapters/gateway/lanes/lanes.ts';
import type { Ledger } from '#adapters/gateway/ledger/ledger.ts';
import type { Connection } from '#adapters/gateway/pace/connection.ts';
import type { Address } from '#adapters/gateway/terms/address.ts';
import type { Channel } from '#adapters/gateway/terms/channel.ts';
import type { PhraseBook } from '#adapters/gateway/terms/phrase-book.ts';
import type { Clock } from '#base/clock.ts';
import type { NewId } from '#base/ids.ts';
import type { Log } from '#base/log/log.ts';
import type { Engine } from '#engine/wire/contract.ts';

export interface DueOptions {
  engine: Pick<Engine, 'takeFirings' | 'settleFiring' | 'listSchedules'>;
  ledger: Ledger;
  admission: Pick<Admission, 'decide' | 'refuse'>;
  sender: Pick<Sender, 'deliver'>;
  /** The channels of this gateway, and the rules of one, which are read at each firing: they may change. */
  channels: readonly { channel: Pick<Channel, 'platform'> }[];
  rulesOf: (address: Address) => ChannelRules | undefined;
  connectionOf: (address: Address) => Connection | undefined;
  limits: () => Limits;
  assistants: Pick<Assistants, 'laneNow' | 'laneOf' | 'nameIn'>;
  lanes: Pick<Lanes, 'wake'>;
  tellOwners: OwnerNotices;
  /** How long something due is tried that cannot be taken in, in milliseconds. */
  giveUpMs: () => number;
  book: PhraseBook;
  clock: Clock;
  newId: NewId;
  log: Log;
  signal: AbortSignal;
}
