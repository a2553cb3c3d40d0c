// The three calls of a stream: started, appended to, stopped; and what their refusals mean.

import { z } from 'zod';
import type { Address } from '#adapters/gateway/terms/address.ts';
import { errorWord } from '#adapters/slack/calls/error-word.ts';
import { bodySchema } from '#adapters/slack/calls/wire.ts';
import { isOrganisation } from '#adapters/slack/codecs/organisation.ts';
import type { MessagePart } from '#adapters/text/part.ts';
import { defined } from '#base/json.ts';
import { keyMetadata } from './part-key.ts';

const startedSchema = z.object({ ts: z.string() });

interface StreamCalls {
  /** Starts a stream with its first text; its message's `ts`. */
  start(text: string): Promise<string>;
  append(ts: string, text: string): Promise<void>;
  /** Ends the stream with a last text, which may be empty, and the key of its part. */
  stop(ts: string, end: { key: string; text: string }): Promise<void>;
}

/** The calls that start, append to and end a stream in one thread, for one person (`TEAM/USER`). */
export function createStreamCalls({
  call,
  address,
  thread,
  actor,
}: {
  call(method: string, args: Record<string, unknown>): Promise<unknown>;
  address: Address;
  thread: string;
  actor: string;
}): StreamCalls {
  const { chat: channel } = address;
  return {
    async start(text) {
      const place = { channel, thread_ts: thread };
      const answer = await call('chat.startStream', {
        ...place,
        markdown_text: text,
        ...recipientOf({ actor, address }),
      });
      return startedSchema.parse(answer).ts;
    },
    async append(ts, text) {
      await call('chat.appendStream', { channel, ts, markdown_text: text });
    },
    async stop(ts, { key, text }) {
      const piece = text.trim() === '' ? {} : { markdown_text: text };
      await call('chat.stopStream', { channel, ts, metadata: keyMetadata(key), ...piece });
    },
  };
}

/** How a stream was closed under us: by its expiry, after which the text continues in a new message, or by the person. Throws any other error. */
export function closureOf(error: unknown): 'expired' | 'stopped' {
  switch (errorWord(error)) {
    case 'message_not_in_streaming_state':
      return 'expired';
    case 'stopped_by_user':
      return 'stopped';
    default:
      throw error;
  }
}

/** Who the stream is for, which Slack wants to know outside direct messages; a person is `TEAM/USER`. */
function recipientOf({ actor, address }: { actor: string; address: Address }): Record<string, string> {
  const [home = '', user] = actor.split('/');
  const team = isOrganisation(home) ? address.space : home;
  return defined({ recipient_team_id: team, recipient_user_id: user });
}

/** Whether the part consists of exactly this text, so that the stream already shows it. */
export function isOnly(part: MessagePart, text: string): boolean {
  const [block, ...others] = bodySchema.safeParse(part.body).data?.blocks ?? [];
  return others.length === 0 && block?.type === 'markdown' && block.text === text;
}
