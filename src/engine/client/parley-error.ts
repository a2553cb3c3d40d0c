// A refusal over HTTP as the error that the engine in one process throws. Not for the published client, whose error is its own.
import { ParleyError } from '#base/errors.ts';
import type { ParleyClientError } from './request.ts';

/** The same code, message, hint and details; `code` where another one is expected. */
export function parleyErrorOf(refused: ParleyClientError, code = refused.code.toLowerCase()): ParleyError {
  const { message, hint, details } = refused;
  return new ParleyError(code, message, { hint, details, cause: refused });
}
