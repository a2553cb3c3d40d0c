// What a failed call means: a category and code for programs, one sentence for people.
import { codeOf, errorMessage, ParleyError } from '#base/errors.ts';
import { defined } from '#base/json.ts';
import { truncate } from '#base/text.ts';
import type { FailureCategory } from '#engine/wire/events/event.ts';
import { type FailureCode, failureSentences } from './failure-code.ts';
import { ProviderFailure } from './provider-failure.ts';
import { silenceOf } from './silence.ts';

interface Failure {
  category: FailureCategory;
  code: string;
  /** For people: without the provider's words, keys or addresses. */
  sentence: string;
}

const categories: Partial<Record<FailureCode, FailureCategory>> = {
  AUTHENTICATION_ERROR: 'authentication',
  RATE_LIMIT_EXCEEDED: 'rate_limit',
  CONTEXT_LENGTH_EXCEEDED: 'validation',
  NO_TOOL_TO_CALL: 'validation',
  BUDGET_EXHAUSTED: 'runtime',
  ENGINE_TIMEOUT: 'timeout',
  ENGINE_DISPATCH_FAILED: 'runtime',
};

/** The failure that a code stands for. */
function failureFor(code: FailureCode): Failure {
  return { category: categories[code] ?? 'provider', code, sentence: failureSentences[code] };
}

/** What the error means; anything that is not known to come from a provider is a failure of the engine itself. */
export function failureOf(error: unknown): Failure {
  const failure = failureFor(failureCode(error));
  return silenceOf(error) === undefined ? failure : { ...failure, sentence: errorMessage(error) };
}

function failureCode(error: unknown): FailureCode {
  if (error instanceof ProviderFailure) return error.judged.code;
  if (error instanceof ParleyError) {
    if (error.code === 'timeout' || error.code === 'run_timeout') return 'ENGINE_TIMEOUT';
    if (isFailureCode(error.code)) return error.code;
  }
  return 'ENGINE_DISPATCH_FAILED';
}

function isFailureCode(code: string): code is FailureCode {
  return Object.hasOwn(failureSentences, code);
}

/** How long a request was and might be, in tokens, where it was too long. */
export function sizesOf(error: unknown): { tokens?: number | undefined; window?: number | undefined } {
  return error instanceof ProviderFailure ? { ...error.judged.sizes } : {};
}

/** What goes into the log about an error: enough to find the cause, without what was written to the model. */
export function detailsOf(error: unknown): Record<string, unknown> {
  if (error instanceof ProviderFailure) return error.judged.details;
  if (!(error instanceof Error)) return { words: truncate(errorMessage(error), 500) };
  return defined({
    name: error.name,
    words: truncate(errorMessage(error), 500),
    code: codeOf(error),
    cause: error.cause === undefined ? undefined : truncate(errorMessage(error.cause), 500),
    stack: error instanceof ParleyError ? undefined : error.stack,
  });
}
