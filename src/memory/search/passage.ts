// What ranking looks at in a chunk, read once from its indexed words and kept while it is asked about. Never shown, never who may read it.
import type { FoundChunk } from '#memory/store/chunk-row.ts';
import { stem } from '#memory/store/stem.ts';
import { weakStems } from '#memory/store/word-classes.ts';

/** A chunk as its words and the signs in it. */
export interface Passage {
  row: number;
  session: string;
  speaker: string;
  /** A turn of a dialogue is read with its neighbours; an exchange or a document stands alone. */
  isTurn: boolean;
  at: number;
  ordinal: number;
  counts: ReadonlyMap<string, number>;
  length: number;
  order: readonly string[];
  lines: readonly { words: ReadonlySet<string>; asks: boolean }[];
  about: ReadonlySet<string>;
  /** The share of its sentences that only ask, and whether the last one does. */
  asks: number;
  endsAsking: boolean;
  /** Its words that carry meaning. */
  telling: ReadonlySet<string>;
  /** Names and the like inside sentences. */
  names: number;
  quotes: boolean;
  tellsTime: boolean;
  tellsNumber: boolean;
  tellsCause: boolean;
  tellsFeeling: boolean;
  showsPicture: boolean;
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
a about after all also am an and any are as at be because been before but by can did do does for from get got had has have he her here him
his how i if in into is it its just like me more my no not of on or our out really she so some that the their them then there these they
this to too up us was we were what when where which who why will with would you your
`);

/** Reads the chunk's indexed words. */
export function passageOf(chunk: FoundChunk): Passage {
  const lines = [...linesOf(chunk.saidTerms), ...linesOf(chunk.answeredTerms)];
  const order = lines.flatMap((line) => line.order);
  const counts = new Map<string, number>();
  for (const word of order) counts.set(word, (counts.get(word) ?? 0) + 1);
  const words = [...counts.keys()];
  const has = (list: ReadonlySet<string>): boolean => words.some((word) => list.has(word));
  return {
    row: chunk.row,
    session: chunk.sessionID,
    speaker: chunk.speaker,
    isTurn: chunk.source === 'turn',
    at: chunk.at,
    ordinal: chunk.ordinal,
    counts,
    length: order.length,
    order,
    lines,
    about: new Set(chunk.aboutTerms.split(/\s+/)),
    asks: lines.length === 0 ? 0 : lines.filter((line) => line.asks).length / lines.length,
    endsAsking: lines.at(-1)?.asks === true,
    telling: new Set(words.filter((word) => !functionWords.has(word) && !weakStems.has(word))),
    names: chunk.content.match(/(?<=[\p{L}\p{N},;'] )\p{Lu}\p{L}+/gu)?.length ?? 0,
    quotes: /["“]/.test(chunk.content),
    tellsTime: has(timeWords),
    tellsNumber: has(numberWords) || words.some((word) => /\d/.test(word)),
    tellsCause: has(causeWords),
    tellsFeeling: has(feelingWords),
    showsPicture: /\n\s*\[/.test(chunk.content),
  };
}

function linesOf(indexed: string): { order: string[]; words: ReadonlySet<string>; asks: boolean }[] {
  if (indexed === '') return [];
  return indexed.split('\n').map((line) => {
    const order = line.split(' ');
    const asks = order.at(-1) === '?';
    if (asks) order.pop();
    return { order, words: new Set(order), asks };
  });
}
