// Text as bytes in an encoding that `TextDecoder` reads. Not a test.
import { Buffer } from 'node:buffer';

/** The bytes: each character is looked for among all that the encoding decodes from one or two bytes. */
export function encoded(text: string, encoding: string): Buffer {
  if (encoding === 'utf-16le') return Buffer.from(text, 'utf16le');
  if (encoding === 'utf-16be') return Buffer.from(text, 'utf16le').swap16();
  if (encoding === 'iso-2022-jp') return switched(text);
  const codes = codesOf(encoding, new Set(text));
  return Buffer.concat(
    [...text].map((character) => {
      const bytes = codes.get(character);
      if (bytes === undefined) throw new Error(`${encoding} has no ${character}`);
      return bytes;
    }),
  );
}

function codesOf(encoding: string, wanted: ReadonlySet<string>): Map<string, Buffer> {
  const decoder = new TextDecoder(encoding);
  const codes = new Map<string, Buffer>();
  const look = (bytes: Buffer): void => {
    const character = decoder.decode(bytes);
    if (wanted.has(character) && !codes.has(character)) codes.set(character, bytes);
  };
  for (let byte = 0; byte < 256; byte += 1) look(Buffer.from([byte]));
  for (let lead = 0x81; lead < 0xff && codes.size < wanted.size; lead += 1)
    for (let trail = 0x40; trail < 0xff; trail += 1) look(Buffer.from([lead, trail]));
  return codes;
}

/** EUC-JP without its high bits, between the escapes that switch to it and back. */
function switched(text: string): Buffer {
  const euc = encoded(text, 'euc-jp').map((byte) => byte & 0x7f);
  return Buffer.concat([Buffer.from('\u001b$B'), euc, Buffer.from('\u001b(B')]);
}
