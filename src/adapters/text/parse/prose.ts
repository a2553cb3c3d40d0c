// Paragraphs by which Markdown could mean nothing, and whole blocks of code: read without parsing, so that they cost little. Not a parser.
import type { Code, Paragraph } from 'mdast';

// What may be Markdown, sign by sign. Not among it: a star between spaces, an underscore between letters, an ampersand that
// ends in no semicolon, an angle bracket before what begins no tag, one tilde, a closing bracket, and what counts only at the
// start of a line.
const inline =
  /[\\`[@]|\*(?<!\s\*(?=\s))|_(?<![a-z0-9]_(?=[a-z0-9]))|&(?=#?\w+;)|<(?=[a-z/!?])|~~|:\/\/|www\./i;
// What begins a block, a rule under a heading or under a table's first row, a number of a list.
const begins = /^(?:[-=|:>]|\*(?:[ \t\n*]|$)|\+(?:[ \t\n]|$)|#{1,6}(?:[ \t\n]|$)|\d{1,9}[.)](?:[ \t\n]|$))/;
const laterLine = /\n(?:[ \t]*(?:[-=|:>\n+*#]|\d{1,9}[.)]|$)|\t| {4})/;
// What a chat client could read as markup, and ends of lines: with more than one in so many characters a text is not mostly words.
const indicators = /[\\`*_~[\]<>&|#@=+$^{}\n-]/g;
const mostlyWords = 10;
// Without one of these a text might show nothing.
const ink = /[\p{L}\p{N}]/u;

/** Whether a text without empty lines can only be read as one paragraph of plain words, if nothing else contains it. */
function isProse(text: string): boolean {
  const first = text.charCodeAt(0);
  if (first === 32 || first === 9 || begins.test(text) || inline.test(text) || !ink.test(text)) return false;
  return !text.includes('\n') || !laterLine.test(text);
}

/** The paragraphs of a piece that nothing else contains and that holds nothing but prose; undefined for any other. Linear. */
export function proseOf(piece: string): Paragraph[] | undefined {
  const paragraphs: Paragraph[] = [];
  for (const chunk of piece.split('\n\n')) {
    const text = chunk.startsWith('\n') || chunk.endsWith('\n') ? chunk.replace(/^\n+|\n$/g, '') : chunk;
    if (text === '') continue;
    if (!isProse(text)) return undefined;
    paragraphs.push(paragraphOf(text));
  }
  return paragraphs.length === 0 ? undefined : paragraphs;
}

/** The code block that a piece is; undefined when the parser has to read its first line. Call it only for a piece with `isCode`. */
export function codeBlockOf(piece: string): Code | undefined {
  const [first = '', ...lines] = piece.split('\n');
  const [, mark = '', info = ''] = /^(`+|~+)(.*)$/.exec(first) ?? [];
  if (/[\\&]/.test(info)) return undefined;
  if (lines.at(-1) === '') lines.pop();
  const [, last = ''] = /^[ \t]*(`+|~+)[ \t]*$/.exec(lines.at(-1) ?? '') ?? [];
  if (last.startsWith(mark)) lines.pop();
  const [, lang = null, meta = null] = /^[ \t]*([^ \t]+)[ \t]*(.+?)?[ \t]*$/.exec(info) ?? [];
  return { type: 'code', lang, meta, value: lines.join('\n') };
}

/**
 * The blocks of a text that is shown exactly as it was written: paragraphs when it is mostly words, otherwise code, in which no character
 * needs an escape and lines stay lines.
 */
export function unparsed(source: string): (Paragraph | Code)[] {
  const marks = source.match(indicators)?.length ?? 0;
  if (marks * mostlyWords > source.length) return [{ type: 'code', value: source }];
  const children: Paragraph[] = [];
  for (const block of source.split(/\n(?:[ \t]*\n)+/)) {
    const paragraph = paragraphOf(block);
    if (paragraph.children.length > 0) children.push(paragraph);
  }
  return children;
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
