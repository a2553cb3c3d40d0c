// Where a message was written, as memory stores it. A shape only.

/** Where a message was written, as memory stores it. */
export interface MessageAudience {
  audience: string;
  space: string | undefined;
  /** Direct messages and rooms that not everyone in the space may read. */
  restricted: boolean;
}
