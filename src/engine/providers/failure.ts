// What a failed call means: a category and code for programs, one sentence for people.
import { codeOf, errorMessage, ParleyError } from '#base/errors.ts';
import { defined } from '#base/json.ts';
import { truncate } from '#base/text.ts';
import type { FailureCategory } from '#engine/wire/event.ts';
import { ProviderFailure } from './provider-failure.ts';

export interface Failure {
  category: FailureCategory;
  code: string;
  /** For people: without the provider's words, keys or addresses. */
  sentence: string;
}

const sentences = {
  AUTHENTICATION_ERROR:
    'The model provider refused the key of this bot; anyone who runs it has to check the key.',
  PROVIDER_BILLING:
    'The account of this bot at its model provider has no credit left; anyone who runs the bot has to look at its billing there.',
  RATE_LIMIT_EXCEEDED: 'The model provider is being asked too often right now; please try again in a minute.',
  CONTEXT_LENGTH_EXCEEDED:
    'This conversation or message is too long for the model; please ask in fewer words.',
  MODEL_NOT_FOUND:
    'The configured model does not exist at its provider; anyone who runs the bot has to choose another.',
  PROVIDER_REQUEST_INVALID: 'The model provider did not accept the request.',
  PROVIDER_SERVER_ERROR: 'The model provider has its own problem right now; please try again later.',
  PROVIDER_UNREACHABLE: 'The model provider cannot be reached right now; please try again later.',
  PROVIDER_RESPONSE_INVALID: 'The model provider sent something that is not an answer.',
  PROVIDER_STREAM_BROKEN: 'The answer broke off before it was complete.',
  EMPTY_ANSWER: 'The model ended without saying anything.',
  CONTENT_FILTERED: 'The model provider withheld the answer.',
  OUTPUT_TOO_LONG: 'The answer grew beyond what may be sent and was stopped.',
  NO_TOOL_TO_CALL: 'This answer was to use a tool, and none may be used here.',
  BUDGET_EXHAUSTED: 'The budget of this agent is used up.',
  ENGINE_TIMEOUT: 'The answer took too long and was stopped.',
  ENGINE_DISPATCH_FAILED: 'Something inside the bot went wrong while it was answering.',
} as const;

export type FailureCode = keyof typeof sentences;

const categories: Partial<Record<FailureCode, FailureCategory>> = {
  AUTHENTICATION_ERROR: 'authentication',
  RATE_LIMIT_EXCEEDED: 'rate_limit',
  CONTEXT_LENGTH_EXCEEDED: 'validation',
  NO_TOOL_TO_CALL: 'validation',
  BUDGET_EXHAUSTED: 'runtime',
  ENGINE_TIMEOUT: 'timeout',
  ENGINE_DISPATCH_FAILED: 'runtime',
};

/** The failure that a code represents. */
export function failureFor(code: FailureCode): Failure {
  return { category: categories[code] ?? 'provider', code, sentence: sentences[code] };
}

/** What the error means; anything that is not known to come from a provider is a failure of the engine itself. */
export function failureOf(error: unknown): Failure {
  return failureFor(failureCode(error));
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
  return Object.hasOwn(sentences, code);
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
