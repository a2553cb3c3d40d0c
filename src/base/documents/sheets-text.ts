// The tables of an Excel workbook (ECMA-376, part 1, section 18), sheet by sheet, with dates as dates.
import { readXml, relatedIn, relationsOf, type XmlAttributes } from './read-xml.ts';
import { rowText } from './table-writer.ts';
import type { TextRoom } from './text-room.ts';
import type { ZipFiles } from './zip-files.ts';

interface Workbook {
  sheets: { name: string; path: string }[];
  strings: readonly string[];
  /** For each style of cells whether its numbers are dates. */
  dates: readonly boolean[];
  /** Days count from 1904, as in workbooks of old Macs. */
  since1904: boolean;
}

/** Columns of a row that are shown as a table; a cell behind them stands after it, with its reference. */
const maxColumns = 200;
const main = 'xl/workbook.xml';

/** Writes the sheets into the room, and says how many; undefined for a zip that is no workbook. */
export async function readSheets(
  files: ZipFiles,
  room: TextRoom,
): Promise<{ read: number; of: number } | undefined> {
  const book = await workbookOf(files);
  if (book === undefined) return undefined;
  let read = 0;
  for (const { name, path } of book.sheets) {
    if (room.isFull()) break;
    read += 1;
    room.add(`\n[sheet ${name}]\n`);
    await readSheet(path, { files, book, room });
  }
  return { read, of: book.sheets.length };
}

async function workbookOf(files: ZipFiles): Promise<Workbook | undefined> {
  const targets = await relationsOf(files, main);
  const sheets: Workbook['sheets'] = [];
  let since1904 = false;
  const isThere = await readXml(files, main, {
    begins(tag, attributes) {
      if (tag === 'workbookPr') since1904 = isOn(attributes.date1904);
      if (tag !== 'sheet') return;
      const { name = '', state } = attributes;
      const shown = state === undefined || state === 'visible' ? name : `${name} (hidden)`;
      for (const path of relatedIn(attributes, targets)) sheets.push({ name: shown, path });
    },
  });
  if (!isThere) return undefined;
  return { sheets, strings: await stringsOf(files), dates: await datesOf(files), since1904 };
}

const isOn = (value: string | undefined): boolean => value === '1' || value === 'true';

async function stringsOf(files: ZipFiles): Promise<string[]> {
  const strings: string[] = [];
  let [words, isText, sounds] = ['', false, 0];
  await readXml(files, 'xl/sharedStrings.xml', {
    begins(tag) {
      if (tag === 'si') words = '';
      // how Japanese words are read aloud stands beside them
      else if (tag === 'rPh') sounds += 1;
      else if (tag === 't') isText = sounds === 0;
    },
    says(text) {
      if (isText) words += text;
    },
    ends(tag) {
      if (tag === 't') isText = false;
      else if (tag === 'rPh') sounds -= 1;
      else if (tag === 'si') strings.push(words);
    },
  });
  return strings;
}

/** Formats of dates and times that have no code in the file (section 18.8.30). */
const builtInDates = new Set([14, 15, 16, 17, 18, 19, 20, 21, 22, 45, 46, 47]);

async function datesOf(files: ZipFiles): Promise<boolean[]> {
  const own = new Map<string, boolean>();
  const dates: boolean[] = [];
  let isCells = false;
  await readXml(files, 'xl/styles.xml', {
    begins(tag, { numFmtId = '', formatCode = '' }) {
      if (tag === 'numFmt') own.set(numFmtId, isDateCode(formatCode));
      else if (tag === 'cellXfs') isCells = true;
      else if (tag === 'xf' && isCells) dates.push(own.get(numFmtId) ?? builtInDates.has(Number(numFmtId)));
    },
    ends(tag) {
      if (tag === 'cellXfs') isCells = false;
    },
  });
  return dates;
}

/** Whether a number format is one of dates: it has letters of days or times outside of quotations and colours. */
function isDateCode(code: string): boolean {
  const bare = code.replaceAll(/"[^"]*"|\\.|_.|\[(?!h+\]|m+\]|s+\])[^\]]*\]/gi, '');
  return /[ymdhs]/i.test(bare) && !/general/i.test(bare);
}

async function readSheet(
  path: string,
  { files, book, room }: { files: ZipFiles; book: Workbook; room: TextRoom },
): Promise<void> {
  let row: string[] = [];
  let far: string[] = [];
  let cell: XmlAttributes = {};
  let [value, formula, inside] = ['', '', ''];
  await readXml(files, path, {
    begins(tag, attributes) {
      if (tag === 'row') [row, far] = [[], []];
      else if (tag === 'c') [cell, value, formula] = [attributes, '', ''];
      else if (tag === 'v' || tag === 't' || tag === 'f') inside = tag;
    },
    says(text) {
      if (inside === 'f') formula += text;
      else if (inside !== '') value += text;
    },
    ends(tag) {
      if (tag === inside) inside = '';
      else if (tag === 'c') {
        const column = columnOf(cell.r) ?? row.length + far.length;
        // programs that write a formula and compute nothing leave its value out
        const shown = value === '' && formula !== '' ? `=${formula}` : shownValue(value, cell, book);
        if (column >= maxColumns) {
          if (shown !== '') far.push(`[${cell.r ?? `column ${column + 1}`}] ${shown}`);
          return;
        }
        while (row.length < column) row.push('');
        row[column] = shown;
      } else if (tag === 'row') {
        room.add(rowText(row));
        for (const each of far) room.add(`${each}\n`);
      }
    },
    isDone: () => room.isFull(),
  });
}

/** 0 for `A1`. */
function columnOf(reference: string | undefined): number | undefined {
  const letters = /^[A-Z]{1,3}/.exec(reference ?? '')?.[0];
  if (letters === undefined) return undefined;
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}

function shownValue(value: string, { t, s }: XmlAttributes, book: Workbook): string {
  if (value === '') return '';
  if (t === 's') return book.strings[Number(value)] ?? '';
  if (t === 'b') return value === '1' ? 'TRUE' : 'FALSE';
  if (t !== undefined && t !== 'n') return value;
  const number = Number(value);
  if (!Number.isFinite(number)) return value;
  if (book.dates[Number(s ?? 0)] === true) return dateText(number, book);
  return String(Number(number.toPrecision(15))); // as Excel shows it: 0.1 + 0.2 is 0.3
}

const dayMs = 24 * 3_600_000;
/** Day 0, which is one day too early after February 1900: Excel counts the 29th of it, which never was. */
const epochs = { 1900: Date.UTC(1899, 11, 30), 1904: Date.UTC(1904, 0, 1) };
/** The last day that Excel knows: 31 December 9999. */
const maxDays = 2_958_466;

/** `2026-01-02`, `2026-01-02 03:04`, or `03:04:05` where there is no day. */
function dateText(days: number, { since1904 }: Workbook): string {
  if (days < 0 || days > maxDays) return String(days);
  const at = new Date(epochs[since1904 ? 1904 : 1900] + Math.round(days * 86_400) * 1_000).toISOString();
  const time = at.slice(11, 19).replace(/:00$/, '');
  if (days < 1) return time;
  return days * dayMs === Math.floor(days) * dayMs ? at.slice(0, 10) : `${at.slice(0, 10)} ${time}`;
}
