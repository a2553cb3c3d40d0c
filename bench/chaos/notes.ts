// What operators put into memory and forgot again, and what of it has to be there in the end. Pure: how it is asked is elsewhere.
import type { Random } from '../harness/random.ts';

/** A note with a word that exists nowhere else. A request that was not acknowledged may have taken effect or not. */
export interface Note {
  word: string;
  text: string;
  /** Known once its put was acknowledged with one. */
  id: string | undefined;
  put: 'asked' | 'acknowledged';
  forget: 'never asked' | 'asked' | 'acknowledged';
}

export interface Notes {
  all: readonly Note[];
  /** A note that is about to be put. */
  next(): Note;
  /** Any note that is certainly there and that nobody has asked to forget; undefined when there is none. */
  any(): Note | undefined;
  /** As a reader has to find them who begins now and ends when `of` is called. */
  seenFromNow(): { of(): { there: Note[]; gone: Note[] } };
}

const letters = 'abcdefghijklmnopqrstuvwxyz';
/** So many letters after the beginning make a word that no other text has. */
const rareLetters = 10;

export function createNotes(random: Random): Notes {
  const all: Note[] = [];
  const isThere = ({ put, forget }: Note): boolean => put === 'acknowledged' && forget === 'never asked';
  return {
    all,
    next() {
      const tail = Array.from({ length: rareLetters }, () => letters[random.int(0, 25)]).join('');
      const word = `quo${tail}`;
      const text = `The operators call box ${all.length + 1} the ${word} and open it on Sundays.`;
      const note: Note = { word, text, id: undefined, put: 'asked', forget: 'never asked' };
      all.push(note);
      return note;
    },
    any() {
      const there = all.filter(isThere);
      return there[random.int(0, there.length - 1)];
    },
    seenFromNow() {
      const there = all.filter(isThere);
      const gone = all.filter(({ forget }) => forget === 'acknowledged');
      return { of: () => ({ there: there.filter(isThere), gone }) };
    },
  };
}

/**
 * What is wrong in the end, one sentence for each note. `entries` says how many entries hold the word, `traced` are the words whose bytes
 * are in a file of the memory.
 */
export function faultsOf(
  notes: readonly Note[],
  { entries, traced }: { entries: (word: string) => number; traced: ReadonlySet<string> },
): string[] {
  const faults: string[] = [];
  for (const { word, put, forget } of notes) {
    const count = entries(word);
    if (count > 1) faults.push(`the note ${word} is there ${count} times`);
    if (put === 'acknowledged' && forget === 'never asked' && count === 0)
      faults.push(`the note ${word} was acknowledged and is not there`);
    if (forget === 'acknowledged' && count > 0) faults.push(`the note ${word} is there, though forgotten`);
    if (forget === 'acknowledged' && traced.has(word))
      faults.push(`the word ${word} is still in a file, though its note is forgotten`);
  }
  return faults;
}

/** The numbers of the last line. */
export function countsOf(notes: readonly Note[]): { put: number; forgotten: number; unknown: number } {
  const number = (of: (note: Note) => boolean): number => notes.filter(of).length;
  return {
    put: number(({ put }) => put === 'acknowledged'),
    forgotten: number(({ forget }) => forget === 'acknowledged'),
    unknown: number(({ put, forget }) => put === 'asked' || forget === 'asked'),
  };
}
