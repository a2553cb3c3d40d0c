// What stands in the place of a file that a model does not take: the text of a document, a note with the name of any other. Not of pictures.
import type { FilePart, ModelMessage } from 'ai';
import { fileID, filesIn, isPicture, questionAt } from './acceptable.ts';

/** What stands in the place of a file; `isRead`: it has the file's text. */
export interface FileText {
  text: string;
  isRead: boolean;
}

/** Gives the text of a file; rejects with the signal's reason alone. */
export type ReadFile = (file: FilePart) => Promise<FileText>;

interface Taking {
  takesFile(file: { mime: string; bytes: number }): boolean;
  /** Files that this model refused, by `fileID`. */
  unreadable: ReadonlySet<string>;
}

/** The files of the messages, no pictures, that the model is sent as they are. */
export function takenFiles(messages: readonly ModelMessage[], taking: Taking): FilePart[] {
  return filesIn(messages).filter((part) => !isPicture(part) && isTaken(part, taking));
}

/** The messages with what stands in the place of each other such file, and the names of those of the question whose text there is none of. */
export async function withFileTexts(
  messages: ModelMessage[],
  { readFile, ...taking }: Taking & { readFile: ReadFile },
): Promise<{ messages: ModelMessage[]; unread: string[] }> {
  const refused = filesIn(messages).filter((part) => !isPicture(part) && !isTaken(part, taking));
  if (refused.length === 0) return { messages, unread: [] };
  const texts = new Map<FilePart, FileText>();
  for (const part of refused) texts.set(part, await readFile(part));
  const ofQuestion = filesIn(messages.slice(questionAt(messages)));
  return {
    messages: messages.map((message) => {
      if (message.role !== 'user' || typeof message.content === 'string') return message;
      const content = message.content.map((part) => {
        const text = part.type === 'file' ? texts.get(part)?.text : undefined;
        return text === undefined ? part : { type: 'text' as const, text };
      });
      return { ...message, content };
    }),
    unread: ofQuestion.flatMap((part) =>
      texts.get(part)?.isRead === false ? [part.filename ?? 'unnamed'] : [],
    ),
  };
}

function isTaken(part: FilePart, { takesFile, unreadable }: Taking): boolean {
  const bytes = typeof part.data === 'string' ? Math.floor((part.data.length * 3) / 4) : 0;
  return takesFile({ mime: part.mediaType, bytes }) && !unreadable.has(fileID(part));
}
