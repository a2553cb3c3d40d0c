// The text of a file, as far as a limit.
import { open } from 'node:fs/promises';
import { decodeText } from '#base/files/decode-text.ts';
import { truncate } from '#base/text.ts';

interface TextContent {
  text: string;
  /** Bytes of the file that `text` does not show; 0 when it is whole. */
  missingBytes: number;
}

/** Bytes that are looked at to distinguish text from anything else. */
const headBytes = 64 * 1024;
/** Reads the first `bytes` bytes of a file, or all of a shorter one. Rejects with Node's error when it cannot be read. */
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

/** At most `limit` characters of a text file of `bytes` bytes, cut between graphemes; undefined when it is no text. */
export async function readTextUpload(
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
