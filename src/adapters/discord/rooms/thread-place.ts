// Where a call for an address goes in Discord: its thread, which is opened at its message when it is not there yet.

import { DiscordAPIError, RESTJSONErrorCodes, Routes } from 'discord.js';
import { z } from 'zod';
import type { Rest } from '#adapters/discord/calls/rest.ts';
import type { Address } from '#adapters/gateway/terms/address.ts';
import { createLruCache } from '#base/caches/lru-cache.ts';
import { type Clock, type MonotonicMs, momentIn, msUntil } from '#base/clock.ts';
import { truncate } from '#base/text.ts';

interface ThreadPlaces {
  /** Makes the call in the address's thread, or in its chat where it has none. */
  at<T>(address: Address, call: (channelID: string) => Promise<T>): Promise<T>;
}

const nameLimit = 80;
/** Minutes of silence after which Discord puts a thread away. */
const archiveMinutes = 1440;
/** Threads remembered as ones that may not be opened; the oldest are tried again. */
const maxRemembered = 1_000;
/** For so long no thread is opened in a channel where the bot could not write in one that it had opened. */
const silentMs = 3_600_000;

const message = z.looseObject({ content: z.string() });

/**
 * Places over the REST client. A thread that starts at a message has that message's id, so that an answer can be meant for it
 * before it is there: the first call then opens it. Where the bot may not open threads, or not write in them, the answer goes into the
 * chat that the message is in, which the same people read; a thread that was not opened at a message is never left.
 */
export function createThreadPlaces(rest: Rest, clock: Clock): ThreadPlaces {
  const refused = createLruCache<string, true>(maxRemembered);
  /** Threads that were opened here. */
  const opened = createLruCache<string, true>(maxRemembered);
  /** Channels where the bot may open threads, but not write in them. */
  const silent = new Map<string, MonotonicMs>();

  /** Opens the thread at its message; throws `unknown` when there is no such message. */
  const open = async ({ chat, thread }: Address & { thread: string }, unknown: unknown): Promise<string> => {
    const until = silent.get(chat);
    if (until !== undefined && msUntil(clock, until) > 0) {
      refused.set(thread, true);
      return chat;
    }
    silent.delete(chat);
    try {
      const { content } = message.parse(await rest().get(Routes.channelMessage(chat, thread)));
      const name = truncate(content.replaceAll(/<[^>]*>|\s+/g, ' ').trim(), nameLimit) || 'Conversation';
      const body = { name, auto_archive_duration: archiveMinutes };
      try {
        await rest().post(Routes.threads(chat, thread), { body });
        opened.set(thread, true);
        return thread;
      } catch (error) {
        if (codeOf(error) === RESTJSONErrorCodes.ThreadAlreadyCreatedForMessage) return thread;
        if (!(error instanceof DiscordAPIError) || (error.status !== 403 && error.status !== 400))
          throw error;
        refused.set(thread, true);
        return chat;
      }
    } catch (error) {
      throw codeOf(error) === RESTJSONErrorCodes.UnknownMessage ? unknown : error;
    }
  };

  return {
    async at<T>(address: Address, call: (channelID: string) => Promise<T>) {
      const { chat, thread } = address;
      if (thread === undefined || refused.get(thread)) return call(chat);
      const within = async (channel: string): Promise<T> => {
        try {
          return await call(channel);
        } catch (error) {
          if (codeOf(error) !== RESTJSONErrorCodes.MissingPermissions || !opened.delete(channel)) throw error;
          refused.set(channel, true);
          silent.set(chat, momentIn(clock, silentMs));
          return call(chat);
        }
      };
      try {
        return await within(thread);
      } catch (error) {
        if (codeOf(error) !== RESTJSONErrorCodes.UnknownChannel) throw error;
        return within(await open({ ...address, thread }, error));
      }
    },
  };
}

function codeOf(error: unknown): number | string | undefined {
  return error instanceof DiscordAPIError ? error.code : undefined;
}
