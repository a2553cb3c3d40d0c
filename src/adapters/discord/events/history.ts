// What a channel's history holds after a message, oldest first, page by page. Knows neither cursors nor events.
import { DiscordAPIError, Routes } from 'discord.js';
import { z } from 'zod';
import { type MessagePayload, messagePayloadSchema } from '#adapters/discord/payloads/payload.ts';
import type { Rest } from '#adapters/discord/rest.ts';

/** Messages of one page at most. */
export const pageSize = 100;

interface HistoryQuery {
  channelID: string;
  /** Id of the last message that is known. */
  after: string;
  signal: AbortSignal;
}

/**
 * Pages of the messages after the given one. Ends early where the bot may not read any more (403, 404); throws what
 * discord.js throws for anything that may pass.
 */
export async function* historyAfter(
  rest: Rest,
  { channelID, after, signal }: HistoryQuery,
): AsyncGenerator<MessagePayload[]> {
  let last = after;
  for (;;) {
    const query = new URLSearchParams({ after: last, limit: String(pageSize) });
    const page = await fetchPage(rest, { route: Routes.channelMessages(channelID), query, signal });
    const oldestFirst = page.toSorted((a, b) => (BigInt(a.id) < BigInt(b.id) ? -1 : 1));
    if (oldestFirst.length > 0) yield oldestFirst;
    last = oldestFirst.at(-1)?.id ?? last;
    if (page.length < pageSize) return;
  }
}

/** One page of what was in a channel or thread before a message, or of its newest, oldest first; empty where the bot may not read. */
export async function historyBefore(
  rest: Rest,
  query: { channelID: string; before?: string; limit: number; signal: AbortSignal },
): Promise<MessagePayload[]> {
  const { channelID, before, limit, signal } = query;
  const search = new URLSearchParams({ ...(before !== undefined && { before }), limit: String(limit) });
  const page = await fetchPage(rest, { route: Routes.channelMessages(channelID), query: search, signal });
  return page.toSorted((a, b) => (BigInt(a.id) < BigInt(b.id) ? -1 : 1));
}

async function fetchPage(
  rest: Rest,
  call: { route: ReturnType<typeof Routes.channelMessages>; query: URLSearchParams; signal: AbortSignal },
): Promise<MessagePayload[]> {
  const { route, ...options } = call;
  try {
    return z.array(messagePayloadSchema).parse(await rest().get(route, options));
  } catch (error) {
    if (error instanceof DiscordAPIError && (error.status === 403 || error.status === 404)) return [];
    throw error;
  }
}
