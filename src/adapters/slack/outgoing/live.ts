// An answer in progress as Slack's own stream. A state machine over one message at a time; it never retries.

import type { Address } from '#adapters/gateway/terms/address.ts';
import type {
  StreamingMessages,
  StreamingOptions,
  StreamingOutcome,
  StreamingSurface,
} from '#adapters/gateway/terms/channel.ts';
import { errorWord } from '#adapters/slack/calls/error-word.ts';
import { explain } from '#adapters/slack/calls/explain.ts';
import { createLruCache } from '#base/caches/lru-cache.ts';
import { type Clock, momentAfter, msSince } from '#base/clock.ts';
import type { OpenStreams } from './open-streams.ts';
import { closureOf, createStreamCalls, isOnly } from './stream-calls.ts';
import { reopened } from './stream-fence.ts';
import { createStreamStates, type Streaming } from './stream-states.ts';
import { streamPiece, streamText } from './stream-text.ts';

interface StreamsOptions {
  call(method: string, args: Record<string, unknown>): Promise<unknown>;
  open: OpenStreams;
  clock: Clock;
}

/** Slack closes a stream about five minutes after its start (python-slack-sdk#1859); it is left before that. */
const rollAfterMs = 4 * 60_000;
/** Characters of one streamed message, as many as a rendered part has; a call may carry 12 000. */
const maxText = 11_900;
/** Chats remembered as taking no streams; the oldest are asked again. */
const maxRemembered = 1_000;
/** Refusals of one answer: its thread, its person, its text. Every other is the chat's or the app's. */
const ofOneAnswer = new Set([
  'message_not_found',
  'msg_too_long',
  'thread_not_found',
  'user_disabled',
  'user_not_found',
]);

/** Live streams in the threads of one account; undefined outside of a thread, where Slack allows none. */
export function createStreams(
  options: StreamsOptions,
): (live: StreamingOptions) => StreamingSurface | undefined {
  const without = createLruCache<string, true>(maxRemembered);
  return ({ address, actor, messages, stopped }) => {
    const { thread } = address;
    if (thread === undefined || without.get(address.chat)) return undefined;
    const refused = (): void => without.set(address.chat, true);
    return createStream({ ...options, address, thread, actor, messages, refused, stopped });
  };
}

interface StreamOptions extends StreamsOptions {
  address: Address;
  thread: string;
  actor: string;
  messages: StreamingMessages;
  /** The chat takes no streams. */
  refused(): void;
  stopped(): void;
}

function createStream(options: StreamOptions): StreamingSurface {
  const { open, clock, messages } = options;
  const calls = createStreamCalls(options);
  const { chat: channel } = options.address;
  const states = createStreamStates(open, channel);
  const { enter } = states;
  let sent = '';
  let begun = 0;
  /** The last message was ended by us, with all that was sent. */
  let ended = false;

  const unwatch = open.watch({ channel, ts: options.thread }, () => {
    enter({ name: 'stopped' });
    options.stopped();
  });

  /** A new message; code that the one before was left in continues as code. */
  const start = async (pending: string): Promise<StreamingOutcome> => {
    const key = await messages.intend();
    const fence = reopened(sent);
    const piece = streamPiece(pending, maxText - fence.length);
    const ts = await begin(fence + piece);
    if (ts === undefined) return 'refused';
    begun += 1;
    const length = fence.length + piece.length;
    enter({ name: 'streaming', ts, key, startedAt: clock.monotonic(), length });
    sent += piece;
    await messages.posted(ts);
    return 'more';
  };

  /** The `ts` of the new message, or undefined when Slack will have none. */
  const begin = async (piece: string): Promise<string | undefined> => {
    try {
      return await calls.start(piece);
    } catch (error) {
      const { kind, maybeDelivered } = explain(error);
      if (maybeDelivered || kind === 'rate_limit' || kind === 'transient') throw error;
      if (!ofOneAnswer.has(errorWord(error) ?? '')) options.refused();
      enter({ name: 'ended' });
      return undefined;
    }
  };

  /** Does a call on the stream, unless that was closed under us. */
  const unlessClosed = async (work: () => Promise<void>): Promise<StreamingOutcome> => {
    try {
      await work();
      return 'more';
    } catch (error) {
      return closedBy(error);
    }
  };

  const append = (stream: Streaming, piece: string): Promise<StreamingOutcome> =>
    unlessClosed(async () => {
      await calls.append(stream.ts, piece);
      stream.length += piece.length;
      sent += piece;
    });

  /** Ends this message's stream, with a last piece of it; what follows goes into another message. */
  const leave = (stream: Streaming, last = ''): Promise<StreamingOutcome> =>
    unlessClosed(async () => {
      await calls.stop(stream.ts, { key: stream.key, text: last });
      if (last.trim() !== '') sent += last;
      ended = true;
      enter({ name: 'between messages' });
    });

  /** The stream was closed under us: by its expiry, after which the text continues in a new message, or by the person. */
  const closedBy = (error: unknown): StreamingOutcome => {
    const isStop = closureOf(error) === 'stopped';
    enter({ name: isStop ? 'stopped' : 'between messages' });
    return isStop ? 'stopped by user' : 'more';
  };

  const step = (text: string): Promise<StreamingOutcome> | StreamingOutcome => {
    const state = states.now();
    if (state.name === 'stopped') return 'stopped by user';
    if (state.name === 'ended') return 'refused';
    // what was streamed cannot be taken back: an answer that changed its beginning is edited instead
    if (!text.startsWith(sent)) return state.name === 'streaming' ? leave(state) : 'refused';
    const pending = text.slice(sent.length);
    if (state.name === 'streaming' && msSince(clock, state.startedAt) >= rollAfterMs) return leave(state);
    if (pending.trim() === '') return 'shown'; // Slack takes no text without a character; it goes with the next
    if (state.name === 'between messages') return start(pending);
    const room = maxText - state.length;
    return room < 2 ? leave(state) : append(state, streamPiece(pending, room));
  };

  return {
    renewAt() {
      const state = states.now();
      return state.name === 'streaming' ? momentAfter(state.startedAt, rollAfterMs) : undefined;
    },
    async update(markdown) {
      const text = streamText(markdown);
      const outcome = await step(text);
      if (states.now().name === 'stopped') return 'stopped by user';
      return outcome === 'more' && sent === text ? 'shown' : outcome;
    },
    async finish(markdown) {
      unwatch();
      const left = states.now();
      const text = streamText(markdown);
      const rest = text.startsWith(sent) ? text.slice(sent.length) : '';
      if (left.name === 'streaming') await leave(left, left.length + rest.length <= maxText ? rest : '');
      enter({ name: 'ended' });
    },
    exists(part) {
      return ended && begun === 1 && isOnly(part, sent);
    },
    // the watcher holds the whole turn
    close() {
      unwatch();
      enter({ name: 'ended' });
    },
  };
}
