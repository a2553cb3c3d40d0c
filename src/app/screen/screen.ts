// What commands write for people: within 80 columns, and without anything that a terminal would obey. Pure.
import { asCalled } from '#base/called-as.ts';
import { endWithin, truncateColumns } from '#base/text.ts';

const columns = 80;

/** The text without control characters except line ends, so that people's messages cannot control the terminal. */
export function plain(text: string): string {
  return text.replaceAll('\t', '  ').replace(/[^\P{C}\n]/gu, '');
}

/** Columns with two spaces between them, as one line cut at 80 columns. */
export function row(...cells: readonly string[]): string {
  return truncateColumns(plain(cells.join('  ')).replace(/\s*\n\s*/g, ' '), columns).trimEnd();
}

/** A line with a name and its value. */
export function fact(name: string, value: string): string {
  return row(name.padEnd(9), value);
}

/** A time for people, in UTC: `2026-01-02 03:04`. */
export function minute(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 16).replace('T', ' ');
}

/** The text in lines of at most 80 columns, less those `before` it. */
export function wrapped(text: string, before = 0): string[] {
  return paragraph(text, columns + 2 - before).map((line) => line.slice(2));
}

/** The text in lines of at most 80 columns, with the commands of this program in it as they can be called here. */
export function advice(text: string): string[] {
  return wrapped(asCalled(text));
}

/** A name, and what it means set from the column `at` on, in lines of at most 80 columns. A name that reaches it has a line without more. */
export function entry(name: string, text: string, at: number): string[] {
  const lines = wrapped(text, at);
  const first = name.length < at ? [`${name.padEnd(at)}${lines.shift() ?? ''}`.trimEnd()] : [name];
  return [...first, ...lines.map((line) => `${' '.repeat(at)}${line}`)];
}

/** The text set within so many columns (80 unless set otherwise), each line behind two spaces. Words that are longer are cut in pieces. */
export function paragraph(text: string, within = columns): string[] {
  return wrap(plain(text), within - 2).map((line) => `  ${line}`.trimEnd());
}

/** Lines of at most `width` columns, broken at spaces; words that are longer are cut, or, so that they can be copied, left whole. */
export function wrap(text: string, width: number, longWords: 'cut' | 'whole' = 'cut'): string[] {
  return text.split('\n').flatMap((line) => {
    const lines: string[] = [];
    let rest = line.trimEnd();
    for (let room = endWithin(rest, width); room < rest.length; room = endWithin(rest, width)) {
      const space = rest.lastIndexOf(' ', room);
      const end = longWords === 'cut' ? room : rest.indexOf(' ', room);
      const cut = space > room / 3 ? space : end;
      if (cut <= 0) break;
      lines.push(rest.slice(0, cut));
      rest = rest.slice(cut).trimStart();
    }
    return [...lines, rest];
  });
}

/** What is complained about, for a terminal of so many columns (0 where it does not say): broken at spaces, with paths and commands whole. */
export function complaint(text: string, width: number): string {
  return wrap(text, Math.min(columns, width || columns), 'whole').join('\n');
}
