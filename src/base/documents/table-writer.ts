// Paragraphs and tables as text: one line for each paragraph, and one with bars for each row of a table.
import type { TextRoom } from './text-room.ts';

export interface TableWriter {
  /** Continues the paragraph. */
  say(text: string): void;
  /** Ends the paragraph; `before` is in front of it, for instance the mark of a list. */
  endParagraph(before?: string): void;
  beginCell(): void;
  endCell(): void;
  /** Ends a row; a row without words is left out. */
  endRow(): void;
}

interface Cell {
  words: string;
  /** Cells of the rows inside of it that are not complete. */
  row: string[];
}

/** Writes into the room. Tables in cells become a part of the cell. */
export function createTableWriter(room: TextRoom): TableWriter {
  let line = '';
  const open: Cell[] = [];
  let row: string[] = [];

  const flush = (before = ''): void => {
    const words = line;
    line = '';
    const cell = open.at(-1);
    if (cell !== undefined) cell.words += words.trim() === '' ? '' : ` ${words.trim()}`;
    else room.add(`${words.trim() === '' ? '' : before}${words}\n`);
  };
  return {
    say(text) {
      line += text;
    },
    endParagraph: flush,
    beginCell() {
      if (open.length > 0) flush();
      open.push({ words: '', row: [] });
    },
    endCell() {
      flush();
      const cell = open.pop();
      const outer = open.at(-1)?.row ?? row;
      outer.push(cell?.words.trim() ?? '');
    },
    endRow() {
      const outer = open.at(-1);
      if (outer !== undefined) {
        outer.words += ` ${outer.row.filter((words) => words !== '').join(', ')};`;
        outer.row = [];
        return;
      }
      room.add(rowText(row));
      row = [];
    },
  };
}

/** A line of a table; empty where no cell has words. Cells behind the last one with words are left out. */
export function rowText(cells: readonly string[]): string {
  const last = cells.findLastIndex((cell) => cell !== '');
  if (last === -1) return '';
  const words = cells.slice(0, last + 1).map((cell) => cell.replaceAll(/\s+/g, ' ').replaceAll('|', '\\|'));
  return `| ${words.join(' | ')} |\n`;
}
