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
  summary: string;
  history: string;
  roomContext: readonly string[];
  question: string;
  hits: readonly Pick<Hit, 'id' | 'source' | 'platform' | 'chat' | 'audience'>[];
}

/** Its sections with their sizes in characters, those that are empty left out, and the passages of memory in it. */
export function madeOf(texts: PromptTexts): StoredPrompt {
  const sizes = [
    ['Instructions', texts.system.length - texts.block.length],
    ['Memory files', texts.files.length],
    ['Recalled memory', texts.recalled.length],
    ['Active memory', texts.volunteered.length],
    ['Summary of older messages', texts.summary.length],
    ['Conversation', texts.history.length],
    ['What others wrote before', texts.roomContext.join('\n').length],
    ['Message', texts.question.length],
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

/** The text of messages; files in them are not counted. */
export function messageText(messages: readonly ModelMessage[]): string {
  return messages
    .map(({ content }) =>
      typeof content === 'string'
        ? content
        : content.map((part) => (part.type === 'text' ? part.text : '')).join(''),
    )
    .join('\n');
}
