// Formulas in TeX, which Markdown would read as markup: hidden from the parser and put back into what it made. Not their rendering.
import type { Nodes } from 'mdast';

/** Where the characters of a formula wait, one for one, so that all places stay what they are. */
const first = 0xf700;
const hidden = /[\uf700-\uf77f]/;
const allHidden = /[\uf700-\uf77f]/g;
/** What Markdown could read in it: all that is no letter, digit or space, and the ends of lines. */
const marks = /[\n!-/:-@[-`{-~]/g;
/** The same in a quotation, whose lines and the signs that begin them stay. */
const marksInQuote = /(?<=\n)[ \t]*(?:>[ \t]?)+|[!-/:-@[-`{-~]/g;

/** Characters that a formula has at most; lengths are bounded, and with them the time. */
const maxFormula = 4000;
/** Any character of a formula: none has code, or an empty line, in it. */
const any = '(?!\\n[ \\t]*\\n)[^`]';
/** What can have empty lines in it begins a line: elsewhere such marks are those of two prices or brackets. */
const displayed = [
  `\\$\\$[ \\t]*\\n[^\`$]{1,${maxFormula}}?\\$\\$`,
  `\\\\\\[(?:(?!\\\\[[\\]])[^\`]){1,${maxFormula}}\\\\\\]`,
  `\\\\begin\\{(?<block>[A-Za-z]+\\*?)\\}[^\`]{0,${maxFormula}}?\\\\end\\{\\k<block>\\}`,
];
const inText = [
  `\\$\\$(?:${any}){1,${maxFormula}}?\\$\\$`,
  `\\\\\\[(?:(?!\\\\[[\\]])${any}){1,${maxFormula}}\\\\\\]`,
  `\\\\begin\\{(?<name>[A-Za-z]+\\*?)\\}(?:${any}){0,${maxFormula}}?\\\\end\\{\\k<name>\\}`,
  `\\\\\\((?:${any}){1,1000}?\\\\\\)`,
  // outside of a table
  `\\$(?!\\s)(?:\\\\.|(?!\\]\\(|\\n[ \\t]*\\n)[^$\\\\\`|]){1,500}?(?<!\\s)\\$(?!\\d)`,
];
/** Code, which comes first, then formulas: `$$…$$`, `\[…\]`, `\begin{…}…\end{…}`, `\(…\)`, and `$…$`. */
const codeOrFormula = new RegExp(
  [
    '^(?:~~~|```)[\\s\\S]*?^(?:~~~|```)',
    `(\`+)(?:${any}){1,${maxFormula}}\\1(?!\`)`,
    `((?<=^[ \\t]*)(?:${displayed.join('|')})|${inText.join('|')})`,
  ].join('|'),
  'gm',
);
const begins = /\$|\\[([]|\\begin\{/;
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
  return text.replace(codeOrFormula, (whole: string, ...found: unknown[]) => {
    const [, formula] = found;
    if (typeof formula !== 'string' || isPlain.test(formula)) return whole;
    const at = Number(found.find((each) => typeof each === 'number')); // behind the groups: where it stands
    const isQuoted = /^[ \t]*>/.test(text.slice(text.lastIndexOf('\n', at) + 1, at));
    return formula.replace(isQuoted ? marksInQuote : marks, (mark) =>
      isQuoted && /^[ \t>]{2,}$|^>$/.test(mark) ? mark : String.fromCharCode(first + mark.charCodeAt(0)),
    );
  });
}

/** Where a formula ends that begins with this line of the source, at `at`, and that empty lines do not end; undefined where none begins. */
export function formulaEnd(source: string, at: number, line: string): number | undefined {
  const [whole = '', mark = '', name = ''] =
    /^[ \t]*(\$\$[ \t]*$|\\\[|\\begin\{([A-Za-z]+\*?)\})/.exec(line) ?? [];
  if (whole === '') return undefined;
  const end = mark.startsWith('$') ? '$$' : name === '' ? '\\]' : `\\end{${name}}`;
  const found = source.slice(0, at + maxFormula).indexOf(end, at + whole.length);
  return found < 0 ? undefined : found + end.length;
}

/** The fields of a node that hold text of the source. */
const texts = ['value', 'url', 'alt', 'title', 'lang', 'meta', 'label', 'identifier'];

/** Puts the formulas back everywhere in a tree. */
function showMaths(node: Nodes): void {
  for (const [name, text] of Object.entries(node))
    if (typeof text === 'string' && texts.includes(name)) Object.assign(node, { [name]: shown(text) });
  if ('children' in node) for (const child of node.children) showMaths(child);
}

function shown(text: string): string {
  return text.replace(allHidden, (mark) => String.fromCharCode(mark.charCodeAt(0) - first));
}
