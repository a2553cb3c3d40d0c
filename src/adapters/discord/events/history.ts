// What a channel's history holds after a message, oldest first, page by page. Knows neither cursors nor events.
import { DiscordAPIError, Routes } from 'discord.js';
import { z } from 'zod';
import type { Rest } from '#adapters/discord/calls/rest.ts';
import { type MessagePayload, messagePayloadSchema, posted } from '#adapters/discord/payloads/payload.ts';
import { formatZodError } from '#base/json.ts';
import type { Log } from '#base/log/log.ts';

/** Messages of one page at most. */
export const pageSize = 100;

interface HistoryQuery {
  channelID: string;
  /** Id of the last message that is known. */
  after: string;
  signal: AbortSignal;
  log: Log;
}

/**
 * Pages of the messages after the given one. Ends early where the bot may not read any more (403, 404); throws what
 * discord.js throws for anything that may pass. A message of another form than expected is logged and left out.
 */
export async function* historyAfter(
  rest: Rest,
  { channelID, after, signal, log }: HistoryQuery,
): AsyncGenerator<MessagePayload[]> {
  let last = after;
  for (;;) {
    const query = new URLSearchParams({ after: last, limit: String(pageSize) });
    const page = await fetchPage(rest, { route: Routes.channelMessages(channelID), query, signal });
    const messages = page.flatMap((each) => readable(each, log) ?? []);
    if (messages.length > 0) yield messages;
    last = page.at(-1)?.id ?? last;
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
  return z.array(messagePayloadSchema).parse(page);
}

/** One page of what are messages, oldest first; none where the bot may not read. */
async function fetchPage(
  rest: Rest,
  call: { route: ReturnType<typeof Routes.channelMessages>; query: URLSearchParams; signal: AbortSignal },
): Promise<z.infer<typeof posted>[]> {
  const { route, ...options } = call;
  try {
    const found = z.array(posted).parse(await rest().get(route, options));
    return found.toSorted((a, b) => (BigInt(a.id) < BigInt(b.id) ? -1 : 1));
  } catch (error) {
    if (error instanceof DiscordAPIError && (error.status === 403 || error.status === 404)) return [];
    throw error;
  }
}

/** The message; undefined, with a line in the log, where it has another form: to throw would hold up the whole page for ever. */
function readable(listed: { id: string }, log: Log): MessagePayload | undefined {
  const { data, error } = messagePayloadSchema.safeParse(listed);
  if (error !== undefined)
    log.warn({ message: listed.id, unexpected: formatZodError(error) }, 'discord payload has another form');
  return data;
}
