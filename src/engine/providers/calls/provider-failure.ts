// What ended a call of a model, judged where it happened and told in plain values: it may come from another thread.
import type { FailureCode } from './failure-code.ts';

export interface ClassifiedError {
  code: FailureCode;
  /** The error's own words; for the log only. */
  words: string;
  /** True for what may pass on its own: 429, 5xx, and a connection that was not made or was lost. */
  passing: boolean;
  /** The provider's `retry-after-ms`, `retry-after` and `date`, as it sent them. */
  retryAfter: { ms?: string | undefined; after?: string | undefined; date?: string | undefined };
  /** What goes into the log. */
  details: Record<string, unknown>;
}

export class ProviderFailure extends Error {
  readonly judged: ClassifiedError;

  constructor(judged: ClassifiedError, options: { cause?: unknown } = {}) {
    super(judged.words, options);
    this.name = 'ProviderFailure';
    this.judged = judged;
  }
}
