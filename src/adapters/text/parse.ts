// Markdown (CommonMark with GFM) to its syntax tree, in bounded time. Not rendering.
import type { Root } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';
import { cleanText } from './clean.ts';
import { plainTree, putProseBack, setProseAside } from './prose.ts';

// What the parser does is quadratic in the delimiters of one paragraph (10,000 times `]` take seven seconds) and in the
// nesting of containers, and deep nesting overflows its stack. The budgets keep every answer well under a second; a text
// beyond them is shown as it was written, as plain paragraphs.
const mostDelimiterPairs = 3_000_000;
const mostNesting = 32;
const mostNestingWork = 100_000;

const delimiters = /[*_~[\]]+|[<&`]/g;
const containers = /^(?:[ \t]*(?:>|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t])))+/;
const freshLine = /^[ \t]*(?:$|(?:[-*+>]|\d{1,9}[.)]|#{1,6})[ \t])/;
const fence = /^ {0,3}(?:(`{3,})([^`]*)|(~{3,})(.*))$/;
const htmlLine = /^ {0,3}<[a-z!?/]/im;
// Lines in a fence cost nothing, if it is one: behind HTML or inside a list the parser may see its end earlier.
const doubtfulShare = 0.1;

/** The tree of an answer; `source` is the text that its positions refer to. Never throws, linear time. */
export function parseMarkdown(markdown: string): { root: Root; source: string } {
  const clean = cleanText(markdown);
  const { rest, prose } = setProseAside(clean);
  const [only] = prose;
  if (only !== undefined && rest.length === 1)
    return { root: { type: 'root', children: only.paragraphs }, source: clean };
  const root = putProseBack(parseWhole(rest).root, prose);
  return root === undefined ? parseWhole(clean) : { root, source: rest };
}

/** The same by the parser alone, which prose costs a hundred times more. */
export function parseWhole(source: string): { root: Root; source: string } {
  if (!affordable(source)) return { root: plainTree(source), source };
  const root = fromMarkdown(source, {
    // one tilde is "about" in plain prose far more often than it strikes out
    extensions: [gfm({ singleTilde: false })],
    mdastExtensions: [gfmFromMarkdown()],
  });
  return { root, source };
}

/** False for what would cost the parser too much: estimated line by line, outside fences. */
function affordable(source: string): boolean {
  const html = htmlLine.test(source);
  let open: { mark: string; sure: boolean } | undefined;
  let run = 0;
  let pairs = 0;
  let nestingWork = 0;
  let before = '';
  let table = false;
  for (const line of source.split('\n')) {
    const [, ticks, ticksInfo, tildes, tildesInfo] = fence.exec(line) ?? [];
    const mark = ticks ?? tildes;
    if (mark !== undefined && open === undefined) open = { mark, sure: !html && line.startsWith(mark) };
    else if (mark?.startsWith(open?.mark ?? ' ') && (ticksInfo ?? tildesInfo)?.trim() === '')
      open = undefined;
    if (open?.sure === true) continue;
    table = isDelimiterRow(line, before) || (table && line.trim() !== '');
    if (table || freshLine.test(line)) run = 0;
    before = line;
    const here = line.match(delimiters)?.reduce((sum, one) => sum + weight(one), 0) ?? 0;
    pairs += (here * here + 2 * here * run) * (open === undefined ? 1 : doubtfulShare);
    run += here;
    if (pairs > mostDelimiterPairs) return false;
    if (open !== undefined) continue;
    const prefix = containers.exec(line)?.[0];
    if (prefix === undefined) continue;
    const depth = prefix.match(/[>\-*+.)]/g)?.length ?? 0;
    if (depth > mostNesting) return false;
    const level = depth + (prefix.search(/\S/) >> 1);
    nestingWork += level * level;
    if (nestingWork > mostNestingWork) return false;
  }
  return true;
}

/** True when a table begins here: its cells are parsed one by one, so their delimiters never meet. */
function isDelimiterRow(line: string, header: string): boolean {
  if (!/^\|(?:[ \t]*:?-+:?[ \t]*\|)+$/.test(line.trim())) return false;
  const pipes = (text: string): number => text.split('|').length;
  return /^\|[^\\`]*\|$/.test(header.trim()) && pipes(header) === pipes(line);
}

/** Runs of stars and the like count once (they are one delimiter), brackets one by one. */
function weight(delimiter: string): number {
  return delimiter.includes('[') || delimiter.includes(']') ? delimiter.length : 1;
}
