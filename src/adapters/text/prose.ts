// Paragraphs by which Markdown could mean nothing: told without parsing, so that plain answers cost little. Not a parser.
import type { Paragraph, Root, RootContent } from 'mdast';

// Stands for a paragraph of prose while the rest is parsed.
const placeholder = 'x';

// What may be Markdown, sign by sign. Not among it: a star between spaces, an underscore between letters, an ampersand that
// ends in no semicolon, an angle bracket before what begins no tag, one tilde, a closing bracket, and what counts only at the
// start of a line.
const inline =
  /[\\`[@]|\*(?<!\s\*(?=\s))|_(?<![a-z0-9]_(?=[a-z0-9]))|&(?=#?\w+;)|<(?=[a-z/!?])|~~|:\/\/|www\./i;
// What begins a block, a rule under a heading or under a table's first row, a number of a list.
const begins = /^(?:[-=|:>]|\*(?:[ \t\n*]|$)|\+(?:[ \t\n]|$)|#{1,6}(?:[ \t\n]|$)|\d{1,9}[.)](?:[ \t\n]|$))/;
const laterLine = /\n(?:[ \t]*(?:[-=|:>\n+*#]|\d{1,9}[.)]|$)|\t| {4})/;
// Without one of these a text might show nothing.
const ink = /[\p{L}\p{N}]/u;

/** Whether a text without empty lines can only be read as one paragraph of its own words, if it stands in nothing else. */
function isProse(text: string): boolean {
  const first = text.charCodeAt(0);
  if (first === 32 || first === 9 || begins.test(text) || inline.test(text) || !ink.test(text)) return false;
  return !text.includes('\n') || !laterLine.test(text);
}

/** Text whose paragraphs of prose are set aside: `rest` has one short word in the place of each row of them. */
export interface SetAside {
  rest: string;
  /** In order, by where their stand-ins begin in `rest`. */
  prose: { offset: number; paragraphs: Paragraph[] }[];
}

/** Sets the prose aside. Blank lines around it may go; everything else of `rest` stands as it was. Linear. */
export function setProseAside(source: string): SetAside {
  const prose: SetAside['prose'] = [];
  const rest: string[] = [];
  let offset = 0;
  let row: Paragraph[] | undefined;
  for (const chunk of source.split('\n\n')) {
    const text = chunk.startsWith('\n') || chunk.endsWith('\n') ? chunk.replace(/^\n+|\n$/g, '') : chunk;
    const isSet = text !== '' && isProse(text);
    if (isSet && row !== undefined) {
      row.push(paragraphOf(text));
      continue;
    }
    row = isSet ? [paragraphOf(text)] : undefined;
    if (row !== undefined) prose.push({ offset, paragraphs: row });
    const stands = row === undefined ? chunk : placeholder;
    rest.push(stands);
    offset += stands.length + 2;
  }
  return { rest: rest.join('\n\n'), prose };
}

/** The tree of `rest` with the prose where it stood; undefined if any of it stood in something else than the text itself. */
export function putProseBack(root: Root, prose: SetAside['prose']): Root | undefined {
  const children: RootContent[] = [];
  let next = 0;
  for (const node of root.children) {
    const place = prose[next];
    const { start, end } = node.position ?? {};
    if (place === undefined || start?.offset !== place.offset) {
      children.push(node);
      continue;
    }
    if (node.type !== 'paragraph' || end?.offset !== place.offset + placeholder.length) return undefined;
    children.push(...place.paragraphs);
    next++;
  }
  return next === prose.length ? { type: 'root', children } : undefined;
}

/** Paragraphs of text and nothing else. */
export function plainTree(source: string): Root {
  const children: Paragraph[] = [];
  for (const block of source.split(/\n(?:[ \t]*\n)+/)) {
    const paragraph = paragraphOf(block);
    if (paragraph.children.length > 0) children.push(paragraph);
  }
  return { type: 'root', children };
}

function paragraphOf(block: string): Paragraph {
  if (!block.includes('\n')) return paragraph(block.trim());
  // by line and not by pattern: a pattern for the spaces at a line's end is quadratic in long runs of spaces
  const lines = block.split('\n').map((line) => line.trim());
  const value = lines.filter((line) => line !== '').join('\n');
  return paragraph(value);
}

function paragraph(value: string): Paragraph {
  return { type: 'paragraph', children: value === '' ? [] : [{ type: 'text', value }] };
}
