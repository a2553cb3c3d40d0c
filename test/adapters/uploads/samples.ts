// Small real files for the tests of uploads. No test.
import { deflateSync } from 'node:zlib';

/** A PNG of one pixel whose colour is the number, so that two of them can differ; of more pixels a side it says so, and has few. */
export function png(colour = 0, side = 1): Buffer {
  const chunk = (type: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
    const ends = Buffer.alloc(8);
    ends.writeUInt32BE(data.length, 0);
    ends.writeUInt32BE(crc32(body), 4);
    return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)]);
  };
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 2, 0, 0, 0]);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  // of a larger picture only the first lines, all of them black
  const pixel = deflateSync(
    side === 1 ? Buffer.from([0, colour & 255, (colour >> 8) & 255, 0]) : Buffer.alloc(1_000_000),
  );
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', pixel),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function crc32(bytes: Buffer): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return (crc ^ 0xffffffff) >>> 0;
}

export const pdf = Buffer.from('%PDF-1.4\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n');
/** The first page of an Ogg stream with an Opus header. */
export const ogg = Buffer.concat([
  Buffer.from('OggS\0\x02', 'latin1'),
  Buffer.alloc(20),
  Buffer.from([1, 19]),
  Buffer.from('OpusHead\x01\x01', 'latin1'),
  Buffer.alloc(9),
]);
export const loginPage =
  '<!DOCTYPE html><html><head><title>Sign in | Slack</title></head><body></body></html>';
