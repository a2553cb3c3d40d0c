// Whether bytes are text, and the text they are. Not what kind of text.
import { open } from 'node:fs/promises';
import { truncate } from '#base/text.ts';

export interface TextContent {
  text: string;
  /** Bytes of the file that `text` does not show; 0 when it is whole. */
  missingBytes: number;
}

/** Bytes that are looked at to tell text from anything else. */
const headBytes = 64 * 1024;
/** Controls that no text has: all but tab, line feed, form feed, carriage return and escape. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: controls are what is looked for.
const controls = /[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f\x7f]/;

/** The first bytes of a file. */
export async function headOf(path: string, bytes = headBytes): Promise<Buffer> {
  const handle = await open(path, 'r');
  try {
    const buffer = Buffer.alloc(bytes);
    const { bytesRead } = await handle.read(buffer, 0, bytes, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

/**
 * The bytes as text: UTF-8, UTF-16 with its mark, and Windows-1252 where the sender says that it is text. Undefined when
 * they are none. A character that the end of `bytes` tears is left out.
 */
export function decodeText(bytes: Uint8Array, claim: 'said to be text' | 'unknown'): string | undefined {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return decoded('utf-16le', bytes);
  if (first === 0xfe && second === 0xff) return decoded('utf-16be', bytes);
  return (
    decoded('utf-8', bytes) ?? (claim === 'said to be text' ? decoded('windows-1252', bytes) : undefined)
  );
}

function decoded(encoding: string, bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes, { stream: true });
    return controls.test(text) ? undefined : text;
  } catch {
    return undefined;
  }
}

/** At most `limit` characters of a text file of `bytes` bytes, cut between graphemes; undefined when it is no text. */
export async function readText(
  path: string,
  { bytes, limit }: { bytes: number; limit: number },
): Promise<TextContent | undefined> {
  const head = await headOf(path, Math.min(bytes, limit * 4));
  const whole = decodeText(head, 'said to be text');
  if (whole === undefined) return undefined;
  const text = truncate(whole, limit, '');
  const shown = text.length === whole.length ? head.length : Buffer.byteLength(text);
  return { text, missingBytes: Math.max(0, bytes - shown) };
}
