// What the handler of a command is given, and what it gives back.

import type { Approvers } from '#adapters/gateway/admission/approvers.ts';
import type { Assistants } from '#adapters/gateway/admission/assistants.ts';
import type { Limits } from '#adapters/gateway/admission/limits.ts';
import type { Links } from '#adapters/gateway/admission/links.ts';
import type { ChannelStatus } from '#adapters/gateway/delivery/status.ts';
import type { InboxRow } from '#adapters/gateway/ledger/inbox/inbox-row.ts';
import type { LedgerContent } from '#adapters/gateway/ledger/ledger-content.ts';
import type { Phrases } from '#adapters/gateway/phrases/en.ts';
import type { NameCommand } from '#adapters/gateway/phrases/forms.ts';
import type { Handoffs } from '#adapters/gateway/requests/handoff-drafts.ts';
import type { RequestRelay } from '#adapters/gateway/requests/request-relay.ts';
import type { ChannelAccess } from '#adapters/gateway/terms/access-types.ts';
import type { Address } from '#adapters/gateway/terms/address.ts';
import type { Button, Channel } from '#adapters/gateway/terms/channel.ts';
import type { PhraseBook } from '#adapters/gateway/terms/phrase-book.ts';
import type { Role } from '#adapters/gateway/terms/role.ts';
import type { HandOvers } from '#adapters/gateway/turns/hand-overs.ts';
import type { TurnDeps } from '#adapters/gateway/turns/turn-deps.ts';
import type { MessagePart } from '#adapters/text/part.ts';
import type { AccessAdmin } from '#engine/wire/channels/channel-operations.ts';

export interface CommandDeps
  extends Pick<
    TurnDeps,
    'engine' | 'ledger' | 'clock' | 'newId' | 'log' | 'signal' | 'reading' | 'profileOf'
  > {
  asks: Pick<RequestRelay, 'answer' | 'showSettled'>;
  approvers: Approvers;
  accessAdmin: AccessAdmin;
  links: Links;
  ledgerContent: LedgerContent;
  handoffs: Handoffs;
  handOvers: Pick<HandOvers, 'flush'>;
  /** Takes a message of the bot's out of the chat of the command; false where the platform leaves it there. */
  removeMessage: (address: Address, nativeID: string) => Promise<boolean>;
  /** Who may talk on the platform of the command. */
  access: ChannelAccess;
  /** How much people and rooms may use. */
  limits: () => Limits;
  status: () => ChannelStatus[];
  /** Ends the turn of a lane; false when there is none. */
  stopLane: (lane: string) => boolean;
  /** Looks for waiting messages of a lane. */
  wakeLane: (lane: string) => void;
  /** Says something in a chat; resolves once that is on record. */
  notify: (address: Address, words: string) => Promise<void>;
  /** A folder of the gateway's own for files that are made to be sent. */
  exportsFolder: string;
  /** The name of the assistant that answers in the lane of the command. */
  agent: string;
  assistants: Assistants;
  book: PhraseBook;
}

export interface CommandCall extends CommandDeps {
  row: InboxRow;
  channel: Channel;
  /** What followed the command. */
  args: string;
  /** The person who says it. */
  role: Role;
  /** Whether nobody else reads the answer: it may then show the person their own private matters. */
  single: boolean;
  /** The phrases in the language of those who read the answer. */
  phrases: Phrases;
  /** Names commands as they are typed there. */
  command: NameCommand;
}

/** Words, as Markdown, and what goes after them. */
export interface CommandReply {
  words: string;
  /** What was done shows itself: the words are left out where a reaction gave the command. */
  showsItself?: true;
  files?: readonly MessagePart[];
  /** Buttons below the words, where the platform has any, and what they decide on. */
  choices?: readonly Button[];
  proposes?: string;
  /** What is decided now: the message that proposed it loses its buttons. */
  decides?: string;
}

/** Carries out; may be called again for the same row after a crash. A `refusal` is passed on unchanged. */
export type CommandHandler = (call: CommandCall) => Promise<string | CommandReply>;
