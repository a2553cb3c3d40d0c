// What a person said as the model reads it: with their name in shared rooms, and files as far as the model takes them. Pure.
import type { FilePart, TextPart, UserModelMessage } from 'ai';
import { truncate } from '#base/text.ts';
import type { StoredMessage } from '#engine/sessions/wire-shapes.ts';
import { fileNote, joinedParts, withContinuedLines } from '#engine/wire/channels/notes.ts';

export interface SpeechOptions {
  /** True where more than one person shares the session: each message then begins with `[name] `. */
  shared: boolean;
  /** At most this many characters of text. */
  limit: number;
}

/** The user message for a model: files with a `data:` URL go along, every other is only mentioned. */
export function speechOf(message: StoredMessage, options: SpeechOptions): UserModelMessage {
  const name = options.shared && message.speaker !== undefined ? `[${nameOf(message.speaker.name)}] ` : '';
  const notes: string[] = [];
  const files: FilePart[] = [];
  const lines: string[] = [];
  for (const part of message.parts) {
    if (part.type === 'text') lines.push(part.text);
    if (part.type !== 'file') continue;
    const data = dataOf(part.url);
    if (data === undefined)
      notes.push(fileNote(`that cannot be read here: ${part.filename ?? 'unnamed'}, ${part.mime}`));
    else {
      const filename = part.filename === undefined ? {} : { filename: part.filename };
      files.push({ type: 'file', mediaType: part.mime, data, ...filename });
    }
  }
  const whole = asSaid(joinedParts([...lines, ...notes]));
  const words = name + bounded(options.shared ? withContinuedLines(whole) : whole, options.limit);
  // Providers refuse empty texts; a file may come without words, but a message is never without anything.
  if (words === '' && files.length > 0) return { role: 'user', content: files };
  const text: TextPart = { type: 'text', text: words === '' ? '[an empty message]' : words };
  return { role: 'user', content: [text, ...files] };
}

/** All that a person said in a message, without names and files. */
export function wordsOfMessage(message: StoredMessage): string {
  return joinedParts(message.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])));
}

function bounded(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const mark = `\n[… ${text.length - limit} more characters were left out]`;
  return truncate(text, limit, mark);
}

/** Signs that nobody sees: a tag with them between its letters is read as one without. */
const unseen = '[\\p{Default_Ignorable_Code_Point}\\p{Cf}]*';
const blank = '[\\s\\p{Default_Ignorable_Code_Point}\\p{Cf}]*';
const tagNames = ['memory', 'current_session', 'relevant_history', 'project_facts'];

/** Tags of the blocks in which memory is given to a model, which nothing that people write may open or close; also one that was cut off. */
const blockTags = new RegExp(
  `[<\uff1c\ufe64](?=${blank}(?:/${blank})?(?:${tagNames.map((name) => [...name].join(unseen)).join('|')}))`,
  'giu',
);

/** The text without a tag of memory in it. */
export function asSaid(text: string): string {
  return text.replaceAll(blockTags, '&lt;');
}

/** A value of a tool with the same done to every text and key in it; the very value where nothing is. */
export function asSaidIn(value: unknown): unknown {
  if (typeof value === 'string') return asSaid(value);
  if (Array.isArray(value)) return value.map(asSaidIn);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [asSaid(key), asSaidIn(each)]));
}

/** A name that cannot end its brackets, begin a line or be a tag. */
function nameOf(name: string): string {
  const plain = name.replace(/[[\]<>\uff1c\uff1e\ufe64\ufe65\uff3b\uff3d\p{C}\s]+/gu, ' ').trim();
  return truncate(plain === '' ? 'someone' : plain, 80);
}

/** The base64 body of a data URL. Nothing else is followed: an address could lead into this machine or its network. */
function dataOf(url: string): string | undefined {
  return /^data:[^,]*;base64,([A-Za-z0-9+/=\s]+)$/.exec(url)?.[1];
}
