// The text of an EPUB (EPUB 3.3, sections 4 and 5): its chapters in the order in which they are read.
import { ParleyError } from '#base/errors.ts';
import { htmlText } from './html-text.ts';
import { pathFrom, readXml } from './read-xml.ts';
import type { TextRoom } from './text-room.ts';
import type { ZipFiles } from './zip-files.ts';

/** Writes the chapters into the room. False for a zip that is no book; throws a ParleyError `document_password` for one with rights management. */
export async function readBook(files: ZipFiles, room: TextRoom): Promise<boolean> {
  let main = '';
  await readXml(files, 'META-INF/container.xml', {
    begins(tag, attributes) {
      if (tag === 'rootfile') main ||= attributes['full-path'] ?? '';
    },
  });
  const paths = new Map<string, string>();
  const order: string[] = [];
  const folder = main.slice(0, main.lastIndexOf('/') + 1);
  const isThere = await readXml(files, main, {
    begins(tag, { id = '', href = '', idref = '' }) {
      if (tag === 'item') paths.set(id, pathFrom(folder, href));
      else if (tag === 'itemref') order.push(idref);
    },
  });
  if (!isThere) return false;
  const closed = await encrypted(files);
  let number = 0;
  for (const id of order) {
    if (room.isFull()) break;
    const path = paths.get(id) ?? '';
    if (closed.has(path)) throw new ParleyError('document_password', 'The chapters are encrypted.');
    const text = htmlText((await files.text(path)) ?? '');
    if (text === '') continue;
    number += 1;
    room.add(`\n[part ${number}]\n${text}\n`);
  }
  return true;
}

/** Files that only certain readers can open; fonts often are, and no harm. */
async function encrypted(files: ZipFiles): Promise<Set<string>> {
  const names = new Set<string>();
  await readXml(files, 'META-INF/encryption.xml', {
    begins(tag, { URI }) {
      if (tag === 'CipherReference' && URI !== undefined) names.add(pathFrom('', URI));
    },
  });
  return names;
}
