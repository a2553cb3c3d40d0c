// What the handler of a command is given, and what it gives back. Not the handlers.
import type { Approvers } from '#adapters/gateway/access/approvers.ts';
import type { Desk } from '#adapters/gateway/access/desk.ts';
import type { Links } from '#adapters/gateway/access/links.ts';
import type { ChannelAccess, Role } from '#adapters/gateway/access/terms.ts';
import type { Address } from '#adapters/gateway/address.ts';
import type { Channel } from '#adapters/gateway/channel.ts';
import type { Keeping } from '#adapters/gateway/keeping.ts';
import type { InboxRow } from '#adapters/gateway/ledger/inbox.ts';
import type { ChannelStatus } from '#adapters/gateway/status.ts';
import type { Asks } from '#adapters/gateway/turns/asks.ts';
import type { TurnDeps } from '#adapters/gateway/turns/turn.ts';
import type { Part } from '#adapters/text/part.ts';

export interface CommandDeps
  extends Pick<TurnDeps, 'engine' | 'ledger' | 'clock' | 'newId' | 'log' | 'signal'> {
  asks: Pick<Asks, 'answer'>;
  approvers: Approvers;
  desk: Desk;
  links: Links;
  keeping: Keeping;
  /** Who may talk on the platform of the command. */
  access: ChannelAccess;
  status: () => ChannelStatus[];
  /** Ends the turn of a lane; false when there is none. */
  stopLane: (lane: string) => boolean;
  /** Looks for waiting messages of a lane. */
  wakeLane: (lane: string) => void;
  /** Says something in a chat; resolves once that is on record. */
  tell: (address: Address, words: string) => Promise<void>;
  /** A folder of the gateway's own for files that are made to be sent. */
  exportsFolder: string;
  agent: string;
}

export interface CommandCall extends CommandDeps {
  row: InboxRow;
  channel: Channel;
  /** What followed the command. */
  args: string;
  /** Whoever says it. */
  role: Role;
  /** Whether nobody else reads the answer: the person may be told their own private matters. */
  alone: boolean;
}

/** Words, as Markdown, and what goes after them. */
export interface CommandReply {
  words: string;
  files?: readonly Part[];
}

/** Carries out; may be called again for the same row after a crash. A `refusal` is told as it is. */
export type Handler = (call: CommandCall) => Promise<string | CommandReply>;
