// An answer in the making as a draft that fades by itself (sendMessageDraft). Private chats only; nothing of it is left in the chat.
import { GrammyError } from 'grammy';
import type { Live, LiveOptions } from '#adapters/gateway/channel.ts';
import type { Part } from '#adapters/text/part.ts';
import { telegramID, threadParameter } from './address-codec.ts';
import type { Client } from './client.ts';
import { bodyOf } from './part-body.ts';

export interface Drafts {
  /** A draft for this answer, or undefined where the chat has none. */
  live(options: LiveOptions): Live | undefined;
}

export interface DraftsOptions {
  client: Client;
  /** The answer so far, rendered as it will be sent. */
  render(markdown: string): Part[];
}

/** A draft is shown for this long (Bot API, sendMessageDraft). */
const draftMs = 30_000;
/** Chats remembered as having no drafts; the oldest are asked again. */
const mostRemembered = 1_000;

/** Drafts for the private chats of one bot. A chat that refuses one is not asked again until a restart. */
export function createDrafts({ client, render }: DraftsOptions): Drafts {
  const without = new Set<string>();

  const refuse = (chat: string): 'refused' => {
    without.add(chat);
    const [oldest] = without;
    if (without.size > mostRemembered && oldest !== undefined) without.delete(oldest);
    return 'refused';
  };

  return {
    live({ address, key }) {
      if (address.kind !== 'dm' || without.has(address.chat)) return undefined;
      const chat = telegramID(address.chat, 'the chat');
      const draft = draftID(key);
      let state: 'open' | 'finished' = 'open';
      return {
        refreshMs: draftMs,
        async update(markdown) {
          const [part, ...more] = render(markdown);
          // a draft holds one message: a longer answer goes on as messages, which can roll over
          if (state === 'finished' || more.length > 0) return 'refused';
          if (part === undefined) return 'shown';
          const { text, entities } = bodyOf(part);
          try {
            await client.api.sendMessageDraft(chat, draft, text, { entities, ...threadParameter(address) });
            return 'shown';
          } catch (error) {
            if (isUnknownHere(error)) return refuse(address.chat);
            throw error;
          }
        },
        async finish() {
          state = 'finished';
        },
      };
    },
  };
}

/** Refused as a method (404 of an older server) or for this chat (400), and not for passing reasons. */
function isUnknownHere(error: unknown): boolean {
  return error instanceof GrammyError && (error.error_code === 404 || error.error_code === 400);
}

/** A draft's number, never zero: the same for every update of one answer (FNV-1a, 31 bits). */
function draftID(key: string): number {
  let hash = 0x811c9dc5;
  for (const character of key) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return hash & 0x7fffffff || 1;
}
