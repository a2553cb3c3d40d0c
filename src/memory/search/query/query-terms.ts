// What a question asks for: its telling words and how much each of them matters.

import { isStop, textLanguage } from '#memory/words/languages.ts';
import { queryTokens } from '#memory/words/tokens.ts';
import { weakStems } from '#memory/words/word-classes.ts';

/** One word of a question that is looked for. */
export interface Term {
  form: string;
  plain: string;
  particular: boolean;
  /** Weak words help a ranking but prove nothing alone. */
  kind: 'telling' | 'weak';
}

/** Words of a question that are looked at, and of those, how many are looked for: each costs a walk through its postings. */
const maxTokens = 400;
const maxTerms = 24;

/** The distinct words to look for, in order; stop words only when there is nothing else. Any text will do. */
export function termsOf(text: string): Term[] {
  const language = textLanguage(text);
  const tokens = queryTokens(text, maxTokens);
  const meant = tokens.filter((token) => !isStop(language, token.plain));
  const terms = new Map<string, Term>();
  for (const { form, plain, particular } of meant.length > 0 ? meant : tokens) {
    const weak = meant.length === 0 || (language === 'en' && weakStems.has(form)) || /^[a-z]$/.test(form);
    const before = terms.get(form);
    terms.set(form, {
      form,
      plain,
      // every noun of a German sentence has a capital
      particular: language === 'de' ? /\p{N}/u.test(plain) : particular || before?.particular === true,
      kind: weak ? 'weak' : 'telling',
    });
  }
  return maxTelling([...terms.values()]);
}

/** Of a long text, its names and numbers, then its longest words. */
function maxTelling(terms: readonly Term[]): Term[] {
  if (terms.length <= maxTerms) return [...terms];
  const worth = ({ kind, particular, plain }: Term): number =>
    (kind === 'telling' ? 100 : 0) + (particular ? 50 : 0) + Math.min(plain.length, 20);
  const saved = new Set([...terms].sort((a, b) => worth(b) - worth(a)).slice(0, maxTerms));
  return terms.filter((term) => saved.has(term));
}
