// What an error of the AI SDK means, read from types, status codes and the codes of services, never from words.
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
import { defined, tryJson } from '#base/json.ts';
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
  // in a stream a code comes apart from its words
  const inStream = StreamProviderError.isInstance(error) && error.code !== undefined;
  const code = inStream ? JSON.stringify({ code: error.code }) : '';
  return truncate(`${errorMessage(error)} ${body}${code}`, maxAnswer);
}

function codeFor(error: unknown): FailureCode {
  if (isBrokenConnection(error))
    return wasAnswering(error) ? 'PROVIDER_STREAM_BROKEN' : 'PROVIDER_UNREACHABLE';
  if (APICallError.isInstance(error)) {
    return byCode(error) ?? byStatus(error.statusCode);
  }
  if (StreamProviderError.isInstance(error)) {
    return (
      byCode(error) ??
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

/** What the codes of services mean that say more than the status; codes in figures are of one service alone. */
const codes: Readonly<Record<string, FailureCode>> = {
  context_length_exceeded: 'CONTEXT_LENGTH_EXCEEDED',
  content_filter: 'CONTENT_FILTERED', // Azure's, for what was asked
  insufficient_quota: 'PROVIDER_BILLING', // OpenAI's, with 429 as if it was asked too often: no waiting helps
  billing_hard_limit_reached: 'PROVIDER_BILLING',
  billing_not_active: 'PROVIDER_BILLING',
  exceeded_current_quota_error: 'PROVIDER_BILLING', // Moonshot
  Arrearage: 'PROVIDER_BILLING', // DashScope
  AccountOverdueError: 'PROVIDER_BILLING', // Volcengine
  1113: 'PROVIDER_BILLING', // Zhipu
  1008: 'PROVIDER_BILLING', // MiniMax
  30001: 'PROVIDER_BILLING', // SiliconFlow
  1211: 'MODEL_NOT_FOUND', // Zhipu
  20012: 'MODEL_NOT_FOUND', // SiliconFlow
  1004: 'AUTHENTICATION_ERROR', // MiniMax
  2049: 'AUTHENTICATION_ERROR',
  1002: 'RATE_LIMIT_EXCEEDED', // MiniMax
};

/** What the error's own code says, where it says more than the status. */
function byCode(error: APICallError | StreamProviderError): FailureCode | undefined {
  const named = APICallError.isInstance(error)
    ? [error.data, tryJson(error.responseBody ?? '')].flatMap(codesIn)
    : codesIn({ error: { code: error.code, type: error.type } });
  const known = named.find((code) => Object.hasOwn(codes, code));
  return known === undefined ? undefined : codes[known];
}

/** `code` and `type` of an error body, as OpenAI and those like it send it, and `code` beside them. */
function codesIn(body: unknown): string[] {
  if (typeof body !== 'object' || body === null) return [];
  const { error, code }: { error?: unknown; code?: unknown } = body;
  const inner = typeof error === 'object' && error !== null ? error : {};
  const { code: own, type }: { code?: unknown; type?: unknown } = inner;
  return [own, type, code].flatMap((each) =>
    typeof each === 'string' || typeof each === 'number' ? [String(each)] : [],
  );
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
    const named = byCode(error);
    if (named !== undefined && named !== 'RATE_LIMIT_EXCEEDED') return false;
    return statusCode === undefined ? error.isRetryable : statusCode === 429 || statusCode >= 500;
  }
  return StreamProviderError.isInstance(error) && error.isRetryable && byCode(error) === undefined;
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
