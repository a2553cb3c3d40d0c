// A request as a model takes it, by what is known of the model: without what it refused before, or would. Pure.
import { hash } from 'node:crypto';
import type { FilePart, ModelMessage, UserContent } from 'ai';
import { truncate } from '#base/text.ts';
import type { Known } from './known.ts';

/** The parts of a request that can be repaired. */
export interface Repairable<Tool> {
  system: string;
  messages: ModelMessage[];
  tools: readonly Tool[];
  toolChoice: 'auto' | 'none' | 'required';
}

export interface Repairs {
  known: Known;
  /** How often the conversation before the question is halved. */
  halved: number;
  /** Files that the model could not read, by `fileID`. */
  unreadable: ReadonlySet<string>;
}

type UserPart = Exclude<UserContent, string>[number];

/** From so many halvings on nothing of the conversation before the question is left, and what tools gave is cut. */
export const maxHalvings = 3;
/** Characters of a tool's result that are left then. */
const cutResult = 2_000;
/** Letters and digits of an id that strict servers take. */
const shortID = 9;

/** The request with only what the model takes; the same request where nothing speaks against it. */
export function acceptable<Tool, Request extends Repairable<Tool>>(
  request: Request,
  { known, halved, unreadable }: Repairs,
): Request {
  let { system, messages, tools, toolChoice } = request;
  if (halved > 0) messages = shortened(messages, halved);
  messages = withPictures(messages, { most: known.images ?? Number.POSITIVE_INFINITY, unreadable });
  if (known.tools === false) {
    messages = withoutTools(messages);
    tools = [];
    toolChoice = 'auto';
  }
  if (known.shortIDs === true) messages = withShortIDs(messages);
  if (known.system === false && system !== '') {
    messages = [{ role: 'user', content: system }, ...messages];
    system = '';
  }
  return { ...request, system, messages, tools, toolChoice };
}

/** Names a file by its bytes. */
export function fileID(part: FilePart): string {
  return hash('sha256', typeof part.data === 'string' ? part.data : '');
}

/** All files of the messages, oldest first. */
export function filesIn(messages: readonly ModelMessage[]): FilePart[] {
  return messages.flatMap((message) =>
    message.role === 'user' ? userParts(message.content).filter((part) => part.type === 'file') : [],
  );
}

/** All pictures of the messages, oldest first. */
export function picturesIn(messages: readonly ModelMessage[]): FilePart[] {
  return filesIn(messages).filter(isPicture);
}

/** The message that is to be answered: the last one of the user. */
export function questionAt(messages: readonly ModelMessage[]): number {
  return messages.findLastIndex(({ role }) => role === 'user');
}

/** The messages with only the newest pictures, a note with its name in the place of each other one. */
function withPictures(
  messages: readonly ModelMessage[],
  { most, unreadable }: { most: number; unreadable: ReadonlySet<string> },
): ModelMessage[] {
  const shown = new Set(
    picturesIn(messages)
      .filter((picture) => !unreadable.has(fileID(picture)))
      .slice(most === 0 ? Number.POSITIVE_INFINITY : -most),
  );
  return messages.map((message) => {
    if (message.role !== 'user' || typeof message.content === 'string') return message;
    const content = message.content.map((part): UserPart => {
      if (!isPicture(part) || shown.has(part)) return part;
      const why = unreadable.has(fileID(part)) ? 'cannot be read' : 'is not shown to you';
      return { type: 'text', text: `[a picture that ${why}: ${part.filename ?? 'unnamed'}]` };
    });
    return { ...message, content };
  });
}

/** Whether a part is a picture, whatever its format. */
export function isPicture(part: UserPart): part is FilePart {
  return part.type === 'file' && part.mediaType.startsWith('image/');
}

function userParts(content: UserContent): UserPart[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content;
}

/** The newest part of what is before the question, half as long with each halving, and the question with what follows it. */
function shortened(messages: readonly ModelMessage[], halved: number): ModelMessage[] {
  const at = Math.max(questionAt(messages), 0);
  const before = messages.slice(0, at);
  const rest = messages.slice(at);
  if (halved >= maxHalvings) return rest.map(withCutResults);
  let left = charsOf(before) / 2 ** halved;
  const saved: ModelMessage[] = [];
  for (const message of before.toReversed()) {
    left -= charsOf([message]);
    if (left < 0) break;
    saved.unshift(message);
  }
  // an answer without its question is of no use
  const first = saved.findIndex(({ role }) => role === 'user');
  return [...(first < 0 ? [] : saved.slice(first)), ...rest];
}

/** Characters of messages, files left out. */
export function charsOf(messages: readonly ModelMessage[]): number {
  return messages.reduce((sum, { content }) => {
    if (typeof content === 'string') return sum + content.length;
    return (
      sum + content.reduce((all, part) => all + (part.type === 'file' ? 0 : JSON.stringify(part).length), 0)
    );
  }, 0);
}

function withCutResults(message: ModelMessage): ModelMessage {
  if (message.role !== 'tool') return message;
  const content = message.content.map((part) => {
    if (part.type !== 'tool-result') return part;
    const json = JSON.stringify(part.output);
    if (json.length <= cutResult) return part;
    const value = truncate(json, cutResult, '… (the rest was left out)');
    return { ...part, output: { type: 'text' as const, value } };
  });
  return { ...message, content };
}

/** Without calls and results: the words around them stay. */
function withoutTools(messages: readonly ModelMessage[]): ModelMessage[] {
  return messages.flatMap((message): ModelMessage[] => {
    if (message.role === 'tool') return [];
    if (message.role !== 'assistant' || typeof message.content === 'string') return [message];
    const content = message.content.filter(({ type }) => type === 'text');
    return content.length === 0 ? [] : [{ role: 'assistant', content }];
  });
}

function withShortIDs(messages: readonly ModelMessage[]): ModelMessage[] {
  const short = <Part extends { type: string }>(part: Part): Part =>
    'toolCallId' in part
      ? { ...part, toolCallId: hash('sha256', String(part.toolCallId)).slice(0, shortID) }
      : part;
  return messages.map((message) => {
    if (message.role === 'tool') return { ...message, content: message.content.map(short) };
    if (message.role !== 'assistant' || typeof message.content === 'string') return message;
    return { ...message, content: message.content.map(short) };
  });
}
