// The names of the cursors: one for each channel, one for each thread that matters.
/** The name of the cursor of a channel's messages. */
export function channelCursor(channel: string): string {
  return `channel:${channel}`;
}

/** The name of the cursor of a thread's replies, which a channel's history does not list. */
export function threadCursor(channel: string, thread: string): string {
  return `thread:${channel}:${thread}`;
}
