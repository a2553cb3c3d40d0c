// Which language a text is in, and what that decides of its words: their stems, and which carry no meaning. Not English, see stem.ts.
import { stemmer as dutch } from '@orama/stemmers/dutch';
import { stemmer as french } from '@orama/stemmers/french';
import { stemmer as german } from '@orama/stemmers/german';
import { stemmer as italian } from '@orama/stemmers/italian';
import { stemmer as portuguese } from '@orama/stemmers/portuguese';
import { stemmer as russian } from '@orama/stemmers/russian';
import { stemmer as spanish } from '@orama/stemmers/spanish';
import { stemmer as swedish } from '@orama/stemmers/swedish';
import { stopwords as dutchStops } from '@orama/stopwords/dutch';
import { stopwords as frenchStops } from '@orama/stopwords/french';
import { stopwords as germanStops } from '@orama/stopwords/german';
import { stopwords as italianStops } from '@orama/stopwords/italian';
import { stopwords as japaneseStops } from '@orama/stopwords/japanese';
import { stopwords as chineseStops } from '@orama/stopwords/mandarin';
import { stopwords as portugueseStops } from '@orama/stopwords/portuguese';
import { stopwords as russianStops } from '@orama/stopwords/russian';
import { stopwords as spanishStops } from '@orama/stopwords/spanish';
import { stopwords as swedishStops } from '@orama/stopwords/swedish';
import { detect } from 'tinyld/light';
import { memoize } from '#base/caches/memoize.ts';
import { fold } from './fold.ts';
import { withIrregular } from './irregular-forms.ts';
import { stem as english } from './stem.ts';
import { stopWords as englishStops } from './word-classes.ts';

/** A language whose words are stemmed. Text of no other is English, which words of unknown languages do no harm in. */
export type StemmedLanguage = 'en' | 'de' | 'fr' | 'es' | 'pt' | 'it' | 'nl' | 'sv' | 'ru';

const stemmers: Readonly<Record<StemmedLanguage, (word: string) => string>> = {
  en: english,
  de: snowball('de', german),
  fr: snowball('fr', french),
  es: snowball('es', spanish),
  pt: snowball('pt', portuguese),
  it: snowball('it', italian),
  nl: snowball('nl', dutch),
  sv: snowball('sv', swedish),
  ru: snowball('ru', russian),
};

/** Words besides those of the lists: what people say to an assistant around a question. */
const spoken: Partial<Record<StemmedLanguage, string>> = {
  de: 'bitte danke hallo gern heisst heissen weisst erinnerst sag mag magst liebsten',
  fr: 'merci bonjour salut appelle quel quelle quels quelles rappelle dis',
  es: 'gracias hola llama cual cuales cuando donde recuerdas dime',
  pt: 'obrigado obrigada ola chama qual quais quando onde lembra',
  it: 'grazie ciao chiama quale quali quando dove ricordi dimmi',
  nl: 'bedankt hallo heet welke wanneer waar herinner',
  sv: 'tack hej heter vilken nar var minns',
  ru: 'это эта тебе также тот та то те эти этой этом этим чтобы который которая которое которые спасибо привет зовут какой какая какое какие когда где помнишь скажи мой моя мое мои моего моей моих моим моем мою твой твоя твое твои наш наша наше наши ваш ваша ваше ваши дела',
};

const stops: Readonly<Record<StemmedLanguage, ReadonlySet<string>>> = {
  en: englishStops,
  de: listed(germanStops, spoken.de),
  fr: listed(frenchStops, spoken.fr),
  // the list has words of meaning such as trabajo (work)
  es: listed(
    spanishStops.filter((word) => !/^(trabaj|emple|inform|bien$|buen|intent)/.test(word)),
    spoken.es,
  ),
  pt: listed(portugueseStops, spoken.pt),
  it: listed(italianStops, spoken.it),
  nl: listed(dutchStops, spoken.nl),
  sv: listed(swedishStops, spoken.sv),
  ru: listed(russianStops, spoken.ru),
};

const thaiStops =
  'ของ ฉัน ผม ดิฉัน เรา คุณ เขา เธอ มัน ที่ ที่สุด ใน บน จาก กับ และ หรือ แต่ คือ เป็น อยู่ มี ได้ ไม่ ให้ ว่า จะ ก็ แล้ว ตั้งแต่ นี้ นั้น อะไร ไหน ไหม ใคร ทำไม อย่างไร ยังไง เมื่อ เมื่อไร เมื่อไหร่ เท่าไร เท่าไหร่ กี่ ครับ ค่ะ คะ นะ สวัสดี ขอบคุณ สบาย ดี ชื่อ';

/** Of text without spaces; single characters are among them. */
const unspacedStops = new Set([
  ...japaneseStops,
  ...chineseStops,
  '我的',
  '你的',
  '我们',
  '什么',
  '多少',
  '吗',
  '呢',
  '何',
  '誰',
  'どこ',
  'いつ',
  'です',
  'ます',
  'ました',
  ...thaiStops.split(' '),
]);

export const stemmedLanguages = Object.keys(stemmers) as StemmedLanguage[];

/** The same function, which makes what it gives for a language once. */
export function forEachLanguage<T extends object>(
  make: (language: StemmedLanguage) => T,
): (language: StemmedLanguage) => T {
  // of two generations the younger one holds them all
  return memoize(2 * stemmedLanguages.length + 2, make);
}

/** Characters of a text that are looked at. */
const maxLooked = 400;

/** The language of a text, by its stop words, and by its letters where those leave it open. English when nothing else is found. */
export function textLanguage(text: string): StemmedLanguage {
  const start = text.slice(0, maxLooked);
  if (/\p{Script=Cyrillic}/u.test(start)) return 'ru';
  const words = start.toLowerCase().match(/\p{Script=Latin}[\p{L}\p{M}'’]*/gu) ?? [];
  if (words.length === 0) return 'en';
  const met = stemmedLanguages.map(() => 0);
  for (const word of words) for (const language of stopsOf(word)) met[language] = (met[language] ?? 0) + 1;
  const most = Math.max(...met);
  const best = stemmedLanguages.filter((_, index) => met[index] === most);
  const [first = 'en'] = best;
  return best.length === 1 ? first : guessed(start, best);
}

/** The languages, by their place, in which a word carries no meaning. */
const stopsOf = memoize(5_000, (word): readonly number[] => {
  const folded = fold(word);
  return stemmedLanguages.flatMap((language, place) => (stops[language].has(folded) ? [place] : []));
});

function guessed(text: string, among: readonly StemmedLanguage[]): StemmedLanguage {
  // of a few words it knows too little to overrule English, which most texts without stop words are
  const found = detect(text, { only: [...among] });
  return among.find((language) => language === found) ?? 'en';
}

/** The stem of a folded word in this language. */
export function stemIn(language: StemmedLanguage, word: string): string {
  return stemmers[language](word);
}

/** Whether a folded word carries no meaning in this language. */
export function isStop(language: StemmedLanguage, word: string): boolean {
  return stops[language].has(word) || unspacedStops.has(word);
}

/** Languages that write two words as one without a sign. */
export function joinsWords(language: StemmedLanguage | undefined): boolean {
  return language === 'de' || language === 'nl' || language === 'sv';
}

/** What a word is worth that another begins or ends with, where two are written as one, compared with the word itself. */
export const asPart = 0.8;
/** Letters of such a word, and letters that must be left of the other. */
export const minPart = 4;
const minRest = 3;

/** Whether a long word begins or ends with this one, as stems of a language that `joinsWords`; of a part of at least `minPart` letters. */
export function beginsOrEndsWith(word: string, part: string): boolean {
  return word.length >= part.length + minRest && (word.startsWith(part) || word.endsWith(part));
}

const vowel = /[aeiouy]/;
/** Letters of each part of a compound, and of a word that may be one. */
const [shortestPart, shortestCompound] = [4, 9];

/** What may be the last part of a compound: what follows a consonant and begins with one, both sides having a vowel. */
export function lastParts(word: string): string[] {
  if (word.length < shortestCompound || !/^[a-z]+$/.test(word)) return [];
  const found: string[] = [];
  for (let cut = shortestPart; cut <= word.length - shortestPart; cut += 1) {
    const [head, tail] = [word.slice(0, cut), word.slice(cut)];
    if (vowel.test(head) && /^[^aeiouy]{0,4}[aeiouy]/.test(tail) && /[^aeiouy]$|e$/.test(head))
      found.push(tail);
  }
  return found;
}

function snowball(language: StemmedLanguage, stemmer: (word: string) => string): (word: string) => string {
  const stemmed = withIrregular(language, stemmer);
  return memoize(20_000, (word) => (word.length < 3 || /\d/.test(word) ? word : stemmed(word)));
}

function listed(words: readonly string[], more = ''): ReadonlySet<string> {
  return new Set([...words, ...more.split(' ')].map((word) => fold(word.replace(/['’]$/, ''))));
}
