// The flat form of an answer between Markdown and a platform: leaves of text or code, each knowing its place. Not a syntax tree.

/** Bits of `Run.styles`. */
export const style = { bold: 1, italic: 2, strike: 4, underline: 8, code: 16 } as const;

/** A stretch of text in one style; with `url` it is (part of) a link. */
export interface StyledText {
  text: string;
  styles: number;
  url?: string | undefined;
  /** The text is (a piece of) the address itself. */
  bare?: boolean | undefined;
}

export interface BlockPosition {
  /** Number of the block it belongs to; a heading shares it with what follows, so that both stay together. */
  block: number;
  /** Which quote it is in, 0 for none; leaves of one quote share the number. */
  quoteID: number;
  quoteDepth: number;
  /** Columns left of the marker. */
  indent: number;
  /** Bullet or number of a list item with its space; empty for everything but an item's first leaf. */
  marker: string;
  /** Follows the leaf before it on the next line; otherwise there is a blank line between them. */
  tight: boolean;
}

export interface TextLeaf {
  type: 'text';
  /** 1 to 6 for headings, 0 for everything else. */
  heading: number;
  runs: StyledText[];
  place: BlockPosition;
}

export interface CodeLeaf {
  type: 'code';
  /** First word of the info string, bounded; empty for none. */
  language: string;
  /** Lines repeated on top of every part (a table's header), not counted as text twice. */
  header: string[];
  lines: string[];
  /** Came first in a bulleted item, whose bullet was dropped: it is at the left edge, and the list begins again after it. */
  edge: boolean;
  place: BlockPosition;
}

export type Leaf = TextLeaf | CodeLeaf;

/** What a platform can show, as far as the layout has to know. */
export interface Surface {
  /** The marker of an unordered item, by depth from 0, with its space. */
  bullet(depth: number): string;
  /** The widest table drawn as columns, in monospace cells; wider ones become `header: value` lines. */
  tableColumns: number;
  /** The address in the form to send if `label` can carry it as a link here; otherwise undefined, and it is written out. */
  link(url: string, label: string): string | undefined;
  /** Removes what the platform would remove or refuse, so that lengths stay true. */
  clean(text: string): string;
}

/** Adds text to a list of runs, merging with the last run when nothing differs. */
export function pushStyledText(runs: StyledText[], run: StyledText): void {
  if (run.text === '') return;
  const last = runs.at(-1);
  if (last !== undefined && last.styles === run.styles && last.url === run.url && last.bare === run.bare)
    last.text += run.text;
  else runs.push({ ...run });
}

/** The plain text of runs, without their styles. */
export function textOfStyled(runs: readonly StyledText[]): string {
  return runs.map((run) => run.text).join('');
}

/** Marks each level of a quote inside a quote, since no client nests them; code goes without it. */
export const drawnQuote = '│ ';

/** The text that a person reads of a leaf: list markers and text, no markup. */
export function textOfLeaf(leaf: Leaf): string {
  if (leaf.type === 'code') return [...leaf.header, ...leaf.lines].join('\n');
  const text = leaf.place.marker + textOfStyled(leaf.runs);
  const quote = drawnQuote.repeat(Math.max(0, leaf.place.quoteDepth - 1));
  return quote === '' ? text : text.replace(/^/gm, quote);
}
