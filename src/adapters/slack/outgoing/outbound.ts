// What the bot does in a chat: posts, edits, deletes, thinks, reacts. One attempt each; errors are the SDK's own.
import type { WebClient } from '@slack/web-api';
import { z } from 'zod';
import type { Address } from '#adapters/gateway/terms/address.ts';
import type {
  Receipt,
  SendOptions,
  StreamingOptions,
  StreamingSurface,
} from '#adapters/gateway/terms/channel.ts';
import { ephemeralIn, ephemeralPart } from '#adapters/gateway/terms/ephemeral-part.ts';
import { fileIn } from '#adapters/gateway/terms/file-part.ts';
import { errorWord } from '#adapters/slack/calls/error-word.ts';
import { bodySchema } from '#adapters/slack/calls/wire.ts';
import { emojiName } from '#adapters/slack/codecs/emoji.ts';
import { userIDOf } from '#adapters/slack/codecs/organisation.ts';
import type { MessagePart } from '#adapters/text/part.ts';
import type { Clock } from '#base/clock.ts';
import { ParleyError } from '#base/errors.ts';
import { defined, formatZodError, type Json } from '#base/json.ts';
import { truncate } from '#base/text.ts';
import { sendEphemeral } from './ephemeral.ts';
import { createFinder } from './find.ts';
import { createStreams } from './live.ts';
import type { OpenStreams } from './open-streams.ts';
import { keyMetadata } from './part-key.ts';
import { sendFile } from './send-file.ts';

interface Outbound {
  send(address: Address, part: MessagePart, options: SendOptions): Promise<Receipt>;
  edit(address: Address, nativeID: string, part: MessagePart): Promise<void>;
  remove(address: Address, nativeID: string): Promise<void>;
  presence(address: Address, state: 'typing' | 'idle', message?: string): Promise<void>;
  react(address: Address, nativeID: string, emoji: string): Promise<void>;
  retitle(address: Address, title: string): Promise<void>;
  direct(from: Address, actorID: string): Promise<Address>;
  live(options: StreamingOptions): StreamingSurface | undefined;
  find(address: Address, key: string, what: 'part' | 'preview'): Promise<Receipt | undefined>;
}

/** chat.update refuses longer text; with blocks it is only the fallback for notifications. */
const maxUpdateText = 4000;
const postedSchema = z.object({ ts: z.string() });
const openedSchema = z.object({ channel: z.object({ id: z.string() }) });
/** The bot is at work on the message that has it. */
const workingReaction = 'eyes';
/** How Slack refuses to add a reaction that is there, and to remove one that is not. */
const standsAlready = new Set(['already_reacted', 'no_reaction']);
/** How Slack refuses to edit and to delete a message that is streamed. */
const whileStreaming = new Set(['streaming_state_conflict', 'cant_delete_message']);

/** The calls that write for one account; `web` returns a client whose calls end with the given signal. */
export function createOutbound(
  web: (signal?: AbortSignal) => WebClient,
  { open, clock, apiUrl }: { open: OpenStreams; clock: Clock; apiUrl?: string | undefined },
): Outbound {
  async function call(method: string, args: Record<string, unknown>, signal?: AbortSignal): Promise<unknown> {
    signal?.throwIfAborted();
    return await web(signal).apiCall(method, args);
  }

  /**
   * A call on a message of Parley that Slack refuses while it is streamed. One that nobody has ended, as after a crash, is
   * ended first: only then is there something to change.
   */
  async function onStanding(method: string, args: { channel: string; ts: string }): Promise<void> {
    try {
      await call(method, args);
    } catch (error) {
      if (!whileStreaming.has(errorWord(error) ?? '')) throw error;
      const { channel, ts } = args;
      await call('chat.stopStream', { channel, ts }).catch((refusal: unknown) => {
        if (errorWord(refusal) !== 'message_not_in_streaming_state') throw refusal;
      });
      await call(method, args);
    }
  }

  /** Messages that have the reaction: it stays until it is taken away, and is not shown again as a status is. */
  const signed = new Set<string>();

  async function sign(
    state: 'typing' | 'idle',
    message: { channel: string; timestamp: string },
  ): Promise<void> {
    const key = `${message.channel} ${message.timestamp}`;
    if (state === 'typing' && signed.has(key)) return;
    const method = state === 'typing' ? 'reactions.add' : 'reactions.remove';
    try {
      await call(method, { ...message, name: workingReaction });
    } catch (error) {
      if (!standsAlready.has(errorWord(error) ?? '')) throw error;
    }
    if (state === 'typing') signed.add(key);
    else signed.delete(key);
  }

  return {
    live: createStreams({ call, open, clock }),
    async send(address, part, { key, signal }) {
      const file = fileIn(part);
      if (file !== undefined) return { nativeID: await sendFile(file, address, { call, signal }) };
      const ephemeral = ephemeralIn(part);
      if (ephemeral !== undefined)
        return {
          nativeID: await sendEphemeral(
            { address, ephemeral, content: contentOf(part) },
            { apiUrl, call },
            signal,
          ),
        };
      const answer = await call(
        'chat.postMessage',
        defined({
          channel: address.chat,
          ...contentOf(part),
          thread_ts: address.thread,
          unfurl_links: false,
          unfurl_media: false,
          metadata: keyMetadata(key),
        }),
        signal,
      );
      return { nativeID: postedSchema.parse(answer).ts };
    },
    async edit(address, nativeID, part) {
      const { text, blocks } = contentOf(part);
      const fallback = blocks === undefined ? text : truncate(text, maxUpdateText);
      await onStanding(
        'chat.update',
        defined({ channel: address.chat, ts: nativeID, text: fallback, blocks }),
      );
    },
    async remove(address, nativeID) {
      await onStanding('chat.delete', { channel: address.chat, ts: nativeID });
    },
    async presence(address, state, message) {
      // Slack shows only in threads that someone is thinking; elsewhere the message has a reaction for as long as it is worked on
      if (address.thread === undefined)
        return message === undefined ? undefined : sign(state, { channel: address.chat, timestamp: message });
      const status = state === 'typing' ? 'is thinking...' : '';
      await call('assistant.threads.setStatus', {
        channel_id: address.chat,
        thread_ts: address.thread,
        status,
      });
    },
    async retitle(address, title) {
      if (address.thread === undefined) return;
      await call('assistant.threads.setTitle', {
        channel_id: address.chat,
        thread_ts: address.thread,
        title,
      });
    },
    async direct({ platform, account }, actorID) {
      const users = userIDOf(actorID);
      const { channel } = openedSchema.parse(await call('conversations.open', { users }));
      return { platform, account, chat: channel.id, kind: 'dm' };
    },
    async react(address, nativeID, emoji) {
      try {
        await call('reactions.add', { channel: address.chat, timestamp: nativeID, name: emojiName(emoji) });
      } catch (error) {
        if (errorWord(error) !== 'already_reacted') throw error;
      }
    },
    find: createFinder({ call, open }),
  };
}

/** The part with a line below it which says that it may be a repeat. */
export function markRepeat(part: MessagePart, mark: string): MessagePart {
  const { text, blocks = [] } = contentOf(part);
  const body = { text, blocks: [...blocks, { type: 'markdown', text: `_${mark}_` }] as Json[] }; // read from JSON
  const ephemeral = ephemeralIn(part);
  return ephemeral === undefined
    ? { text: part.text, body }
    : ephemeralPart({ text: part.text, body }, ephemeral);
}

function contentOf(part: MessagePart): z.infer<typeof bodySchema> {
  const body = bodySchema.safeParse(part.body);
  if (body.success) return body.data;
  throw new ParleyError(
    'invalid_part',
    `A part for Slack has text and blocks: ${formatZodError(body.error).join('; ')}`,
  );
}
