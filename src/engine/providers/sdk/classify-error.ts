// What an error of the AI SDK means, read from types and status codes, never from words.
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
import { codeOf, errorMessage, ParleyError } from '#base/errors.ts';
import { defined } from '#base/json.ts';
import { truncate } from '#base/text.ts';
import { detailsOf } from '#engine/providers/calls/failure.ts';
import type { FailureCode } from '#engine/providers/calls/failure-code.ts';
import { ProviderFailure } from '#engine/providers/calls/provider-failure.ts';

/** The error as it leaves the SDK: a ParleyError unchanged, anything else judged. */
export function classifyError(error: unknown): ParleyError | ProviderFailure {
  if (error instanceof ParleyError || error instanceof ProviderFailure) return error;
  const headers = (APICallError.isInstance(error) ? error.responseHeaders : undefined) ?? {};
  return new ProviderFailure(
    {
      code: codeFor(error),
      words: errorMessage(error),
      status: statusOf(error),
      answer: answerOf(error),
      passing: isPassing(error),
      retryAfter: { ms: headers['retry-after-ms'], after: headers['retry-after'], date: headers.date },
      details: errorDetails(error),
    },
    { cause: error },
  );
}

/** Characters of what a provider said that are read. */
const maxAnswer = 2_000;

function statusOf(error: unknown): number | undefined {
  return APICallError.isInstance(error) || StreamProviderError.isInstance(error)
    ? error.statusCode
    : undefined;
}

function answerOf(error: unknown): string {
  const body = APICallError.isInstance(error) ? (error.responseBody ?? '') : '';
  return truncate(`${errorMessage(error)} ${body}`, maxAnswer);
}

function codeFor(error: unknown): FailureCode {
  if (isBrokenConnection(error))
    return wasAnswering(error) ? 'PROVIDER_STREAM_BROKEN' : 'PROVIDER_UNREACHABLE';
  if (APICallError.isInstance(error)) {
    const named = errorCodeIn(error.data);
    if (named === 'context_length_exceeded') return 'CONTEXT_LENGTH_EXCEEDED';
    if (named === 'content_filter') return 'CONTENT_FILTERED'; // Azure's, for what was asked
    return isUnpaid(error) ? 'PROVIDER_BILLING' : byStatus(error.statusCode);
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

/** An account without credit, which OpenAI refuses with 429 as if it was asked too often: no waiting helps. */
function isUnpaid({ data }: APICallError): boolean {
  return ['insufficient_quota', 'billing_hard_limit_reached', 'billing_not_active'].some(
    (code) => code === errorCodeIn(data),
  );
}

/** `error.code` of a provider's error body, as OpenAI and those like it send it. */
function errorCodeIn(data: unknown): unknown {
  if (typeof data !== 'object' || data === null || !('error' in data)) return undefined;
  const { error } = data;
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
}

/** True for a connection that was lost, before or in the middle of an answer. */
function isBrokenConnection(error: unknown): boolean {
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

/** True for what may pass on its own: 429, 5xx, and a connection that was not made or was lost. */
function isPassing(error: unknown): boolean {
  if (isBrokenConnection(error)) return true;
  if (APICallError.isInstance(error)) {
    const { statusCode } = error;
    if (isUnpaid(error)) return false;
    return statusCode === undefined ? error.isRetryable : statusCode === 429 || statusCode >= 500;
  }
  return StreamProviderError.isInstance(error) && error.isRetryable;
}

/** What goes into the log, with what the provider answered. */
function errorDetails(error: unknown): Record<string, unknown> {
  const details = detailsOf(error);
  if (!APICallError.isInstance(error)) return details;
  const { stack: _, ...rest } = details;
  return defined({
    ...rest,
    status: error.statusCode,
    url: error.url,
    body: error.responseBody === undefined ? undefined : truncate(error.responseBody, 1_000),
  });
}
