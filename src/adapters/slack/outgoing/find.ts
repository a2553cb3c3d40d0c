// Finds a message whose post has no known outcome: by the key in its metadata, or as a stream that was left without one.
import { z } from 'zod';
import type { Address } from '#adapters/gateway/terms/address.ts';
import type { Receipt } from '#adapters/gateway/terms/channel.ts';
import { errorWord } from '#adapters/slack/calls/error-word.ts';
import type { OpenStreams } from './open-streams.ts';
import { keyIn, keyMetadata, keySchema } from './part-key.ts';

interface FinderOptions {
  call(method: string, args: Record<string, unknown>): Promise<unknown>;
  open: OpenStreams;
}

const lookBack = 50;
const maxReplyPages = 10;

const messageSchema = z.object({
  ts: z.string(),
  user: z.string().nullish(),
  streaming_state: z.string().nullish(),
  metadata: keySchema,
});
type FoundMessage = z.infer<typeof messageSchema>;

const pageSchema = z.object({
  messages: z.array(messageSchema).default([]),
  response_metadata: z.object({ next_cursor: z.string().optional() }).nullish(),
});

/**
 * Searches a chat or thread for a message by its send key. A stream gets its key only at its end, so a stream without a key counts as the
 * searched one.
 */
export function createFinder({ call, open }: FinderOptions) {
  async function page(method: string, args: Record<string, unknown>) {
    const answer = pageSchema.parse(await call(method, { ...args, include_all_metadata: true }));
    return { messages: answer.messages, next: answer.response_metadata?.next_cursor || undefined };
  }

  /** Replies come oldest first, so that the last ones are only reached through all pages. */
  async function replies(channel: string, ts: string, key: string): Promise<FoundMessage[]> {
    const seen: FoundMessage[] = [];
    let cursor: string | undefined;
    for (let pages = 0; pages < maxReplyPages; pages += 1) {
      const { messages, next } = await page('conversations.replies', { channel, ts, limit: 100, cursor });
      seen.push(...messages);
      if (next === undefined || messages.some(({ metadata }) => keyIn(metadata) === key)) break;
      cursor = next;
    }
    return seen;
  }

  /**
   * The newest stream of the bot that nobody here writes and that has no key yet: ended with this one, unless its time
   * was up. Whether it belongs to another answer is for the caller to know.
   */
  async function claimStream(address: Address, messages: readonly FoundMessage[], key: string) {
    const [, botUser] = address.account.split('/');
    const left = messages.findLast(
      ({ ts, user, streaming_state: streaming, metadata }) =>
        user === botUser &&
        typeof streaming === 'string' &&
        keyIn(metadata) === undefined &&
        !open.has(address.chat, ts),
    );
    if (left?.streaming_state === 'in_progress')
      await end({ channel: address.chat, ts: left.ts, metadata: keyMetadata(key) });
    return left === undefined ? undefined : { nativeID: left.ts };
  }

  async function end(stream: Record<string, unknown>): Promise<void> {
    try {
      await call('chat.stopStream', stream);
    } catch (error) {
      if (errorWord(error) !== 'message_not_in_streaming_state') throw error;
    }
  }

  return async (address: Address, key: string, what: 'part' | 'preview'): Promise<Receipt | undefined> => {
    const { chat: channel, thread } = address;
    const messages =
      thread === undefined
        ? (await page('conversations.history', { channel, limit: lookBack })).messages
        : await replies(channel, thread, key);
    const found = messages.find(({ metadata }) => keyIn(metadata) === key);
    if (found !== undefined) return { nativeID: found.ts };
    // a part that was posted has its key; a stream that was left holds no more than a preview
    return thread === undefined || what === 'part' ? undefined : claimStream(address, messages, key);
  };
}
