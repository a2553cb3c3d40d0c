// A model that tells all that it was given: it answers with every canary of its prompt. It is asked in this process, without a network between.
import type { ModelMessage } from 'ai';
import type { ModelCallInput, ModelClient } from '#engine/providers/calls/model-call.ts';
import { parseMemoryBlock } from '#memory/types/block.ts';

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

interface Said {
  role: ModelMessage['role'];
  text: string;
}

/** What the model writes: words, or one call of a tool. */
type Answer = { text: string } | { call: string; args: object };

/** Every text in a value, as results of tools have them at any depth. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(textsIn);
}

/** The prompt as texts. */
function saidIn({ system, messages }: ModelCallInput): Said[] {
  const told = messages.map(({ role, content }) => {
    const parts = typeof content === 'string' ? [content] : content.flatMap(textsOfPart);
    return { role, text: parts.join('\n') };
  });
  return [{ role: 'system', text: system }, ...told];
}

function textsOfPart(part: Exclude<ModelMessage['content'], string>[number]): string[] {
  if (part.type === 'text' || part.type === 'reasoning') return [part.text];
  if (part.type === 'tool-call') return textsIn(part.input);
  return part.type === 'tool-result' ? textsIn(part.output) : [];
}

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
function lookAnswer(said: readonly Said[]): Answer {
  const numbers = [...(said.at(-1)?.text ?? '').matchAll(/^\{"number":(\d+)/gm)].map(([, number]) =>
    Number(number),
  );
  return numbers.length === 0 ? { text: 'NONE' } : { call: 'give', args: { numbers: numbers.slice(0, 20) } };
}

/** Who said what, in lines that a model takes for those of people and in what it takes for memory: as the prompt has them. */
function speakersIn(said: readonly Said[]): string[] {
  return said.flatMap(({ role, text }) => {
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

function answerTo(asked: ModelCallInput): Answer {
  const said = saidIn(asked);
  if (asked.system.includes('Write down what is worth knowing'))
    return { text: factsIn(said.at(-1)?.text ?? '') };
  const offers = (name: string): boolean => asked.tools.some((tool) => tool.name === name);
  if (offers('give')) return lookAnswer(said);
  const at = said.findLastIndex(({ role }) => role === 'user');
  const question = said[at]?.text ?? '';
  const hasSearched = said.slice(at).some(({ role }) => role === 'tool');
  if (!question.includes(probeWord)) {
    if (question.includes(recordWord) && offers('memory_create') && !hasSearched)
      return { call: 'memory_create', args: recordOf(question) };
    // in its own words, so that its answer holds what was written even where the message does not any more
    const told = [...new Set(question.match(canary) ?? [])];
    return { text: told.length === 0 ? 'Noted.' : `Noted, you told me of ${told.join(' and ')}.` };
  }
  if (question.includes(lookupWord) && offers('memory_lookup') && !hasSearched)
    return { call: 'memory_lookup', args: lookupOf(question) };
  if (question.includes(searchWord) && offers('memory_search') && !hasSearched)
    return { call: 'memory_search', args: { query: question.slice(0, 200) } };
  // a line may end within JSON within JSON
  const given = [...new Set(said.flatMap(({ text }) => text.replaceAll('\\n', '\n').match(canary) ?? []))];
  const speakers = question.includes(speakersWord) ? [...new Set(speakersIn(said))] : [];
  const told = [given.join(' '), ...speakers].filter((line) => line !== '').join('\n');
  return { text: told || nothingNotice };
}

/** The model, in the place of every model of the configuration. */
export function createRepeatingModel(): ModelClient {
  return {
    async *ask(_target, asked, signal) {
      signal.throwIfAborted();
      const answer = answerTo(asked);
      const usage = undefined;
      if ('text' in answer) {
        const { text } = answer;
        yield { type: 'text', delta: text };
        const messages: ModelMessage[] = [{ role: 'assistant', content: [{ type: 'text', text }] }];
        yield { type: 'end', finish: 'stop', usage, messages };
        return;
      }
      const { call: toolName, args: input } = answer;
      const toolCallId = `call_${asked.messages.length}`;
      yield { type: 'tool call', callID: toolCallId, tool: toolName, args: input };
      const messages: ModelMessage[] = [
        { role: 'assistant', content: [{ type: 'tool-call', toolCallId, toolName, input }] },
      ];
      yield { type: 'end', finish: 'tool-calls', usage, messages };
    },
    warm() {},
    async close() {},
  };
}
