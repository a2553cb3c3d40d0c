// What kind of word an indexed word is. English; words of other languages have no kind, which no ranking holds against them.
import { stem } from './stem.ts';
import { weakStems } from './word-classes.ts';

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

/** Bits for what a word conveys; `empty` words carry no meaning. */
export const kind = { time: 1, number: 2, cause: 4, feeling: 8, empty: 16 } as const;

const kinds = new Map<string, number>();
const note = (words: ReadonlySet<string>, bit: number): void => {
  for (const word of words) kinds.set(word, (kinds.get(word) ?? 0) | bit);
};
note(timeWords, kind.time);
note(numberWords, kind.number);
note(causeWords, kind.cause);
note(feelingWords, kind.feeling);
note(functionWords, kind.empty);
note(weakStems, kind.empty);

/** The kinds of the word, a bit each. */
export function kindsOf(word: string): number {
  const opensWithDigit = word.charCodeAt(0) <= 0x39;
  return (kinds.get(word) ?? 0) | (opensWithDigit ? kind.number : 0);
}
