// Every phrase in every language: it can be said, says the same things, and is short enough to be read.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { languageOf, languages } from '#adapters/gateway/phrases/language.ts';
import { chooseLanguage, phrasesFor } from '#adapters/gateway/phrases/phrases.ts';
import { commandNames } from '#adapters/gateway/terms/command-table.ts';
import { samples } from './samples.ts';

/** Every sentence of a catalogue by `subject.name`, said with its sample. */
function said(language: (typeof languages)[number]): Map<string, string> {
  const found = new Map<string, string>();
  const add = (path: string, value: unknown, sample: unknown): void => {
    if (typeof value === 'string') found.set(path, value);
    else if (typeof value === 'function') found.set(path, String(value(sample)));
    else
      for (const [key, each] of Object.entries(value as object))
        add(`${path}.${key}`, each, (sample as Record<string, unknown> | undefined)?.[key]);
  };
  for (const [subject, phrases] of Object.entries(phrasesFor(language)))
    add(subject, phrases, samples[subject as keyof typeof samples]);
  return found;
}

/** The names, codes and amounts that a phrase was given; a plain word in lower case only chooses a form. */
function textsIn(sample: unknown): string[] {
  if (typeof sample === 'string') return /^[a-z ]*$/.test(sample) ? [] : [sample];
  if (typeof sample !== 'object' || sample === null) return [];
  return Object.values(sample).flatMap(textsIn);
}

const sampleAt = (path: string): unknown =>
  path.split('.').reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], samples);

test('every phrase can be said in every language', () => {
  for (const language of languages)
    for (const [path, text] of said(language)) {
      assert.notEqual(text.trim(), '', `${language} ${path}`);
      assert.doesNotMatch(text, /undefined|\[object|NaN|=>/, `${language} ${path}: ${text}`);
    }
});

test('a phrase says the same names, codes and commands in every language', () => {
  const [english, ...others] = languages.map((language) => said(language));
  for (const other of others) {
    assert.deepEqual([...other.keys()], [...(english?.keys() ?? [])]);
    for (const [path, text] of english ?? []) {
      const translated = other.get(path) ?? '';
      for (const given of textsIn(sampleAt(path)))
        assert.equal(translated.includes(given), text.includes(given), `${path}: ${given} in ${translated}`);
      const commandsIn = (words: string): string[] =>
        [...words.matchAll(/`[/!]([a-z-]+)/g)].map(([, name = '']) => name).sort();
      assert.deepEqual(commandsIn(translated), commandsIn(text), path);
      for (const name of commandsIn(text))
        assert.ok((commandNames as string[]).includes(name), `${path}: ${name}`);
    }
  }
});

test('a phrase is at most two sentences of at most thirty words', () => {
  for (const language of languages)
    for (const [path, text] of said(language)) {
      const sentences = text.replace(/`[^`]*`/g, 'x').split(/(?<=[.!?])\s+(?=\p{Lu})/u);
      assert.ok(sentences.length <= 2, `${language} ${path} has ${sentences.length} sentences: ${text}`);
      for (const sentence of sentences)
        assert.ok(sentence.split(/\s+/).length <= 30, `${language} ${path} is long: ${sentence}`);
    }
});

test('a locale of a platform names a language, and one that the bot does not speak names none', () => {
  const of = {
    de: 'de',
    'de-AT': 'de',
    de_CH: 'de',
    'en-US': 'en',
    'en-GB': 'en',
    fr: undefined,
    '': undefined,
  };
  for (const [locale, language] of Object.entries(of)) assert.equal(languageOf(locale), language, locale);
  assert.equal(languageOf(undefined), undefined);
});

test('the language is the person’s where only they read it, else the config’s', () => {
  const dm = { kind: 'dm' } as const;
  const room = { kind: 'channel' } as const;
  assert.equal(chooseLanguage({ address: dm, locale: 'de-DE' }, 'en'), 'de');
  assert.equal(chooseLanguage({ address: dm, locale: 'fr' }, 'de'), 'de');
  assert.equal(chooseLanguage({ address: dm, locale: undefined }, 'en'), 'en');
  assert.equal(chooseLanguage({ address: room, locale: 'de' }, 'en'), 'en');
  assert.equal(chooseLanguage({ address: room, locale: 'de', isPrivate: true }, 'en'), 'de');
});
