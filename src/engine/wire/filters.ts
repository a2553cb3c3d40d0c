// What is requested lists and sums of the engine: pages and filters. Shapes only.

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
}

export interface SessionChange {
  title?: string | undefined;
  archived?: boolean | undefined;
  shared?: boolean | undefined;
}

export interface UsageFilter {
  by: 'day' | 'session';
  sessionID?: string | undefined;
  /** Days in UTC (`2026-01-31`), both included. */
  from?: string | undefined;
  until?: string | undefined;
  limit: number;
}
