// Comments below a channel's post: in the discussion group they are replies to its copy and to each other. Each post's are a thread.

import type { Message, Update } from 'grammy/types';
import type { InboundEvent, Sink } from '#adapters/gateway/terms/inbound.ts';
import { commentsThread } from '#adapters/telegram/codecs/address-codec.ts';
import { createLruCache } from '#base/caches/lru-cache.ts';

/** Copies of posts that are remembered without a look into the ledger. */
const maxRemembered = 10_000;

/** Puts what was written below a post into the thread of its comments. */
export type PlaceComments = (update: Update, events: readonly InboundEvent[]) => Promise<InboundEvent[]>;

/**
 * A reply names the first message of its chain, and not what that is (Bot API, Message.message_thread_id). Only a copy, and a comment that
 * answers it, show that it is a post: that is noted in the ledger, for comments on comments.
 */
export function createComments(sink: Pick<Sink, 'cursor' | 'advance'>): PlaceComments {
  const known = createLruCache<string, true>(maxRemembered);

  const postOf = async (message: Message): Promise<number | undefined> => {
    const copy = message.is_automatic_forward === true;
    const post = copy ? message.message_id : message.message_thread_id;
    if (post === undefined || message.is_topic_message === true) return undefined;
    const name = `post:${message.chat.id}:${post}`;
    if (known.get(name)) return post;
    const answered = message.reply_to_message;
    const shows = copy || (answered?.is_automatic_forward === true && answered.message_id === post);
    if (shows) await sink.advance({ name, value: String(post) });
    else if ((await sink.cursor(name)) === undefined) return undefined;
    known.set(name, true);
    return post;
  };

  return async ({ message, edited_message: edited }, events) => {
    const comment = message ?? edited;
    const post = comment === undefined ? undefined : await postOf(comment);
    if (post === undefined) return [...events];
    return events.map((event) =>
      event.type === 'message' || event.type === 'edit'
        ? { ...event, address: { ...event.address, thread: commentsThread(post) } }
        : event,
    );
  };
}
