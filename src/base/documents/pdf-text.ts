// The text of a PDF, page by page with its numbers.
import { ParleyError } from '#base/errors.ts';
import type { TextRoom } from './text-room.ts';

/**
 * Writes the pages into the room. Throws ParleyErrors `document_password`, `document_damaged`, and `document_only_pictures` when no page
 * that was read has text.
 */
export async function readPdf(bytes: Uint8Array, room: TextRoom): Promise<{ read: number; of: number }> {
  const { getDocumentProxy } = await import('unpdf');
  const data = new Uint8Array(bytes); // its own: the reader takes it over
  const pdf = await getDocumentProxy(data, { verbosity: 0, stopAtErrors: false }).catch(refused);
  let [read, hasText] = [0, false];
  while (read < pdf.numPages && !room.isFull()) {
    read += 1;
    const text = await pageText(pdf, read).catch(() => `(this page is damaged)\n`);
    hasText ||= text.trim() !== '';
    room.add(`\n\n[page ${read}]\n${text}`);
  }
  if (!hasText) throw new ParleyError('document_only_pictures', 'No page of the PDF has text.');
  return { read, of: pdf.numPages };
}

async function pageText(
  pdf: Awaited<ReturnType<typeof import('unpdf')['getDocumentProxy']>>,
  number: number,
): Promise<string> {
  const page = await pdf.getPage(number);
  const { items } = await page.getTextContent();
  page.cleanup();
  return items.map((item) => ('str' in item ? `${item.str}${item.hasEOL ? '\n' : ''}` : '')).join('');
}

function refused(cause: unknown): never {
  const isClosed = cause instanceof Error && cause.name === 'PasswordException';
  throw isClosed
    ? new ParleyError('document_password', 'The PDF asks for a password.', { cause })
    : new ParleyError('document_damaged', 'The PDF cannot be opened.', { cause });
}
