// Sections of a file that a program owns line by line: lines added below a heading, and the oldest ones dropped. Pure.

/** Says which lines the program wrote: a line that it did not write stays whatever happens. */
type IsOwn = (line: string) => boolean;

export interface SectionForm {
  /** The heading of a day, and the day of a heading; undefined for any other heading. */
  headingOf(day: string): string;
  dayOf(line: string): string | undefined;
}

interface Section {
  day: string;
  /** The line of the heading, and the line after the section. */
  from: number;
  until: number;
}

/** Adds lines at the end of the section of the day, which is made at the end of the file where there is none; the number of the first, from 1. */
export function addToSection(
  text: string,
  { day, lines, form }: { day: string; lines: readonly string[]; form: SectionForm },
): { text: string; line: number } {
  const all = text.split('\n');
  const section = sectionsOf(all, form).findLast((each) => each.day === day);
  if (section === undefined) {
    const head = text.trim() === '' ? '' : `${text.trimEnd()}\n\n`;
    const before = `${head}${form.headingOf(day)}\n\n`;
    return { text: `${before}${lines.join('\n')}\n`, line: before.split('\n').length };
  }
  let at = section.until;
  while (at > section.from + 1 && (all[at - 1] ?? '').trim() === '') at -= 1;
  const gap = at === section.from + 1 ? [''] : [];
  const rest = all.slice(at);
  const made = [...all.slice(0, at), ...gap, ...lines, ...(rest.length === 0 ? [''] : rest)];
  return { text: made.join('\n'), line: at + gap.length + 1 };
}

/**
 * Drops own lines, section by section from the oldest, until the text has at most `most` characters; the newest day stays. A heading goes with
 * its last line, and stays where a person wrote below it.
 */
export function dropOldest(
  text: string,
  { most, form, isOwn, newest }: { most: number; form: SectionForm; isOwn: IsOwn; newest: string },
): { text: string; dropped: string[] } {
  const dropped: string[] = [];
  let left = text;
  const days = sectionsOf(text.split('\n'), form)
    .map(({ day }) => day)
    .filter((day) => day !== newest)
    .sort();
  for (const day of days) {
    if (left.length <= most) break;
    const lines = left.split('\n');
    const section = sectionsOf(lines, form).find((each) => each.day === day);
    if (section === undefined) continue;
    const own = lines
      .slice(section.from + 1, section.until)
      .filter((line) => line.trim() !== '' && isOwn(line));
    if (own.length === 0) continue;
    dropped.push(...own);
    left = withoutOwn(left, section, isOwn);
  }
  return { text: left, dropped };
}

/** The lines of the section of a day; none where there is none. */
export function linesOfDay(text: string, day: string, form: SectionForm): string[] {
  const lines = text.split('\n');
  return sectionsOf(lines, form)
    .filter((section) => section.day === day)
    .flatMap(({ from, until }) => lines.slice(from + 1, until));
}

/** The text without these own lines; a section that has nothing left goes with its heading. */
export function withoutLinesOf(
  text: string,
  form: SectionForm,
  isGone: IsOwn,
): { text: string; gone: string[] } {
  const gone: string[] = [];
  let left = text;
  for (const { day } of sectionsOf(text.split('\n'), form)) {
    const lines = left.split('\n');
    const section = sectionsOf(lines, form).find((each) => each.day === day);
    if (section === undefined) continue;
    const going = lines
      .slice(section.from + 1, section.until)
      .filter((line) => line.trim() !== '' && isGone(line));
    if (going.length === 0) continue;
    gone.push(...going);
    left = withoutOwn(left, section, isGone);
  }
  return { text: left, gone };
}

function withoutOwn(text: string, section: Section, isOwn: IsOwn): string {
  const lines = text.split('\n');
  const body = lines.slice(section.from + 1, section.until);
  const rest = body.filter((line) => line.trim() === '' || !isOwn(line));
  const isEmpty = rest.every((line) => line.trim() === '');
  const before = lines.slice(0, section.from);
  const after = lines.slice(section.until);
  if (!isEmpty) return [...before, lines[section.from] ?? '', ...rest, ...after].join('\n');
  while (before.length > 0 && (before.at(-1) ?? '').trim() === '') before.pop();
  if (before.length === 0) return after.join('\n');
  return [...before, ...(after.length === 0 ? [''] : ['', ...after])].join('\n');
}

/** A section reaches to the next heading of its level or a higher one. */
function sectionsOf(lines: readonly string[], form: SectionForm): Section[] {
  const found: Section[] = [];
  let open: Section | undefined;
  for (const [at, line] of lines.entries()) {
    if (!/^ {0,3}#{1,2}\s/.test(line)) continue;
    if (open !== undefined) found.push({ ...open, until: at });
    const day = form.dayOf(line);
    open = day === undefined ? undefined : { day, from: at, until: at };
  }
  if (open !== undefined) found.push({ ...open, until: lines.length });
  return found;
}
