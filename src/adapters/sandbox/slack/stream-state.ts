// How long a message is being streamed. Pure; not the methods that stream.
import type { Stored } from './world.ts';

/** A stream is closed by Slack about this long after its start, whether or not anything comes (python-slack-sdk#1859). */
export const streamMs = 5 * 60_000;

/** The `streaming_state` that a page shows; undefined for a message that never was a stream. */
export function streamState({ stream }: Stored, now: number): string | undefined {
  if (stream?.state !== 'in_progress') return stream?.state;
  return now - stream.startedAt < streamMs ? 'in_progress' : 'completed';
}

/** Whether the message is being streamed now. */
export function isStreaming(message: Stored, now: number): boolean {
  return streamState(message, now) === 'in_progress';
}
