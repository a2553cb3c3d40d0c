// A zip of JSON and text files, as a platform would export it. Not a test.
import { crc32, deflateRawSync } from 'node:zlib';

/** The bytes of a zip with these values as files, text as it is and the rest as JSON (PKWARE's APPNOTE.TXT, sections 4.3.7, 4.3.12 and 4.3.16). */
export function zipOf(files: Readonly<Record<string, unknown>>): Buffer {
  const [bodies, heads]: [Buffer[], Buffer[]] = [[], []];
  let at = 0;
  for (const [name, value] of Object.entries(files)) {
    const [path, content] = [
      Buffer.from(name),
      Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)),
    ];
    const packed = deflateRawSync(content);
    const fixed = Buffer.alloc(26);
    fixed.writeUInt16LE(20, 0);
    fixed.writeUInt16LE(0x0800, 2); // names are UTF-8
    fixed.writeUInt16LE(8, 4);
    fixed.writeUInt32LE(crc32(content), 10);
    fixed.writeUInt32LE(packed.length, 14);
    fixed.writeUInt32LE(content.length, 18);
    fixed.writeUInt16LE(path.length, 22);
    const local = Buffer.concat([Buffer.from('PK\u0003\u0004'), fixed, path, packed]);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(at, 10);
    heads.push(Buffer.concat([Buffer.from('PK\u0001\u0002\u0014\u0000'), fixed, tail, path]));
    bodies.push(local);
    at += local.length;
  }
  const directory = Buffer.concat(heads);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(heads.length, 4);
  end.writeUInt16LE(heads.length, 6);
  end.writeUInt32LE(directory.length, 8);
  end.writeUInt32LE(at, 12);
  return Buffer.concat([...bodies, directory, Buffer.from('PK\u0005\u0006'), end]);
}
