// Phrasing content (text, emphasis, links, images, inline HTML) to styled runs. Not blocks, not a platform's markup.
import type { Definition, PhrasingContent } from 'mdast';
import { cleanText } from '#adapters/text/parse/clean.ts';
import { pushStyledText, type StyledText, type Surface, style, textOfStyled } from './leaf.ts';

export interface InlineContext {
  surface: Surface;
  source: string;
  definitions: ReadonlyMap<string, Definition>;
  /** Notes a reference, so that definitions nobody uses can be shown. */
  used: Set<string>;
  /** Long addresses that were written out: many references to one of them do not repeat it. */
  writtenOut: Set<string>;
}

interface State {
  styles: number;
  url?: string | undefined;
  bare?: boolean;
}

// A data: address longer than this is named instead of printed.
const longestData = 200;
// Clients make these links themselves, as they stand. Not one with a user name, which reads as the host: `https://paypal.com@evil.example`.
const bareAddress = /^https?:\/\/(?![^/?#]*@)[^\s<>|`\\]+$/i;
const longestBare = 500;
// A longer address that no link can carry is written out once.
const longestRepeated = 100;

const cjk = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\u3000-\u303f\uff00-\uffef]/u;
const cjkStrong = /\*\*(?=\S)([^*\n]*?\S)\*\*/g;

const htmlStyles: Record<string, number> = {
  b: style.bold,
  strong: style.bold,
  i: style.italic,
  em: style.italic,
  u: style.underline,
  ins: style.underline,
  s: style.strike,
  del: style.strike,
  strike: style.strike,
  code: style.code,
  kbd: style.code,
  samp: style.code,
  tt: style.code,
};
const silentTags = new Set(['span', 'small', 'big', 'sub', 'mark', 'font', 'center', 'p', 'div', 'wbr']);

/** The runs of some phrasing content, cleaned for the surface. */
export function inlineRuns(nodes: readonly PhrasingContent[], context: InlineContext): StyledText[] {
  const runs: StyledText[] = [];
  addAll(nodes, { styles: 0 }, { ...context, runs });
  return runs;
}

type Writer = InlineContext & { runs: StyledText[] };

function addAll(nodes: readonly PhrasingContent[], state: State, writer: Writer): void {
  // a tag styles only what it is closed behind; `a<b>c` is text
  const closed = new Map<string, number>();
  nodes.forEach((node, index) => {
    const name = node.type === 'html' ? /^<\/([a-z]+)\s*>$/i.exec(node.value)?.[1] : undefined;
    if (name !== undefined) closed.set(name.toLowerCase(), index);
  });
  const open = new Set<string>();
  let current = state;
  nodes.forEach((node, index) => {
    const tag = node.type === 'html' ? /^<(\/?)([a-z]+)\s*>$/i.exec(node.value) : null;
    const name = tag?.[2]?.toLowerCase() ?? '';
    const bit = Object.hasOwn(htmlStyles, name) ? (htmlStyles[name] ?? 0) : 0;
    if (bit !== 0 && tag?.[1] === '' && (closed.get(name) ?? -1) > index) {
      open.add(name);
      current = withStyle(current, bit);
    } else if (bit !== 0 && tag?.[1] === '/' && open.delete(name))
      current = { ...current, styles: (current.styles & ~bit) | (state.styles & bit) };
    else addNode(node, current, writer);
  });
}

function addNode(node: PhrasingContent, state: State, writer: Writer): void {
  switch (node.type) {
    case 'text': {
      const { start, end } = node.position ?? {};
      const asWritten = start === undefined || writer.source.slice(start.offset, end?.offset) === node.value;
      if (asWritten) addWords(node.value, state, writer);
      else addText(node.value, state, writer);
      return;
    }
    case 'strong':
      addAll(node.children, withStyle(state, style.bold), writer);
      return;
    case 'emphasis':
      addAll(node.children, withStyle(state, style.italic), writer);
      return;
    case 'delete':
      addAll(node.children, withStyle(state, style.strike), writer);
      return;
    case 'inlineCode':
      addText(node.value, withStyle(state, style.code), writer);
      return;
    case 'break':
      addText('\n', state, writer);
      return;
    case 'link':
      addLink(node.url, labelOf(node.children, state, writer), state, writer);
      return;
    case 'image':
      addImage(node.url, node.alt, state, writer);
      return;
    case 'linkReference': {
      const url = resolve(node.identifier, writer);
      addLink(url, labelOf(node.children, state, writer), state, writer);
      return;
    }
    case 'imageReference':
      addImage(resolve(node.identifier, writer), node.alt, state, writer);
      return;
    case 'footnoteReference':
      addText(`[${node.label ?? node.identifier}]`, state, writer);
      return;
    case 'html':
      addHtml(node.value, state, writer);
      return;
    default:
      unknownNode(node);
  }
}

function unknownNode(node: never): never {
  throw new TypeError(`Expected phrasing content of CommonMark or GFM, got ${JSON.stringify(node)}.`);
}

function withStyle(state: State, bit: number): State {
  return { ...state, styles: state.styles | bit };
}

function addText(text: string, state: State, writer: Writer): void {
  const clean = writer.surface.clean(cleanText(text));
  pushStyledText(writer.runs, { ...state, text: clean });
}

/**
 * Text as written. CommonMark does not see `**「重要」**です` as strong, since a bracket is inside and a letter outside;
 * people who write without spaces mean it as strong.
 */
function addWords(text: string, state: State, writer: Writer): void {
  if (!text.includes('**') || !cjk.test(text)) {
    addText(text, state, writer);
    return;
  }
  let at = 0;
  for (const match of text.matchAll(cjkStrong)) {
    addText(text.slice(at, match.index), state, writer);
    addText(match[1] ?? '', withStyle(state, style.bold), writer);
    at = match.index + match[0].length;
  }
  addText(text.slice(at), state, writer);
}

function labelOf(nodes: readonly PhrasingContent[], state: State, writer: Writer): StyledText[] {
  const runs: StyledText[] = [];
  addAll(nodes, { styles: state.styles }, { ...writer, runs });
  return runs;
}

/** The address of a reference; the parser only makes references whose definition it saw. */
function resolve(identifier: string, writer: Writer): string {
  const key = identifier.toLowerCase();
  writer.used.add(key);
  return writer.definitions.get(key)?.url ?? '';
}

/** A link where the surface can carry it; the bare address where the label is the address; else the label and the address. */
function addLink(address: string, label: readonly StyledText[], state: State, writer: Writer): void {
  const url = shownAddress(cleanText(address));
  const words = textOfStyled(label).trim();
  const bare = (text: string): string => text.replace(/^(?:https?:\/\/|mailto:)|\/$/g, '');
  if (url === '' || (bare(words) === bare(url) && url.startsWith('mailto:'))) {
    for (const run of label) pushStyledText(writer.runs, run);
    return;
  }
  if (words === '' || bare(words) === bare(url)) {
    const link = bareAddress.test(url) && url.length <= longestBare ? url : undefined;
    addText(
      url,
      { styles: state.styles & ~style.code, ...(link === undefined ? {} : { url: link, bare: true }) },
      writer,
    );
    return;
  }
  const link = writer.surface.link(url, words);
  for (const run of label) pushStyledText(writer.runs, { ...run, url: link });
  if (link !== undefined || writer.writtenOut.has(url)) return;
  if (url.length > longestRepeated) writer.writtenOut.add(url);
  addText(` (${url})`, { styles: 0 }, writer);
}

function addImage(url: string, alt: string | null | undefined, state: State, writer: Writer): void {
  const words = alt?.trim() || 'image';
  addLink(url, [{ text: writer.surface.clean(cleanText(words)), styles: state.styles }], state, writer);
}

function shownAddress(url: string): string {
  if (!url.startsWith('data:') || url.length <= longestData) return url.trim();
  return `data:${/^data:([\w/+.-]*)/.exec(url)?.[1] ?? ''}, ${url.length} characters`;
}

/** True for `<!channel>` and its like, which the parser takes for a declaration: words, not HTML. */
export function isNotice(html: string): boolean {
  return /^<!(?!doctype|\[)[a-z]+/i.test(html);
}

/** Breaks become newlines, tags that only arrange go, everything else is shown as it was written, as code. */
function addHtml(html: string, state: State, writer: Writer): void {
  const [, slash = '', tag = ''] = /^<(\/?)([a-z][a-z0-9]*)\s*\/?>$/i.exec(html) ?? [];
  const name = tag.toLowerCase();
  if (name === 'br') addText('\n', state, writer);
  else if (name === 'sup') addText(slash === '' ? '^' : '', state, writer);
  else if (isNotice(html)) addText(html, state, writer);
  else if (!silentTags.has(name)) addText(html, withStyle(state, style.code), writer);
}
