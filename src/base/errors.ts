// What an expected failure looks like everywhere: a code for programs, words for people. Not for bugs, which are thrown as they are.

interface ParleyErrorOptions {
  /** What the reader can do about it, as a sentence. */
  hint?: string | undefined;
  /** What programs need in addition to the code to act on it, as JSON. */
  details?: Readonly<Record<string, unknown>> | undefined;
  cause?: unknown;
}

/** An error whose message says what was expected, what came and what to do; `code` is stable. */
export class ParleyError extends Error {
  readonly code: string;
  readonly hint: string | undefined;
  readonly details: Readonly<Record<string, unknown>> | undefined;

  constructor(code: string, message: string, options: ParleyErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'ParleyError';
    this.code = code;
    this.hint = options.hint;
    this.details = options.details;
  }
}

/** The message of anything thrown, for a log line or a status field; never a stack. */
export function errorMessage(error: unknown): string {
  if (error instanceof Error) return error.message === '' ? error.name : error.message;
  return typeof error === 'string' ? error : JSON.stringify(error);
}

/** The `code` of a Node, SQLite or Parley error, or undefined. */
export function codeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/** The hint of a ParleyError: what to do about it; undefined for any other error. */
export function hintOf(error: unknown): string | undefined {
  return error instanceof ParleyError ? error.hint : undefined;
}

const ofNetworks =
  /^(?:E[A-Z0-9]+|UND_ERR_\w+|ERR_(?:TLS|SSL|SOCKET|STREAM|HTTP2)\w*|CERT_\w+|DEPTH_ZERO\w+|UNABLE_TO\w+|SELF_SIGNED\w+)$/;
const networkWords = /^(?:fetch failed|terminated|socket hang up|other side closed)$/i;
/** Errors are wrapped once or twice; a chain that is longer than this is a loop. */
const deepest = 5;

/** True when a network, or a call that took too long, is the reason: the same may succeed later. A file's error with a code counts too. */
export function isNetworkFailure(error: unknown): boolean {
  let here = error;
  for (let depth = 0; depth < deepest && here !== undefined; depth += 1) {
    if (ofNetworks.test(codeOf(here) ?? '')) return true;
    if (!(here instanceof Error)) return false;
    if (['AbortError', 'TimeoutError'].includes(here.name) || networkWords.test(here.message)) return true;
    here = here.cause;
  }
  return false;
}

/** Codes of a connection that never came about: nothing was sent, so nothing can have been carried out. */
export const neverConnected: readonly string[] = [
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
];
