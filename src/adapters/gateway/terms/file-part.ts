// A part that is a file instead of text: how it lies in the outbox, and its bytes when it is sent. How a platform takes it is its adapter's.
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import type { MessagePart } from '#adapters/text/part.ts';
import { codeOf, ParleyError } from '#base/errors.ts';

const fileSchema = z.object({
  /** Absolute path; the file stays there until it is sent. */
  path: z.string(),
  /** As people see it. */
  name: z.string(),
  /** By its bytes. */
  mime: z.string(),
  bytes: z.number(),
  /** Stands with the file where something has to be said of it. */
  caption: z.string().exactOptional(),
  /** What is in it, for people who cannot see it. */
  alt: z.string().exactOptional(),
  /** Sent as a voice message where the platform has them. */
  voice: z.literal(true).exactOptional(),
});

export type OutgoingFile = z.infer<typeof fileSchema>;

const partSchema = z.object({ file: fileSchema });

/** A message part that sends a file. */
export function filePart(file: OutgoingFile): MessagePart {
  return { text: `[${file.name}]`, body: { file } };
}

/** The file that a part sends; undefined for a part of text. */
export function fileIn(part: MessagePart): OutgoingFile | undefined {
  const read = partSchema.safeParse(part.body);
  return read.success ? read.data.file : undefined;
}

/** The same file with `note`, which says that it may be a repeat, in front of its caption. */
export function repeatedFile(file: OutgoingFile, note: string): MessagePart {
  const { caption } = file;
  return filePart({ ...file, caption: caption === undefined ? note : `${note} ${caption}` });
}

/** The file's bytes; a ParleyError `file_gone` when it is not there any more or cannot be read. */
export async function readFileBytes({ path, name }: OutgoingFile): Promise<Buffer> {
  try {
    return await readFile(path);
  } catch (error) {
    const why = codeOf(error) ?? 'unreadable';
    throw new ParleyError('file_gone', `The file ${name} is not there any more (${why}).`);
  }
}
