// The values of a JSON file of any size, one after the other, each with its path. Not their shapes.
import type { Readable } from 'node:stream';
import { Tokenizer, TokenParser } from '@streamparser/json';
import { codeOf, errorMessage, ParleyError } from '#base/errors.ts';

export interface JsonSource {
  /** Its name in messages. */
  path: string;
  open(): Promise<Readable>;
}

export interface JsonValue {
  /** Keys and indexes from the top of the file. */
  path: readonly (string | number)[];
  value: unknown;
}

/** One string or number of a file may have so many bytes: 64 MiB, far above what any platform lets a person write. */
const largestToken = 64 * 1024 * 1024;

/**
 * The values at the selectors (`$.messages.*`), in the order of the file; only the one at hand is in memory. A whole number that a double cannot
 * hold comes as text. Throws a ParleyError `invalid_json` for a file that is no JSON, no UTF-8 or not whole, and the reason of the signal.
 */
export async function* jsonValues(
  { path, open }: JsonSource,
  selectors: readonly string[],
  signal?: AbortSignal | undefined,
): AsyncGenerator<JsonValue> {
  const found: JsonValue[] = [];
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  const values = new TokenParser({ paths: [...selectors], keepStack: false });
  const tokens = new ExactTokenizer();
  let [read, tokenAt] = [0, 0];
  tokens.onToken = (token) => {
    tokenAt = read;
    values.write(token);
  };
  values.onValue = ({ stack, key, value }) => {
    const keys = [...stack.slice(1).map((each) => each.key), key];
    found.push({ path: keys.filter((each) => each !== undefined), value });
  };
  const stream = await open();
  try {
    for await (const piece of stream as AsyncIterable<Uint8Array>) {
      signal?.throwIfAborted();
      const bytes = read === 0 ? withoutMark(piece) : piece;
      read += piece.length;
      if (read - tokenAt > largestToken) throw new Error(`a value of it has more than ${largestToken} bytes`);
      decoder.decode(bytes, { stream: true }); // the tokenizer takes what is no UTF-8 for something else
      tokens.write(bytes);
      yield* found.splice(0);
    }
    decoder.decode();
    if (!values.isEnded) throw new Error(read === 0 ? 'it is empty' : 'it ends before it is complete');
  } catch (cause) {
    if (signal?.aborted === true) throw cause;
    if (/^E[A-Z]+$/.test(codeOf(cause) ?? ''))
      throw new ParleyError('nothing_to_import', `${path} cannot be read: ${errorMessage(cause)}.`, {
        cause,
      });
    if (codeOf(cause) === 'ERR_ENCODING_INVALID_ENCODED_DATA')
      throw new ParleyError('invalid_json', `${path} cannot be read as JSON: it is not UTF-8 text.`, {
        hint: 'Export it again, or save it as UTF-8.',
        cause,
      });
    throw new ParleyError('invalid_json', `${path} cannot be read as JSON: ${errorMessage(cause)}.`, {
      hint: 'It may have been cut off: export it again, and wait until the export says that it is done.',
      cause,
    });
  } finally {
    stream.destroy();
  }
}

/** Ids of Discord are whole numbers that a double rounds. */
class ExactTokenizer extends Tokenizer {
  protected override parseNumber(text: string): number {
    const value = Number(text);
    const isRounded = Number.isInteger(value) && !Number.isSafeInteger(value) && /^-?\d+$/.test(text);
    return isRounded ? (text as unknown as number) : value; // goes into the value as it is
  }
}

function withoutMark(bytes: Uint8Array): Uint8Array {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes;
}
