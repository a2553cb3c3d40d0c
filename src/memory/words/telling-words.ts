// The words of a text by which another text that repeats it is known. Pure.
import type { TellingWord } from '#memory/types/exchange.ts';
import { isStop, textLanguage } from './languages.ts';
import { queryTokens } from './tokens.ts';
import { attributionWords, weakStems } from './word-classes.ts';

/** Words of a text that are looked at. */
const maxWords = 5_000;

/** Each telling word once, in its order: what says something of its own, whichever language the text is in. */
export function tellingWords(text: string): TellingWord[] {
  const language = textLanguage(text);
  const found = new Map<string, TellingWord>();
  for (const { form, plain, particular } of queryTokens(text, maxWords)) {
    if (isStop(language, plain) || isStop('en', plain)) continue;
    if (!particular && (weakStems.has(form) || attributionWords.has(plain))) continue;
    const known = found.get(form);
    if (known === undefined) found.set(form, { stem: form, plain, particular });
    else known.particular ||= particular;
  }
  return [...found.values()];
}
