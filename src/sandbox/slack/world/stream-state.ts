// How long a message is being streamed. Pure; not the methods that stream.
import type { Stored } from './world.ts';

/** A stream is closed by Slack about this long after its start, whether or not anything comes (python-slack-sdk#1859). */
const streamMs = 5 * 60_000;

/** As the SDK's types have it. */
type StreamState = 'in_progress' | 'completed' | 'errored';

/** The `streaming_state` that a page shows; undefined for a message that never was a stream. */
export function streamState({ stream }: Stored, now: number): StreamState | undefined {
  if (stream === undefined) return undefined;
  if (stream.state !== 'in_progress') return 'completed';
  return now - stream.startedAt < streamMs ? 'in_progress' : 'errored';
}

/** Whether the message is being streamed now. */
export function isStreaming(message: Stored, now: number): boolean {
  return streamState(message, now) === 'in_progress';
}
