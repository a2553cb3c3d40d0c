// A model that tells all that it was given: it answers with every canary of its prompt. It speaks as much of the OpenAI chat API as the engine needs.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';
import { parseJson } from '#base/json.ts';
import { parseMemoryBlock } from '#memory/types/block.ts';

export interface RepeatingModel {
  /** The root for OPENAI_BASE_URL. */
  url: string;
  close(): Promise<void>;
}

/** A word that is written once in the world. */
export const canary = /\bzq[0-9a-z]{7}\b/g;
/** A message with this word is answered with all canaries of the prompt, any other with its own. */
export const probeWord = 'everything';
/** With this word besides, memory is searched before. */
export const searchWord = 'search';
/** With this word and that of a probe, the answer says of each canary who is said to have written it. */
export const speakersWord = 'speakers';
/** With this word the message is stored as a record of a kind, with a key, a tag and perhaps a pin. */
export const recordWord = 'record';
/** With this word and that of a probe, records are looked up by a tag, by a kind or by their pins before. */
export const lookupWord = 'lookup';
/** The model was given no canary. */
export const nothingNotice = 'I was given nothing.';

const content = z.union([z.string(), z.array(z.looseObject({ text: z.string().optional() }))]);
const request = z.looseObject({
  messages: z.array(z.looseObject({ role: z.string(), content: content.nullish() })),
  tools: z.array(z.looseObject({ function: z.looseObject({ name: z.string() }) })).optional(),
});
type Request = z.infer<typeof request>;

const textOf = (given: z.infer<typeof content> | null | undefined): string =>
  typeof given === 'string' ? given : (given ?? []).map((part) => part.text ?? '').join('\n');

/** Every line of a person with a canary as a fact, where a conversation is distilled. */
function factsIn(prompt: string): string {
  const lines = [...prompt.matchAll(/^(\d+) "[^\n]*?": (".*zq.*")$/gm)];
  return JSON.stringify(
    lines.map(([, number, text = '""']) => ({
      text: JSON.parse(text),
      category: 'fact',
      importance: 0.9,
      lines: [Number(number)],
    })),
  );
}

/** All memories that a look before an answer was shown, given to that answer. */
function lookAnswer(messages: Request['messages']): { delta: object; finish: 'stop' | 'tool_calls' } {
  const numbers = [...textOf(messages.at(-1)?.content).matchAll(/^\{"number":(\d+)/gm)].map(([, number]) =>
    Number(number),
  );
  if (numbers.length === 0) return { delta: { content: 'NONE' }, finish: 'stop' };
  const call = { name: 'give', arguments: JSON.stringify({ numbers: numbers.slice(0, 20) }) };
  return {
    delta: { tool_calls: [{ index: 0, id: 'call_give', type: 'function', function: call }] },
    finish: 'tool_calls',
  };
}

/** Who said what, in lines that a model takes for those of people and in what it takes for memory: as the prompt has them. */
function speakersIn(messages: Request['messages']): string[] {
  return messages.flatMap(({ role, content: given }) => {
    const text = textOf(given);
    const recalled = parseMemoryBlock(text).flatMap((entry) =>
      [...entry.text.matchAll(/^(?! )(.+?) said: (.*(?:\n {2}.*)*)/gm)].map(([, name = '', words = '']) => ({
        name,
        words,
      })),
    );
    // a direct message has one speaker, and begins with no name
    const isShared = role === 'user' && /^\[[^\]\n]+\] /.test(text);
    const lines = isShared ? [...text.matchAll(/^\[([^\]\n]+)\] (.*(?:\n[ \t].*)*)/gm)] : [];
    return [...recalled, ...lines.map(([, name = '', words = '']) => ({ name, words }))].flatMap(
      ({ name, words }) => (words.match(canary) ?? []).map((word) => attribution(name, word)),
    );
  });
}

const attribution = (name: string, word: string): string => `it was ${name} who said ${word}`;

/** What a message of the model's says of who said what. */
export function attributionsIn(text: string): { name: string; word: string }[] {
  return [...text.matchAll(/^it was (.+) who said (zq[0-9a-z]{7})$/gm)].map(([, name = '', word = '']) => ({
    name,
    word,
  }));
}

const kinds = ['note', 'fact', 'preference', 'procedure'] as const;
const sensitivities = [undefined, 'public', 'private', 'sensitive'] as const;

/** The record that a message asks for: its canary decides on the kind, its topic is the key and the tag. */
function recordOf(question: string): object {
  const [sentence = question] = /The \S+ is near \S+\./.exec(question) ?? [];
  const [topic = 'topic'] = /(?:heron|locker)\d+/.exec(question) ?? [];
  const [word = ''] = question.match(canary) ?? [];
  const at = Number.parseInt(word.slice(-2), 36) || 0;
  const kind = kinds[at % kinds.length];
  const sensitivity = sensitivities[Math.floor(at / 4) % sensitivities.length];
  return {
    ...{ content: sentence, kind, tags: [topic], pinned: at % 3 === 0 },
    ...(at % 2 === 0 && { key: topic }),
    ...(sensitivity !== undefined && { sensitivity }),
  };
}

/** By the tag of the topic, by its key, by a pin, or by a kind. */
function lookupOf(question: string): object {
  const [topic = 'topic'] = /(?:heron|locker)\d+/.exec(question) ?? [];
  const ways = [{ tag: topic }, { key: topic }, { pinned: true }, { kind: 'fact' }];
  return ways[question.length % ways.length] ?? {};
}

/** What is sent back: the delta of one chunk, and why it ends. */
function answerTo({ messages, tools = [] }: Request): { delta: object; finish: 'stop' | 'tool_calls' } {
  const [first] = messages;
  if (textOf(first?.content).includes('Write down what is worth knowing'))
    return { delta: { content: factsIn(textOf(messages.at(-1)?.content)) }, finish: 'stop' };
  if (tools.some((tool) => tool.function.name === 'give')) return lookAnswer(messages);
  const asked = messages.findLastIndex(({ role }) => role === 'user');
  const question = textOf(messages[asked]?.content);
  const hasSearched = messages.slice(asked).some(({ role }) => role === 'tool');
  const toolCall = (name: string, args: object): ReturnType<typeof answerTo> => {
    const call = { name, arguments: JSON.stringify(args) };
    return {
      delta: { tool_calls: [{ index: 0, id: `call_${messages.length}`, type: 'function', function: call }] },
      finish: 'tool_calls',
    };
  };
  const offers = (name: string): boolean => tools.some((tool) => tool.function.name === name);
  if (!question.includes(probeWord)) {
    if (question.includes(recordWord) && offers('memory_create') && !hasSearched)
      return toolCall('memory_create', recordOf(question));
    // in its own words, so that its answer holds what was written even where the message does not any more
    const told = [...new Set(question.match(canary) ?? [])];
    const content = told.length === 0 ? 'Noted.' : `Noted, you told me of ${told.join(' and ')}.`;
    return { delta: { content }, finish: 'stop' };
  }
  if (question.includes(lookupWord) && offers('memory_lookup') && !hasSearched)
    return toolCall('memory_lookup', lookupOf(question));
  const canSearch = tools.some((tool) => tool.function.name === 'memory_search');
  if (question.includes(searchWord) && canSearch && !hasSearched) {
    const call = {
      index: 0,
      id: `call_${messages.length}`,
      type: 'function',
      function: { name: 'memory_search', arguments: JSON.stringify({ query: question.slice(0, 200) }) },
    };
    return { delta: { tool_calls: [call] }, finish: 'tool_calls' };
  }
  const given = [...new Set(JSON.stringify(messages).match(canary) ?? [])];
  const speakers = question.includes(speakersWord) ? [...new Set(speakersIn(messages))] : [];
  const told = [given.join(' '), ...speakers].filter((line) => line !== '').join('\n');
  return { delta: { content: told || nothingNotice }, finish: 'stop' };
}

/** Starts the model on a free port of 127.0.0.1. */
export async function startRepeatingModel(): Promise<RepeatingModel> {
  const serve = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(Buffer.from(chunk));
    const body = parseJson(Buffer.concat(chunks).toString(), request, 'The request to the model');
    const { delta, finish } = answerTo(body);
    const chunkOf = (choice: object): string =>
      `data: ${JSON.stringify({ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 0, model: 'repeating', choices: [{ index: 0, ...choice }] })}\n\n`;
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(chunkOf({ delta: { role: 'assistant', ...delta }, finish_reason: null }));
    response.write(chunkOf({ delta: {}, finish_reason: finish }));
    response.end('data: [DONE]\n\n');
  };
  const server = createServer((incoming, response) => {
    serve(incoming, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // a listening TCP server has one
  return {
    url: `http://127.0.0.1:${port}/v1`,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}
