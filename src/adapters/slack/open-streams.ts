// Which messages this process is streaming now, so that none of them is taken for a stream that was left behind.

export interface OpenStreams {
  add(channel: string, ts: string): void;
  delete(channel: string, ts: string): void;
  has(channel: string, ts: string): boolean;
}

/** None yet. */
export function createOpenStreams(): OpenStreams {
  const open = new Set<string>();
  return {
    add: (channel, ts) => void open.add(`${channel} ${ts}`),
    delete: (channel, ts) => void open.delete(`${channel} ${ts}`),
    has: (channel, ts) => open.has(`${channel} ${ts}`),
  };
}
