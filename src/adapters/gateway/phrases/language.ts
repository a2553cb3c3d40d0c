// The languages that the bot speaks, and which one is meant by a locale. Pure.

/** The first one is spoken where nothing else is known. */
export const languages = ['en', 'de'] as const;
export type Language = (typeof languages)[number];

/** The language of a locale as platforms write it (`de`, `de-AT`, `pt_BR`); undefined for one that the bot does not speak. */
export function languageOf(locale: string | undefined): Language | undefined {
  const [primary = ''] = (locale ?? '').toLowerCase().split(/[-_]/);
  return languages.find((language) => language === primary);
}
