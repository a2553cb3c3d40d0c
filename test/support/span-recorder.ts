// Tracing that keeps its spans for the test to look at, in the order in which they began.
import type { Attributes, Parent, Span, SpanOptions, Tracing } from '#base/tracing.ts';

export interface RecordedSpan {
  name: string;
  /** The key of the trace that it belongs to, as far as it has one. */
  key: string;
  /** How many spans it is under. */
  depth: number;
  startedAtMs: number | undefined;
  attributes: Attributes;
  /** Undefined while it continues. */
  ended: 'well' | { failure: string } | undefined;
}

export function spanRecorder(): { tracing: Tracing; spans: RecordedSpan[]; outline(): string[] } {
  const spans: RecordedSpan[] = [];
  const begin = (
    name: string,
    { startedAtMs, attributes = {} }: SpanOptions,
    { key, depth }: { key: string; depth: number },
  ): Span => {
    const span: RecordedSpan = { name, key, depth, startedAtMs, attributes, ended: undefined };
    spans.push(span);
    return {
      ...under(key, depth + 1),
      set(more) {
        span.attributes = { ...span.attributes, ...more };
      },
      end(failure) {
        span.ended ??= failure === undefined ? 'well' : { failure };
      },
    };
  };
  const under = (key: string, depth: number): Parent => ({
    child: (name, options = {}) => begin(name, options, { key, depth }),
  });
  return {
    spans,
    tracing: {
      root: (name, { key, ...options }) => begin(name, options, { key, depth: 0 }),
      under: (key) => under(key, 1),
    },
    /** Each with what ended it, two spaces for each span that it is under. */
    outline: () =>
      spans.map(({ name, depth, ended }) => {
        const how = ended === undefined ? ': continues' : ended === 'well' ? '' : `: ${ended.failure}`;
        return `${'  '.repeat(depth)}${name}${how}`;
      }),
  };
}
