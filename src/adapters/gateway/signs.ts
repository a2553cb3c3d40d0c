// The small signs that the bot is there: which of them a channel shows. Not the signs themselves.

export interface Signs {
  /** A reaction to a message that waits. */
  reactions: boolean;
  /** The typing sign while an answer is made. */
  typing: boolean;
  /** Words to a message that waits, where no reaction can be shown, and to one that is worked on for a minute without a word. */
  notices: boolean;
}

/** As the platforms' customs are. */
export const allSigns: Signs = { reactions: true, typing: true, notices: true };
