// What a command says: refusals as text, long lists in pages, ids short enough to be typed. Pure.
import { ParleyError } from '#base/errors.ts';
import { type CommandPlace, named } from './naming.ts';

/** A refusal that the person is reported unchanged. */
export function refusal(words: string): ParleyError {
  return new ParleyError('command_refused', words);
}

const pageLength = 10;

/** One page of a list, with the way to the next; `asked` is what followed the command, `command` what is written for a page in this place. */
export function paginate<T>(
  items: readonly T[],
  { asked, command, place }: { asked: string; command: string; place: CommandPlace },
): { shown: readonly T[]; foot: string | undefined } {
  const pages = Math.max(1, Math.ceil(items.length / pageLength));
  const number = asked === '' ? 1 : Number(asked);
  if (!Number.isInteger(number) || number < 1 || number > pages)
    throw refusal(
      `There are ${pages} pages: write ${named(place, `${command} 1`)} to ${named(place, `${command} ${pages}`)}.`,
    );
  const shown = items.slice((number - 1) * pageLength, number * pageLength);
  const next = number < pages ? `: ${named(place, `${command} ${number + 1}`)} shows the next` : '';
  return { shown, foot: pages === 1 ? undefined : `_(Page ${number} of ${pages}${next}.)_` };
}

/** The end of an id, as people are shown it and may type it. */
export function shortOf(id: string): string {
  return id.slice(-6).toLowerCase();
}

/** What an id, or its end as it is shown, names among these; refused when it is none of them, or could be several. */
export function byShortID<T>(typed: string, items: readonly T[], idOf: (item: T) => string): T {
  const wanted = typed.replace(/[`\s]/g, '').toLowerCase();
  const found = items.filter((item) => wanted.length >= 4 && idOf(item).toLowerCase().endsWith(wanted));
  const [one, ...more] = found;
  if (one !== undefined && more.length === 0) return one;
  throw refusal(
    one === undefined
      ? `There is nothing with the id ${JSON.stringify(typed)} here.`
      : `${JSON.stringify(typed)} is the end of ${found.length} ids; write more of it.`,
  );
}

/** Text of people as a code span that cannot be left. */
export function codeSpan(text: string): string {
  return `\`${text.replaceAll('`', "'")}\``;
}

/** Text of people without what would be markup. */
export function escapeMarkdown(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/[\\`*_~[\]<>|#]/g, (sign) => `\\${sign}`);
}
