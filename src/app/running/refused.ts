// A refusal over HTTP as an error of the program: its words and its hint, under the same code or another one.
import { ParleyError } from '#base/errors.ts';
import type { refusalOf } from '#engine/client/client.ts';

type Refused = NonNullable<ReturnType<typeof refusalOf>>;

/** A refusal as a ParleyError with the same message and hint; `code` replaces its code. */
export function asError(refused: Refused, code = refused.code.toLowerCase()): ParleyError {
  return new ParleyError(code, refused.message, { hint: refused.hint, cause: refused });
}
