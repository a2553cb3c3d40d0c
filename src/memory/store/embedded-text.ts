// The text of a chunk as a model gets it. Not how it is shown.
import type { Chunk } from './chunk-row.ts';

/** Without who said it: a name says more about a vector than what was said. A document has its headings with it. */
export function embeddedText(of: Pick<Chunk, 'source' | 'content' | 'userText' | 'assistantText'>): string {
  if (of.source === 'document') return of.content;
  return [of.userText, of.assistantText].filter((text) => text !== '').join('\n') || of.content;
}
