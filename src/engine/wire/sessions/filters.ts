// How lists and sums of the engine are narrowed: pages and filters. Shapes only.

export interface Page {
  limit: number;
  offset: number;
}

export interface SessionFilter {
  /** Only these; those that no longer exist are missing. */
  ids?: readonly string[] | undefined;
  /** Part of the title, in any case of ASCII letters. */
  title?: string | undefined;
  sourceKind?: 'channel' | 'api' | undefined;
  projectID?: string | undefined;
  parentID?: string | undefined;
  /** Both kinds when absent. */
  archived?: boolean | undefined;
  shared?: boolean | undefined;
  /** Of which platform a chat's session is. */
  platform?: string | undefined;
  /** Canonical address of a chat that wrote in it; that of a room means its threads too. */
  chat?: string | undefined;
  /** Part of the name of a space, room or thread that wrote in it. */
  room?: string | undefined;
  /** Part of the name of someone who wrote in it. */
  person?: string | undefined;
  /** Part of the name of an agent that answered in it. */
  agent?: string | undefined;
  /** Part of what was written in it. */
  text?: string | undefined;
  /** Something was written in it at `fromMs` or later, and it began before `untilMs`; milliseconds since the epoch. */
  fromMs?: number | undefined;
  untilMs?: number | undefined;
  /** Only rooms that everyone of their space may open. */
  open?: true | undefined;
  /** The newest first: those in which something was written last, or those that were made last (when absent). */
  order?: 'created' | 'updated' | undefined;
}

/** Messages of one session before one of them (the newest when absent). */
export interface MessagePageQuery {
  before?: string | undefined;
  limit: number;
}

export interface SessionChange {
  title?: string | undefined;
  archived?: boolean | undefined;
  shared?: boolean | undefined;
}
