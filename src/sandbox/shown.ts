// What a chat client would draw for a text in Markdown, as blocks. Not a renderer for sending: adapters have their own.
import type { List, ListItem, PhrasingContent, RootContent, Table } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';
import { memoize } from '#base/caches/memoize.ts';
import type { ShownBlock, ShownRun, ShownStyle } from './contract.ts';

/** What Markdown has and chat clients do not: there it stays the text that was typed. */
const foreign = [
  'codeIndented',
  'definition',
  'gfmFootnoteCall',
  'gfmFootnoteDefinition',
  'gfmPotentialFootnoteCall',
  'htmlFlow',
  'htmlText',
  'setextUnderline',
  'thematicBreak',
];

/** A line that opens more quotes and lists inside each other than anyone means; parsing thousands of them overflows. */
const tooDeep = /^(?:[ \t]*(?:>|[-+*][ \t]|\d{1,9}[.)][ \t])){33}/m;

/**
 * The blocks that a person sees for `markdown`: CommonMark with GFM tables, strike, task lists and bare links.
 * As in every chat client, single newlines are line breaks and HTML, footnotes and reference definitions are text.
 * Images are links, tables are aligned text in a `code` block. Never throws:
 * a text with a line that nests 33 quotes or lists is shown as it was typed.
 */
export function shownBlocks(markdown: string): ShownBlock[] {
  if (tooDeep.test(markdown)) return [{ kind: 'paragraph', runs: [{ text: markdown, styles: [] }] }];
  const tree = fromMarkdown(markdown, {
    extensions: [gfm({ singleTilde: false }), { disable: { null: foreign } }],
    mdastExtensions: [gfmFromMarkdown()],
  });
  return tree.children.flatMap((node) => blocksOf(node, { quoted: false, depth: 0 }));
}

/** As many texts as the page shows of one platform. */
const maxDrawn = 1000;

/**
 * `shownBlocks` for texts that are looked at again and again: a look at a chat reads only what is new in it. Callers
 * must not change the blocks.
 */
export function rememberBlocks(): (markdown: string) => ShownBlock[] {
  return memoize(maxDrawn, shownBlocks);
}

/**
 * The blocks with what `pattern` (global) finds outside of code drawn as a mention, under the name that `named` gives it;
 * what has no name stays unchanged.
 */
export function withMentions(
  blocks: readonly ShownBlock[],
  pattern: RegExp,
  named: (found: string) => string | undefined,
): ShownBlock[] {
  return blocks.map((block) =>
    block.kind === 'code'
      ? block
      : { ...block, runs: block.runs.flatMap((run) => splitMentions(run, pattern, named)) },
  );
}

function splitMentions(
  run: ShownRun,
  pattern: RegExp,
  named: (found: string) => string | undefined,
): ShownRun[] {
  if (run.styles.includes('code')) return [run];
  const runs: ShownRun[] = [];
  let from = 0;
  for (const { 0: found, index } of run.text.matchAll(pattern)) {
    const name = named(found);
    if (name === undefined) continue;
    if (index > from) runs.push({ ...run, text: run.text.slice(from, index) });
    runs.push({ ...run, text: name, styles: [...run.styles, 'mention'] });
    from = index + found.length;
  }
  if (from < run.text.length) runs.push({ ...run, text: run.text.slice(from) });
  return runs;
}

/** What a person reads in the blocks: one after the other, a newline between them; code verbatim. */
export function plainOf(blocks: readonly ShownBlock[]): string {
  return blocks.map(plainBlock).join('\n');
}

function plainBlock(block: ShownBlock): string {
  if (block.kind === 'code') return block.text;
  const text = block.runs.map((run) => run.text).join('');
  if (block.kind !== 'item') return text;
  return `${'  '.repeat(block.depth)}${block.marker} ${text}`.trimEnd();
}

interface BlockNesting {
  quoted: boolean;
  /** How many lists are around, 0 outside. */
  depth: number;
}

function blocksOf(node: RootContent, place: BlockNesting): ShownBlock[] {
  switch (node.type) {
    case 'heading':
      if (place.quoted) return [{ kind: 'quote', runs: runsOf(node.children) }];
      return [{ kind: 'heading', level: node.depth, runs: runsOf(node.children) }];
    case 'code':
      return [{ kind: 'code', language: node.lang ?? '', text: node.value }];
    case 'table':
      return [{ kind: 'code', language: '', text: tableText(node) }];
    case 'list':
      return node.children.flatMap((item, index) => itemBlocks(item, markerOf(node, index), place));
    case 'blockquote':
      return node.children.flatMap((child) => blocksOf(child, { ...place, quoted: true }));
    case 'paragraph':
      return [{ kind: place.quoted ? 'quote' : 'paragraph', runs: runsOf(node.children) }];
    default:
      return [{ kind: 'paragraph', runs: [run(wordsIn(node), { styles: [] })] }];
  }
}

function wordsIn(node: RootContent): string {
  return 'value' in node ? node.value : '';
}

function itemBlocks(item: ListItem, marker: string, place: BlockNesting): ShownBlock[] {
  const [first, ...rest] = item.children;
  const box = item.checked == null ? '' : item.checked ? '☑' : '☐';
  const mark = [marker, box].filter((part) => part !== '' && !(part === '•' && box !== '')).join(' ');
  const opens = first?.type === 'paragraph';
  const head: ShownBlock = {
    kind: 'item',
    depth: place.depth,
    marker: mark,
    runs: opens ? runsOf(first.children) : [],
  };
  const below = opens || first === undefined ? rest : item.children;
  const inside = { ...place, depth: place.depth + 1 };
  return [
    head,
    ...below.flatMap((child): ShownBlock[] =>
      child.type === 'paragraph'
        ? [{ kind: 'item', depth: place.depth, marker: '', runs: runsOf(child.children) }]
        : blocksOf(child, inside),
    ),
  ];
}

function markerOf(list: List, index: number): string {
  return list.ordered === true ? `${(list.start ?? 1) + index}.` : '•';
}

interface Style {
  styles: ShownStyle[];
  url?: string | undefined;
}

function runsOf(nodes: readonly PhrasingContent[]): ShownRun[] {
  const runs: ShownRun[] = [];
  for (const run of nodes.flatMap((node) => phrase(node, { styles: [] }))) {
    const last = runs.at(-1);
    if (last !== undefined && sameLook(last, run)) last.text += run.text;
    else runs.push(run);
  }
  return runs;
}

function phrase(node: PhrasingContent, style: Style): ShownRun[] {
  switch (node.type) {
    case 'strong':
      return node.children.flatMap((child) => phrase(child, withStyle(style, 'bold')));
    case 'emphasis':
      return node.children.flatMap((child) => phrase(child, withStyle(style, 'italic')));
    case 'delete':
      return node.children.flatMap((child) => phrase(child, withStyle(style, 'strike')));
    case 'link':
      return node.children.flatMap((child) => phrase(child, { ...style, url: node.url }));
    case 'inlineCode':
      return [run(node.value, withStyle(style, 'code'))];
    case 'image':
      return [run(node.alt || node.url, { ...style, url: node.url })];
    case 'break':
      return [run('\n', style)];
    default:
      return [run(wordsIn(node), style)];
  }
}

function withStyle(style: Style, added: ShownStyle): Style {
  return style.styles.includes(added) ? style : { ...style, styles: [...style.styles, added] };
}

function run(text: string, style: Style): ShownRun {
  return { text, styles: [...style.styles], ...(style.url === undefined ? {} : { url: style.url }) };
}

function sameLook(a: ShownRun, b: ShownRun): boolean {
  return a.url === b.url && a.styles.join() === b.styles.join();
}

function tableText(table: Table): string {
  const rows = table.children.map((row) =>
    row.children.map((cell) => plainOf([{ kind: 'paragraph', runs: runsOf(cell.children) }])),
  );
  const columns = Math.max(0, ...rows.map((row) => row.length));
  const widths = Array.from({ length: columns }, (_, column) =>
    Math.max(1, ...rows.map((row) => width(row[column] ?? ''))),
  );
  const lines = rows.map((row) =>
    widths
      .map((wide, column) => pad(row[column] ?? '', wide, table.align?.[column] ?? 'left'))
      .join(' │ ')
      .trimEnd(),
  );
  const rule = widths.map((wide) => '─'.repeat(wide)).join('─┼─');
  return [lines[0] ?? '', rule, ...lines.slice(1)].join('\n');
}

function width(text: string): number {
  return [...new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(text)].length;
}

function pad(text: string, wide: number, align: 'left' | 'right' | 'center'): string {
  const free = wide - width(text);
  const before = align === 'right' ? free : align === 'center' ? Math.floor(free / 2) : 0;
  return ' '.repeat(before) + text + ' '.repeat(free - before);
}
