// What the Markdown parser takes for a text, estimated from its lines. Not a measurement.
import { countOf, createMarkCost } from './mark-cost.ts';

/**
 * What one of each takes, in microseconds on the machine that this was measured on (`bench:text` holds the whole against plain text).
 * They are rather too high: what is measured must stay below the estimate.
 */
const costs = {
  character: 0.1,
  /** A letter behind anything else: an address could begin there. */
  word: 1.2,
  line: 12,
  paragraph: 60,
  /** A bar can end a cell. */
  bar: 25,
  /** A line behind a line with a bar can be a row. */
  row: 25,
  container: 60,
  heading: 50,
  /** By the square of its depth. */
  nesting: 0.5,
  /** A line in a container that has no mark of it, with each line above it. */
  pairOfLazyLines: 0.25,
};

/** Deeper nesting overflows the parser's stack. */
const maxNesting = 32;

const containers = /^(?:[ \t]*(?:>|[-*+](?=[ \t]|$)|\d{1,9}[.)](?=[ \t]|$)|\[\^[^\]\s]{1,999}\]:))+/;
const freshLine = /^[ \t]*(?:$|\||(?:[-*+>]|\d{1,9}[.)]|#{1,6})[ \t])/;
const heading = /^[ \t>]*(?:#{1,6}(?:[ \t]|$)|=+[ \t]*$|-+[ \t]*$)/;

/**
 * Estimates the parser's time for a text in microseconds; infinite when the parser cannot handle it. Linear; stops reading when the cost
 * exceeds `most`.
 */
export function parseCost(text: string, most: number): number {
  let cost = text.length * costs.character;
  if (cost > most) return cost;
  const marks = createMarkCost();
  let inContainer = 0;
  let isTable = false;
  let wasBlank = true;
  let left = text.length;
  for (const line of text.split('\n')) {
    const isBlank = line.trim() === '';
    cost += costs.line + wordsIn(line) * costs.word + (wasBlank && !isBlank ? costs.paragraph : 0);
    wasBlank = isBlank;
    if (freshLine.test(line)) marks.begin();
    cost += marks.line(line, left);
    left -= line.length + 1;
    const bars = countOf(line, '|');
    isTable = !isBlank && (isTable || bars > 0);
    if (isTable) cost += costs.row + bars * costs.bar;
    if (heading.test(line)) cost += costs.heading;
    const prefix = containers.exec(line)?.[0];
    if (prefix !== undefined) {
      const depth = depthOf(prefix);
      if (depth > maxNesting) return Number.POSITIVE_INFINITY;
      const level = depth + (prefix.search(/\S/) >> 1);
      cost += depth * costs.container + level * level * costs.nesting;
      inContainer += 1;
    } else if (isBlank) inContainer = 0;
    else if (inContainer > 0) cost += inContainer++ * costs.pairOfLazyLines;
    if (cost > most) return cost;
  }
  return cost;
}

/** ASCII letters behind anything else, by code unit: half of all characters are looked at here. */
function wordsIn(line: string): number {
  let words = 0;
  let inWord = false;
  for (let i = 0; i < line.length; i += 1) {
    const lower = line.charCodeAt(i) | 32;
    const isLetter = lower >= 97 && lower <= 122;
    if (isLetter && !inWord) words += 1;
    inWord = isLetter;
  }
  return words;
}

function depthOf(prefix: string): number {
  let depth = 0;
  for (const sign of prefix.replace(/\[\^.*?\]:/g, '>')) if ('>-*+.)'.includes(sign)) depth += 1;
  return depth;
}
