// Formulas in TeX, which Markdown would read as markup: hidden from the parser and put back into what it made. Not their rendering.
import type { Nodes } from 'mdast';

/** Where the characters of a formula wait, one for one, so that all places stay what they are. */
const first = 0xf700;
const hidden = /[\uf700-\uf77f]/;
const allHidden = /[\uf700-\uf77f]/g;
/** What Markdown could read in it: all that is no letter, digit or space. */
const marks = /[!-/:-@[-`{-~]/g;

/** Any character of a formula: none has code, or an empty line, in it. */
const any = '(?!\\n[ \\t]*\\n)[^`]';
/**
 * Code, which comes first, then formulas: `$$…$$`, `\[…\]`, `\(…\)`, and `$…$` in one line outside of a table. Lengths are bounded, and with
 * them the time.
 */
const codeOrFormula = new RegExp(
  [
    '^(?:~~~|```)[\\s\\S]*?^(?:~~~|```)',
    `(\`+)(?:${any}){1,4000}\\1(?!\`)`,
    `((?:\\$\\$(?:${any}){1,4000}?\\$\\$)|(?:\\\\\\[(?:(?!\\\\[[\\]])${any}){1,4000}\\\\\\])|(?:\\\\\\((?:(?!\\n)${any}){1,1000}?\\\\\\))|(?:\\$(?!\\s)(?:\\\\.|(?!\\]\\()[^$\\n\\\\\`|]){1,500}?(?<!\\s)\\$(?!\\d)))`,
  ].join('|'),
  'gm',
);
const begins = /\$|\\[([]/;
/** A `$…$` with words in it is two prices, and `\[…\]` are two brackets, unless something in it is of a formula. */
const isPlain = /^(?:\$(?!\$)[^\\^_{}=]*\s[^\\^_{}=]*\$|\\\[\S[^\\^_{}=]*\\\])$/;

/** What `parse` makes of a text whose formulas are hidden from it, with the formulas as they were written; all places are those of the text. */
export function parseAround<Tree extends Nodes>(text: string, parse: (text: string) => Tree): Tree {
  const source = hideMaths(text);
  const tree = parse(source);
  if (source !== text) showMaths(tree);
  return tree;
}

/** The text with its formulas hidden, of the same length; the same text where it has none. */
function hideMaths(text: string): string {
  if (!begins.test(text) || hidden.test(text)) return text;
  return text.replace(codeOrFormula, (whole, _ticks: string | undefined, formula: string | undefined) =>
    formula === undefined || isPlain.test(formula)
      ? whole
      : formula.replace(marks, (mark) => String.fromCharCode(first + mark.charCodeAt(0))),
  );
}

/** Puts the formulas back everywhere in a tree. */
function showMaths(node: Nodes): void {
  if ('value' in node) node.value = shown(node.value);
  if ('url' in node) node.url = shown(node.url);
  if ('alt' in node && typeof node.alt === 'string') node.alt = shown(node.alt);
  if ('children' in node) for (const child of node.children) showMaths(child);
}

function shown(text: string): string {
  return text.replace(allHidden, (mark) => String.fromCharCode(mark.charCodeAt(0) - first));
}
