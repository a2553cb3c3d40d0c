// The names of the cursors: one for each channel, one for each thread that matters.
/** The cursor of a channel's own messages. */
export function channelCursor(channel: string): string {
  return `channel:${channel}`;
}

/** The cursor of a thread's replies, which history does not show. */
export function threadCursor(channel: string, thread: string): string {
  return `thread:${channel}:${thread}`;
}
