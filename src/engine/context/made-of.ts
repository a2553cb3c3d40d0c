// What a prompt is made of, as sizes and ids. No text.
import type { ModelMessage } from 'ai';
import type { StoredPrompt } from '#engine/wire/runs/run-prompt.ts';
import type { Hit } from '#memory/types/recall.ts';

/** The texts of a prompt, as it is sent. */
interface PromptTexts {
  /** All of the system text, with `block` in it. */
  system: string;
  block: string;
  files: string;
  recalled: string;
  volunteered: string;
  summary: readonly ModelMessage[];
  history: readonly ModelMessage[];
  roomContext: readonly string[];
  question: ModelMessage;
  hits: readonly Pick<Hit, 'id' | 'source' | 'platform' | 'chat' | 'audience'>[];
}

/** Its sections with their sizes in characters, those that are empty left out, and the passages of memory in it. */
export function madeOf(texts: PromptTexts): StoredPrompt {
  const sizes = [
    ['Instructions', texts.system.length - texts.block.length],
    ['Memory files', texts.files.length],
    ['Recalled memory', texts.recalled.length],
    ['Active memory', texts.volunteered.length],
    ['Summary of older messages', charactersOf(texts.summary)],
    ['Conversation', charactersOf(texts.history)],
    ['What others wrote before', texts.roomContext.join('\n').length],
    ['Message', charactersOf([texts.question])],
  ] as const;
  return {
    sections: sizes
      .filter(([, characters]) => characters > 0)
      .map(([name, characters]) => ({ name, characters })),
    passages: texts.hits.map(({ id, source, platform, chat, audience }) => ({
      id,
      source: [source, platform, chat].filter((part) => part !== '').join(' · '),
      audience,
    })),
  };
}

/** Characters of the texts of messages and of the ends of lines between them; files in them are not counted. */
function charactersOf(messages: readonly ModelMessage[]): number {
  let characters = Math.max(0, messages.length - 1);
  for (const { content } of messages)
    if (typeof content === 'string') characters += content.length;
    else for (const part of content) if (part.type === 'text') characters += part.text.length;
  return characters;
}
