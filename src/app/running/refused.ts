// A refusal over HTTP as an error of the program: its words and its hint without those of HTTP, under the same code or another one.
import { ParleyError } from '#base/errors.ts';
import type { refusalOf } from '#engine/client/client.ts';

type Refused = NonNullable<ReturnType<typeof refusalOf>>;

/** What lists the things that a refusal did not find, at a terminal. */
const lists: Readonly<Record<string, string>> = {
  SESSION_NOT_FOUND: '"parley sessions list" shows them.',
  RUN_NOT_FOUND: '"parley runs list" shows them.',
  SCHEDULE_NOT_FOUND: '"parley schedules list" shows them.',
  HOOK_NOT_FOUND: '"parley hook list" shows them.',
};

/** A refusal as a ParleyError with the same message and hint, as far as they are for a person; `code` replaces its code. */
export function asError(refused: Refused, code = refused.code.toLowerCase()): ParleyError {
  const hint = lists[refused.code] ?? withoutHttp(refused.hint ?? '');
  return new ParleyError(code, withoutHttp(refused.message), { hint: hint || undefined, cause: refused });
}

/** The text without sentences that name a route, and without where in a request a value was. */
function withoutHttp(text: string): string {
  return text
    .replace(/(?<=^|[.!?] )[^.!?]*\b(?:GET|POST|PUT|PATCH|DELETE) \/\S+[^.!?]*[.!?]?/g, '')
    .replace(/^The (?:body|query): /, '')
    .trim();
}
