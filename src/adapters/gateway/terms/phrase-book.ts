// The phrases for a reader: the config's language and people's locales are looked up at each call, since both may change.

import type { Phrases } from '#adapters/gateway/phrases/en.ts';
import type { Language } from '#adapters/gateway/phrases/language.ts';
import { chooseLanguage, phrasesFor } from '#adapters/gateway/phrases/phrases.ts';
import type { Address } from './address.ts';

export interface PhraseBook {
  /**
   * The phrases for this chat, for the account `person` (`per_...`) or, where it is not stored yet, for someone with this `locale`.
   * `isPrivate`: only that person sees it, although it is in a room.
   */
  for(reader: {
    address: Address;
    person?: string | undefined;
    locale?: string | undefined;
    isPrivate?: boolean | undefined;
  }): Phrases;
}

/** Chooses the language for each reader or room of one gateway. */
export function createPhraseBook({
  ledger,
  language,
}: {
  ledger: { identities: { localeOf(person: string): string | undefined } };
  /** What is spoken in a place whose language no person decides. */
  language: (address: Address) => Language;
}): PhraseBook {
  return {
    for({ address, person, locale, isPrivate }) {
      const stored = person === undefined ? undefined : ledger.identities.localeOf(person);
      return phrasesFor(chooseLanguage({ address, locale: locale ?? stored, isPrivate }, language(address)));
    },
  };
}
