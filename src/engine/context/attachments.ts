// The files of a conversation that a model is shown again: the newest ones within bounds, with their bytes. Not what is said of the others.
import { Buffer } from 'node:buffer';
import type { Part } from '#engine/sessions/part-rows.ts';
import type { StoredMessage } from '#engine/sessions/wire-shapes.ts';
import { uploadPath } from '#engine/wire/upload-url.ts';

/** Bytes of a file in the uploads folder; undefined when it is gone or larger than `mostBytes`. */
export type ReadUpload = (path: string, mostBytes: number) => Promise<Uint8Array | undefined>;

export interface ShowOptions {
  takesFile(file: { mime: string; bytes: number }): boolean;
  readUpload: ReadUpload | undefined;
}

/** Files of one request, and bytes of all of them before base64: providers take requests of about 20 MB. */
const mostFiles = 20;
const mostBytes = 14 * 1024 * 1024;

/**
 * The messages with each file that is shown as a `data:` URL and every other one without a URL. The newest come first, so
 * that what a person just sent is seen before what they sent long ago.
 */
export async function withFiles(
  messages: readonly StoredMessage[],
  options: ShowOptions,
): Promise<StoredMessage[]> {
  const room = { files: mostFiles, bytes: mostBytes };
  const shown: StoredMessage[] = [];
  for (const message of messages.toReversed()) {
    const parts: Part[] = [];
    for (const part of message.parts)
      parts.push(part.type === 'file' ? await show(part, room, options) : part);
    shown.push({ ...message, parts });
  }
  return shown.reverse();
}

async function show(
  part: Extract<Part, { type: 'file' }>,
  room: { files: number; bytes: number },
  options: ShowOptions,
): Promise<Part> {
  const data = room.files > 0 ? await dataOf(part.url, room.bytes, options.readUpload) : undefined;
  if (data === undefined) return { ...part, url: '' };
  const bytes = Math.floor((data.length * 3) / 4);
  if (bytes > room.bytes || !options.takesFile({ mime: part.mime, bytes })) return { ...part, url: '' };
  room.files -= 1;
  room.bytes -= bytes;
  return { ...part, url: `data:${part.mime};base64,${data}` };
}

/** Base64 of a `data:` URL or of an upload. Nothing else is followed: an address could lead into this machine or its network. */
async function dataOf(
  url: string,
  mostBytes: number,
  readUpload: ReadUpload | undefined,
): Promise<string | undefined> {
  const path = uploadPath(url);
  if (path === undefined) return /^data:[^,]*;base64,([A-Za-z0-9+/=\s]+)$/.exec(url)?.[1];
  const bytes = await readUpload?.(path, mostBytes);
  return bytes === undefined ? undefined : Buffer.from(bytes).toString('base64');
}
