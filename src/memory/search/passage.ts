// What ranking looks at in a chunk, read once from its indexed words and kept while it is asked about. Never shown, never who may read it.
import type { FoundChunk } from '#memory/store/chunk-row.ts';
import { signsOfWords, type WordNumbers } from './word-numbers.ts';

/** A chunk as the numbers of its words and the signs in it. */
export interface Passage {
  row: number;
  session: string;
  speaker: string;
  /** A turn of a dialogue is read with its neighbours; an exchange or a document stands alone. */
  isTurn: boolean;
  at: number;
  /** Its words in order, and where each of its lines ends among them. */
  words: Uint32Array;
  lineEnds: Uint32Array;
  /** Whether the line at this place only asks. */
  lineAsks: readonly boolean[];
  about: Uint32Array;
  /** The share of its sentences that only ask, and whether the last one does. */
  asks: number;
  endsAsking: boolean;
  /** Its words that carry meaning, ascending, each once. */
  telling: Uint32Array;
  /** Names and the like inside sentences. */
  names: number;
  quotes: boolean;
  tellsTime: boolean;
  tellsNumber: boolean;
  tellsCause: boolean;
  tellsFeeling: boolean;
  showsPicture: boolean;
}

/** Reads the chunk's indexed words. */
export function passageOf(chunk: FoundChunk, numbers: WordNumbers): Passage {
  const words: number[] = [];
  const lineEnds: number[] = [];
  const lineAsks: boolean[] = [];
  for (const indexed of [chunk.saidTerms, chunk.answeredTerms]) {
    for (const line of indexed === '' ? [] : indexed.split('\n')) {
      const asks = line === '?' || line.endsWith(' ?');
      for (const word of (asks ? line.slice(0, -2) : line).split(' '))
        if (word !== '') words.push(numbers.of(word));
      lineEnds.push(words.length);
      lineAsks.push(asks);
    }
  }
  const { telling, tells } = signsOfWords(words, numbers);
  return {
    row: chunk.row,
    session: chunk.sessionID,
    speaker: chunk.speaker,
    isTurn: chunk.source === 'turn',
    at: chunk.at,
    words: Uint32Array.from(words),
    lineEnds: Uint32Array.from(lineEnds),
    lineAsks,
    about: Uint32Array.from(chunk.aboutTerms.split(/\s+/), numbers.of),
    asks: lineAsks.length === 0 ? 0 : lineAsks.filter(Boolean).length / lineAsks.length,
    endsAsking: lineAsks.at(-1) === true,
    telling,
    names: namesIn(chunk.content),
    quotes: /["“]/.test(chunk.content),
    ...tells,
    showsPicture: /\n\s*\[/.test(chunk.content),
  };
}

const unusual = /[^\n\r\t -~]/;

/** How many words with a capital stand behind another word or a comma. */
function namesIn(text: string): number {
  if (unusual.test(text)) return text.match(/(?<=[\p{L}\p{N},;'] )\p{Lu}\p{L}+/gu)?.length ?? 0;
  return text.match(/(?<=[A-Za-z0-9,;'] )[A-Z][A-Za-z]+/g)?.length ?? 0;
}
