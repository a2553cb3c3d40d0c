// Indexed words as small numbers, with the kinds that each belongs to. Numbers mean something only together with what was numbered.
import { stem } from '#memory/store/stem.ts';
import { weakStems } from '#memory/store/word-classes.ts';

export interface WordNumbers {
  /** The number of a word, given when it is new. */
  of(word: string): number;
  /** The number of a word that has one. */
  known(word: string): number | undefined;
  /** The kinds of the word with this number, a bit each. */
  kinds(number: number): number;
  readonly size: number;
}

const stems = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/).map(stem));

const timeWords = stems(`
yesterday today tonight tomorrow last next ago week weekend month year monday tuesday wednesday thursday friday saturday sunday january
february march april june july august september october november december recently since morning evening night day summer winter spring
fall autumn soon
`);
const numberWords = stems(
  'one two three four five six seven eight nine ten eleven twelve dozen couple few several once twice first second third half hundred thousand',
);
const causeWords = stems('because cause since so motivated inspired reason why wanted want helps');
const feelingWords = stems(
  'feel happy sad excited love proud amazing awesome grateful glad scared nervous stressed relaxed enjoy fun great thrilled inspired joy peace calm awe',
);
const functionWords = stems(`
a about after all also am an and any are as at be been because before but by can could did do does for from get had got has have he her here him
his how i if in into is it its just like me more my no not of on or our out really she so some that the their them then there these they this
to too up us was we were what when where which who why will with would you your
`);

const kind = { time: 1, number: 2, cause: 4, feeling: 8, empty: 16 } as const;

function kindsOf(word: string): number {
  return (
    (timeWords.has(word) ? kind.time : 0) |
    (numberWords.has(word) || /\d/.test(word) ? kind.number : 0) |
    (causeWords.has(word) ? kind.cause : 0) |
    (feelingWords.has(word) ? kind.feeling : 0) |
    (functionWords.has(word) || weakStems.has(word) ? kind.empty : 0)
  );
}

/** Numbers from 0, in the order in which words are met. */
export function createWordNumbers(): WordNumbers {
  const numbers = new Map<string, number>();
  let kinds = new Uint8Array(1024);
  return {
    of(word) {
      const known = numbers.get(word);
      if (known !== undefined) return known;
      const number = numbers.size;
      numbers.set(word, number);
      if (number >= kinds.length) {
        const wider = new Uint8Array(2 * kinds.length);
        wider.set(kinds);
        kinds = wider;
      }
      kinds[number] = kindsOf(word);
      return number;
    },
    known: (word) => numbers.get(word),
    kinds: (number) => kinds[number] ?? 0,
    get size() {
      return numbers.size;
    },
  };
}

/** Those of the words that carry meaning, ascending, each once; and what the words tell of. */
export function signsOfWords(words: readonly number[], numbers: WordNumbers) {
  let kinds = 0;
  const telling: number[] = [];
  for (const word of words) {
    const own = numbers.kinds(word);
    kinds |= own;
    if ((own & kind.empty) === 0) telling.push(word);
  }
  const sorted = Uint32Array.from(telling).sort();
  return {
    telling: sorted.filter((word, place) => word !== sorted[place - 1]),
    tells: {
      tellsTime: (kinds & kind.time) !== 0,
      tellsNumber: (kinds & kind.number) !== 0,
      tellsCause: (kinds & kind.cause) !== 0,
      tellsFeeling: (kinds & kind.feeling) !== 0,
    },
  };
}
