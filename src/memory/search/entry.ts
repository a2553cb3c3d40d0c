// A stored piece as ranking reads it: its words line by line, who said them, and marks that a question may ask for.
import type { FoundChunk } from '#memory/chunks/chunk-row.ts';
import { parsePassage } from '#memory/types/block.ts';
import { isNonAnswer, sentencesOf } from '#memory/words/sentences.ts';
import { kind, kindsOf } from '#memory/words/word-kinds.ts';

/** A sentence. */
export interface Line {
  words: readonly string[];
  /** It states nothing: it asks, or it is an answer that admits to know nothing. */
  asks: boolean;
  /** The assistant's, not the person's. */
  isAnswer: boolean;
}

/** A chunk with its words. */
export interface SearchEntry {
  chunk: FoundChunk;
  lines: readonly Line[];
  /** How many words it has, and how many of them are the assistant's. */
  length: number;
  answerLength: number;
  /** Words to find it by that are not in its text. */
  about: ReadonlySet<string>;
  /** The share of its lines that state nothing. */
  asks: number;
  endsAsking: boolean;
  /** The person's own words end with a question. */
  opensAsking: boolean;
  /** All it does is ask, and nobody answered. */
  onlyAsks: boolean;
  /** Distinct words that carry a meaning of their own. */
  telling: number;
  /** What kinds of words it has; bits of `kind`. */
  kinds: number;
}

/** Reads the indexed words of chunks; those of one speaker and day share what they are about. */
export function createReadEntry(): (chunk: FoundChunk) => SearchEntry {
  const abouts = new Map<string, ReadonlySet<string>>();
  return (chunk) => {
    const said = linesOf(chunk.saidTerms, false);
    const answered = linesOf(chunk.answeredTerms, true);
    const lines = [...said, ...answered];
    let [asking, kinds] = [0, 0];
    const telling = new Set<string>();
    for (const line of lines) {
      if (line.asks) asking += 1;
      // by its place: an iterator makes an object for each of some ten thousand words
      for (let at = 0; at < line.words.length; at += 1) {
        const word = line.words[at] ?? '';
        const of = kindsOf(word);
        kinds |= of;
        if ((of & kind.empty) === 0) telling.add(word);
      }
    }
    const about = abouts.get(chunk.aboutTerms) ?? new Set(chunk.aboutTerms.split(/\s+/));
    abouts.set(chunk.aboutTerms, about);
    const answerLength = lengthOf(answered);
    const refused = said.every((line) => line.asks) && answered[0]?.asks === true && isRefused(chunk);
    return {
      chunk,
      lines,
      length: lengthOf(said) + answerLength,
      answerLength,
      about,
      asks: lines.length === 0 ? 0 : asking / lines.length,
      endsAsking: lines.at(-1)?.asks === true,
      opensAsking: said.at(-1)?.asks === true,
      onlyAsks: refused || (lines.length > 0 && asking === lines.length),
      telling: telling.size,
      kinds,
    };
  };
}

/** A lone `?` at the end of an indexed line says that it states nothing. */
function linesOf(indexed: string, isAnswer: boolean): Line[] {
  if (indexed === '') return [];
  return indexed.split('\n').map((line) => {
    const asks = line === '?' || line.endsWith(' ?');
    const said = asks ? line.slice(0, -2) : line;
    return { words: said === '' ? [] : said.split(' '), asks, isAnswer };
  });
}

/** True when the answer begins by admitting to know nothing, whatever it says then. */
function isRefused({ content }: FoundChunk): boolean {
  const [first = ''] = sentencesOf(parsePassage(content).answered);
  return isNonAnswer(first);
}

function lengthOf(lines: readonly Line[]): number {
  return lines.reduce((sum, { words }) => sum + words.length, 0);
}

/** Names and the like inside sentences: capitals behind another word or a comma. */
export function namesIn({ chunk }: SearchEntry): number {
  return chunk.content.match(/(?<=[\p{L}\p{N},;'] )\p{Lu}\p{L}+/gu)?.length ?? 0;
}

/** True when something is quoted in it. */
export function quotes({ chunk }: SearchEntry): boolean {
  return /["“„«「『]/u.test(chunk.content);
}
