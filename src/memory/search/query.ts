// What a question asks for: its telling words and how much each of them matters. Not where they are found.

import { isStop, languageOf } from '#memory/store/languages.ts';
import { queryTokens } from '#memory/store/tokens.ts';
import { weakStems } from '#memory/store/word-classes.ts';

/** One word of a question that is looked for. */
export interface Term {
  form: string;
  plain: string;
  particular: boolean;
  /** Weak words help a ranking but prove nothing alone. */
  kind: 'telling' | 'weak';
}

/** Words of a question that are looked at, and of those, how many are looked for: each costs a walk through its postings. */
const mostTokens = 400;
const mostTerms = 24;

/** The distinct words to look for, in order; stop words only when there is nothing else. Any text will do. */
export function termsOf(text: string): Term[] {
  const language = languageOf(text);
  const tokens = queryTokens(text, mostTokens);
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
  return mostTelling([...terms.values()]);
}

/** Of a long text, its names and numbers, then its longest words. */
function mostTelling(terms: readonly Term[]): Term[] {
  if (terms.length <= mostTerms) return [...terms];
  const worth = ({ kind, particular, plain }: Term): number =>
    (kind === 'telling' ? 100 : 0) + (particular ? 50 : 0) + Math.min(plain.length, 20);
  const kept = new Set([...terms].sort((a, b) => worth(b) - worth(a)).slice(0, mostTerms));
  return terms.filter((term) => kept.has(term));
}
