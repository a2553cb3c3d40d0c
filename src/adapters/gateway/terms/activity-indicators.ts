// The small markers that the bot is there: which of them a channel shows.

export interface ActivityIndicators {
  /** A reaction to a message that waits. */
  reactions: boolean;
  /** The typing indicator while an answer is made. */
  typing: boolean;
  /** Words to a message that waits, where no reaction can be shown, and to one that takes longer than a minute. */
  notices: boolean;
}

/** As the platforms' customs are. */
export const allIndicators: ActivityIndicators = { reactions: true, typing: true, notices: true };
