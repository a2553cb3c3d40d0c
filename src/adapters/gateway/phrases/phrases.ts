// The sentences of each language, and the language in which someone is answered.
import { de } from './de.ts';
import { en, type Phrases } from './en.ts';
import { type Language, languageOf } from './language.ts';

const catalogue: Readonly<Record<Language, Phrases>> = { en, de };

/** The catalogue of all sentences in one language. */
export function phrasesFor(language: Language): Phrases {
  return catalogue[language];
}

/** Who reads something: everyone in a chat, or one person only. */
interface PhraseReader {
  address: { kind: string };
  /** The locale of the person that it is for, as their platform last said it. */
  locale: string | undefined;
  /** Shown to that person only, although it is in a room. */
  isPrivate?: boolean | undefined;
}

/** The person's language when only they read the text, else the config's. */
export function chooseLanguage(
  { address, locale, isPrivate = false }: PhraseReader,
  configured: Language,
): Language {
  const isTheirs = address.kind === 'dm' || isPrivate;
  return (isTheirs ? languageOf(locale) : undefined) ?? configured;
}
