// What ended a call of a model, judged where it happened and passed on in plain values: it may come from another thread.
import type { FailureCode } from './failure-code.ts';

export interface ClassifiedError {
  code: FailureCode;
  /** The error's own words; only for the log. */
  words: string;
  /** The status of the answer; undefined where none came, or the error came in the middle of one. */
  status?: number | undefined;
  /** What the provider said of it, its words and its body, cut: read to learn what of a request it does not take. */
  answer: string;
  /** True for what may pass by itself: 429, 5xx, and a connection that was not made or was lost. */
  passing: boolean;
  /** Tokens of a request that was too long, and of the window, as far as they are known. */
  sizes?: { tokens: number | undefined; window: number | undefined } | undefined;
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
