// Which messages this process is streaming now, so that none of them is taken for a stream that was left behind, and a stop button knows which run to end.

export interface OpenStreams {
  add(channel: string, ts: string): void;
  delete(channel: string, ts: string): void;
  has(channel: string, ts: string): boolean;
  /** Calls `stopped` when a person presses the stop button in this thread, until the returned function is called. */
  watch(thread: SlackThreadRef, stopped: () => void): () => void;
  /** The stop button was pressed in this thread. */
  stop(thread: SlackThreadRef): void;
}

export interface SlackThreadRef {
  channel: string;
  ts: string;
}

/** The streams that are open now, to pass presses of the stop button to them. Empty at first. */
export function createOpenStreams(): OpenStreams {
  const open = new Set<string>();
  const watching = new Map<string, Set<() => void>>();
  const name = (channel: string, ts: string): string => `${channel} ${ts}`;
  return {
    add: (channel, ts) => void open.add(name(channel, ts)),
    delete: (channel, ts) => void open.delete(name(channel, ts)),
    has: (channel, ts) => open.has(name(channel, ts)),
    watch({ channel, ts }, stopped) {
      const key = name(channel, ts);
      const answers = watching.get(key) ?? new Set();
      watching.set(key, answers.add(stopped));
      return () => {
        answers.delete(stopped);
        if (answers.size === 0) watching.delete(key);
      };
    },
    stop({ channel, ts }) {
      for (const stopped of [...(watching.get(name(channel, ts)) ?? [])]) stopped();
    },
  };
}
