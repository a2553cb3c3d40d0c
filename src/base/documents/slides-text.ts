// The text of a PowerPoint presentation (ECMA-376, part 1, section 19): its slides in their order, with numbers and notes.
import { readXml, relatedIn, relationsOf, type XmlReader } from './read-xml.ts';
import { createTableWriter } from './table-writer.ts';
import type { TextRoom } from './text-room.ts';
import type { ZipFiles } from './zip-files.ts';

/** Writes the slides into the room, and says how many; undefined for a zip that is no presentation. */
export async function readSlides(
  files: ZipFiles,
  room: TextRoom,
): Promise<{ read: number; of: number } | undefined> {
  const main = 'ppt/presentation.xml';
  const targets = await relationsOf(files, main);
  const slides: string[] = [];
  const isThere = await readXml(files, main, {
    begins(name, attributes) {
      if (name === 'sldId') slides.push(...relatedIn(attributes, targets));
    },
  });
  if (!isThere) return undefined;
  let read = 0;
  for (const slide of slides) {
    if (room.isFull()) break;
    read += 1;
    room.add(`\n[slide ${read}]\n`);
    await readXml(files, slide, paragraphs(room));
    const related = await relationsOf(files, slide);
    const note = [...related.values()].find((path) => path.includes('/notesSlides/'));
    if (note === undefined) continue;
    room.add('[notes]\n');
    await readXml(files, note, paragraphs(room));
  }
  return { read, of: slides.length };
}

function paragraphs(room: TextRoom): XmlReader {
  const writer = createTableWriter(room);
  let [isText, isNumber] = [false, false];
  return {
    begins(name, { type }) {
      if (name === 'fld') isNumber = type === 'slidenum';
      if (name === 't') isText = !isNumber;
      else if (name === 'br') writer.say('\n');
      else if (name === 'tc') writer.beginCell();
    },
    says(text) {
      if (isText) writer.say(text);
    },
    ends(name) {
      if (name === 't') isText = false;
      else if (name === 'fld') isNumber = false;
      else if (name === 'p') writer.endParagraph();
      else if (name === 'tc') writer.endCell();
      else if (name === 'tr') writer.endRow();
    },
    isDone: () => room.isFull(),
  };
}
