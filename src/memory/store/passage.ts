// What ranking looks at in a chunk: read from its indexed words when it is written, kept beside them. Never shown, never who may read it.
import { remembered } from '#base/remembered.ts';
import type { ChunkRow } from './chunk-row.ts';
import { kind, kindsOf } from './word-kinds.ts';
import { wordHash, wordHashSeed } from './word-table.ts';

/** A chunk's words by their hashes, and the signs in it. */
export interface PassageWords {
  /** Its words in order. */
  words: Int32Array;
  /** Where each of its lines ends among them, doubled, and one more when the line only asks. */
  lines: Int32Array;
  about: Int32Array;
  /** Its words that carry meaning, ascending, each once. */
  telling: Int32Array;
  /** Names and the like inside sentences. */
  names: number;
  quotes: boolean;
  tellsTime: boolean;
  tellsNumber: boolean;
  tellsCause: boolean;
  tellsFeeling: boolean;
  showsPicture: boolean;
}

/** A chunk as ranking sees it. */
export interface Passage extends PassageWords {
  row: number;
  session: string;
  speaker: string;
  /** A turn of a dialogue is read with its neighbours; an exchange or a document stands alone. */
  isTurn: boolean;
  at: number;
  /** The share of its sentences that only ask, and whether the last one does. */
  asks: number;
  endsAsking: boolean;
}

type Texts = Pick<ChunkRow, 'content' | 'said_terms' | 'answered_terms' | 'about_terms'>;

/** Reads what was indexed of a chunk. */
export function passageWordsOf(texts: Texts): PassageWords {
  const read = emptyLines();
  readLines(texts.said_terms, read);
  readLines(texts.answered_terms, read);
  const { kinds } = read;
  const { names, quotes, showsPicture } = marksIn(texts.content);
  return {
    words: new Int32Array(read.words),
    lines: new Int32Array(read.lines),
    about: aboutWords(texts.about_terms),
    telling: eachOnce(read.telling),
    names,
    quotes,
    tellsTime: (kinds & kind.time) !== 0,
    tellsNumber: (kinds & kind.number) !== 0,
    tellsCause: (kinds & kind.cause) !== 0,
    tellsFeeling: (kinds & kind.feeling) !== 0,
    showsPicture,
  };
}

/** The words of indexed lines and where those end, as in `PassageWords`. */
export function wordsInLines(indexed: string): Pick<PassageWords, 'words' | 'lines'> {
  const read = emptyLines();
  readLines(indexed, read);
  return { words: new Int32Array(read.words), lines: new Int32Array(read.lines) };
}

/** The words that a chunk is found by besides its own. Chunks of one speaker and day share theirs; nobody writes to them. */
export const aboutWords = remembered(500, (indexed) => wordsInLines(indexed).words);

/** The passage of a chunk with these words. */
export function passageOf(
  of: Pick<Passage, 'row' | 'session' | 'speaker' | 'isTurn' | 'at'>,
  read: PassageWords,
): Passage {
  const { lines } = read;
  let asking = 0;
  for (const line of lines) asking += line & 1;
  return {
    row: of.row,
    session: of.session,
    speaker: of.speaker,
    isTurn: of.isTurn,
    at: of.at,
    words: read.words,
    lines,
    about: read.about,
    asks: lines.length === 0 ? 0 : asking / lines.length,
    endsAsking: ((lines.at(-1) ?? 0) & 1) === 1,
    telling: read.telling,
    names: read.names,
    quotes: read.quotes,
    tellsTime: read.tellsTime,
    tellsNumber: read.tellsNumber,
    tellsCause: read.tellsCause,
    tellsFeeling: read.tellsFeeling,
    showsPicture: read.showsPicture,
  };
}

interface Lines {
  words: number[];
  telling: number[];
  lines: number[];
  kinds: number;
}

function emptyLines(): Lines {
  return { words: [], telling: [], lines: [], kinds: 0 };
}

const [lineEnd, space, questionMark, zero, nine] = [0x0a, 0x20, 0x3f, 0x30, 0x39];

/** Adds the words of indexed lines by their hashes; a lone `?` at the end of a line only says that it asks. */
function readLines(indexed: string, lines: Lines): void {
  const { words, telling } = lines;
  for (let at = 0; at < indexed.length; at += 1) {
    let asks = false;
    for (let unit = indexed.charCodeAt(at); at < indexed.length && unit !== lineEnd; ) {
      const from = at;
      let [hash, kinds] = [wordHashSeed, 0];
      for (; at < indexed.length; at += 1) {
        unit = indexed.charCodeAt(at);
        if (unit === space || unit === lineEnd) break;
        if (unit >= zero && unit <= nine) kinds = kind.number;
        hash = wordHash(hash, unit);
      }
      asks = at - from === 1 && indexed.charCodeAt(from) === questionMark;
      if (at > from && !asks) {
        words.push(hash);
        kinds |= kindsOf(hash);
        if ((kinds & kind.empty) === 0) telling.push(hash);
        lines.kinds |= kinds;
      }
      if (unit === space) at += 1;
    }
    lines.lines.push(2 * words.length + (asks ? 1 : 0));
  }
}

function eachOnce(hashes: readonly number[]): Int32Array {
  const sorted = new Int32Array(hashes).sort();
  let count = 0;
  for (let at = 0; at < sorted.length; at += 1) {
    if (at > 0 && sorted[at] === sorted[at - 1]) continue;
    sorted[count] = sorted[at] ?? 0;
    count += 1;
  }
  return sorted.slice(0, count);
}

const unusual = /[^\n\r\t -~]/;

/** What the text shows besides its words: how many have a capital behind another word or a comma, quotation marks, a picture's caption. */
function marksIn(text: string): Pick<Passage, 'names' | 'quotes' | 'showsPicture'> {
  if (unusual.test(text)) {
    return {
      names: text.match(/(?<=[\p{L}\p{N},;'] )\p{Lu}\p{L}+/gu)?.length ?? 0,
      quotes: /["“]/.test(text),
      showsPicture: /\n\s*\[/.test(text),
    };
  }
  return {
    names: text.match(/(?<=[A-Za-z0-9,;'] )[A-Z][A-Za-z]+/g)?.length ?? 0,
    quotes: text.includes('"'),
    showsPicture: text.includes('[') && /\n\s*\[/.test(text),
  };
}
