// What a failed call means: a category and code for programs, one sentence for people. Read from types and status codes, never from words.
import {
  AISDKError,
  APICallError,
  InvalidPromptError,
  InvalidResponseDataError,
  JSONParseError,
  LoadAPIKeyError,
  NoSuchModelError,
  StreamProviderError,
  TypeValidationError,
} from 'ai';
import { codeOf, ParleyError, wordsOf } from '#base/errors.ts';
import { defined } from '#base/json.ts';
import { truncate } from '#base/text.ts';
import type { FailureCategory } from '#engine/wire/event.ts';

export interface Failure {
  category: FailureCategory;
  code: string;
  /** For people: without the provider's words, keys or addresses. */
  sentence: string;
}

const sentences = {
  AUTHENTICATION_ERROR:
    'The model provider refused the key of this bot; whoever runs it has to check the key.',
  PROVIDER_BILLING: 'The model provider wants its account settled before it answers.',
  RATE_LIMIT_EXCEEDED: 'The model provider is being asked too often right now; please try again in a minute.',
  CONTEXT_LENGTH_EXCEEDED:
    'This conversation or message is too long for the model; please ask in fewer words.',
  MODEL_NOT_FOUND:
    'The configured model does not exist at its provider; whoever runs the bot has to choose another.',
  PROVIDER_REQUEST_INVALID: 'The model provider did not accept the request.',
  PROVIDER_SERVER_ERROR: 'The model provider has a problem of its own right now; please try again later.',
  PROVIDER_UNREACHABLE: 'The model provider cannot be reached right now; please try again later.',
  PROVIDER_RESPONSE_INVALID: 'The model provider sent something that is not an answer.',
  PROVIDER_STREAM_BROKEN: 'The answer broke off before it was complete.',
  EMPTY_ANSWER: 'The model ended without saying anything.',
  CONTENT_FILTERED: 'The model provider withheld the answer.',
  OUTPUT_TOO_LONG: 'The answer grew beyond what may be sent and was stopped.',
  ENGINE_TIMEOUT: 'The answer took too long and was stopped.',
  ENGINE_DISPATCH_FAILED: 'Something inside the bot went wrong while it was answering.',
} as const;

export type FailureCode = keyof typeof sentences;

const categories: Partial<Record<FailureCode, FailureCategory>> = {
  AUTHENTICATION_ERROR: 'authentication',
  RATE_LIMIT_EXCEEDED: 'rate_limit',
  CONTEXT_LENGTH_EXCEEDED: 'validation',
  ENGINE_TIMEOUT: 'timeout',
  ENGINE_DISPATCH_FAILED: 'runtime',
};

/** The failure that a code stands for. */
export function failureFor(code: FailureCode): Failure {
  return { category: categories[code] ?? 'provider', code, sentence: sentences[code] };
}

/** What the error means; anything that is not known to come from a provider is a failure of the engine itself. */
export function failureOf(error: unknown): Failure {
  return failureFor(failureCode(error));
}

function failureCode(error: unknown): FailureCode {
  if (error instanceof ParleyError) {
    if (error.code === 'timeout' || error.code === 'run_timeout') return 'ENGINE_TIMEOUT';
    if (isFailureCode(error.code)) return error.code;
  }
  if (isBrokenConnection(error))
    return wasAnswering(error) ? 'PROVIDER_STREAM_BROKEN' : 'PROVIDER_UNREACHABLE';
  if (APICallError.isInstance(error)) {
    return errorCodeIn(error.data) === 'context_length_exceeded'
      ? 'CONTEXT_LENGTH_EXCEEDED'
      : byStatus(error.statusCode);
  }
  if (StreamProviderError.isInstance(error)) {
    return (
      byType(error.type) ??
      (error.statusCode === undefined ? 'PROVIDER_SERVER_ERROR' : byStatus(error.statusCode))
    );
  }
  if (LoadAPIKeyError.isInstance(error)) return 'AUTHENTICATION_ERROR';
  if (NoSuchModelError.isInstance(error)) return 'MODEL_NOT_FOUND';
  if (InvalidPromptError.isInstance(error)) return 'ENGINE_DISPATCH_FAILED';
  // Its parts did not add up to an answer: most often the stream ended before the last one.
  if (InvalidResponseDataError.isInstance(error)) return 'PROVIDER_STREAM_BROKEN';
  const malformed = [JSONParseError, TypeValidationError];
  if (malformed.some((kind) => kind.isInstance(error))) return 'PROVIDER_RESPONSE_INVALID';
  return AISDKError.isInstance(error) ? 'PROVIDER_RESPONSE_INVALID' : 'ENGINE_DISPATCH_FAILED';
}

function isFailureCode(code: string): code is FailureCode {
  return Object.hasOwn(sentences, code);
}

function byStatus(status: number | undefined): FailureCode {
  if (status === undefined) return 'PROVIDER_UNREACHABLE';
  if (status === 401 || status === 403) return 'AUTHENTICATION_ERROR';
  if (status === 402) return 'PROVIDER_BILLING';
  if (status === 404) return 'MODEL_NOT_FOUND';
  if (status === 413) return 'CONTEXT_LENGTH_EXCEEDED';
  if (status === 429) return 'RATE_LIMIT_EXCEEDED';
  if (status >= 500) return 'PROVIDER_SERVER_ERROR';
  return status >= 400 ? 'PROVIDER_REQUEST_INVALID' : 'PROVIDER_RESPONSE_INVALID';
}

/** The error types that providers name inside a stream. */
function byType(type: string | undefined): FailureCode | undefined {
  switch (type) {
    case 'authentication_error':
    case 'permission_error':
      return 'AUTHENTICATION_ERROR';
    case 'billing_error':
    case 'insufficient_quota':
      return 'PROVIDER_BILLING';
    case 'rate_limit_error':
      return 'RATE_LIMIT_EXCEEDED';
    case 'request_too_large':
      return 'CONTEXT_LENGTH_EXCEEDED';
    case 'not_found_error':
      return 'MODEL_NOT_FOUND';
    case 'invalid_request_error':
      return 'PROVIDER_REQUEST_INVALID';
    case 'api_error':
    case 'overloaded_error':
    case 'server_error':
      return 'PROVIDER_SERVER_ERROR';
    default:
      return undefined;
  }
}

/** `error.code` of a provider's error body, as OpenAI and those like it send it. */
function errorCodeIn(data: unknown): unknown {
  if (typeof data !== 'object' || data === null || !('error' in data)) return undefined;
  const { error } = data;
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
}

/** True for a connection that was lost, before or in the middle of an answer. */
export function isBrokenConnection(error: unknown): boolean {
  for (let at = error; at instanceof Error; at = at.cause) {
    const code = codeOf(at);
    if (code === 'UND_ERR_SOCKET' || code === 'ECONNRESET' || code === 'EPIPE') return true;
  }
  return false;
}

/** True unless the request itself got no answer. */
function wasAnswering(error: unknown): boolean {
  return !APICallError.isInstance(error) || error.statusCode !== undefined;
}

/** What goes into the log about an error: enough to find the cause, without what was said to the model. */
export function detailsOf(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { words: truncate(wordsOf(error), 500) };
  const call = APICallError.isInstance(error) ? error : undefined;
  return defined({
    name: error.name,
    words: truncate(wordsOf(error), 500),
    code: codeOf(error),
    status: call?.statusCode,
    url: call?.url,
    body: call?.responseBody === undefined ? undefined : truncate(call.responseBody, 1_000),
    cause: error.cause === undefined ? undefined : truncate(wordsOf(error.cause), 500),
    stack: call === undefined && !(error instanceof ParleyError) ? error.stack : undefined,
  });
}
