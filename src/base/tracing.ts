// How the path of a message is reported to a collector of traces: spans, with ids and never with words.

/** Ids, names and counts; never words of people. */
export type Attributes = Readonly<Record<string, string | number | undefined>>;

export interface SpanOptions {
  /** When it began, in milliseconds since the epoch; now when absent. */
  startedAtMs?: number | undefined;
  attributes?: Attributes | undefined;
  /** `consumer` takes a message in, `client` waits for another service; work of our own when absent. */
  kind?: 'consumer' | 'client' | undefined;
}

/** Under which spans can be begun. */
export interface Parent {
  child(name: string, options?: SpanOptions): Span;
}

export interface Span extends Parent {
  set(attributes: Attributes): void;
  /** Once; `failure` is a code. */
  end(failure?: string): void;
}

export interface Tracing {
  /** Begins the span that `key` stands for, the first of its trace. */
  root(name: string, options: SpanOptions & { key: string }): Span;
  /** The same span as a parent: it may have been begun in another process, or before a restart. */
  under(key: string): Parent;
}

const nothing: Span = { child: () => nothing, set: () => {}, end: () => {} };

/** Where nobody measures. */
export const noTracing: Tracing = { root: () => nothing, under: () => nothing };
