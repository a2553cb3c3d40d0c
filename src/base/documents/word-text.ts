// The text of a Word document (ECMA-376, part 1, section 17), with its tables, notes and pages.
import { readXml, type XmlReader } from './read-xml.ts';
import { createTableWriter } from './table-writer.ts';
import type { TextRoom } from './text-room.ts';
import type { ZipFiles } from './zip-files.ts';

/** Writes the document into the room; the pages are where Word last broke them. False for a zip that is no document. */
export async function readWord(files: ZipFiles, room: TextRoom): Promise<boolean> {
  const main = files.names.find((name) => /^word\/document\d*\.xml$/.test(name));
  if (main === undefined) return false;
  await readXml(files, main, bodyReader(room, true));
  for (const [part, title] of notes) {
    const name = `word/${part}.xml`;
    if (room.isFull() || !files.names.includes(name)) continue;
    room.add(`\n[${title}]\n`);
    await readXml(files, name, bodyReader(room, false));
  }
  return true;
}

/** What stands in files of its own, with its heading. */
const notes = [
  ['footnotes', 'footnotes'],
  ['endnotes', 'endnotes'],
  ['comments', 'comments'],
] as const;

function bodyReader(room: TextRoom, hasPages: boolean): XmlReader {
  const writer = createTableWriter(room);
  let [page, isText, before, skipped, inCells] = [1, false, '', 0, 0];
  const newPage = (): void => {
    page += 1;
    if (hasPages && inCells === 0) writer.say(`\n[page ${page}]\n`);
  };
  return {
    begins(name, { val = '', type }) {
      // what older programs are shown instead is the same once more
      if (name === 'Fallback') skipped += 1;
      if (skipped > 0) return;
      if (name === 't') isText = true;
      else if (name === 'tab') writer.say('\t');
      else if (name === 'br' && type === 'page') newPage();
      else if (name === 'br' || name === 'cr') writer.say('\n');
      else if (name === 'noBreakHyphen') writer.say('-');
      else if (name === 'lastRenderedPageBreak') newPage();
      else if (name === 'numPr') before ||= '- ';
      else if (name === 'pStyle' && /^Heading[1-6]$/.test(val)) before = `${'#'.repeat(Number(val.at(-1)))} `;
      else if (name === 'tc') {
        inCells += 1;
        writer.beginCell();
      }
    },
    says(text) {
      if (isText && skipped === 0) writer.say(text);
    },
    ends(name) {
      if (name === 'Fallback') skipped -= 1;
      if (skipped > 0) return;
      if (name === 't') isText = false;
      else if (name === 'p') {
        writer.endParagraph(before);
        before = '';
      } else if (name === 'tc') {
        inCells -= 1;
        writer.endCell();
      } else if (name === 'tr') writer.endRow();
    },
    isDone: () => room.isFull(),
  };
}
