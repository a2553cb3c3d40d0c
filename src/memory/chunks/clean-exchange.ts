// What of an exchange is new: without memory blocks, and without what the assistant only repeated from recalled memory. Not secrets.
import { memoize } from '#base/caches/memoize.ts';
import { removeMemoryBlocks } from '#memory/types/block.ts';
import type { Exchange } from '#memory/types/exchange.ts';
import { sentencesOf } from '#memory/words/sentences.ts';
import { stem } from '#memory/words/stem.ts';
import { plainWords } from '#memory/words/tokens.ts';
import { attributionWords, stopWords } from '#memory/words/word-classes.ts';

/** A sentence goes when this share of its three-word shingles is in one recalled passage. */
const shingleShare = 0.6;
/** Or when nearly all its telling words do, with this share of their neighbourhoods in the same order. */
const wordShare = 0.85;
const pairShare = 0.5;

/** The user's and the assistant's text as they are worth storing; either may be empty. */
export function cleanExchange(exchange: Pick<Exchange, 'userText' | 'assistantText' | 'recalled'>): {
  userText: string;
  assistantText: string;
} {
  return {
    userText: tidy(removeMemoryBlocks(exchange.userText)),
    assistantText: tidy(withoutRecalled(removeMemoryBlocks(exchange.assistantText), exchange.recalled)),
  };
}

/** Words in their order, between single spaces and with one at each end, so that a run of words is a substring. */
type Row = string;

interface Passage {
  words: Row;
  /** Those of them that mean something of their own; made when they are asked for. */
  telling(): Row;
}

function withoutRecalled(text: string, recalled: readonly string[]): string {
  const passages = recalled.map(knownPassageOf).filter((passage) => passage.words !== emptyRow);
  if (passages.length === 0) return text;
  const saved: string[] = [];
  let removedBefore = false;
  for (const line of text.split('\n')) {
    const sentences = sentencesOf(line).filter((sentence) => sentence.trim() !== '');
    const left = newSentences(line, sentences, passages);
    const removed = left.length < sentences.length;
    // the words that lead into a removed quotation, or name its source, go with it
    if (removed && left.length === 0) dropLeadIn(saved);
    if (removedBefore && !removed && isAttribution(line)) continue;
    if (sentences.length === 0 || left.length > 0) saved.push(left.join(''));
    if (sentences.length > 0) removedBefore = removed;
  }
  return saved.join('\n');
}

function newSentences(line: string, sentences: string[], passages: readonly Passage[]): string[] {
  if (isQuote(line) && [line, ...spansOf(line)].some((span) => repeats(span, passages))) return [];
  const left = sentences.filter((sentence) => !repeats(sentence, passages));
  if (left.length === sentences.length) return sentences;
  return left.filter((sentence) => !isAttribution(sentence));
}

/** The parts of a line between quotation marks. */
function spansOf(line: string): string[] {
  return [...line.matchAll(/["“„«]([^"“”„«»]+)["”“»]/g)].map(([, span = '']) => span);
}

function dropLeadIn(saved: string[]): void {
  let last = saved.length - 1;
  while (last >= 0 && saved[last]?.trim() === '') last -= 1;
  if (last >= 0 && /[:：]\W*$/u.test(saved[last] ?? '')) saved.length = last;
}

function isQuote(line: string): boolean {
  return /^\s*(?:[-*]\s+|\d+\.\s+)?>/.test(line) || /^\s*(?:[-*]\s+|\d+\.\s+)["“«]/.test(line);
}

/** A line of nothing but a source: `— you, discord dm, 2026-11-21`, `— beds, page wiki/garden/beds.md`. */
function isAttribution(line: string): boolean {
  const named = withoutSources(line).replace(/\S+\.md\b/g, ' ');
  return /^\s*>?\s*(?:[-–—(*_]|source\b|from\b)/i.test(line) && tellingAmong(plainWords(named)).length <= 3;
}

function repeats(sentence: string, passages: readonly Passage[]): boolean {
  const plain = plainWords(withoutSources(sentence));
  if (plain.length === 0) return false;
  const words = plain.map(normalWord);
  const shingles = shinglesOf(words);
  const telling = tellingAmong(plain);
  // a bare `No.` says something new next to a new question
  if (telling.length === 0 && words.length < 4) return false;
  const pairs = pairsOf(telling);
  return passages.some((passage) => {
    if (share(shingles, passage.words) >= shingleShare) return true;
    // all its telling words are among its words, which are there already
    if (telling.length < 2 || share(telling, passage.words) < wordShare) return false;
    return share(telling, passage.telling()) >= wordShare && share(pairs, passage.telling()) >= pairShare;
  });
}

/** What is recalled is recalled again soon: passages that were read last, at most 6 kB each, most of them far less. */
const knownPassageOf = memoize(1_000, passageOf);

function passageOf(text: string): Passage {
  const bare = withoutSources(text).replace(/^(?:.{1,80}? said|assistant answered):/gim, '');
  let telling: Row | undefined;
  return {
    words: rowOf(plainWords(bare).map(normalWord)),
    telling() {
      telling ??= rowOf(tellingAmong(plainWords(bare)));
      return telling;
    },
  };
}

const rowOf = (words: readonly string[]): Row => ` ${words.join(' ')} `;
const emptyRow = rowOf([]);

/** Dates, clock times and ids of a source are not part of what was written. */
function withoutSources(text: string): string {
  return text
    .replace(/\b\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?Z?)?/g, ' ')
    .replace(/\b(?:mem|run|ses|msg)_[0-9a-z]+\b/gi, ' ');
}

/** The word as in a text where `your bike is green` equals `my bike is green`. */
function normalWord(plain: string): string {
  return persons.get(plain) ?? stem(plain);
}

function tellingAmong(plain: readonly string[]): string[] {
  return plain
    .filter((word) => !stopWords.has(word) && !attributionWords.has(word) && !persons.has(word))
    .map(stem);
}

const persons = new Map(
  Object.entries({
    i: '@',
    you: '@',
    me: '@',
    my: '@s',
    your: '@s',
    our: '@s',
    mine: '@s',
    yours: '@s',
    am: 'is',
    are: 'is',
    im: '@',
    youre: '@',
  }),
);

function shinglesOf(words: readonly string[]): string[] {
  return grams(words, Math.min(3, words.length));
}

function pairsOf(words: readonly string[]): string[] {
  return words.length < 2 ? [...words] : grams(words, 2);
}

function grams(words: readonly string[], size: number): string[] {
  return words.slice(size - 1).map((_, start) => words.slice(start, start + size).join(' '));
}

/** How much of these runs of words is in the row. */
function share(runs: readonly string[], row: Row): number {
  return runs.length === 0 ? 0 : runs.filter((run) => row.includes(` ${run} `)).length / runs.length;
}

/** Without the blank lines and the loose marks that a removal leaves; empty when no word or symbol is left. */
function tidy(text: string): string {
  const trimmed = text.replace(/\n[ \t]*(?:\n[ \t]*)+/g, '\n\n').trim();
  return /[\p{L}\p{N}\p{S}\p{Emoji_Presentation}]/u.test(trimmed.replace(/[>`|~^=+<$]/g, '')) ? trimmed : '';
}
