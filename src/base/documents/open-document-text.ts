// The text of an OpenDocument text, spreadsheet or presentation (OASIS OpenDocument 1.3, part 3), with its tables, pages and sheets.
import { ParleyError } from '#base/errors.ts';
import { readXml } from './read-xml.ts';
import { createTableWriter } from './table-writer.ts';
import type { TextRoom } from './text-room.ts';
import type { ZipFiles } from './zip-files.ts';

/** Most copies of one cell that a row shows: a sheet says that it is empty up to its last column. */
const maxRepeats = 50;

/** Writes the document into the room. False for a zip that is none; throws a ParleyError `document_password`. */
export async function readOpenDocument(files: ZipFiles, room: TextRoom): Promise<boolean> {
  if ((await files.text('META-INF/manifest.xml'))?.includes('encryption-data') === true)
    throw new ParleyError('document_password', 'The document is encrypted.');
  const writer = createTableWriter(room);
  let [page, slide, texts, skipped, repeats, asidesOpen] = [1, 0, 0, 0, 1, 0];
  let apart = '';
  let before = '';
  const isHidden = (name: string): boolean => hidden.has(name) || (asidesOpen > 0 && aboutAsides.has(name));
  return readXml(files, 'content.xml', {
    begins(name, of) {
      if (isHidden(name)) skipped += 1;
      if (skipped > 0) return;
      const aside = asides.get(name);
      if (aside !== undefined) {
        asidesOpen += 1;
        apart = '';
        writer.say(` [${aside}: `);
      } else if (name === 'p' || name === 'h') {
        texts += 1;
        if (asidesOpen > 0) writer.say(apart);
        apart = ' ';
      }
      if (name === 'h') before = `${'#'.repeat(Math.min(6, Number(of['outline-level'] ?? 1)))} `;
      else if (name === 'list-item') before = '- ';
      else if (name === 'tab') writer.say('\t');
      else if (name === 'line-break') writer.say('\n');
      else if (name === 's') writer.say(' '.repeat(Math.min(100, Number(of.c ?? 1))));
      else if (name === 'soft-page-break') {
        page += 1;
        room.add(`\n[page ${page}]\n`);
      } else if (name === 'page') {
        slide += 1;
        room.add(`\n[slide ${slide}]\n`);
      } else if (name === 'table' && of.name !== undefined) room.add(`\n[table ${of.name}]\n`);
      else if (cells.has(name)) {
        repeats = Math.min(maxRepeats, Number(of['number-columns-repeated'] ?? 1));
        writer.beginCell();
      }
    },
    says(text) {
      if (texts > 0 && skipped === 0) writer.say(text.replaceAll(/\s+/g, ' '));
    },
    ends(name) {
      if (isHidden(name)) skipped -= 1;
      else if (skipped > 0) return;
      else if (asides.has(name)) {
        asidesOpen -= 1;
        writer.say(']');
      } else if (name === 'p' || name === 'h') {
        texts -= 1;
        if (asidesOpen > 0) return;
        writer.endParagraph(before);
        before = '';
      } else if (cells.has(name)) {
        writer.endCell();
        for (; repeats > 1; repeats -= 1) {
          writer.beginCell();
          writer.endCell();
        }
      } else if (name === 'table-row') writer.endRow();
    },
    isDone: () => room.isFull(),
  });
}

const cells = new Set(['table-cell', 'covered-table-cell']);
/** What was deleted, and settings of forms. */
const hidden = new Set(['tracked-changes', 'forms']);
/** What stands in the middle of a paragraph and is no part of it, and what it is called. */
const asides: ReadonlyMap<string, string> = new Map([
  ['annotation', 'comment'],
  ['note', 'note'],
]);
/** Who wrote a comment, and when; the number of a note. */
const aboutAsides = new Set(['creator', 'date', 'date-string', 'creator-initials', 'note-citation']);
