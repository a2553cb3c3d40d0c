// A leaf as lines of chat Markdown: quote marks, list indentation, headings, fences. The dialect decides what is escaped.
import { type BlockPosition, drawnQuote, type Leaf, type TextLeaf } from './layout/leaf.ts';
import type { Indents } from './layout/pack.ts';
import { type Dialect, markupOf } from './markup.ts';

interface Fences {
  /** Fences longer than this are not understood: a run of backticks inside is then broken up instead. */
  longest: number;
  /** Whether fences stand under the text of their list item; otherwise at the left edge. */
  indented: 'indented' | 'left';
}

export interface MarkdownStyle {
  dialect: Dialect;
  fences: Fences;
}

// Between two backticks of a run that no fence can be longer than: invisible, and only there.
const breaker = '\u200b';

/** A leaf as Markdown of the platform's dialect, `indent` columns left of its marker. */
export function markdownLeaf(leaf: Leaf, indent: number, { dialect, fences }: MarkdownStyle): string {
  if (leaf.type === 'code') {
    const edge = leaf.place.quoteDepth > 0 ? '> ' : '';
    // the list of a drawn quote is behind its bars and is none to a reader, who would take an indented fence for text
    const inList = fences.indented === 'indented' && !leaf.edge && leaf.place.quoteDepth <= 1;
    const before = edge + (inList ? ' '.repeat(indent) : '');
    const block = fenced(leaf.language, [...leaf.header, ...leaf.lines].join('\n'), { dialect, fences });
    return before === '' ? block : block.replace(/^/gm, before);
  }
  const quote = quoteMark(leaf.place);
  const heading = isHeading(leaf, indent);
  const bold = leaf.heading > 0 && !heading;
  const runs =
    leaf.heading === 0
      ? leaf.runs
      : leaf.runs.map((run) => ({
          ...run,
          text: run.text.replace(/\s+/g, ' '),
          styles: bold ? run.styles | 1 : run.styles,
        }));
  const hang = ' '.repeat(indent + leaf.place.marker.length);
  const first = ' '.repeat(indent) + leaf.place.marker + (heading ? `${'#'.repeat(leaf.heading)} ` : '');
  // blank lines inside a leaf (only broken ones made of breaks) would end the paragraph
  const lines = markupOf(runs, dialect)
    .split('\n')
    .filter((line) => line !== '');
  // a `#` at its end would close the heading and vanish
  if (heading && lines[0] !== undefined) lines[0] = lines[0].replace(/(?<=^|\s)#+$/, '\\$&');
  if (lines.length === 0) return quote + first.trimEnd();
  return lines.map((line, index) => quote + (index === 0 ? first : hang) + line).join('\n');
}

/** The separator between two leaves: a newline, a blank line, or a blank line inside the quote that they share. */
export function markdownJoin(before: Leaf, leaf: Leaf, indents: Indents): string {
  if (leaf.place.tight && !wouldContinue(before, leaf, indents)) return '\n';
  const shared = before.place.quoteID === leaf.place.quoteID && leaf.place.quoteID !== 0;
  return shared ? '\n> \n' : '\n\n';
}

/**
 * Whether a numbered item right under the words before it would be read as more of them: only a 1 with words begins a list
 * there. The same holds where the words continue an item whose number is in an earlier part.
 */
function wouldContinue(before: Leaf, leaf: Leaf, indents: Indents): boolean {
  if (before.type !== 'text' || leaf.type !== 'text' || isHeading(before, indents.before)) return false;
  const column = indents.before + before.place.marker.length;
  const begins = /^1[.)] /.test(leaf.place.marker) && leaf.runs.length > 0;
  return indents.leaf === column && /^\d/.test(leaf.place.marker) && !begins;
}

/** Headings that a chat client draws as such; the others are bold lines. */
function isHeading({ heading, place }: TextLeaf, indent: number): boolean {
  return heading > 0 && heading <= 3 && place.quoteDepth === 0 && indent === 0 && place.marker === '';
}

function quoteMark({ quoteDepth }: BlockPosition): string {
  // clients do not nest quotes: deeper ones are drawn
  return quoteDepth === 0 ? '' : `> ${drawnQuote.repeat(quoteDepth - 1)}`;
}

function fenced(language: string, text: string, { dialect, fences }: MarkdownStyle): string {
  const body = dialect.code(text);
  const longest = Math.max(2, longestTicks(body));
  const isShort = longest >= fences.longest;
  const fence = '`'.repeat(isShort ? Math.max(3, fences.longest) : longest + 1);
  const safe = isShort ? broken(body, fence.length - 1) : body;
  return `${fence}${language}\n${safe}\n${fence}`;
}

/** The text without a run of more than `most` backticks. */
function broken(text: string, most: number): string {
  return text.replace(new RegExp(`\`{${most}}(?=\`)`, 'g'), `$&${breaker}`);
}

function longestTicks(text: string): number {
  let longest = 0;
  for (let from = text.indexOf('`'); from >= 0; ) {
    let end = from + 1;
    while (text.charCodeAt(end) === 0x60) end += 1;
    longest = Math.max(longest, end - from);
    from = text.indexOf('`', end);
  }
  return longest;
}
