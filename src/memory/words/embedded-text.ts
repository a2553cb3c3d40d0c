// The texts of a chunk, apart from how it is shown: what was said and answered, and what of it a model gets.
import { parsePassage } from '#memory/types/block.ts';

interface Texts {
  source: string;
  content: string;
  userText: string;
  assistantText: string;
}

/** What a row holds of what was said: nothing for a turn whose content has it already. */
export function heldText({ source, content, userText }: Texts): string {
  return source === 'turn' && parsePassage(content).userText === userText ? '' : userText;
}

/** What was written, of a row that `heldText` wrote or an earlier version. */
export function userTextOf({ source, content, userText }: Texts): string {
  return source === 'turn' && userText === '' ? parsePassage(content).userText : userText;
}

/** What a model gets: without who said it, since a name says more about a vector than what was written. A document has its headings with it. */
export function embeddedText(of: Texts): string {
  if (of.source === 'document') return of.content;
  return [userTextOf(of), of.assistantText].filter((text) => text !== '').join('\n') || of.content;
}
