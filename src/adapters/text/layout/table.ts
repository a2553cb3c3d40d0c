// Tables as people read them in a chat: aligned columns where they are narrow, `header: value` lines where they are not.
import type { AlignType, Table } from 'mdast';
import { columnsOf } from '#base/text.ts';
import { type InlineContext, inlineRuns } from './inline.ts';
import { pushStyledText, type StyledText, style, textOfStyled } from './leaf.ts';

/** Lines for a code block, the first ones being the header, or one list of runs for each row. */
type TableForm =
  | { type: 'columns'; header: string[]; rows: string[] }
  | { type: 'records'; records: StyledText[][] };

const longestLine = 200;
const narrowestColumn = 4;
// Column names are repeated in each record; together they may take this many characters more than the table itself has.
const maxRepeated = 20_000;

/** The form of a table that fits the surface; nothing of a cell is dropped in either. */
export function tableForm(table: Table, context: InlineContext): TableForm {
  const rows = table.children.map((row) => row.children.map((cell) => inlineRuns(cell.children, context)));
  const count = rows.reduce((most, row) => Math.max(most, row.length), 0);
  // each column takes a character and its separator: the cells of a table this broad are not measured one by one
  if (count * narrowestColumn > context.surface.tableColumns + narrowestColumn)
    return { type: 'records', records: recordsOf(rows) };
  const drawn = rows.map((row) => Array.from({ length: count }, (_, i) => cellWords(row[i] ?? [])));
  const widths = Array.from({ length: count }, (_, i) =>
    drawn.reduce((most, row) => Math.max(most, columnsOf(row[i] ?? '')), 1),
  );
  const total = widths.reduce((sum, width) => sum + width + 3, -3);
  if (total > context.surface.tableColumns) return { type: 'records', records: recordsOf(rows) };
  const align = table.align ?? [];
  const lines = drawn.map((row) =>
    row
      .map((cell, i) => pad(cell, widths[i] ?? 1, align[i]))
      .join(' │ ')
      .trimEnd(),
  );
  const rule = widths.map((width) => '─'.repeat(width)).join('─┼─');
  // stacked marks take no column, but room: such a table could not repeat its header
  if (lines.some((line) => line.length > longestLine)) return { type: 'records', records: recordsOf(rows) };
  return { type: 'columns', header: [lines[0] ?? '', rule], rows: lines.slice(1) };
}

/** A cell in monospace: a link has its address next to the label. */
function cellWords(runs: readonly StyledText[]): string {
  let words = '';
  runs.forEach((run, index) => {
    words += run.text;
    const last = runs[index + 1]?.url !== run.url;
    if (run.url !== undefined && last && run.bare !== true) words += ` (${run.url})`;
  });
  return words.replace(/\s+/g, ' ').trim();
}

function pad(text: string, width: number, align: AlignType | undefined): string {
  const gap = width - columnsOf(text);
  const left = align === 'right' ? gap : align === 'center' ? gap >> 1 : 0;
  return ' '.repeat(left) + text + ' '.repeat(gap - left);
}

function recordsOf(rows: readonly StyledText[][][]): StyledText[][] {
  const [header = [], ...body] = rows;
  const bold = (runs: readonly StyledText[]): StyledText[] =>
    runs.map((run) => ({ ...run, styles: run.styles | style.bold }));
  if (body.length === 0) return [joined(header.map(bold))];
  const names = header.reduce((sum, cell) => sum + textOfStyled(cell).length, 0);
  if (names * body.length > maxRepeated + lengthOf(body))
    return [...recordsOf([header]), ...body.map(joined)];
  return body.map((row) => {
    const runs: StyledText[] = [];
    row.forEach((cell, i) => {
      const name = header[i] ?? [];
      const empty = textOfStyled(cell).trim() === '';
      if (empty && textOfStyled(name).trim() === '') return;
      if (runs.length > 0) pushStyledText(runs, { text: '\n', styles: 0 });
      for (const run of bold(name)) pushStyledText(runs, run);
      if (textOfStyled(name).trim() !== '') pushStyledText(runs, { text: ': ', styles: 0 });
      if (empty) pushStyledText(runs, { text: '–', styles: 0 });
      else for (const run of cell) pushStyledText(runs, { ...run, text: run.text.replaceAll('\n', ' ') });
    });
    return runs;
  });
}

/** The cells of a row behind each other. */
function joined(row: readonly (readonly StyledText[])[]): StyledText[] {
  const runs: StyledText[] = [];
  row.forEach((cell, i) => {
    if (i > 0) pushStyledText(runs, { text: ' │ ', styles: 0 });
    for (const run of cell) pushStyledText(runs, { ...run, text: run.text.replaceAll('\n', ' ') });
  });
  return runs;
}

function lengthOf(rows: readonly StyledText[][][]): number {
  return rows.reduce((sum, row) => sum + row.reduce((more, cell) => more + textOfStyled(cell).length, 0), 0);
}
