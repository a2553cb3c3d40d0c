// How the HTTP rim says no: one error envelope for everything that is refused, and for everything that broke.
import { HTTPException } from 'hono/http-exception';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { codeOf, ParleyError } from '#base/errors.ts';
import type { NewId } from '#base/ids.ts';
import type { Log } from '#base/log/log.ts';
import type { MaskSecrets } from '#base/secrets.ts';

export interface ApiErrorOptions {
  status: ContentfulStatusCode;
  /** Stable, upper case, as on the wire. */
  code: string;
  /** What was expected, what came, what to do; sent to the client unchanged. */
  message: string;
  /** What to do about it. */
  hint?: string | undefined;
  retryable?: boolean | undefined;
  headers?: Record<string, string> | undefined;
  /** Further fields of the envelope. */
  details?: Record<string, unknown> | undefined;
}

/** A request that is answered with the error envelope; thrown by handlers, answered by `createErrorAnswer`. */
export class ApiError extends Error {
  readonly options: ApiErrorOptions;

  constructor(options: ApiErrorOptions) {
    super(options.message);
    this.name = 'Refusal';
    this.options = options;
  }
}

/** What the engine's expected errors mean over HTTP; every other error is a failure of Parley. */
const engineErrors: Record<string, { status: ContentfulStatusCode; code: string; retryable: boolean }> = {
  invalid_request: { status: 400, code: 'INVALID_REQUEST', retryable: false },
  session_not_found: { status: 404, code: 'SESSION_NOT_FOUND', retryable: false },
  run_not_found: { status: 404, code: 'RUN_NOT_FOUND', retryable: false },
  run_not_ended: { status: 409, code: 'RUN_NOT_ENDED', retryable: true },
  run_files_not_found: { status: 404, code: 'RUN_FILES_NOT_FOUND', retryable: false },
  message_not_found: { status: 404, code: 'MESSAGE_NOT_FOUND', retryable: false },
  session_busy: { status: 409, code: 'SESSION_RUN_CONFLICT', retryable: true },
  prompt_not_found: { status: 404, code: 'PROMPT_NOT_FOUND', retryable: false },
  nothing_to_unrevert: { status: 409, code: 'NOTHING_TO_UNREVERT', retryable: false },
  nothing_to_summarize: { status: 409, code: 'NOTHING_TO_SUMMARIZE', retryable: false },
  summary_failed: { status: 502, code: 'SUMMARY_FAILED', retryable: true },
  idempotency_key_reused: { status: 409, code: 'IDEMPOTENCY_KEY_REUSED', retryable: false },
  request_not_found: { status: 404, code: 'REQUEST_NOT_FOUND', retryable: false },
  request_settled: { status: 409, code: 'REQUEST_SETTLED', retryable: false },
  unknown_template: { status: 400, code: 'UNKNOWN_TEMPLATE', retryable: false },
  invalid_spawn: { status: 400, code: 'INVALID_SPAWN', retryable: false },
  mission_not_found: { status: 404, code: 'MISSION_NOT_FOUND', retryable: false },
  mission_ended: { status: 409, code: 'MISSION_ENDED', retryable: false },
  instance_not_found: { status: 404, code: 'INSTANCE_NOT_FOUND', retryable: false },
  instance_session: { status: 409, code: 'INSTANCE_SESSION', retryable: false },
  approval_not_found: { status: 404, code: 'APPROVAL_NOT_FOUND', retryable: false },
  approval_settled: { status: 409, code: 'APPROVAL_SETTLED', retryable: false },
  rule_not_found: { status: 404, code: 'RULE_NOT_FOUND', retryable: false },
  schedule_not_found: { status: 404, code: 'SCHEDULE_NOT_FOUND', retryable: false },
  hook_not_found: { status: 404, code: 'HOOK_NOT_FOUND', retryable: false },
  hook_exists: { status: 409, code: 'HOOK_EXISTS', retryable: false },
  hook_refused: { status: 401, code: 'HOOK_REFUSED', retryable: false },
  hook_stopped: { status: 409, code: 'HOOK_STOPPED', retryable: false },
  hook_too_often: { status: 429, code: 'HOOK_TOO_OFTEN', retryable: true },
  invalid_hook_body: { status: 400, code: 'INVALID_HOOK_BODY', retryable: false },
  invalid_chat: { status: 400, code: 'INVALID_CHAT', retryable: false },
  unknown_time: { status: 400, code: 'UNKNOWN_TIME', retryable: false },
  time_in_the_past: { status: 400, code: 'TIME_IN_THE_PAST', retryable: false },
  too_often: { status: 400, code: 'TOO_OFTEN', retryable: false },
  too_many_schedules: { status: 409, code: 'TOO_MANY_SCHEDULES', retryable: false },
  text_needed: { status: 400, code: 'TEXT_NEEDED', retryable: false },
  unknown_zone: { status: 400, code: 'UNKNOWN_ZONE', retryable: false },
  invalid_answer: { status: 400, code: 'INVALID_ANSWER', retryable: false },
  unknown_tool: { status: 400, code: 'UNKNOWN_TOOL', retryable: false },
  unknown_model: { status: 400, code: 'UNKNOWN_MODEL', retryable: false },
  unknown_agent: { status: 400, code: 'UNKNOWN_AGENT', retryable: false },
  memory_not_found: { status: 404, code: 'MEMORY_NOT_FOUND', retryable: false },
  memory_forgotten: { status: 410, code: 'MEMORY_FORGOTTEN', retryable: false },
  not_correctable: { status: 409, code: 'MEMORY_NOT_CORRECTABLE', retryable: false },
  stale_version: { status: 409, code: 'STALE_VERSION', retryable: false },
  not_active: { status: 409, code: 'MEMORY_NOT_ACTIVE', retryable: false },
  not_promoted: { status: 409, code: 'MEMORY_NOT_PROMOTED', retryable: false },
  review_missing: { status: 403, code: 'MEMORY_REVIEW_MISSING', retryable: false },
  tool_denied: { status: 403, code: 'TOOL_DENIED', retryable: false },
  tier_denied: { status: 403, code: 'MEMORY_TIER_DENIED', retryable: false },
  context_not_found: { status: 404, code: 'CONTEXT_NOT_FOUND', retryable: false },
  audience_mismatch: { status: 403, code: 'AUDIENCE_MISMATCH', retryable: false },
  invalid_knowledge: { status: 400, code: 'INVALID_KNOWLEDGE', retryable: false },
  invalid_preflight: { status: 400, code: 'INVALID_PREFLIGHT', retryable: false },
  invalid_note: { status: 400, code: 'INVALID_NOTE', retryable: false },
  invalid_import: { status: 400, code: 'INVALID_IMPORT', retryable: false },
  import_too_large: { status: 400, code: 'IMPORT_TOO_LARGE', retryable: false },
  import_would_empty: { status: 409, code: 'IMPORT_WOULD_EMPTY', retryable: false },
  nothing_to_import: { status: 400, code: 'NOTHING_TO_IMPORT', retryable: false },
  unknown_corpus: { status: 400, code: 'UNKNOWN_CORPUS', retryable: false },
  file_not_found: { status: 404, code: 'FILE_NOT_FOUND', retryable: false },
  file_refused: { status: 409, code: 'FILE_REFUSED', retryable: false },
  file_changed: { status: 409, code: 'FILE_CHANGED', retryable: false },
  no_memory_files: { status: 404, code: 'NO_MEMORY_FILES', retryable: false },
  config_invalid: { status: 400, code: 'CONFIG_INVALID', retryable: false },
  config_changed: { status: 409, code: 'CONFIG_CHANGED', retryable: false },
  invalid_journal: { status: 400, code: 'INVALID_JOURNAL', retryable: false },
  journal_not_found: { status: 404, code: 'JOURNAL_NOT_FOUND', retryable: false },
  sweep_incomplete: { status: 409, code: 'SWEEP_INCOMPLETE', retryable: false },
  close_key_used: { status: 409, code: 'CLOSE_KEY_USED', retryable: false },
  invalid_memory_call: { status: 400, code: 'INVALID_MEMORY_CALL', retryable: false },
  invalid_selection: { status: 400, code: 'INVALID_SELECTION', retryable: false },
  memory_busy: { status: 503, code: 'MEMORY_BUSY', retryable: true },
  memory_unusable: { status: 503, code: 'MEMORY_UNUSABLE', retryable: true },
  invalid_origin: { status: 400, code: 'INVALID_ORIGIN', retryable: false },
  subscriber_overflow: { status: 503, code: 'SUBSCRIBER_OVERFLOW', retryable: true },
  storage_failed: { status: 503, code: 'STORAGE_FAILED', retryable: true },
  not_ready: { status: 503, code: 'NOT_READY', retryable: true },
  engine_closed: { status: 503, code: 'ENGINE_CLOSED', retryable: true },
};

/** The envelope `{error, code, hint, retryable}` of a refusal; without `hint` where there is none. */
export function refusalBody(refusal: ApiErrorOptions): Record<string, unknown> {
  const { message, code, hint, retryable, details } = refusal;
  return {
    error: message,
    code,
    ...(hint !== undefined && { hint }),
    retryable: retryable ?? false,
    ...details,
  };
}

/** The refusal as a response. */
export function refusalResponse(options: ApiErrorOptions): Response {
  return Response.json(refusalBody(options), { status: options.status, headers: options.headers ?? {} });
}

/**
 * Turns anything thrown into a refusal. What was not expected is logged whole under a reference, and the client is
 * told only the reference: no message, path or stack of Parley leaves.
 */
export function createApiErrorOf({
  log,
  newId,
  mask = (text) => text,
}: {
  log: Log;
  newId: NewId;
  mask?: MaskSecrets | undefined;
}): (error: unknown, request?: string) => ApiErrorOptions {
  const refusalOf = (error: unknown, request: string | undefined): ApiErrorOptions => {
    if (error instanceof ApiError) return error.options;
    if (error instanceof HTTPException && error.status < 500)
      return { status: error.status, code: 'REFUSED', message: error.message };
    const known = error instanceof ParleyError ? engineErrors[error.code] : undefined;
    if (known !== undefined && error instanceof ParleyError)
      return {
        ...known,
        ...{ message: error.message, hint: error.hint },
        details: error.details && { ...error.details },
      };
    const ref = newId('ref');
    log.error({ ref, request, code: codeOf(error), err: error }, 'an http request failed');
    return {
      status: 500,
      code: 'INTERNAL_ERROR',
      message: `Something went wrong in the engine. Its log has the details under ${ref}.`,
      details: { ref },
    };
  };
  return (error, request) => {
    const refusal = refusalOf(error, request);
    const { message, hint } = refusal;
    return { ...refusal, message: mask(message), hint: hint === undefined ? undefined : mask(hint) };
  };
}
