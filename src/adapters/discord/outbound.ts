// The calls that a person sees: send, edit, remove, react, typing. Each is one request, straight to its route.
import { DiscordAPIError, Routes } from 'discord.js';
import { z } from 'zod';
import type { Channel, Choice, SendOptions } from '#adapters/gateway/channel.ts';
import { bytesOf, fileIn, type OutgoingFile } from '#adapters/gateway/file-part.ts';
import type { Part } from '#adapters/text/part.ts';
import type { Clock } from '#base/clock.ts';
import { ParleyError } from '#base/errors.ts';
import { defined } from '#base/json.ts';
import { componentsOf } from './choices.ts';
import { type DeferredReplies, placeholderIn } from './deferred-replies.ts';
import { posted } from './payload.ts';
import type { Rest } from './rest.ts';
import { createThreadPlaces } from './thread-place.ts';

/** Nobody is pinged by what a model writes, nor by being answered. */
const pingsNobody = { parse: [], replied_user: false };

const partBody = z.object({
  content: z.string(),
  /** Buttons, as `componentsOf` made them. */
  components: z.array(z.looseObject({ type: z.int() })).exactOptional(),
});

export type Outbound = Pick<Channel, 'send' | 'edit' | 'remove' | 'presence' | 'react'>;

/** The calls over the REST client; a deferred reply is edited by way of `deferred`. */
export function createOutbound(
  rest: Rest,
  { deferred, clock }: { deferred: Pick<DeferredReplies, 'edit'>; clock: Clock },
): Outbound {
  const { at } = createThreadPlaces(rest, clock);
  return {
    async send(address, part, options) {
      const file = fileIn(part);
      const request = file === undefined ? { body: messageBody(part, options) } : await upload(file, options);
      const answer = await at(address, (channel) =>
        rest().post(Routes.channelMessages(channel), { ...request, ...defined({ signal: options.signal }) }),
      );
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

/**
 * The message that a thread was opened at stands in the chat, not in the thread; the first message of a forum post has the post's id
 * as well, and stands in the post ("Start Thread in Forum or Media Channel").
 */
async function inPost<T>(error: unknown, act: () => Promise<T>): Promise<T> {
  if (error instanceof DiscordAPIError && (error.status === 404 || error.status === 400)) return act();
  throw error;
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
