// A document of any known format as text, or the reason why there is none. It may take long: only a thread of documents calls this.
import { readFile } from 'node:fs/promises';
import { codeOf, ParleyError } from '#base/errors.ts';
import { readBook } from './book-text.ts';
import type {
  DocumentCalls,
  DocumentFile,
  DocumentFormat,
  DocumentText,
  UnreadReason,
} from './document-calls.ts';
import { htmlText } from './html-text.ts';
import { readOpenDocument } from './open-document-text.ts';
import { readPdf } from './pdf-text.ts';
import { richText } from './rich-text.ts';
import { readSheets } from './sheets-text.ts';
import { readSlides } from './slides-text.ts';
import { createTextRoom, type TextRoom } from './text-room.ts';
import { readWord } from './word-text.ts';
import { openZipFiles, type ZipFiles } from './zip-files.ts';

/** Whether the archive is such a document; where it is, how much was read if it is counted. */
type ReadArchive = (files: ZipFiles, room: TextRoom) => Promise<boolean | DocumentText['pages']>;

const archives: Partial<Record<DocumentFormat, ReadArchive>> = {
  word: readWord,
  sheets: readSheets,
  slides: readSlides,
  'open document': readOpenDocument,
  book: readBook,
};

const reasons: Readonly<Record<string, UnreadReason>> = {
  document_password: 'password',
  document_damaged: 'damaged',
  document_only_pictures: 'only pictures',
  document_unpacks_too_large: 'unpacks too large',
  page_too_large: 'too much work',
};

/** The text of the file, at most `maxChars` of it. Rejects only with what nobody expects. */
export async function documentText({
  file,
  format,
  maxChars,
}: DocumentCalls['document']['request']): Promise<DocumentCalls['document']['result']> {
  const room = createTextRoom(maxChars);
  try {
    const pages = await fill(room, { file, format });
    const text = room.text();
    // marks of pages alone are no text
    if (text.replaceAll(/^\[[^\]\n]*\]$/gm, '').trim() === '') return { unread: 'no text' };
    const cut = room.isCut() || (pages !== undefined && pages.read < pages.of);
    return { text, cut, pages };
  } catch (error) {
    const unread = reasons[codeOf(error) ?? ''];
    if (unread === undefined) throw error;
    return { unread };
  }
}

async function fill(
  room: TextRoom,
  { file, format }: { file: DocumentFile; format: DocumentFormat },
): Promise<DocumentText['pages']> {
  if (format === 'pdf') return readPdf(await bytesOf(file), room);
  if (format === 'html') return void room.add(htmlText(Buffer.from(await bytesOf(file)).toString()));
  if (format === 'rich text') return void room.add(richText(Buffer.from(await bytesOf(file))));
  const files = await openZipFiles(file);
  try {
    const read = await archives[format]?.(files, room);
    if (read === false || read === undefined)
      throw new ParleyError('document_damaged', 'The archive is no such document.');
    return read === true ? undefined : read;
  } finally {
    files.close();
  }
}

async function bytesOf(file: DocumentFile): Promise<Uint8Array> {
  return typeof file === 'string' ? await readFile(file) : file;
}
