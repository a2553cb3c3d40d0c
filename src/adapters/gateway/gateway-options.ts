// What a gateway is made of. A shape only.

import type { ChannelRules } from '#adapters/gateway/admission/channel-rules.ts';
import type { LookTimes } from '#adapters/gateway/readers/looks.ts';
import type { UploadStore } from '#adapters/uploads/store.ts';
import type { ActiveProblems } from '#base/active-problems.ts';
import type { Clock } from '#base/clock.ts';
import type { NewId } from '#base/ids.ts';
import type { Log } from '#base/log/log.ts';
import type { Tracing } from '#base/tracing.ts';
import type { Engine } from '#engine/wire/contract.ts';
import type { GatewaySettings } from './gateway-settings.ts';
import type { NamedPerson } from './terms/access-types.ts';
import type { Channel } from './terms/channel.ts';

export interface GatewayOptions {
  /** Path of gateway.sqlite, in the home folder. */
  path: string;
  engine: Engine;
  /** `talk` is read with each message: it may change. */
  channels: readonly { channel: Channel; talk: () => ChannelRules }[];
  settings: () => GatewaySettings;
  /** Who is known by the config: `name -> { role, accounts: ["discord:ID", "telegram:ID"] }`. */
  people: Readonly<Record<string, NamedPerson>>;
  /** Masks secrets in what people are shown of others' tool calls, and in the ledger once an answer is delivered; leaves all as it is when absent. */
  redact?: ((text: string) => Promise<string>) | undefined;
  /** Where files that come with messages are stored; a folder `channel_uploads` next to the ledger by default. */
  uploads?: UploadStore | undefined;
  clock: Clock;
  newId: NewId;
  log: Log;
  /** Of looks at platforms for who may read what. */
  looks?: LookTimes | undefined;
  /** Who measures the way of a message; nobody when absent. */
  tracing?: Tracing | undefined;
  /** Where a disk that refuses is noted, among the other problems of the program; an empty list by default. */
  problems?: ActiveProblems | undefined;
}
