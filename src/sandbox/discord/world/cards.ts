// What a message holds that no person types, and the tags of forums. The shapes; the acts that make them are extras.ts.
import type { SandboxFile } from '#sandbox/contract.ts';

export interface CardEmbed {
  type: 'link' | 'rich';
  url?: string | undefined;
  title?: string | undefined;
  description?: string | undefined;
  author?: { name: string } | undefined;
  provider?: { name: string } | undefined;
  fields?: { name: string; value: string; inline: boolean }[] | undefined;
  footer?: { text: string } | undefined;
}

export interface MessageExtras {
  embeds: CardEmbed[];
  /** The name that a webhook posted it under; its `authorID` is the webhook's id. */
  webhook?: string | undefined;
  /** What it passes on, as it was then (Discord, "Message Snapshot"). */
  forwards?: Forwarded | undefined;
}

interface Forwarded {
  id: string;
  channelID: string;
  content: string;
  embeds: CardEmbed[];
  at: number;
  attachments: readonly (SandboxFile & { id: string; channelID: string })[];
}

/** A forum with the tags that posts may have, or a post with those that it has. */
export interface Tagged {
  tags?: readonly { id: string; name: string }[] | undefined;
}
