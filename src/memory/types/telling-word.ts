// A word by which a text that repeats another one is known. A shape only.

export interface TellingWord {
  stem: string;
  /** In lower case and without diacritics, as it is written. */
  plain: string;
  /** True for a name, and for a word with a digit in it: hard to say in other words. */
  particular: boolean;
}
