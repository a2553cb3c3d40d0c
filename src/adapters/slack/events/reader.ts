// One round of reading: every chat since its mark, into the receiver. For polling, and for what a socket missed.

import type { Cursor, Sink } from '#adapters/gateway/terms/inbound.ts';
import type { ReadCall } from '#adapters/slack/calls/calls.ts';
import { errorWord } from '#adapters/slack/calls/error-word.ts';
import { explain } from '#adapters/slack/calls/explain.ts';
import { historySince, repliesSince } from '#adapters/slack/calls/pages.ts';
import { type SlackMessage, unreadable } from '#adapters/slack/calls/wire.ts';
import type { Moment } from '#adapters/slack/rooms/known-rooms.ts';
import type { SlackRooms } from '#adapters/slack/rooms/rooms.ts';
import type { Clock } from '#base/clock.ts';
import type { Log } from '#base/log/log.ts';
import { createDueThreads } from './due-threads.ts';
import { createMissedChanges } from './missed-changes.ts';
import type { Mark, Marks } from './read-positions.ts';
import type { Receiver } from './receiver.ts';

export interface HistoryReader {
  /** Notes from where to read, before anything live can move a cursor; marks of an unfinished round stay. */
  prepare(signal: AbortSignal): Promise<void>;
  /** Reads all that is noted. Throws what stands in the way of everything; the refusal of a single chat is logged once. */
  round(signal: AbortSignal): Promise<void>;
  /** Whether live events must leave the cursor alone, since its chat is still to be read. */
  held(name: string): boolean;
  chats(): number;
}

interface ReaderOptions {
  call: ReadCall;
  marks: (signal: AbortSignal) => Promise<Marks>;
  receiver: Receiver;
  rooms: SlackRooms;
  sink: Sink;
  clock: Clock;
  log: Log;
  /** Threads asked for in one round although their first message is too old to be on the newest page. */
  oldThreads: number;
  /** Told at every change which channels are still to be read, with their threads. */
  left: (channels: readonly string[]) => void;
}

const maxRemembered = 1000;

/** Reads the history that was missed, from the marks on, and hands it to the receiver. */
export function createReader(options: ReaderOptions): HistoryReader {
  const { call, receiver, rooms, sink, clock, log } = options;
  const pending = new Map<string, Mark>();
  const changes = createMissedChanges({ receiver });
  const refused = new Set<string>();
  const threads = createDueThreads(options);
  /** Since when what is known of rooms is good enough: the list of this round was asked for then. */
  let since: Moment = 0;
  /** Committed once everything that is noted was read: a process that ends before reads from the same place again. */
  let listed: Cursor | undefined;
  const notify = (): void => options.left([...new Set([...pending.values()].map(({ channel }) => channel))]);

  async function take(
    { mark, message }: { mark: Mark; message: SlackMessage },
    signal: AbortSignal,
  ): Promise<void> {
    signal.throwIfAborted();
    const { channel, name } = mark;
    if (message.subtype === unreadable)
      log.warn({ channel, message: message.ts }, 'a message of Slack has an unknown shape and was left out');
    await receiver.found({ channel, message, since, cursor: { name, value: message.ts } });
  }

  async function readChannel(mark: Mark, signal: AbortSignal): Promise<SlackMessage[]> {
    const { channel, name, since: from } = mark;
    const asked = clock.now();
    const { fresh, recent, reaches, cut } = await historySince(call, mark, signal);
    if (cut)
      log.warn(
        { channel, since: from },
        'more was missed in a channel than is ever fetched; the oldest is left out',
      );
    if (from === undefined) await sink.advance({ name, value: recent[0]?.ts ?? '0' });
    for (const message of fresh) await take({ mark, message }, signal);
    await changes.read({ channel, from, recent, reaches, asked, since });
    return recent;
  }

  async function readThread(mark: Mark & { thread: string }, signal: AbortSignal): Promise<void> {
    const { channel, thread, since: from = thread } = mark;
    for (const message of await repliesSince(call, { channel, thread, since: from }, signal))
      await take({ mark, message }, signal);
  }

  /** Runs one chat's part; a refusal that concerns only this chat (left, archived, no scope) is logged once and skipped. */
  async function single(mark: Mark, work: () => Promise<void>): Promise<void> {
    try {
      await sink.take({ key: `slack chat ${mark.name}` }, work);
    } catch (error) {
      const { kind, words } = explain(error);
      if (kind !== 'permission' && kind !== 'gone') throw error;
      // nothing is heard of it any more, so it may close unnoticed
      const word = errorWord(error);
      const out = word === 'not_in_channel' || word === 'channel_not_found';
      if (out && mark.kind !== undefined && mark.kind !== 'dm') await rooms.lost(mark.channel, mark.kind);
      if (!refused.has(mark.name)) log.warn({ chat: mark.name, words }, 'a chat cannot be read');
      refused.add(mark.name);
      if (refused.size > maxRemembered) refused.delete([...refused][0] ?? '');
    }
    pending.delete(mark.name);
    notify();
  }

  return {
    async prepare(signal) {
      since = rooms.moment();
      const found = await options.marks(signal);
      listed = found.listed ?? listed;
      for (const mark of found.marks) if (!pending.has(mark.name)) pending.set(mark.name, mark);
      notify();
    },
    async round(signal) {
      const recent: SlackMessage[] = [];
      for (const mark of [...pending.values()]) {
        if (mark.thread !== undefined) continue;
        await single(mark, async () => {
          recent.push(...(await readChannel(mark, signal)));
        });
      }
      for (const mark of threads.due({ marks: [...pending.values()], recent }))
        await single(mark, async () => {
          await readThread(mark, signal);
          threads.read(mark);
        });
      pending.clear();
      if (listed !== undefined) await sink.advance(listed);
      listed = undefined;
      notify();
    },
    held: (name) => pending.has(name),
    chats: () => [...pending.values()].filter((mark) => mark.thread === undefined).length,
  };
}
