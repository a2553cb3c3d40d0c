// Markdown (CommonMark with GFM) to its syntax tree, in bounded time. Not rendering.
import type { Nodes, Root, RootContent } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';
import { cleanText } from './clean.ts';
import { definedIn, type KnownNames, knowing } from './known-names.ts';
import { parseAround } from './maths.ts';
import { parseCost } from './parse-cost.ts';
import { piecesOf, type TextPiece } from './pieces.ts';
import { codeBlockOf, proseOf, unparsed } from './prose.ts';

/**
 * What the parser may take for one answer, as `parseCost` estimates it: about 20,000 characters of an answer full of Markdown, prose and blocks of code aside. What is
 * beyond it is shown as it was written. `bench:text` holds every answer of 100,000 characters to 20 times the time of plain text.
 */
const maxCost = 28_000;
/** With less of it left nothing more is parsed: hardly anything costs less. */
const minCost = 200;
/** Pieces are parsed together up to this cost … */
const costTogether = 2_000;
/** … since each call of the parser costs so much … */
const callCost = 150;
/** … and so much prose between them goes along: to parse it costs less than another call. In characters. */
const proseTogether = 300;

/** What makes a definition or a footnote: references to it can stand in other pieces. */
const definition = /^[ \t>\-*+.)\d]*\[(?:\\[\s\S]|[^[\]\\])*\]:/m;

type Planned =
  /** Prose and blocks of code need no parser. */
  | { how: 'ready'; text: string; children: RootContent[] }
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

/** What happens to each piece; what the parser is given costs no more than `maxCost`, from the beginning on. */
function plan(pieces: readonly TextPiece[]): Planned[] {
  let left = maxCost;
  let before: Planned['how'] = 'ready';
  return pieces.map((piece): Planned => {
    const planned = planOf(piece, {
      left,
      call: before === 'parse' ? 0 : callCost,
      isOnly: pieces.length === 1,
    });
    if (planned.how === 'parse') left -= planned.cost;
    before = planned.how;
    return planned;
  });
}

function planOf(
  piece: TextPiece,
  { left, call, isOnly }: { left: number; call: number; isOnly: boolean },
): Planned {
  const { text, offset } = piece;
  const children = readyOf(piece);
  if (children !== undefined) return { how: 'ready', text, children };
  if (left < minCost) return { how: 'unparsed', text };
  // those with definitions are parsed twice, where others could name them
  const times = !isOnly && definition.test(text) ? 2 : 1;
  const cost = (parseCost(text, left / times) + call) * times;
  return cost > left ? { how: 'unparsed', text } : { how: 'parse', text, offset, cost };
}

/** The blocks of a piece that needs no parser. */
function readyOf({ text, isCode }: TextPiece): RootContent[] | undefined {
  if (!isCode) return proseOf(text);
  const code = codeBlockOf(text);
  return code && [code];
}

/** Pieces that are to be parsed become one with those before, as far as `costTogether` goes, and neighbours that are not to be as well. */
function joined(planned: readonly Planned[]): Planned[] {
  const parts: Planned[] = [];
  for (const part of planned) {
    const at = part.how === 'unparsed' ? parts.length - 1 : lastParsed(parts);
    const last = parts[at];
    if (part.how === 'parse' && last?.how === 'parse' && last.cost + part.cost <= costTogether) {
      const text = [...parts.slice(at), part].map((one) => one.text).join('');
      parts.splice(at, parts.length, { ...last, text, cost: last.cost + part.cost });
    } else if (part.how === 'unparsed' && last?.how === 'unparsed')
      parts[at] = { ...last, text: last.text + part.text };
    else parts.push(part);
  }
  return parts;
}

/** The last part that is to be parsed, if no more than a little prose follows it. */
function lastParsed(parts: readonly Planned[]): number {
  let prose = 0;
  for (let at = parts.length - 1; at >= 0; at -= 1) {
    const part = parts[at];
    if (part?.how !== 'ready') return part?.how === 'parse' ? at : -1;
    prose += part.text.length;
    if (prose > proseTogether) return -1;
  }
  return -1;
}

/** What the pieces define for each other; undefined when there is at most one that is parsed. */
function knownNames(planned: readonly Planned[]): KnownNames | undefined {
  const toParse = planned.flatMap((part) => (part.how === 'parse' ? [part.text] : []));
  if (toParse.length < 2) return undefined;
  const defining = toParse.filter((text) => definition.test(text));
  return defining.length === 0 ? undefined : definedIn(defining.map((text) => parsed(text, undefined)));
}

/** The blocks of a piece, with their places in the whole text. */
function parseAt(
  { text, offset }: { text: string; offset: number },
  known: KnownNames | undefined,
): RootContent[] {
  const { children } = parsed(text, known);
  if (offset > 0) for (const node of children) move(node, offset);
  return children;
}

function parsed(text: string, known: KnownNames | undefined): Root {
  return parseAround(text, (source) =>
    fromMarkdown(source, {
      // one tilde is "about" in plain prose far more often than it strikes out
      extensions: [gfm({ singleTilde: false }), ...(known === undefined ? [] : [knowing(known)])],
      mdastExtensions: [gfmFromMarkdown()],
    }),
  );
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
