// The calls that a person sees: send, edit, remove, react, typing. Each is one request, straight to its route.
import { DiscordAPIError, RESTJSONErrorCodes, Routes } from 'discord.js';
import { z } from 'zod';
import type { Channel, Choice, SendOptions } from '#adapters/gateway/channel.ts';
import { bytesOf, fileIn, type OutgoingFile } from '#adapters/gateway/file-part.ts';
import type { Part } from '#adapters/text/part.ts';
import { ParleyError } from '#base/errors.ts';
import { defined } from '#base/json.ts';
import { componentsOf } from './choices.ts';
import { type DeferredReplies, placeholderIn } from './deferred-replies.ts';
import { posted } from './payload.ts';
import type { Rest } from './rest.ts';
import { createThreadPlaces } from './thread-place.ts';

/** Nobody is pinged by what a model writes, nor by being answered. */
const pingsNobody = { parse: [], replied_user: false };

/** Cannot reference a message without permission to read message history (discord-api-docs#8424). */
const noReferenceWithoutHistory = 160_009;

const partBody = z.object({
  content: z.string(),
  /** Buttons, as `componentsOf` made them. */
  components: z.array(z.looseObject({ type: z.int() })).exactOptional(),
});

export type Outbound = Pick<Channel, 'send' | 'edit' | 'remove' | 'presence' | 'react' | 'direct'>;

/** The calls over the REST client; a deferred reply is edited by way of `deferred`. */
export function createOutbound(rest: Rest, deferred: Pick<DeferredReplies, 'edit'>): Outbound {
  const { at } = createThreadPlaces(rest);
  return {
    async send(address, part, options) {
      const file = fileIn(part);
      const request = file === undefined ? { body: messageBody(part, options) } : await upload(file, options);
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
      const body = { ...bodyOf(part), allowed_mentions: pingsNobody };
      const placeholder = placeholderIn(nativeID);
      if (placeholder !== undefined) await deferred.edit(placeholder, body);
      else await at(address, (channel) => rest().patch(Routes.channelMessage(channel, nativeID), { body }));
    },
    async remove(address, nativeID) {
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
      // the message that a thread was opened at stands in the chat, not in the thread
      const place = address.thread === nativeID ? { ...address, thread: undefined } : address;
      await at(place, (channel) =>
        rest().put(Routes.channelMessageOwnReaction(channel, nativeID, encodeURIComponent(emoji))),
      );
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

async function upload(file: OutgoingFile, options: SendOptions) {
  const { name, mime, caption = '' } = file;
  return {
    body: { ...messageHead(caption, options), attachments: [{ id: 0, filename: name }] },
    files: [{ name, contentType: mime, data: await bytesOf(file) }],
  };
}

const messageBody = (part: Part, options: SendOptions) => {
  const { content, ...rest } = bodyOf(part);
  return { ...messageHead(content, options), ...rest };
};

/** The same part with these buttons; none take away those that stand. */
export function withChoices(part: Part, choices: readonly Choice[]): Part {
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

function bodyOf(part: Part): z.infer<typeof partBody> {
  const body = partBody.safeParse(part.body);
  if (body.success) return body.data;
  throw new ParleyError(
    'invalid_part',
    'Expected a part for Discord, { content: string }, got another body.',
  );
}
