// A conversation in the shape that every provider takes, however it was written: roles in turn, calls with their results. Pure.
import type { AssistantContent, ModelMessage, ToolModelMessage, UserContent } from 'ai';
import { defined } from '#base/json.ts';

type AssistantPart = Exclude<AssistantContent, string>[number];
type ResultPart = ToolModelMessage['content'][number];
type UserPart = Exclude<UserContent, string>[number];

/** Characters that all providers take in the name of a tool, and how many. */
const refusedInNames = /[^A-Za-z0-9_-]/g;
const maxName = 64;

/** The first message where a conversation would begin with an answer. */
const beginning = '[The beginning of the conversation is not shown.]';

/**
 * The same conversation, so that strict servers take it: the first message is the user's, no two neighbours have one role, each
 * tool call has its result right after it and each result its call, arguments are objects, and names of tools have only the
 * characters that every provider takes.
 */
export function soundMessages(messages: readonly ModelMessage[]): ModelMessage[] {
  const merged = messages.reduce<ModelMessage[]>((all, message) => addMerged(all, message), []);
  const paired = merged
    .flatMap((message, index) => pairedIn(message, { before: merged[index - 1], after: merged[index + 1] }))
    .reduce<ModelMessage[]>((all, message) => addMerged(all, message), []);
  return paired[0] === undefined || paired[0].role === 'user' || paired[0].role === 'system'
    ? paired
    : [{ role: 'user', content: beginning }, ...paired];
}

/** The name with `_` for each character that a provider may refuse, and no longer than it may be. */
export function soundName(name: string): string {
  const plain = name.replace(refusedInNames, '_').slice(0, maxName);
  return plain === '' ? '_' : plain;
}

/** Adds a message, or joins it to the last one where both have one role. */
function addMerged(all: ModelMessage[], message: ModelMessage): ModelMessage[] {
  const last = all.at(-1);
  const joined = last === undefined ? undefined : join(last, message);
  if (joined === undefined) all.push(message);
  else all[all.length - 1] = joined;
  return all;
}

function join(first: ModelMessage, second: ModelMessage): ModelMessage | undefined {
  if (first.role === 'user' && second.role === 'user')
    return { role: 'user', content: joinTexts([...userParts(first.content), ...userParts(second.content)]) };
  if (first.role === 'assistant' && second.role === 'assistant')
    return {
      role: 'assistant',
      content: [...assistantParts(first.content), ...assistantParts(second.content)],
    };
  if (first.role === 'tool' && second.role === 'tool')
    return { role: 'tool', content: [...first.content, ...second.content] };
  return undefined;
}

function userParts(content: UserContent): UserPart[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content;
}

function assistantParts(content: AssistantContent): AssistantPart[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content;
}

/** Neighbouring texts as one: servers for plain text take a message of one text only. */
function joinTexts(parts: readonly UserPart[]): UserPart[] {
  const joined: UserPart[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    if (part.type === 'text' && last?.type === 'text')
      joined[joined.length - 1] = { ...last, text: `${last.text}\n\n${part.text}` };
    else joined.push(part);
  }
  return joined;
}

/** The message with only those calls that are answered after it, or those results that were asked for before it; none if nothing is left. */
function pairedIn(
  message: ModelMessage,
  { before, after }: { before: ModelMessage | undefined; after: ModelMessage | undefined },
): ModelMessage[] {
  if (message.role === 'assistant' && typeof message.content !== 'string') {
    const answered = new Set(after?.role === 'tool' ? after.content.flatMap(resultID) : []);
    const content = message.content.flatMap((part) => (isOpen(part, answered) ? [] : [soundCall(part)]));
    return content.length === 0 ? [] : [{ ...message, content }];
  }
  if (message.role === 'tool') {
    const called = new Set(
      before?.role === 'assistant' ? assistantParts(before.content).flatMap(callID) : [],
    );
    const content = message.content.flatMap((part) =>
      part.type === 'tool-result' && !called.has(part.toolCallId) ? [] : [soundResult(part)],
    );
    return content.length === 0 ? [] : [{ ...message, content }];
  }
  return [message];
}

function isOpen(part: AssistantPart, answered: ReadonlySet<string>): boolean {
  return part.type === 'tool-call' && part.providerExecuted !== true && !answered.has(part.toolCallId);
}

const callID = (part: AssistantPart): string[] => (part.type === 'tool-call' ? [part.toolCallId] : []);
const resultID = (part: ResultPart): string[] => (part.type === 'tool-result' ? [part.toolCallId] : []);

function soundCall(part: AssistantPart): AssistantPart {
  if (part.type !== 'tool-call') return part;
  return { ...part, toolName: soundName(part.toolName), input: isObject(part.input) ? part.input : {} };
}

function soundResult(part: ResultPart): ResultPart {
  return part.type === 'tool-result' ? defined({ ...part, toolName: soundName(part.toolName) }) : part;
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
