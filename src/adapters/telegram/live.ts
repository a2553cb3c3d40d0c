// An answer in progress as a draft that fades on its own (sendMessageDraft). Private chats only; nothing of it is left in the chat.

import { GrammyError } from 'grammy';
import type { StreamingOptions, StreamingSurface } from '#adapters/gateway/terms/channel.ts';
import { telegramID, threadParameter } from '#adapters/telegram/codecs/address-codec.ts';
import { bodyOf } from '#adapters/telegram/codecs/part-body.ts';
import type { MessagePart } from '#adapters/text/part.ts';
import { createLruCache } from '#base/caches/lru-cache.ts';
import { type Clock, type MonotonicMs, momentAfter } from '#base/clock.ts';
import type { Client } from './calls/client.ts';

interface Drafts {
  /** A draft for this answer, or undefined where the chat has none. */
  live(options: StreamingOptions): StreamingSurface | undefined;
  /** The person has pressed the stop button of the draft with this number. */
  stopped(draftID: number): void;
}

interface DraftsOptions {
  client: Client;
  clock: Clock;
  /** The answer so far, rendered as it will be sent. */
  render(markdown: string): MessagePart[];
}

/** A draft is shown for 30 seconds (Bot API, sendMessageDraft); it is shown again well before. */
const renewMs = 18_000;
/** Chats remembered as having no drafts; the oldest are forgotten. */
const maxRemembered = 1_000;
/** The words with which a chat has no drafts, whatever their text (seen: TEXTDRAFT_PEER_INVALID). */
const noDraftsHere = /PEER_INVALID|PEER_ID_INVALID|private chats/i;

/** Live drafts in the private chats of one bot. A chat or a server without drafts is not asked again until a restart. */
export function createDrafts({ client, clock, render }: DraftsOptions): Drafts {
  const without = createLruCache<string, true>(maxRemembered);
  /** Drafts of unfinished answers, each with what ends it. */
  const open = new Map<number, () => void>();
  let known = true;

  /** Where drafts are refused; a refusal of a single text is not remembered. */
  const remember = (error: GrammyError, chat: string): void => {
    if (error.error_code === 404) known = false;
    if (!noDraftsHere.test(error.description)) return;
    without.set(chat, true);
  };

  return {
    live({ address, key, stopped }) {
      if (address.kind !== 'dm' || !known || without.get(address.chat)) return undefined;
      const chat = telegramID(address.chat, 'the chat');
      const draft = draftID(key);
      let state: 'open' | 'stopped' = 'open';
      let shownAt: MonotonicMs | undefined;
      const stop = (): void => {
        state = 'stopped';
        stopped();
      };
      open.set(draft, stop);
      return {
        renewAt: () => (shownAt === undefined ? undefined : momentAfter(shownAt, renewMs)),
        async update(markdown) {
          if (state === 'stopped') return 'stopped by user';
          const [part, ...more] = render(markdown);
          // a draft holds one message: a longer answer goes on as messages, which can roll over
          if (more.length > 0) return 'refused';
          if (part === undefined) return 'shown';
          const { text, entities } = bodyOf(part);
          // kept after the stop button, the draft stays until the message with the text so far takes its place
          const other = { entities, can_stop: true, keep_on_stop: true, ...threadParameter(address) };
          try {
            await client.api.sendMessageDraft(chat, draft, text, other);
            shownAt = clock.monotonic();
            return 'shown';
          } catch (error) {
            if (!(error instanceof GrammyError) || !isRefusal(error)) throw error;
            remember(error, address.chat);
            return 'refused';
          }
        },
        // what can be stopped holds the whole turn
        close() {
          if (open.get(draft) === stop) open.delete(draft);
        },
      };
    },
    stopped: (draft) => open.get(draft)?.(),
  };
}

/** Refused as a method (404 of an older server), or for this chat or text (400), and not for passing reasons. */
function isRefusal({ error_code: code }: GrammyError): boolean {
  return code === 404 || code === 400;
}

/** A draft's number, never zero: the same for every update of one answer (FNV-1a, 31 bits). */
function draftID(key: string): number {
  let hash = 0x811c9dc5;
  for (const character of key) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return hash & 0x7fffffff || 1;
}
