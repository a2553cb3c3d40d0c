// Whether bytes are text, and the text they are.

/** Controls that no text has: all but tab, line feed, form feed, carriage return and escape. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: controls are what is looked for.
const controls = /[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f\x7f]/;

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
