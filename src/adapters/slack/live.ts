// An answer in the making as Slack's own stream. A state machine over one message at a time; it never retries.
import { WebAPIPlatformError } from '@slack/web-api';
import { z } from 'zod';
import type { Address } from '#adapters/gateway/address.ts';
import type { Live, LiveMessages, LiveOptions, LiveOutcome } from '#adapters/gateway/channel.ts';
import type { Clock } from '#base/clock.ts';
import { defined } from '#base/json.ts';
import { explain } from './explain.ts';
import type { OpenStreams } from './open-streams.ts';
import { keyMetadata } from './part-key.ts';
import { streamPiece, streamText } from './stream-text.ts';

export interface StreamsOptions {
  call(method: string, args: Record<string, unknown>): Promise<unknown>;
  open: OpenStreams;
  clock: Clock;
}

/** Slack closes a stream about five minutes after its start (python-slack-sdk#1859); it is left before that. */
const rollAfterMs = 4 * 60_000;
/** Characters of one streamed message, as many as a rendered part has; a call may carry 12 000. */
const mostText = 11_900;
/** Chats remembered as taking no streams; the oldest are asked again. */
const mostRemembered = 1_000;

const startedSchema = z.object({ ts: z.string() });

type State =
  | { name: 'between messages' }
  | { name: 'streaming'; ts: string; key: string; startedAt: number; length: number }
  | { name: 'ended' };

/** Streams for the threads of one account; undefined where there is no thread, which Slack demands. */
export function createStreams(options: StreamsOptions): (live: LiveOptions) => Live | undefined {
  const without = new Set<string>();
  return ({ address, actor, messages }) => {
    const { thread } = address;
    if (thread === undefined || without.has(address.chat)) return undefined;
    const refused = (): void => {
      without.add(address.chat);
      const [oldest] = without;
      if (without.size > mostRemembered && oldest !== undefined) without.delete(oldest);
    };
    return createStream({ ...options, address, thread, actor, messages, refused });
  };
}

interface StreamOptions extends StreamsOptions {
  address: Address;
  thread: string;
  actor: string;
  messages: LiveMessages;
  /** The chat takes no streams. */
  refused(): void;
}

function createStream(options: StreamOptions): Live {
  const { call, open, clock, messages } = options;
  const { chat: channel } = options.address;
  let state: State = { name: 'between messages' };
  let sent = '';

  const enter = (next: State): void => {
    if (state.name === 'streaming') open.delete(channel, state.ts);
    if (next.name === 'streaming') open.add(channel, next.ts);
    state = next;
  };

  const start = async (piece: string): Promise<LiveOutcome> => {
    const key = messages.intend();
    try {
      const answer = await call('chat.startStream', {
        channel,
        thread_ts: options.thread,
        markdown_text: piece,
        ...recipientOf(options),
      });
      const { ts } = startedSchema.parse(answer);
      enter({ name: 'streaming', ts, key, startedAt: clock.now(), length: piece.length });
      messages.posted(ts);
      sent += piece;
      return 'more';
    } catch (error) {
      const { kind, maybeDelivered } = explain(error);
      if (maybeDelivered || kind === 'rate_limit' || kind === 'transient') throw error;
      options.refused();
      enter({ name: 'ended' });
      return 'refused';
    }
  };

  const append = async (
    stream: Extract<State, { name: 'streaming' }>,
    piece: string,
  ): Promise<LiveOutcome> => {
    try {
      await call('chat.appendStream', { channel, ts: stream.ts, markdown_text: piece });
      stream.length += piece.length;
      sent += piece;
      return 'more';
    } catch (error) {
      return closedBy(error);
    }
  };

  /** Ends this message's stream; what follows goes into another message. */
  const leave = async (stream: Extract<State, { name: 'streaming' }>): Promise<LiveOutcome> => {
    try {
      await call('chat.stopStream', { channel, ts: stream.ts, metadata: keyMetadata(stream.key) });
      enter({ name: 'between messages' });
      return 'more';
    } catch (error) {
      return closedBy(error);
    }
  };

  /** The stream was closed under us: by its expiry, after which the text goes on in a new message, or by the person. */
  const closedBy = (error: unknown): LiveOutcome => {
    switch (wordOf(error)) {
      case 'message_not_in_streaming_state':
        enter({ name: 'between messages' });
        return 'more';
      case 'stopped_by_user':
        enter({ name: 'ended' });
        return 'stopped by user';
      default:
        throw error;
    }
  };

  const step = async (text: string): Promise<LiveOutcome> => {
    // what was streamed cannot be taken back: an answer that changed its beginning is edited instead
    if (!text.startsWith(sent)) {
      if (state.name !== 'streaming') return 'refused';
      const left = await leave(state);
      return left === 'stopped by user' ? left : 'more';
    }
    const pending = text.slice(sent.length);
    if (state.name === 'ended') return 'refused';
    if (pending === '') return 'shown';
    if (state.name === 'between messages') {
      if (sent === '' && pending.trim() === '') return 'shown';
      return start(streamPiece(pending, mostText));
    }
    const room = mostText - state.length;
    if (clock.now() - state.startedAt >= rollAfterMs || room < 2) return leave(state);
    return append(state, streamPiece(pending, room));
  };

  return {
    async update(markdown) {
      const text = streamText(markdown);
      const outcome = await step(text);
      return outcome === 'more' && sent === text ? 'shown' : outcome;
    },
    async finish() {
      if (state.name === 'streaming') await leave(state);
      enter({ name: 'ended' });
    },
  };
}

/** Who the stream is for, which Slack wants to know outside direct messages; a person is `TEAM/USER`. */
function recipientOf({ address, actor }: StreamOptions): Record<string, string> {
  if (address.kind === 'dm') return {};
  const [team, user] = actor.split('/');
  return defined({ recipient_team_id: team, recipient_user_id: user });
}

function wordOf(error: unknown): string | undefined {
  return error instanceof WebAPIPlatformError ? error.data.error : undefined;
}
