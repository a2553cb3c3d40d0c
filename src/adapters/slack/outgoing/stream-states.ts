// Where an answer's stream is: between messages, streaming one, stopped by the person, or ended.
import type { MonotonicMs } from '#base/clock.ts';
import type { OpenStreams } from './open-streams.ts';

type StreamState =
  | { name: 'between messages' }
  | Streaming
  /** By the person: nothing more is shown. */
  | { name: 'stopped' }
  | { name: 'ended' };

export interface Streaming {
  name: 'streaming';
  ts: string;
  key: string;
  startedAt: MonotonicMs;
  length: number;
}

interface StreamStates {
  now(): StreamState;
  /** Enters a state; after `stopped` only `ended` follows. */
  enter(next: StreamState): void;
}

/** The states of the stream of one answer, from not begun to closed; an open one is listed in `open`. */
export function createStreamStates(open: OpenStreams, channel: string): StreamStates {
  let state: StreamState = { name: 'between messages' };
  return {
    now: () => state,
    enter(next) {
      // a call that was not answered when the button was pressed must not begin it all again
      if (state.name === 'stopped' && next.name !== 'ended') return;
      if (state.name === 'streaming') open.delete(channel, state.ts);
      if (next.name === 'streaming') open.add(channel, next.ts);
      state = next;
    },
  };
}
