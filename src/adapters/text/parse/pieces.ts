// Markdown cut where a blank line ends everything before it, so that each piece can be parsed alone. Not a parser.

import { formulaEnd } from './maths.ts';

/** A piece of the text, with the blank lines behind it. */
export interface TextPiece {
  text: string;
  /** Where it begins in the text. */
  offset: number;
  /** Its first line opens a fence, and it holds nothing but this block of code. */
  isCode: boolean;
}

const blank = /^[ \t]*$/;
// What continues behind a blank line: an indented line belongs to what is above it, and an item to its list.
const item = /^ {0,3}(?:[-+*]|\d{1,9}[.)])(?:[ \t]|$)/;
// The number of an item and the sign behind it: any but 1 ends no paragraph, and is a line of it.
const numbered = /^[ \t]*(\d{1,9})([.)])[ \t]/;
const fence = /^((?:[ \t]*(?:[-+*]|\d{1,9}[.)])[ \t])*[ \t]*)(`{3,}|~{3,})(.*)$/;
// HTML that a blank line does not end: comments, instructions, declarations, and elements whose text is not markup.
const endlessHtml = /^[ \t>\-+*.)\d]*<(?:[!?]|(?:script|pre|style|textarea)(?:[\s>]|$))/i;
const html = /^[ \t>\-+*.)\d]*</;

interface Fence {
  mark: string;
  /** How far it is from the left edge, in characters. At the edge it is in nothing else. */
  indent: number;
}

/**
 * The pieces in order; together they are the text. Where a cut could be wrong (HTML that continues behind blank lines, a fence of which
 * it is unclear what contains it) the rest is one piece. Linear.
 */
export function piecesOf(source: string): TextPiece[] {
  const pieces: TextPiece[] = [];
  let from = 0;
  let open: Fence | undefined;
  let isGap = false;
  let hasItems = false;
  let hasHtml = false;
  let isText = false; // the line before may be one of a paragraph
  let inFormula = 0; // a blank line before this place ends nothing
  let list: string | undefined; // the sign of the numbered item that the line before begins
  const cut = (at: number, isCode = false): void => {
    if (at > from) pieces.push({ text: source.slice(from, at), offset: from, isCode });
    from = at;
    hasItems = false;
  };
  for (let at = 0; at < source.length; ) {
    const end = source.indexOf('\n', at);
    const next = end < 0 ? source.length : end + 1;
    const line = source.slice(at, end < 0 ? source.length : end);
    const isBlank = blank.test(line);
    const isInside = at < inFormula;
    if (!isInside && open === undefined) inFormula = formulaEnd(source, at, line) ?? 0;
    if (!isBlank && isGap && !isInside && startsAtEdge(line) && !(hasItems && item.test(line))) {
      if (open !== undefined && open.indent > 0) break;
      if (open === undefined) cut(at);
    }
    if (isBlank || isGap) hasHtml = false;
    const [, number, sign] = numbered.exec(line) ?? [];
    const endsText = !isText || at === from || number === undefined || Number(number) === 1;
    const isItem = endsText || (sign === list && startsAtEdge(line));
    list = isItem && startsAtEdge(line) ? sign : undefined;
    isGap = isBlank;
    if (open === undefined) {
      if (endlessHtml.test(line)) break;
      hasHtml ||= html.test(line);
      hasItems ||= item.test(line);
    }
    const after = afterLine(line, open);
    if (after === 'unclear' || (after !== open && (hasHtml || !isItem))) break;
    isText = !isBlank && after === open;
    if (after !== open && after?.indent === 0) cut(at);
    else if (after === undefined && open?.indent === 0) cut(next, true);
    open = after;
    at = next;
  }
  cut(source.length, open?.indent === 0);
  return pieces;
}

function startsAtEdge(line: string): boolean {
  return !line.startsWith(' ') && !line.startsWith('\t');
}

/** The fence that is open behind the line. */
function afterLine(line: string, open: Fence | undefined): Fence | undefined | 'unclear' {
  const [, before = '', mark, info = ''] = fence.exec(line) ?? [];
  if (mark === undefined) return open;
  if (open === undefined) {
    if (mark.startsWith('`') && info.includes('`')) return undefined;
    return { mark, indent: before.length };
  }
  const closes = mark.startsWith(open.mark) && blank.test(info);
  if (!closes) return open;
  if (open.indent === 0) return /^ {0,3}$/.test(before) ? undefined : open;
  // further left its item may have ended, and the fence with it: then this one begins another; further right it may be code
  return /^ *$/.test(before) && before.length === open.indent ? undefined : 'unclear';
}
