// What ranking looks at in a chunk, read once from its indexed words and kept while it is asked about. Never shown, never who may read it.
import type { FoundChunk } from '#memory/store/chunk-row.ts';
import { wordHash, wordHashSeed } from '#memory/store/word-table.ts';
import { kind, kindsOf } from './word-kinds.ts';

/** A chunk as the hashes of its words and the signs in it. */
export interface Passage {
  row: number;
  session: string;
  speaker: string;
  /** A turn of a dialogue is read with its neighbours; an exchange or a document stands alone. */
  isTurn: boolean;
  at: number;
  /** Its words in order, and where each of its lines ends among them. */
  words: Int32Array;
  lineEnds: Uint32Array;
  /** Whether the line at this place only asks. */
  lineAsks: readonly boolean[];
  about: Int32Array;
  /** The share of its sentences that only ask, and whether the last one does. */
  asks: number;
  endsAsking: boolean;
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

/** Reads the chunk's indexed words. */
export function passageOf(chunk: FoundChunk): Passage {
  const read = emptyLines();
  readLines(chunk.saidTerms, read);
  readLines(chunk.answeredTerms, read);
  const about = emptyLines();
  readLines(chunk.aboutTerms, about);
  const { lineAsks, kinds } = read;
  return {
    row: chunk.row,
    session: chunk.sessionID,
    speaker: chunk.speaker,
    isTurn: chunk.source === 'turn',
    at: chunk.at,
    words: Int32Array.from(read.words),
    lineEnds: Uint32Array.from(read.lineEnds),
    lineAsks,
    about: Int32Array.from(about.words),
    asks: lineAsks.length === 0 ? 0 : lineAsks.filter(Boolean).length / lineAsks.length,
    endsAsking: lineAsks.at(-1) === true,
    telling: eachOnce(read.telling),
    tellsTime: (kinds & kind.time) !== 0,
    tellsNumber: (kinds & kind.number) !== 0,
    tellsCause: (kinds & kind.cause) !== 0,
    tellsFeeling: (kinds & kind.feeling) !== 0,
    ...marksIn(chunk.content),
  };
}

interface Lines {
  words: number[];
  telling: number[];
  lineEnds: number[];
  lineAsks: boolean[];
  kinds: number;
}

function emptyLines(): Lines {
  return { words: [], telling: [], lineEnds: [], lineAsks: [], kinds: 0 };
}

const [lineEnd, space, questionMark, zero, nine] = [0x0a, 0x20, 0x3f, 0x30, 0x39];

/** Adds the words of indexed lines by their hashes; a lone `?` at the end of a line only says that it asks. */
function readLines(indexed: string, lines: Lines): void {
  const { words, telling, lineEnds, lineAsks } = lines;
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
    lineEnds.push(words.length);
    lineAsks.push(asks);
  }
}

function eachOnce(hashes: readonly number[]): Int32Array {
  const sorted = Int32Array.from(hashes).sort();
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
