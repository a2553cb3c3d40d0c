// The files of a zip of a stranger, read one by one within what all of them may unpack to. Not what they say.
import type { Readable } from 'node:stream';
import { ParleyError } from '#base/errors.ts';
import type { DocumentFile } from './document-calls.ts';

export interface ZipFiles {
  /** Names in the order of the archive. */
  names: readonly string[];
  /**
   * The bytes of a file as they are unpacked; undefined where there is none of this name. Throws ParleyErrors `document_password` for one
   * that is encrypted, and `document_unpacks_too_large` when all that was read of the archive is too large.
   */
  open(name: string): Promise<AsyncIterable<Uint8Array> | undefined>;
  /** A whole file as UTF-8. */
  text(name: string): Promise<string | undefined>;
  close(): void;
}

/** Names of an archive: a book with a picture on each page has some thousands. */
const maxNames = 20_000;
/** Bytes that all files which are read of one archive may unpack to. A document of 3,000 pages has about 40 MB of XML. */
const maxUnpackedBytes = 64 * 2 ** 20;

/** Opens a zip. Throws a ParleyError `document_damaged` for a file that is no whole zip. */
export async function openZipFiles(file: DocumentFile): Promise<ZipFiles> {
  const { fromBufferPromise, openPromise } = await import('yauzl');
  const how = { lazyEntries: true, autoClose: false } as const;
  const opening =
    typeof file === 'string' ? openPromise(file, how) : fromBufferPromise(Buffer.from(file), how);
  const zip = await opening.catch(damaged);
  const entries = new Map<string, Parameters<typeof zip.openReadStreamPromise>[0]>();
  try {
    for await (const entry of zip.eachEntry()) {
      if (entries.size >= maxNames) throw tooLarge();
      entries.set(entry.fileName, entry);
    }
  } catch (error) {
    zip.close();
    if (error instanceof ParleyError) throw error;
    return damaged(error);
  }
  let unpacked = 0;
  const open: ZipFiles['open'] = async (name) => {
    const entry = entries.get(name);
    if (entry === undefined) return undefined;
    if (entry.isEncrypted()) throw new ParleyError('document_password', 'The file is encrypted.');
    const stream: Readable = await zip.openReadStreamPromise(entry).catch(damaged);
    return (async function* () {
      try {
        for await (const piece of stream) {
          const bytes = piece as Uint8Array;
          unpacked += bytes.byteLength;
          if (unpacked > maxUnpackedBytes) throw tooLarge();
          yield bytes;
        }
      } catch (error) {
        if (error instanceof ParleyError) throw error;
        damaged(error);
      } finally {
        stream.destroy();
      }
    })();
  };
  return {
    names: [...entries.keys()],
    open,
    async text(name) {
      const stream = await open(name);
      if (stream === undefined) return undefined;
      const pieces: Uint8Array[] = [];
      for await (const piece of stream) pieces.push(piece);
      return new TextDecoder().decode(Buffer.concat(pieces));
    },
    close: () => zip.close(),
  };
}

function tooLarge(): ParleyError {
  return new ParleyError(
    'document_unpacks_too_large',
    `The archive unpacks to more than ${maxUnpackedBytes} bytes, or has more than ${maxNames} files.`,
  );
}

function damaged(cause: unknown): never {
  throw new ParleyError('document_damaged', 'The file is no whole zip.', { cause });
}
