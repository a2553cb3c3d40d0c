// XML of a zip, tag by tag as it is unpacked, so that no tree of it is held. Names are without their prefixes, which every program chooses itself.
import { Parser } from 'htmlparser2';
import { decodedPart } from '#base/text.ts';
import type { ZipFiles } from './zip-files.ts';

/** The attributes of a tag by their names without prefix. */
export type XmlAttributes = Readonly<Record<string, string>>;

export interface XmlReader {
  begins?(name: string, attributes: XmlAttributes): void;
  says?(text: string): void;
  ends?(name: string): void;
  /** True when what follows is of no use; looked at between pieces of the file. */
  isDone?(): boolean;
}

/** Elements in one another: more are nothing that a program writes. */
const maxDepth = 2_000;

/** Reads a file of the archive; false where there is none of this name. Entities of a document's own are not followed. */
export async function readXml(files: ZipFiles, name: string, reader: XmlReader): Promise<boolean> {
  const stream = await files.open(name);
  if (stream === undefined) return false;
  let depth = 0;
  const parser = new Parser(
    {
      onopentag(tag, attributes) {
        depth += 1;
        if (depth <= maxDepth) reader.begins?.(localName(tag), local(attributes));
      },
      ontext: (text) => reader.says?.(text),
      onclosetag(tag) {
        if (depth <= maxDepth) reader.ends?.(localName(tag));
        depth -= 1;
      },
    },
    { xmlMode: true },
  );
  let decoder: InstanceType<typeof TextDecoder> | undefined;
  for await (const piece of stream) {
    decoder ??= new TextDecoder(encodingOf(piece));
    parser.write(decoder.decode(piece, { stream: true }));
    if (reader.isDone?.() === true) return true;
  }
  parser.end();
  return true;
}

function encodingOf([first, second]: Uint8Array): string {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
}

const localName = (name: string): string => name.slice(name.indexOf(':') + 1);

function local(attributes: Record<string, string>): XmlAttributes {
  const names: Record<string, string> = {};
  // two of one name with different prefixes are found by the whole of it
  for (const [name, value] of Object.entries(attributes)) {
    if (!(localName(name) in names)) names[localName(name)] = value;
    names[name] = value;
  }
  return names;
}

/** The relations of a part of an Office file: the path of the file that each id leads to (ECMA-376, part 2, section 6.5). */
export async function relationsOf(files: ZipFiles, part: string): Promise<Map<string, string>> {
  const [folder, name] = [part.slice(0, part.lastIndexOf('/') + 1), part.slice(part.lastIndexOf('/') + 1)];
  const targets = new Map<string, string>();
  await readXml(files, `${folder}_rels/${name}.rels`, {
    begins(tag, { Id = '', Target = '', TargetMode }) {
      if (tag === 'Relationship' && TargetMode !== 'External') targets.set(Id, pathFrom(folder, Target));
    },
  });
  return targets;
}

/** The file that a tag names by one of its attributes; none where it names none. */
export function relatedIn(attributes: XmlAttributes, targets: ReadonlyMap<string, string>): string[] {
  return Object.values(attributes)
    .flatMap((value) => targets.get(value) ?? [])
    .slice(0, 1);
}

/** The path in an archive that a reference in a folder of it leads to. */
export function pathFrom(folder: string, reference: string): string {
  const base = `http://archive/${folder}`;
  if (!URL.canParse(reference, base)) return reference;
  const path = new URL(reference, base).pathname.slice(1);
  return decodedPart(path) ?? path;
}
