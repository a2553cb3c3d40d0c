// The embedding model that a bench names: none, a folder on this machine, or vectors whose quality is set.

import { createLocalEmbedder } from '#engine/providers/local/embedder.ts';
import type { Embedder } from '#memory/types/embedding.ts';
import { indexText } from '#memory/words/tokens.ts';
import type { Conversation } from './conversations.ts';

const dimensions = 256;

/** The model; throws with a message for a name that is none of them. */
export function modelOf(name: string, conversations: readonly Conversation[]): Embedder | undefined {
  if (name === 'none') return undefined;
  const synthetic = /^synthetic:(0(?:\.\d+)?|1(?:\.0+)?)$/.exec(name);
  if (synthetic !== null) return syntheticEmbedder(Number(synthetic[1]), conversations);
  if (name.startsWith('synthetic')) throw new Error(`Expected synthetic:QUALITY from 0 to 1; got ${name}.`);
  return createLocalEmbedder({ folder: name, pooling: 'mean', documentPrefix: '', queryPrefix: '' });
}

/**
 * A random projection of a text's words, and for a question those of its evidence as well, with noise: at quality 0 nothing but noise, at 1
 * none. It knows the answers, so it says nothing about any real model, only what ranking makes of a good and of a useless one.
 */
function syntheticEmbedder(quality: number, conversations: readonly Conversation[]): Embedder {
  const evidence = new Map<string, string>();
  for (const { turns, questions } of conversations) {
    const texts = new Map(turns.map(({ id, text, caption }) => [id, `${text} ${caption ?? ''}`]));
    const speakers = new Set(turns.map(({ speaker }) => speaker));
    for (const { question, evidence: ids } of questions)
      for (const request of [question, ...[...speakers].map((speaker) => requestBy(speaker, question))])
        evidence.set(request, ids.map((id) => texts.get(id) ?? '').join('\n'));
  }
  return {
    identity: { provider: 'bench', model: `synthetic ${quality}`, dimensions },
    atOnce: 64,
    embed: async (texts) =>
      texts.map((text) => {
        const answer = evidence.get(text);
        const words = unit(projected(`${text}\n${answer ?? ''}`));
        const noise = unit(direction(`noise of ${text}`));
        return words.map((value, index) => quality * value + (1 - quality) * (noise[index] ?? 0));
      }),
  };
}

/** The question about a speaker as memory gives it to a model. */
function requestBy(speaker: string, question: string): string {
  const [name = speaker] = speaker.split(' ');
  return question.replaceAll(`${name}'s`, 'my').replaceAll(name, 'I');
}

function projected(text: string): number[] {
  const sum = new Array<number>(dimensions).fill(0);
  for (const word of new Set(indexText(text).split(/\s+/)))
    for (const [index, value] of direction(word).entries()) sum[index] = (sum[index] ?? 0) + value;
  return sum;
}

const directions = new Map<string, number[]>();

/** A direction of its own for each word, the same each time. */
function direction(word: string): number[] {
  const known = directions.get(word);
  if (known !== undefined) return known;
  let state = 0x811c9dc5;
  for (let index = 0; index < word.length; index += 1)
    state = Math.imul(state ^ word.charCodeAt(index), 0x01000193);
  const made = Array.from({ length: dimensions }, () => {
    state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x6d2b79f5;
    return (state >>> 8) / 2 ** 24 - 0.5;
  });
  directions.set(word, made);
  return made;
}

function unit(vector: readonly number[]): number[] {
  const length = Math.hypot(...vector) || 1;
  return vector.map((value) => value / length);
}
