// Whether a picture came whole: one that breaks off is refused by models, and with it all that is asked. Pure.
import { Buffer } from 'node:buffer';

/** False for a PNG, JPEG, GIF or WebP that ends too early; true for whatever else, which others judge. */
export function isWholePicture(bytes: Buffer): boolean {
  if (bytes.subarray(1, 4).toString('latin1') === 'PNG') return bytes.includes('IEND', 8, 'latin1');
  if (bytes[0] === 0xff && bytes[1] === 0xd8) return isWholeJpeg(bytes);
  if (bytes.subarray(0, 4).toString('latin1') === 'GIF8') return bytes.lastIndexOf(0x3b) > gifHead;
  const isWebp = bytes.subarray(0, 4).toString('latin1') === 'RIFF';
  return !isWebp || (bytes.length >= riffHead && bytes.readUInt32LE(4) + riffHead <= bytes.length);
}

/** Bytes before the first block of a GIF, and before the content of a RIFF file. */
const gifHead = 13;
const riffHead = 8;

/** An end of image after the segments with its data; the one of a thumbnail is inside of a segment. */
function isWholeJpeg(bytes: Buffer): boolean {
  const [startOfScan, endOfImage] = [0xda, Buffer.from([0xff, 0xd9])];
  for (let at = 2; at + 4 <= bytes.length && bytes[at] === 0xff; ) {
    if (bytes[at + 1] === startOfScan) return bytes.includes(endOfImage, at);
    at += 2 + bytes.readUInt16BE(at + 2);
  }
  return false;
}
