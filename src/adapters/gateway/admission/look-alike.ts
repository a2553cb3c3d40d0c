// Whether two names look alike to a reader: letters of other scripts, marks, invisible characters. Pure; a name never decides who someone is.

import type { Person } from '#adapters/gateway/ledger/people/persons.ts';
import { isUnnamed } from '#adapters/gateway/terms/access-types.ts';

/** Letters and digits that look like Latin ones in common fonts, once case and marks are removed. Part of Unicode's confusables.txt. */
const lookAlikes: readonly [latin: string, others: string][] = [
  ['a', 'аαɑ'],
  ['b', 'вβ'],
  ['c', 'сϲ'],
  ['d', 'ԁđ'],
  ['e', 'еєε3з'],
  ['g', 'ɡ'],
  ['h', 'һнη'],
  ['j', 'јϳ'],
  ['k', 'кκ'],
  ['l', 'iі1|ıιӏł'],
  ['m', 'м'],
  ['n', 'п'],
  ['o', 'оοσ0ø'],
  ['p', 'рρ'],
  ['q', 'ԛ'],
  ['r', 'г'],
  ['s', 'ѕ5'],
  ['t', 'тτ'],
  ['u', 'υμ'],
  ['v', 'ѵν'],
  ['w', 'ԝω'],
  ['x', 'хχ'],
  ['y', 'уγ'],
];
const latinOf = (letter: string): string =>
  lookAlikes.find(([, others]) => others.includes(letter))?.[0] ?? letter;

/** What is left of a name without all that the eye does not distinguish. */
function skeletonOf(name: string): string {
  const plain = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}|]/gu, '');
  return Array.from(plain, latinOf).join('').replaceAll('rn', 'm').replaceAll('vv', 'w');
}

/** Whether a person could take the one name for the other; equal names look alike. */
export function looksLike(one: string, other: string): boolean {
  if (one === other) return true;
  const skeleton = skeletonOf(one);
  return skeleton !== '' && skeleton === skeletonOf(other);
}

/** The persons with a name, other than `key`, whose name, or the name that one of their accounts is shown with, looks like this one. */
export function takenFor(shown: string, key: string | undefined, persons: readonly Person[]): string[] {
  return persons
    .filter((person) => person.name !== key && !isUnnamed(person.name))
    .filter(({ name, accounts }) =>
      [name, ...accounts.map(({ shownAs }) => shownAs)].some((each) => looksLike(each, shown)),
    )
    .map(({ name }) => name);
}
