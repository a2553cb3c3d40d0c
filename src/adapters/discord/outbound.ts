// The calls that a person sees: send, edit, remove, react, typing. Each is one request, straight to its route.
import { DiscordAPIError, MessageFlags, RESTJSONErrorCodes, Routes } from 'discord.js';
import { z } from 'zod';
import { componentsOf } from '#adapters/discord/events/choices.ts';
import { posted } from '#adapters/discord/payloads/payload.ts';
import { createThreadPlaces } from '#adapters/discord/rooms/thread-place.ts';
import { phrasesFor } from '#adapters/gateway/phrases/phrases.ts';
import type { Button, Channel, SendOptions } from '#adapters/gateway/terms/channel.ts';
import { escapeMarkdown } from '#adapters/gateway/terms/command-reply.ts';
import { type Ephemeral, ephemeralIn, ephemeralPart } from '#adapters/gateway/terms/ephemeral-part.ts';
import { fileIn, type OutgoingFile, readFileBytes } from '#adapters/gateway/terms/file-part.ts';
import type { MessageEvent } from '#adapters/gateway/terms/inbound.ts';
import type { MessagePart } from '#adapters/text/part.ts';
import type { Clock } from '#base/clock.ts';
import { ParleyError } from '#base/errors.ts';
import { defined, type Json } from '#base/json.ts';
import type { Rest } from './calls/rest.ts';
import { type DeferredReplies, placeholderIn } from './events/deferred-replies.ts';

/** Nobody is pinged by what a model writes, nor by being answered. */
const pingsNobody = { parse: [], replied_user: false };

/** Cannot reference a message without permission to read message history (discord-api-docs#8424). */
const noReferenceWithoutHistory = 160_009;
/** Units that a bot's message may have. */
const maxContent = 2_000;

const ephemeralSchema = z.object({ id: z.string(), application_id: z.string(), token: z.string() });

const partBody = z.object({
  content: z.string(),
  /** Buttons, as `componentsOf` made them. */
  components: z.array(z.looseObject({ type: z.int() })).exactOptional(),
});

type Outbound = Pick<Channel, 'send' | 'edit' | 'remove' | 'presence' | 'react' | 'direct'>;

/** The calls over the REST client; a deferred reply is edited by way of `deferred`. */
export function createOutbound(
  rest: Rest,
  {
    deferred,
    clock,
    linkPreviews,
  }: {
    deferred: Pick<DeferredReplies, 'edit' | 'follow' | 'remove'>;
    clock: Clock;
    /** Whether Discord shows pages below the links in messages. */
    linkPreviews: boolean;
  },
): Outbound {
  const { at } = createThreadPlaces(rest, clock);
  const previews = linkPreviews ? {} : { flags: MessageFlags.SuppressEmbeds };
  return {
    async send(address, part, options) {
      const ephemeral = ephemeralSchema.safeParse(ephemeralIn(part)).data;
      if (ephemeral !== undefined) {
        const id = await deferred.follow(ephemeral, { ...bodyOf(part), allowed_mentions: pingsNobody });
        return { nativeID: `ephemeral ${id}` };
      }
      const file = fileIn(part);
      const made = file === undefined ? { body: messageBody(part, options) } : await upload(file, options);
      const request = { ...made, body: { ...made.body, ...previews } };
      const postIn = (channel: string, request: { body: object }): Promise<unknown> =>
        rest().post(Routes.channelMessages(channel), { ...request, ...defined({ signal: options.signal }) });
      const answer = await at(address, async (channel) => {
        try {
          return await postIn(channel, request);
        } catch (error) {
          // who may not read back may not reply, and may write all the same
          if (!isReplyRefused(error)) throw error;
          const { message_reference: _, ...body } = request.body;
          return await postIn(channel, { ...request, body });
        }
      });
      return { nativeID: posted.parse(answer).id };
    },
    async edit(address, nativeID, part) {
      const edited = (one: MessagePart) => ({
        ...bodyOf(one),
        allowed_mentions: pingsNobody,
        ...previews,
      });
      const body = edited(part);
      const placeholder = placeholderIn(nativeID);
      const readers = ephemeralIn(part) === undefined ? 'everyone' : 'asker';
      if (placeholder !== undefined)
        await deferred.edit(
          placeholder,
          { body, repeat: edited(markRepeat(part, phrasesFor('en').answers.mayBeRepeat)) },
          readers,
        );
      else await at(address, (channel) => rest().patch(Routes.channelMessage(channel, nativeID), { body }));
    },
    async remove(address, nativeID) {
      const placeholder = placeholderIn(nativeID);
      if (placeholder !== undefined) return deferred.remove(placeholder);
      await at(address, (channel) => rest().delete(Routes.channelMessage(channel, nativeID)));
    },
    async direct({ platform, account }, actorID) {
      const body = { recipient_id: actorID };
      const { id } = posted.parse(await rest().post(Routes.userChannels(), { body }));
      return { platform, account, chat: id, kind: 'dm' };
    },
    async presence(address, state) {
      // Discord has no way to take the sign down: it ends with the next message or after ten seconds.
      if (state === 'typing') await at(address, (channel) => rest().post(Routes.channelTyping(channel)));
    },
    async react(address, nativeID, emoji) {
      const put = (channel: string): Promise<unknown> =>
        rest().put(Routes.channelMessageOwnReaction(channel, nativeID, encodeURIComponent(emoji)));
      if (address.thread !== nativeID) await at(address, put);
      else await put(address.chat).catch((error: unknown) => inPost(error, () => put(nativeID)));
    },
  };
}

function isReplyRefused(error: unknown): boolean {
  return (
    error instanceof DiscordAPIError &&
    (error.code === RESTJSONErrorCodes.CannotReplyWithoutPermissionToReadMessageHistory ||
      error.code === noReferenceWithoutHistory)
  );
}

/**
 * The message that a thread was opened at is in the chat, not in the thread; the first message of a forum post has the post's id
 * as well, and is in the post ("Start Thread in Forum or Media Channel").
 */
async function inPost<T>(error: unknown, act: () => Promise<T>): Promise<T> {
  if (error instanceof DiscordAPIError && (error.status === 404 || error.status === 400)) return act();
  throw error;
}

async function upload(file: OutgoingFile, options: SendOptions) {
  const { name, mime, caption = '', alt } = file;
  return {
    body: {
      // the words of a caption are no markup
      ...messageHead(escapeMarkdown(caption), options),
      attachments: [{ id: 0, filename: name, ...defined({ description: alt }) }],
    },
    files: [{ name, contentType: mime, data: await readFileBytes(file) }],
  };
}

const messageBody = (part: MessagePart, options: SendOptions) => {
  const { content, ...rest } = bodyOf(part);
  return { ...messageHead(content, options), ...rest };
};

/** How something is shown only to the person who ran a slash command in a server: by its token. No other message has such a way. */
export function ephemeralFor({ address, placeholder }: MessageEvent): Ephemeral | undefined {
  const deferred = placeholder === undefined ? undefined : placeholderIn(placeholder);
  if (deferred === undefined || address.kind === 'dm') return undefined;
  const { id, application_id, token } = deferred;
  return { id, application_id, token };
}

/** The same part, which says that it may be a repeat, where there is room for that. */
export function markRepeat(part: MessagePart, mark: string): MessagePart {
  const { content, ...rest } = bodyOf(part);
  const ephemeral = ephemeralIn(part);
  const marked = `${content}\n-# ${mark}`;
  if (marked.length > maxContent) return part;
  const whole = { text: part.text, body: { ...rest, content: marked } as Json }; // read from JSON
  return ephemeral === undefined ? whole : ephemeralPart(whole, ephemeral);
}

/** The part with these buttons; an empty list removes the present ones. */
export function withChoices(part: MessagePart, choices: readonly Button[]): MessagePart {
  return { text: part.text, body: { content: bodyOf(part).content, components: componentsOf(choices) } };
}

function messageHead(content: string, options: SendOptions) {
  return {
    content,
    allowed_mentions: pingsNobody,
    nonce: options.key,
    enforce_nonce: true,
    ...(options.replyTo === undefined
      ? {}
      : { message_reference: { message_id: options.replyTo, fail_if_not_exists: false } }),
  };
}

function bodyOf(part: MessagePart): z.infer<typeof partBody> {
  const body = partBody.safeParse(part.body);
  if (body.success) return body.data;
  throw new ParleyError(
    'invalid_part',
    'Expected a part for Discord, { content: string }, got another body.',
  );
}
