// What a model has said and called as the message that continues the conversation, with what its provider wants to see again. Not tool results.
import type { AssistantContent, LanguageModelCallEndEvent, ModelMessage, ToolSet } from 'ai';
import { withoutThoughts } from './thought-splitter.ts';

type Content = LanguageModelCallEndEvent<ToolSet>['content'];
type Part = Exclude<AssistantContent, string>[number];

/** The message, or none for a model that ended without saying anything. */
export function assistantMessages(content: Content): ModelMessage[] {
  const parts = content.flatMap(partOf);
  return parts.length === 0 ? [] : [{ role: 'assistant', content: parts }];
}

/**
 * The ids of the calls in one answer to these messages, each its own: some servers begin again with `call_0` in every answer, or give none,
 * and strict ones refuse a conversation in which an id comes twice.
 */
export function createCallIDs(asked: readonly ModelMessage[]) {
  const given: string[] = [];
  let taken: Set<string> | undefined;
  return {
    /** The id of the next call, which its server gave this one. */
    next(id: string): string {
      taken ??= new Set(asked.flatMap(callIDsIn));
      const own = id === '' || taken.has(id) ? `call_${crypto.randomUUID()}` : id;
      taken.add(own);
      given.push(own);
      return own;
    },
    /** The messages of the answer with these ids, in order. */
    in(messages: readonly ModelMessage[]): ModelMessage[] {
      let at = 0;
      return messages.map((message) => {
        if (message.role !== 'assistant' || typeof message.content === 'string') return message;
        const content = message.content.map((part) =>
          part.type === 'tool-call' ? { ...part, toolCallId: given[at++] ?? part.toolCallId } : part,
        );
        return { ...message, content };
      });
    },
  };
}

function callIDsIn({ role, content }: ModelMessage): string[] {
  if (role !== 'assistant' || typeof content === 'string') return [];
  return content.flatMap((part) => (part.type === 'tool-call' ? [part.toolCallId] : []));
}

/** A text without its thoughts; an empty one only where its provider wants to see it again. */
function textParts(text: string, seen: object | undefined): Part[] {
  return text === '' && seen === undefined ? [] : [{ type: 'text', text, ...seen }];
}

function partOf(part: Content[number]): Part[] {
  const seen = 'providerMetadata' in part ? { providerOptions: part.providerMetadata } : {};
  switch (part.type) {
    case 'text':
      return textParts(withoutThoughts(part.text), part.providerMetadata === undefined ? undefined : seen);
    case 'reasoning':
      return [{ type: 'reasoning', text: part.text, ...seen }];
    case 'tool-call':
      return [
        {
          type: 'tool-call',
          toolCallId: part.toolCallId,
          toolName: part.toolName,
          input: part.input,
          ...seen,
        },
      ];
    case 'file':
    case 'reasoning-file':
      return [{ type: part.type, data: part.file.base64, mediaType: part.file.mediaType, ...seen }];
    case 'custom':
      return [{ type: 'custom', kind: part.kind, ...seen }];
    default:
      return []; // sources, and what a provider runs on its own, which it is not asked to
  }
}
