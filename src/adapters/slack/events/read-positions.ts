// From where each chat is to be read: its cursor, or where one begins that has none.

import { z } from 'zod';
import type { ChatKind } from '#adapters/gateway/terms/address.ts';
import type { Cursor, Sink } from '#adapters/gateway/terms/inbound.ts';
import type { ReadCall } from '#adapters/slack/calls/calls.ts';
import { errorWord } from '#adapters/slack/calls/error-word.ts';
import { explain } from '#adapters/slack/calls/explain.ts';
import { channelSchema } from '#adapters/slack/calls/wire.ts';
import type { SlackRooms } from '#adapters/slack/rooms/rooms.ts';
import type { Clock } from '#base/clock.ts';
import type { Log } from '#base/log/log.ts';
import { channelCursor, threadCursor } from './cursor-names.ts';

export interface Mark {
  name: string;
  channel: string;
  kind?: ChatKind | undefined;
  /** A thread's replies, or the channel's own messages. */
  thread?: string | undefined;
  /** Undefined: this account's first look at anything, which begins with what comes next. */
  since: string | undefined;
}

/** The marks, and what to commit once all of them were read: a chat that is new from then on is read from there. */
export interface Marks {
  marks: Mark[];
  listed: Cursor | undefined;
}

const listSchema = z.object({
  channels: z.array(channelSchema).default([]),
  response_metadata: z.object({ next_cursor: z.string().optional() }).nullish(),
});

/** Chats looked at in one round. */
const maxChats = 500;
/** Threads looked at in one round: the newest. */
const maxThreads = 200;
/** Allowance for a clock that differs from Slack's. */
const skewMs = 60_000;
/** The cursor that says when the list of chats was last seen: a chat that is new since then is read from there. */
const listedCursor = 'listed';

/** Returns a function that lists from where each chat has to be read, channels before their threads: at most 500 chats and 200 threads. */
export function createMarks(options: {
  /** Must not wait out rate limits: a connection waits for the marks. */
  call: ReadCall;
  sink: Sink;
  rooms: SlackRooms;
  clock: Clock;
  log: Log;
  /** Of an organisation's token: each is read separately. */
  workspaces?: ReadonlySet<string> | undefined;
}): (signal: AbortSignal) => Promise<Marks> {
  const { call, sink, rooms, clock, log } = options;
  let types = ['public_channel', 'private_channel', 'mpim', 'im'];

  /** Chats of all workspaces; what one workspace refuses leaves the others unchanged. */
  async function channelsOf(kinds: readonly string[], signal: AbortSignal): Promise<string[]> {
    if (options.workspaces === undefined) return listedIn(undefined, kinds, signal);
    const ids: string[] = [];
    for (const workspace of options.workspaces) {
      try {
        ids.push(...(await listedIn(workspace, kinds, signal)));
      } catch (error) {
        const { kind, words } = explain(error);
        const everywhere = kind === 'rate_limit' || kind === 'transient' || kind === 'auth';
        if (everywhere || errorWord(error) === 'missing_scope') throw error;
        log.warn({ workspace, words }, 'the chats of one workspace cannot be listed');
      }
    }
    return [...new Set(ids)];
  }

  async function listedIn(
    workspace: string | undefined,
    kinds: readonly string[],
    signal: AbortSignal,
  ): Promise<string[]> {
    const asked = rooms.moment();
    const ids: string[] = [];
    let cursor: string | undefined;
    do {
      const args = { types: kinds.join(','), exclude_archived: true, limit: 200, cursor, team_id: workspace };
      const page = await call({ method: 'users.conversations', args, schema: listSchema }, signal);
      for (const one of page.channels.filter(({ is_archived: archived }) => archived !== true))
        ids.push((await rooms.learn(one, asked)).channel);
      cursor = page.response_metadata?.next_cursor || undefined;
    } while (cursor !== undefined && ids.length < maxChats);
    return ids;
  }

  async function mayList(type: string, signal: AbortSignal): Promise<boolean> {
    try {
      await channelsOf([type], signal);
      return true;
    } catch (error) {
      const { kind, words } = explain(error);
      if (kind !== 'permission') throw error;
      log.warn({ type, words }, 'chats of one type cannot be listed; only those with a session are read');
      return false;
    }
  }

  /**
   * Chats by Slack's list; undefined while Slack asks for a pause, which is no reason not to connect. One scope that is
   * missing makes it refuse all types: those without theirs are left out then.
   */
  async function readable(signal: AbortSignal): Promise<string[] | undefined> {
    try {
      return types.length === 0 ? [] : await channelsOf(types, signal);
    } catch (error) {
      const { kind, words } = explain(error);
      if (kind === 'rate_limit') {
        log.info({ words }, 'the list of chats waits; only those with a session are read');
        return undefined;
      }
      if (kind !== 'permission') throw error;
    }
    const allowed: string[] = [];
    for (const type of types) if (await mayList(type, signal)) allowed.push(type);
    types = allowed;
    return types.length === 0 ? [] : await channelsOf(types, signal);
  }

  return async (signal) => {
    const before = await sink.cursor(listedCursor);
    const now = ((clock.now() - skewMs) / 1000).toFixed(6);
    const sessions = await sink.chats();
    const list = await readable(signal);
    const channels = [...new Set([...(list ?? []), ...sessions.map((address) => address.chat)])];
    const marks: Mark[] = [];
    for (const channel of channels.slice(0, maxChats)) {
      const name = channelCursor(channel);
      const kind = sessions.find(({ chat }) => chat === channel)?.kind;
      marks.push({ name, channel, kind, since: (await sink.cursor(name)) ?? before });
    }
    const threads = sessions
      .flatMap(({ chat, thread }) => (thread === undefined ? [] : [{ channel: chat, thread }]))
      .sort((a, b) => Number(b.thread) - Number(a.thread));
    for (const { channel, thread } of threads.slice(0, maxThreads)) {
      const name = threadCursor(channel, thread);
      marks.push({ name, channel, thread, since: (await sink.cursor(name)) ?? thread });
    }
    const listed = list === undefined ? undefined : { name: listedCursor, value: now };
    if (before !== undefined || listed === undefined) return { marks, listed };
    // the first look begins with what comes next, also for a process that ends before it has read anything
    await sink.advance(listed);
    return { marks, listed: undefined };
  };
}
