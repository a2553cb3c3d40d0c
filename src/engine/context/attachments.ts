// The files of a conversation that a model is shown again: the newest ones within bounds, as bytes or as text.
import { Buffer } from 'node:buffer';
import { hash } from 'node:crypto';
import type { FilePart } from 'ai';
import type { DocumentFormat, UnreadReason } from '#base/documents/document-calls.ts';
import { documentFormat } from '#base/documents/document-format.ts';
import { decodeText } from '#base/files/decode-text.ts';
import { decodedPart, truncate } from '#base/text.ts';
import type { Part } from '#engine/sessions/part-rows.ts';
import type { StoredMessage } from '#engine/sessions/wire-shapes.ts';
import { documentNote, fileNote, fileTextNote, unreadWords } from '#engine/wire/channels/notes.ts';
import type { RunNotice } from '#engine/wire/runs/notice.ts';
import { uploadPath } from '#engine/wire/runs/upload-url.ts';
import type { DocumentReader } from './document-reader.ts';
import { isWholePicture } from './whole-picture.ts';

/** Bytes of a file in the uploads folder; undefined when it no longer exists or is larger than `maxBytes`. */
export type ReadUpload = (path: string, maxBytes: number) => Promise<Uint8Array | undefined>;

interface ShowOptions {
  takesFile(file: { mime: string; bytes: number }): boolean;
  /** Pictures at most; as many as files when absent. */
  maxImages?: number | undefined;
  readUpload: ReadUpload | undefined;
  readDocument: DocumentReader;
  signal: AbortSignal;
}

/** Files of one request, and bytes of all of them before base64: providers take requests of about 20 MB. */
const maxFiles = 20;
const maxBytes = 14 * 1024 * 1024;
/** Characters of one text file, and of all of them: no model takes these as files, so they stand with the words. */
const maxText = 40_000;
const maxTextTogether = 60_000;

/** Media types whose bytes are text to read. */
const textual =
  /^(text\/|application\/(json|ld\+json|x-ndjson|xml|yaml|x-yaml|toml|javascript|sql|x-sh)\b|[^;]+\+(json|xml)\b)/i;

interface Room {
  files: number;
  images: number;
  bytes: number;
  text: number;
  /** Names of pictures that came broken, and of those beyond the number that goes along. Of documents whoever took them in has told. */
  broken: string[];
  surplus: string[];
}

/**
 * The messages with each file that is shown as a `data:` URL, each text file as a text, and every other one without a URL. The newest
 * come first, so that what a person just sent is seen before what they sent long ago. `unseen` is what of the last message is not, which its
 * person has to know.
 */
export async function withFiles(
  messages: readonly StoredMessage[],
  options: ShowOptions,
): Promise<{ messages: StoredMessage[]; unseen: RunNotice[] }> {
  const { maxImages: images = maxFiles } = options;
  const room: Room = {
    ...{ files: maxFiles, images, bytes: maxBytes, text: maxTextTogether },
    ...{ broken: [], surplus: [] },
  };
  const shown: StoredMessage[] = [];
  let unseen: RunNotice[] = [];
  for (const [age, message] of messages.toReversed().entries()) {
    if (age === 1) unseen = unseenIn(room, images);
    if (message.parts.every(({ type }) => type !== 'file')) {
      shown.push(message);
      continue;
    }
    const seen = new Map<Part, Part>();
    const pictures = message.parts.filter(isPicture);
    // of the pictures the last ones are the newest
    for (const part of [...message.parts.filter((each) => !isPicture(each)), ...pictures.toReversed()])
      seen.set(part, part.type === 'file' ? await show(part, room, options) : part);
    shown.push({ ...message, parts: message.parts.map((part) => seen.get(part) ?? part) });
  }
  return { messages: shown.reverse(), unseen: messages.length > 1 ? unseen : unseenIn(room, images) };
}

const isPicture = (part: Part): boolean => part.type === 'file' && part.mime.startsWith('image/');

function unseenIn({ broken, surplus }: Room, images: number): RunNotice[] {
  const notices: RunNotice[] = [
    { code: 'unreadable', files: [...broken] },
    { code: images === 0 ? 'no pictures' : 'fewer pictures', files: [...surplus] },
  ];
  return notices.filter(({ files = [] }) => files.length > 0);
}

async function show(part: Extract<Part, { type: 'file' }>, room: Room, options: ShowOptions): Promise<Part> {
  const data = room.files > 0 ? await dataOf(part.url, room.bytes, options.readUpload) : undefined;
  if (data === undefined) return { ...part, url: '' };
  const bytes = Math.floor((data.length * 3) / 4);
  const format = documentFormat({ mime: part.mime, name: part.filename ?? '' });
  const isDocument = format !== undefined;
  const text =
    !isDocument && textual.test(part.mime)
      ? decodeText(Buffer.from(data, 'base64'), 'said to be text')
      : undefined;
  if (text !== undefined && room.text > 0) return asText(part, text, room);
  const isTaken = bytes <= room.bytes && options.takesFile({ mime: part.mime, bytes });
  if (!isTaken && isDocument && room.text > 0)
    return asDocument(part, { bytes: Buffer.from(data, 'base64'), format }, { room, ...options });
  if (!isTaken) return { ...part, url: '' };
  const isImage = part.mime.startsWith('image/');
  const isBroken = isImage && !isWholePicture(Buffer.from(data, 'base64'));
  if (isBroken || (isImage && room.images === 0)) {
    (isBroken ? room.broken : room.surplus).unshift(part.filename ?? 'unnamed');
    return { ...part, url: '' };
  }
  if (isImage) room.images -= 1;
  room.files -= 1;
  room.bytes -= bytes;
  return { ...part, url: `data:${part.mime};base64,${data}` };
}

/** The file as a text between marks, so that it cannot speak as the person. */
function asText(
  { id, filename = 'unnamed', mime }: Extract<Part, { type: 'file' }>,
  text: string,
  room: Room,
): Part {
  const shown = truncate(text, Math.min(maxText, room.text), '');
  room.text -= shown.length;
  const left = text.length - shown.length;
  const end = left > 0 ? `the rest of the file, ${left} characters, was left out` : 'end of the file';
  const mark = hash('sha256', shown).slice(0, 16);
  return { id, type: 'text', text: fileTextNote(`${filename} (${mime})`, shown, { mark, end }) };
}

/** The document as its text, as far as there is room, or as a line that says why there is none. */
async function asDocument(
  { id, filename = 'unnamed', mime }: Extract<Part, { type: 'file' }>,
  { bytes, format }: { bytes: Uint8Array; format: DocumentFormat },
  { room, readDocument, signal }: ShowOptions & { room: Room },
): Promise<Part> {
  const about = `${filename} (${mime})`;
  const read = await readDocument(bytes, format, signal);
  if ('unread' in read) return { id, type: 'text', text: unreadNote(about, read.unread) };
  const text = truncate(read.text, room.text, '');
  room.text -= text.length;
  const cut = read.cut || text.length < read.text.length;
  return { id, type: 'text', text: documentNote(about, { ...read, text, cut }) };
}

const unreadNote = (about: string, why: UnreadReason): string =>
  fileNote(`that cannot be read here, because ${unreadWords[why]}: ${about}`);

/** What stands in the place of a file in a request, where a model does not take the file. */
export function fileReader(
  readDocument: DocumentReader,
  signal: AbortSignal,
): (file: FilePart) => Promise<{ text: string; isRead: boolean }> {
  return async ({ data, mediaType: mime, filename: name = 'unnamed' }) => {
    const about = `${name} (${mime})`;
    const format = documentFormat({ mime, name });
    const unseen = fileNote(`that cannot be read here: ${about}`);
    if (format === undefined || typeof data !== 'string') return { text: unseen, isRead: false };
    const read = await readDocument(Buffer.from(data, 'base64'), format, signal);
    if ('unread' in read) return { text: unreadNote(about, read.unread), isRead: false };
    return { text: documentNote(about, read), isRead: true };
  };
}

/**
 * Base64 of a `data:` URL or of an upload. Nothing else is followed: an address could lead into this machine or its network.
 */
async function dataOf(
  url: string,
  maxBytes: number,
  readUpload: ReadUpload | undefined,
): Promise<string | undefined> {
  const path = uploadPath(url);
  if (path !== undefined) {
    const bytes = await readUpload?.(path, maxBytes);
    return bytes === undefined ? undefined : Buffer.from(bytes).toString('base64');
  }
  const [, encoding, data = ''] = /^data:[^,]*?(;base64)?,(.*)$/is.exec(url) ?? [];
  if (encoding !== undefined) return /^[A-Za-z0-9+/=\s]+$/.test(data) ? data : undefined;
  // the other way to write one: its bytes as they are in a URL, and as they stand where their escapes are broken
  return data === '' ? undefined : Buffer.from(decodedPart(data) ?? data).toString('base64');
}
