// Which way the answer to a command goes: into the room, only to the person who gave it, or into their direct message.

import type { SeenBy } from '#adapters/gateway/commands/memory/seen.ts';
import type { InboxRow } from '#adapters/gateway/ledger/inbox/inbox-row.ts';
import type { Ledger } from '#adapters/gateway/ledger/ledger.ts';
import type { NewOutboxRow } from '#adapters/gateway/ledger/outbox.ts';
import type { Phrases } from '#adapters/gateway/phrases/en.ts';
import { withButtons } from '#adapters/gateway/requests/show-settled.ts';
import type { Channel } from '#adapters/gateway/terms/channel.ts';
import { aside } from '#adapters/gateway/terms/command-reply.ts';
import { ephemeralPart } from '#adapters/gateway/terms/ephemeral-part.ts';
import type { PhraseBook } from '#adapters/gateway/terms/phrase-book.ts';
import type { MessagePart } from '#adapters/text/part.ts';
import type { CommandReply } from './command-context.ts';

export interface Way {
  /** Whether nobody else reads the answer. */
  single: boolean;
  /** The phrases for those who read what was done, and for the person who reads why it was not. */
  phrases: { reply: Phrases; refusal: Phrases };
  /** What is to be sent, and where. */
  rows(outcome: CommandOutcome): Pick<NewOutboxRow, 'address' | 'parts'>[];
}

/** What was done, or why it was not, which nobody but the person who gave the command needs to know. */
export type CommandOutcome = { reply: string | CommandReply } | { refusal: string };

/** Decides, before a command runs, where its answer goes: into the chat, only to the person, or into their direct message. */
export function wayOf(
  row: InboxRow,
  channel: Channel,
  { ledger, seen, book }: { ledger: Pick<Ledger, 'inbox'>; seen: SeenBy; book: PhraseBook },
): Way {
  const { address, event, person } = row;
  const isDirect = address.kind === 'dm';
  const ephemeral = isDirect ? undefined : channel.ephemeralFor?.(event);
  const known =
    isDirect || ephemeral !== undefined || seen !== 'private' ? undefined : ledger.inbox.lastDirect(person);
  const direct = known?.address.account === address.account ? known.address : undefined;
  const inLanguage = (isPrivate: boolean): Phrases =>
    book.for({ address, person, locale: event.actor.locale, isPrivate });
  /** Keys of the second row's parts differ from those of the first. */
  const partsOf = (parts: readonly MessagePart[], mark = 'c'): NewOutboxRow['parts'] =>
    parts.map((part, ordinal) => {
      const key = `${mark}${row.id.slice(-20)}${ordinal.toString(36)}`;
      const shown = ordinal === 0 && mark === 'c' ? event.placeholder : undefined;
      return { part, key, preview: shown === undefined ? undefined : { key, nativeID: shown } };
    });
  return {
    single: isDirect || ephemeral !== undefined || direct !== undefined,
    phrases: {
      reply: inLanguage(direct !== undefined || (ephemeral !== undefined && seen !== 'room')),
      refusal: inLanguage(ephemeral !== undefined || direct !== undefined),
    },
    rows(outcome) {
      const reply = 'refusal' in outcome ? outcome.refusal : outcome.reply;
      const {
        words,
        files = [],
        choices = [],
      }: CommandReply = typeof reply === 'string' ? { words: reply } : reply;
      const rendered = channel.render(words);
      const content = choices.length === 0 ? rendered : withButtons(rendered, channel, choices);
      // a refusal too may name accounts and people
      if (direct !== undefined) {
        const note = aside(inLanguage(false).commands.answeredInPrivate);
        return [
          { address: direct, parts: partsOf([...content, ...files]) },
          { address, parts: partsOf(channel.render(note), 'e') },
        ];
      }
      const toAsker = seen !== 'room' || 'refusal' in outcome;
      const shown =
        toAsker && ephemeral !== undefined ? content.map((part) => ephemeralPart(part, ephemeral)) : content;
      return [{ address, parts: partsOf([...shown, ...files]) }];
    },
  };
}
