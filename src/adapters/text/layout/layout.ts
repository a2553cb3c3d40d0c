// A Markdown tree to leaves in reading order: lists, quotes, tables, footnotes and HTML are settled here. Not splitting.
import type { Definition, FootnoteDefinition, List, ListItem, Root, RootContent } from 'mdast';
import { cleanText, hasInk, nameInvisible } from '#adapters/text/parse/clean.ts';
import { parseMarkdown } from '#adapters/text/parse/parse.ts';
import { type InlineContext, inlineRuns, isNotice } from './inline.ts';
import { type BlockPosition, type Leaf, type StyledText, type Surface, textOfLeaf } from './leaf.ts';
import { tableForm } from './table.ts';

// The names that Discord colours code by; Telegram would change others, and Slack could read control syntax in them.
const languageName = /^[\w+\-.#]{1,32}$/;
/** Characters above which a text of only markup is shown as code: each of its characters would need an escape. */
const longestAsText = 1_000;
const rule = '──────────';

interface Frame {
  quoteID: number;
  quoteDepth: number;
  listDepth: number;
  indent: number;
  /** The marker that the next leaf takes. */
  marker: string;
}

interface Builder extends InlineContext {
  leaves: Leaf[];
  footnotes: FootnoteDefinition[];
  block: number;
  quotes: number;
  /** Where the last numbered list ended: one right behind it takes the other sign, or readers would count on. */
  numbered: { leaves: number; indent: number; sign: '.' | ')' };
  /** The next leaf follows on the next line. */
  tight: boolean;
}

/**
 * The leaves of an answer, in order. Empty only for blank text: what shows nothing else (an empty fence, invisible
 * characters) is shown as it was written.
 */
export function layout(markdown: string, surface: Surface): Leaf[] {
  if (markdown.trim() === '') return [];
  const { root, source } = parseMarkdown(markdown);
  const definitions = new Map<string, Definition>();
  collect(root.children, definitions);
  const builder: Builder = {
    surface,
    source,
    definitions,
    used: new Set(),
    writtenOut: new Set(),
    leaves: [],
    footnotes: [],
    block: 0,
    quotes: 0,
    numbered: { leaves: -1, indent: 0, sign: '.' },
    tight: false,
  };
  const top: Frame = { quoteID: 0, quoteDepth: 0, listDepth: 0, indent: 0, marker: '' };
  for (const node of root.children) {
    addBlock(node, top, builder);
    if (node.type !== 'heading') builder.block++;
  }
  addNotes(root, top, builder);
  if (builder.leaves.some((leaf) => hasInk(textOfLeaf(leaf)))) return builder.leaves;
  const shown = !hasInk(source) ? nameInvisible(markdown.trim()) : source.trim();
  builder.leaves = [];
  if (shown.length > longestAsText) addCode(shown, '', top, builder);
  else addRuns([{ text: surface.clean(shown), styles: 0 }], top, builder);
  return builder.leaves;
}

function collect(nodes: readonly RootContent[], into: Map<string, Definition>): void {
  for (const node of nodes) {
    if (node.type === 'definition') {
      const key = node.identifier.toLowerCase();
      if (!into.has(key)) into.set(key, node);
    } else if (node.type === 'blockquote' || node.type === 'list' || node.type === 'listItem')
      collect(node.children, into);
    else if (node.type === 'footnoteDefinition') collect(node.children, into);
  }
}

/** Footnotes, then definitions that no link used, at the end. */
function addNotes(root: Root, top: Frame, builder: Builder): void {
  builder.tight = false;
  for (const note of builder.footnotes) {
    // text and not a marker, which would be sent as it is: a name may hold any character, mentions included
    const name = `[${builder.surface.clean(cleanText(note.label ?? note.identifier))}] `;
    const [first, ...more] = note.children;
    const words = first?.type === 'paragraph' ? inlineRuns(first.children, builder) : [];
    addRuns([{ text: name, styles: 0 }, ...words], top, builder);
    addAll(first?.type === 'paragraph' ? more : note.children, top, builder);
    builder.block++;
  }
  const unused = [...builder.definitions].filter(([key]) => !builder.used.has(key));
  for (const [, node] of root.children.length === 0 ? [] : unused) {
    const words = `[${node.label ?? node.identifier}]: ${node.url}${node.title ? ` "${node.title}"` : ''}`;
    addRuns([{ text: builder.surface.clean(cleanText(words)), styles: 0 }], top, builder);
    builder.block++;
  }
}

function addAll(nodes: readonly RootContent[], frame: Frame, builder: Builder): void {
  let current = frame;
  for (const node of nodes) {
    const before = builder.leaves.length;
    addBlock(node, current, builder);
    if (builder.leaves.length > before) current = taken(current);
  }
}

/** The frame after its marker was used: what follows stands under the text, not under the marker. */
function taken(frame: Frame): Frame {
  return { ...frame, indent: frame.indent + frame.marker.length, marker: '' };
}

function addBlock(node: RootContent, frame: Frame, builder: Builder): void {
  switch (node.type) {
    case 'paragraph':
      addRuns(inlineRuns(node.children, builder), frame, builder);
      return;
    case 'heading': {
      const runs = inlineRuns(node.children, builder);
      addRuns(runs, frame, builder, node.depth);
      return;
    }
    case 'code': {
      const language = /^\S*/.exec(node.lang ?? '')?.[0] ?? '';
      addCode(node.value, languageName.test(language) ? language : '', frame, builder);
      return;
    }
    case 'html':
      if (isNotice(node.value))
        addRuns([{ text: builder.surface.clean(cleanText(node.value)), styles: 0 }], frame, builder);
      else if (!/^\s*(?:<br\s*\/?>\s*)+$/i.test(node.value)) addCode(node.value, 'html', frame, builder);
      return;
    case 'thematicBreak':
      addRuns([{ text: rule, styles: 0 }], frame, builder);
      return;
    case 'blockquote': {
      const quoteID = frame.quoteDepth > 0 ? frame.quoteID : ++builder.quotes;
      addAll(node.children, { ...frame, quoteID, quoteDepth: frame.quoteDepth + 1 }, builder);
      return;
    }
    case 'list':
      addList(node, frame, builder);
      return;
    case 'table': {
      const form = tableForm(node, builder);
      if (form.type === 'columns') addLines(form.header, form.rows, frame, builder);
      else
        form.records.forEach((record) => {
          addRuns(record, frame, builder);
        });
      return;
    }
    case 'footnoteDefinition':
      builder.footnotes.push(node);
      return;
    case 'definition':
      return;
    default:
      // phrasing content or a row without its parent: the parser never gives these here
      throw new TypeError(`Expected a block of CommonMark or GFM, got ${node.type}.`);
  }
}

function addList(list: List, frame: Frame, builder: Builder): void {
  // within an item the list follows its words at once
  if (frame.listDepth > 0 || frame.marker !== '') builder.tight = true;
  let outer = frame;
  const { leaves, indent, sign: last } = builder.numbered;
  const behind = frame.marker === '' && leaves === builder.leaves.length && indent === frame.indent;
  const sign = behind && last === '.' ? ')' : '.';
  list.children.forEach((item, index) => {
    if (index > 0) builder.tight = list.spread !== true;
    const bullet =
      list.ordered === true
        ? `${(list.start ?? 1) + index}${sign} `
        : builder.surface.bullet(frame.listDepth);
    const own = bullet + boxOf(item);
    const inner = { ...outer, marker: outer.marker + own, listDepth: outer.listDepth + 1 };
    const before = builder.leaves.length;
    addAll(item.children, inner, builder);
    // a number without words stays, so that the ones behind it keep theirs
    if (builder.leaves.length === before && list.ordered === true) pushMarker(inner, builder);
    if (builder.leaves.length > before && outer.marker !== '') outer = taken(outer);
  });
  if (list.ordered === true)
    builder.numbered = { leaves: builder.leaves.length, indent: frame.indent + frame.marker.length, sign };
}

function boxOf(item: ListItem): string {
  if (item.checked === true) return '☑ ';
  return item.checked === false ? '☐ ' : '';
}

function placeOf(frame: Frame, builder: Builder): BlockPosition {
  const last = builder.leaves.at(-1);
  const sameQuote =
    last === undefined ||
    (last.place.quoteID === frame.quoteID && last.place.quoteDepth === frame.quoteDepth);
  const tight = sameQuote && (builder.tight || (last?.type === 'text' && last.heading > 0));
  builder.tight = false;
  const { quoteID, quoteDepth, indent, marker } = frame;
  return { block: builder.block, quoteID, quoteDepth, indent, marker, tight };
}

function addRuns(runs: StyledText[], frame: Frame, builder: Builder, heading = 0): void {
  if (runs.every((run) => run.text.trim() === '')) return;
  builder.leaves.push({ type: 'text', heading, runs, place: placeOf(frame, builder) });
}

function pushMarker(frame: Frame, builder: Builder): void {
  builder.leaves.push({ type: 'text', heading: 0, runs: [], place: placeOf(frame, builder) });
}

function addCode(value: string, language: string, frame: Frame, builder: Builder): void {
  const lines = builder.surface.clean(cleanText(value)).split('\n');
  while (lines.length > 0 && lines[0]?.trim() === '') lines.shift();
  while (lines.length > 0 && lines.at(-1)?.trim() === '') lines.pop();
  if (!hasInk(lines.join(''))) return;
  pushCode({ language, header: [], lines }, frame, builder);
}

function addLines(header: string[], lines: string[], frame: Frame, builder: Builder): void {
  pushCode(
    { language: '', header: lines.length > 0 ? header : [], lines: lines.length > 0 ? lines : header },
    frame,
    builder,
  );
}

function pushCode(
  code: { language: string; header: string[]; lines: string[] },
  frame: Frame,
  builder: Builder,
): void {
  let at = frame;
  if (/\w/.test(frame.marker)) {
    // a number says which step the code is; a bullet says nothing and goes
    pushMarker(frame, builder);
    at = taken(frame);
  }
  const edge = at.marker !== '';
  const last = builder.leaves.at(-1);
  if (last?.place.quoteID === at.quoteID) builder.tight = true;
  builder.leaves.push({ type: 'code', ...code, edge, place: placeOf({ ...at, marker: '' }, builder) });
  builder.tight = true;
}
