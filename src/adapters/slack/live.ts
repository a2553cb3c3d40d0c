// An answer in progress as Slack's own stream. A state machine over one message at a time; it never retries.
import { z } from 'zod';
import type { Address } from '#adapters/gateway/address.ts';
import type {
  StreamingMessages,
  StreamingOptions,
  StreamingOutcome,
  StreamingSurface,
} from '#adapters/gateway/channel.ts';
import { type Clock, type MonotonicMs, momentAfter, msSince } from '#base/clock.ts';
import { defined } from '#base/json.ts';
import { errorWord } from './error-word.ts';
import { explain } from './explain.ts';
import type { OpenStreams } from './open-streams.ts';
import { isOrganisation } from './organisation.ts';
import { keyMetadata } from './part-key.ts';
import { reopened } from './stream-fence.ts';
import { streamPiece, streamText } from './stream-text.ts';
import { bodySchema } from './wire.ts';

export interface StreamsOptions {
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

const startedSchema = z.object({ ts: z.string() });

type State =
  | { name: 'between messages' }
  | Streaming
  /** By the person: nothing more is shown. */
  | { name: 'stopped' }
  | { name: 'ended' };

interface Streaming {
  name: 'streaming';
  ts: string;
  key: string;
  startedAt: MonotonicMs;
  length: number;
}

/** Streams for the threads of one account; undefined where there is no thread, which Slack demands. */
export function createStreams(
  options: StreamsOptions,
): (live: StreamingOptions) => StreamingSurface | undefined {
  const without = new Set<string>();
  return ({ address, actor, messages, stopped }) => {
    const { thread } = address;
    if (thread === undefined || without.has(address.chat)) return undefined;
    const refused = (): void => {
      without.add(address.chat);
      const [oldest] = without;
      if (without.size > maxRemembered && oldest !== undefined) without.delete(oldest);
    };
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
  const { call, open, clock, messages } = options;
  const { chat: channel } = options.address;
  let state: State = { name: 'between messages' };
  let sent = '';
  let begun = 0;
  /** The last message was ended by us, with all that was sent. */
  let ended = false;

  const enter = (next: State): void => {
    // a call that was not answered when the button was pressed must not begin it all again
    if (state.name === 'stopped' && next.name !== 'ended') return;
    if (state.name === 'streaming') open.delete(channel, state.ts);
    if (next.name === 'streaming') open.add(channel, next.ts);
    state = next;
  };

  const unwatch = open.watch({ channel, ts: options.thread }, () => {
    enter({ name: 'stopped' });
    options.stopped();
  });

  /** A new message; code that the one before was left in continues as code. */
  const start = async (pending: string): Promise<StreamingOutcome> => {
    const key = await messages.intend();
    const fence = reopened(sent);
    const piece = streamPiece(pending, maxText - fence.length);
    const stream = await begin(fence + piece);
    if (stream === undefined) return 'refused';
    begun += 1;
    const length = fence.length + piece.length;
    enter({ name: 'streaming', ts: stream.ts, key, startedAt: clock.monotonic(), length });
    sent += piece;
    await messages.posted(stream.ts);
    return 'more';
  };

  /** The new message, or undefined when Slack will have none. */
  const begin = async (piece: string): Promise<{ ts: string } | undefined> => {
    try {
      const answer = await call('chat.startStream', {
        channel,
        thread_ts: options.thread,
        markdown_text: piece,
        ...recipientOf(options),
      });
      return startedSchema.parse(answer);
    } catch (error) {
      const { kind, maybeDelivered } = explain(error);
      if (maybeDelivered || kind === 'rate_limit' || kind === 'transient') throw error;
      if (!ofOneAnswer.has(errorWord(error) ?? '')) options.refused();
      enter({ name: 'ended' });
      return undefined;
    }
  };

  const append = async (stream: Streaming, piece: string): Promise<StreamingOutcome> => {
    try {
      await call('chat.appendStream', { channel, ts: stream.ts, markdown_text: piece });
      stream.length += piece.length;
      sent += piece;
      return 'more';
    } catch (error) {
      return closedBy(error);
    }
  };

  /** Ends this message's stream, with a last piece of it; what follows goes into another message. */
  const leave = async (stream: Streaming, last = ''): Promise<StreamingOutcome> => {
    try {
      const piece = last.trim() === '' ? {} : { markdown_text: last };
      await call('chat.stopStream', { channel, ts: stream.ts, metadata: keyMetadata(stream.key), ...piece });
      if (last.trim() !== '') sent += last;
      ended = true;
      enter({ name: 'between messages' });
      return 'more';
    } catch (error) {
      return closedBy(error);
    }
  };

  /** The stream was closed under us: by its expiry, after which the text continues in a new message, or by the person. */
  const closedBy = (error: unknown): StreamingOutcome => {
    switch (errorWord(error)) {
      case 'message_not_in_streaming_state':
        enter({ name: 'between messages' });
        return 'more';
      case 'stopped_by_user':
        enter({ name: 'stopped' });
        return 'stopped by user';
      default:
        throw error;
    }
  };

  const step = (text: string): Promise<StreamingOutcome> | StreamingOutcome => {
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
    renewAt: () => (state.name === 'streaming' ? momentAfter(state.startedAt, rollAfterMs) : undefined),
    async update(markdown) {
      const text = streamText(markdown);
      const outcome = await step(text);
      if (isStopped()) return 'stopped by user';
      return outcome === 'more' && sent === text ? 'shown' : outcome;
    },
    async finish(markdown) {
      unwatch();
      const left = state;
      const text = streamText(markdown);
      const rest = text.startsWith(sent) ? text.slice(sent.length) : '';
      if (left.name === 'streaming') await leave(left, left.length + rest.length <= maxText ? rest : '');
      enter({ name: 'ended' });
    },
    exists(part) {
      const body = bodySchema.safeParse(part.body).data;
      const [block, ...others] = body?.blocks ?? [];
      return ended && begun === 1 && others.length === 0 && block?.type === 'markdown' && block.text === sent;
    },
    // the watcher holds the whole turn
    close() {
      unwatch();
      enter({ name: 'ended' });
    },
  };

  function isStopped(): boolean {
    return state.name === 'stopped';
  }
}

/** Who the stream is for, which Slack wants to know outside direct messages; a person is `TEAM/USER`. */
function recipientOf({ actor, address }: StreamOptions): Record<string, string> {
  const [home = '', user] = actor.split('/');
  const team = isOrganisation(home) ? address.space : home;
  return defined({ recipient_team_id: team, recipient_user_id: user });
}
