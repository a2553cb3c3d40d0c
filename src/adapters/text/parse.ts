// Markdown (CommonMark with GFM) to its syntax tree, in bounded time. Not rendering.
import type { Nodes, Root, RootContent } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';
import { cleanText } from './clean.ts';
import { definedIn, type Known, knowing } from './known-names.ts';
import { parseCost } from './parse-cost.ts';
import { type Piece, piecesOf } from './pieces.ts';
import { codeOf, proseOf, unparsed } from './prose.ts';

/**
 * What the parser may take for one answer, as `parseCost` estimates it: about 20,000 characters of an answer full of Markdown, prose and blocks of code aside. What is
 * beyond it is shown as it was written. `bench:text` holds every answer of 100,000 characters to 20 times the time of plain text.
 */
const mostCost = 32_000;
/** With less of it left nothing more is parsed: hardly anything costs less. */
const leastCost = 200;
/** Pieces are parsed together up to this cost: each call of the parser takes as much as 20 words. */
const costTogether = 2_000;

/** What makes a definition or a footnote: references to it can stand in other pieces. */
const definition = /^[ \t>\-*+.)\d]*\[(?:\\[\s\S]|[^[\]\\])*\]:/m;

type Planned =
  /** Prose and blocks of code need no parser. */
  | { how: 'ready'; children: RootContent[] }
  | { how: 'parse'; offset: number; text: string; cost: number }
  /** Beyond what the parser may take. */
  | { how: 'unparsed'; text: string };

/** The tree of an answer; `source` is the text that its positions refer to. Never throws, linear time. */
export function parseMarkdown(markdown: string): { root: Root; source: string } {
  const source = cleanText(markdown);
  const planned = plan(piecesOf(source));
  const known = knownNames(planned);
  const children: RootContent[] = [];
  for (const part of joined(planned)) {
    if (part.how === 'ready') addTo(children, part.children);
    else if (part.how === 'unparsed') addTo(children, unparsed(part.text));
    else addTo(children, parseAt(part, known));
  }
  return { root: { type: 'root', children }, source };
}

/** The same by the parser alone and in one piece, which prose costs a hundred times more; undefined if it would cost too much. */
export function parseWhole(source: string): { root: Root; source: string } | undefined {
  return parseCost(source, mostCost) > mostCost ? undefined : { root: parsed(source, undefined), source };
}

/** What becomes of each piece; what the parser is given costs no more than `mostCost`, from the beginning on. */
function plan(pieces: readonly Piece[]): Planned[] {
  let left = mostCost;
  return pieces.map((piece): Planned => {
    const { text, offset } = piece;
    const children = readyOf(piece);
    if (children !== undefined) return { how: 'ready', children };
    if (left < leastCost) return { how: 'unparsed', text };
    // those with definitions are parsed twice
    const times = definition.test(text) ? 2 : 1;
    const cost = parseCost(text, left / times) * times;
    if (cost > left) return { how: 'unparsed', text };
    left -= cost;
    return { how: 'parse', text, offset, cost };
  });
}

/** The blocks of a piece that needs no parser. */
function readyOf({ text, isCode }: Piece): RootContent[] | undefined {
  if (!isCode) return proseOf(text);
  const code = codeOf(text);
  return code && [code];
}

/** Neighbours that are to be parsed are one, as far as `costTogether` goes, and so are neighbours that are not. */
function joined(planned: readonly Planned[]): Planned[] {
  const parts: Planned[] = [];
  for (const part of planned) {
    const last = parts.at(-1);
    if (part.how === 'parse' && last?.how === 'parse' && last.cost + part.cost <= costTogether)
      parts[parts.length - 1] = { ...last, text: last.text + part.text, cost: last.cost + part.cost };
    else if (part.how === 'unparsed' && last?.how === 'unparsed')
      parts[parts.length - 1] = { ...last, text: last.text + part.text };
    else parts.push(part);
  }
  return parts;
}

/** What the pieces define for each other; undefined when there is at most one that is parsed. */
function knownNames(planned: readonly Planned[]): Known | undefined {
  const toParse = planned.flatMap((part) => (part.how === 'parse' ? [part.text] : []));
  if (toParse.length < 2) return undefined;
  const defining = toParse.filter((text) => definition.test(text));
  return defining.length === 0 ? undefined : definedIn(defining.map((text) => parsed(text, undefined)));
}

/** The blocks of a piece, with their places in the whole text. */
function parseAt(
  { text, offset }: { text: string; offset: number },
  known: Known | undefined,
): RootContent[] {
  const { children } = parsed(text, known);
  if (offset > 0) for (const node of children) move(node, offset);
  return children;
}

function parsed(text: string, known: Known | undefined): Root {
  return fromMarkdown(text, {
    // one tilde is "about" in plain prose far more often than it strikes out
    extensions: [gfm({ singleTilde: false }), ...(known === undefined ? [] : [knowing(known)])],
    mdastExtensions: [gfmFromMarkdown()],
  });
}

function move(node: Nodes, by: number): void {
  const { start, end } = node.position ?? {};
  if (start?.offset !== undefined) start.offset += by;
  if (end?.offset !== undefined) end.offset += by;
  if ('children' in node) for (const child of node.children) move(child, by);
}

/** Not by spreading: a call takes only so many arguments. */
function addTo(children: RootContent[], more: readonly RootContent[]): void {
  for (const node of more) children.push(node);
}
