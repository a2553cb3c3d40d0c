// The text of documents in a conversation that no model takes as a file; read once, however often the conversation goes to a model.
import { hash } from 'node:crypto';
import type { DocumentCalls, DocumentFormat } from '#base/documents/document-calls.ts';
import { readDocument } from '#base/documents/document-threads.ts';

type Read = DocumentCalls['document']['result'];

/** The text of a document of at most `maxDocument` characters, or why there is none. Rejects only with the signal's reason. */
export type DocumentReader = (
  bytes: Uint8Array,
  format: DocumentFormat,
  signal: AbortSignal,
) => Promise<Read>;

/** Characters of one document that go into a prompt. */
export const maxDocument = 40_000;
/** Documents whose text is kept; each may be read again. */
const maxKept = 32;

/** A reader that remembers what it read last. */
export function createDocumentReader(): DocumentReader {
  const kept = new Map<string, Read>();
  return async (file, format, signal) => {
    const key = `${format} ${hash('sha256', file)}`;
    const read = kept.get(key) ?? (await readDocument({ file, format, maxChars: maxDocument }, signal));
    kept.delete(key);
    kept.set(key, read);
    for (const oldest of kept.keys()) {
      if (kept.size <= maxKept) break;
      kept.delete(oldest);
    }
    return read;
  };
}
