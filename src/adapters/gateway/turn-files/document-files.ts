// Documents that came with a message, as their text; and what is said of files of which there is none.
import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import type { FileOutcome } from '#adapters/gateway/ledger/inbox/received-files.ts';
import type { Phrases } from '#adapters/gateway/phrases/en.ts';
import type { AttachDeps, AttachedFile } from '#adapters/gateway/turn-prompt/attached-file.ts';
import { formatBytes } from '#adapters/uploads/format-bytes.ts';
import type { DocumentCalls, DocumentFormat, UnreadReason } from '#base/documents/document-calls.ts';
import { readDocument } from '#base/documents/document-threads.ts';
import { anySignal } from '#base/waiting/async.ts';
import { documentNote, fileNote, unreadWords } from '#engine/wire/channels/notes.ts';

/** A file that is stored, with its place on this machine. */
type StoredDocument = Extract<FileOutcome, { status: 'stored' }> & { absolute: string };

/** Why a file cannot be read: of a document, or of a format that is none of those. */
export type UnreadWhy = UnreadReason | 'old format' | 'encoding';

/**
 * The document's text between its marks, at most `maxChars` of it, or a note that says why there is none, both with a sentence for the
 * person where something is missing. Undefined when the person stopped the answer first.
 */
export async function documentFile(
  document: StoredDocument & { format: DocumentFormat },
  maxChars: number,
  deps: AttachDeps,
): Promise<(AttachedFile & { chars: number }) | undefined> {
  const { name } = document;
  const { answers } = deps.phrases;
  const read = await textOf(document, maxChars, deps);
  if (read === undefined) return undefined;
  if ('unread' in read) return { ...unreadFile(document, read.unread, deps.phrases), chars: 0 };
  const { text, cut, pages } = read;
  const problem = pages === undefined ? answers.cutText({ name }) : answers.cutParts({ name, ...pages });
  return {
    note: documentNote(aboutOf(document), read),
    chars: text.length,
    ...(cut && { problem }),
  };
}

async function textOf(
  { absolute: file, format }: { absolute: string; format: DocumentFormat },
  maxChars: number,
  { signal, stopped }: AttachDeps,
): Promise<DocumentCalls['document']['result'] | undefined> {
  using waits = anySignal(signal, stopped);
  try {
    return await readDocument({ file, format, maxChars }, waits.signal);
  } catch (error) {
    if (signal.aborted) throw error;
    return undefined;
  }
}

/** A file without text: the model and the person read why. */
export function unreadFile(
  file: Pick<StoredDocument, 'name' | 'mime' | 'bytes'>,
  why: UnreadWhy,
  { answers }: Phrases,
): AttachedFile {
  return {
    note: fileNote(`that cannot be read here, because ${whyForModel[why]}: ${aboutOf(file)}`),
    problem: answers.unread({ name: file.name, why: answers.unreadBecause[why] }),
  };
}

const whyForModel: Readonly<Record<UnreadWhy, string>> = {
  ...unreadWords,
  'old format': 'it is in a format of old Office programs',
  encoding: 'its characters are in an encoding that is not clear',
};

const aboutOf = ({ name, mime, bytes }: Pick<StoredDocument, 'name' | 'mime' | 'bytes'>): string =>
  `${name} (${mime}, ${formatBytes(bytes)})`;

/** Container of old Office files, and of new ones with a password (MS-CFB; MS-OFFCRYPTO, section 2.3.4). */
const compound = 'application/x-cfb';

/** Why a file of a format that is no document cannot be read, for those that people take for documents. */
export async function closedReason({
  name,
  mime,
  form,
  absolute,
}: Pick<StoredDocument, 'name' | 'mime' | 'form' | 'absolute'>): Promise<UnreadWhy | undefined> {
  if (form !== 'text' && mime.startsWith('text/')) return 'encoding';
  if (mime !== compound) return undefined;
  const bytes = await readFile(absolute);
  if (bytes.includes(Buffer.from('EncryptedPackage', 'utf16le'))) return 'password';
  return /^\.(doc|dot|xls|xlt|ppt|pps|pot)$/i.test(extname(name)) ? 'old format' : undefined;
}

/** Pictures that most models read. */
const usualPictures = /^image\/(png|jpeg|gif|webp)$/;

/** What the person reads of a file that the model is not shown. */
export function unseenText(
  { name, mime, bytes }: Pick<StoredDocument, 'name' | 'mime' | 'bytes'>,
  { answers }: Phrases,
): string {
  return mime.startsWith('image/') && !usualPictures.test(mime)
    ? answers.unusualPicture({ name, format: mime.replace(/^image\/(x-)?/, '').toUpperCase() })
    : answers.notReadable({ name, mime, bytes });
}
