// What the bot does in a chat: posts, edits, deletes, thinks, reacts. One attempt each; errors are the SDK's own.
import { WebAPIPlatformError, type WebClient } from '@slack/web-api';
import { z } from 'zod';
import type { Address } from '#adapters/gateway/address.ts';
import type { Receipt, SendOptions } from '#adapters/gateway/channel.ts';
import type { Part } from '#adapters/text/part.ts';
import { ParleyError } from '#base/errors.ts';
import { defined, zodWords } from '#base/json.ts';
import { truncate } from '#base/text.ts';
import { emojiName } from './emoji.ts';
import { bodySchema } from './wire.ts';

export interface Outbound {
  send(address: Address, part: Part, options: SendOptions): Promise<Receipt>;
  edit(address: Address, nativeID: string, part: Part): Promise<void>;
  remove(address: Address, nativeID: string): Promise<void>;
  presence(address: Address, state: 'typing' | 'idle'): Promise<void>;
  react(address: Address, nativeID: string, emoji: string): Promise<void>;
  find(address: Address, key: string): Promise<Receipt | undefined>;
}

/** The metadata that carries a part's key, by which a send of unknown outcome is found again. */
const partEvent = 'parley_part';
/** chat.update refuses longer text; with blocks it is only the fallback for notifications. */
const mostUpdateText = 4000;
const lookBack = 50;
const mostReplyPages = 10;

const pageSchema = z.object({
  messages: z
    .array(
      z.object({
        ts: z.string(),
        metadata: z
          .object({
            event_type: z.string().nullish(),
            event_payload: z.object({ key: z.unknown() }).nullish(),
          })
          .nullish(),
      }),
    )
    .default([]),
  response_metadata: z.object({ next_cursor: z.string().optional() }).nullish(),
});
const postedSchema = z.object({ ts: z.string() });

/** The outbound side over a client; `web` gives one that ends with a signal. */
export function createOutbound(web: (signal?: AbortSignal) => WebClient): Outbound {
  async function call(method: string, args: Record<string, unknown>, signal?: AbortSignal): Promise<unknown> {
    signal?.throwIfAborted();
    return await web(signal).apiCall(method, args);
  }

  async function findInPage(method: string, args: Record<string, unknown>, key: string) {
    const page = pageSchema.parse(await call(method, { ...args, include_all_metadata: true }));
    const found = page.messages.find(
      ({ metadata }) => metadata?.event_type === partEvent && metadata.event_payload?.key === key,
    );
    return { found, next: page.response_metadata?.next_cursor || undefined };
  }

  return {
    async send(address, part, { key, signal }) {
      const answer = await call(
        'chat.postMessage',
        defined({
          channel: address.chat,
          ...contentOf(part),
          thread_ts: address.thread,
          unfurl_links: false,
          unfurl_media: false,
          metadata: { event_type: partEvent, event_payload: { key } },
        }),
        signal,
      );
      return { nativeID: postedSchema.parse(answer).ts };
    },
    async edit(address, nativeID, part) {
      const { text, blocks } = contentOf(part);
      const fallback = blocks === undefined ? text : truncate(text, mostUpdateText);
      await call('chat.update', defined({ channel: address.chat, ts: nativeID, text: fallback, blocks }));
    },
    async remove(address, nativeID) {
      await call('chat.delete', { channel: address.chat, ts: nativeID });
    },
    async presence(address, state) {
      if (address.thread === undefined) return; // Slack shows it in threads only
      const status = state === 'typing' ? 'is thinking...' : '';
      await call('assistant.threads.setStatus', {
        channel_id: address.chat,
        thread_ts: address.thread,
        status,
      });
    },
    async react(address, nativeID, emoji) {
      try {
        await call('reactions.add', { channel: address.chat, timestamp: nativeID, name: emojiName(emoji) });
      } catch (error) {
        if (error instanceof WebAPIPlatformError && error.data.error === 'already_reacted') return;
        throw error;
      }
    },
    async find(address, key) {
      const { chat: channel, thread } = address;
      if (thread === undefined) {
        const { found } = await findInPage('conversations.history', { channel, limit: lookBack }, key);
        return found === undefined ? undefined : { nativeID: found.ts };
      }
      let cursor: string | undefined;
      for (let pages = 0; pages < mostReplyPages; pages += 1) {
        // replies come oldest first, so that the last ones are only reached through all pages
        const args = { channel, ts: thread, limit: 100, cursor };
        const { found, next } = await findInPage('conversations.replies', args, key);
        if (found !== undefined) return { nativeID: found.ts };
        if (next === undefined) return undefined;
        cursor = next;
      }
      return undefined;
    },
  };
}

function contentOf(part: Part): z.infer<typeof bodySchema> {
  const body = bodySchema.safeParse(part.body);
  if (body.success) return body.data;
  throw new ParleyError(
    'invalid_part',
    `A part for Slack has text and blocks: ${zodWords(body.error).join('; ')}`,
  );
}
