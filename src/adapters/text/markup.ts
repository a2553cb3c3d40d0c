// Styled runs to Markdown that a chat client reads as meant: escaping, and delimiters only where they will be understood.
import { pushStyledText, type StyledText, style, textOfStyled } from './layout/leaf.ts';

/** What differs between the platforms that take Markdown. */
export interface Dialect {
  /** Characters that need a look, without the ones at a line's start; a pattern without groups. */
  special: RegExp;
  /** What is written for a special character; `before` and `after` are its neighbours, empty at the edges. */
  escape(found: string, before: string, after: string): string;
  /** Makes control sequences inside code harmless, where the platform reads them there. */
  code(text: string): string;
  /** Delimiters of strike and underline; empty when the platform has none. */
  strike: string;
  underline: string;
  /** The longest run of backticks that may delimit code in a line: Discord takes three for a block. */
  longestTicks: number;
  /** True: links stand as people write them, without the angle brackets behind which Discord shows no page. */
  previews?: boolean;
}

const asterisks = /^\**|\**$/g;
const space = /\s/;
const punctuation = /[\p{P}\p{S}]/u;

// What would begin a block at the start of a line: heading, quote, list, rule, setext underline, table row.
const lineStart = /^(?:(#{1,6}(?=\s|$)|>|[+*](?=\s|$)|-|=+|:-|\|)|(\d{1,9})([.)])(?=\s|$))/;

/**
 * True for what no reader takes for markup: a star between spaces, an underscore between letters, and an exclamation mark
 * that no link follows, of which it would make an image.
 */
export function isInert(found: string, before: string, after: string): boolean {
  if (found === '!') return after !== '[';
  if (found === '*') return before !== '' && before.trim() === '' && after.trim() === '';
  return found === '_' && /[a-z0-9]/i.test(before) && /[a-z0-9]/i.test(after);
}

/** One or more lines of Markdown for the runs; every character of them is shown, and only the styles become markup. */
export function markupOf(runs: readonly StyledText[], dialect: Dialect): string {
  const written = writeSpan(edgeFree(runs), 0, { before: '', after: '', dialect });
  return written
    .split('\n')
    .map((line) => escapeLineStart(trimLine(line)))
    .join('\n');
}

function trimLine(line: string): string {
  return line.replace(/^[ \t]+/, '').trimEnd();
}

function escapeLineStart(line: string): string {
  const match = lineStart.exec(line);
  if (match === null) return line;
  if (match[2] !== undefined) return `${match[2]}\\${line.slice(match[2].length)}`;
  return `\\${line}`;
}

const spans: { bit: number; mark(dialect: Dialect): string }[] = [
  { bit: style.strike, mark: (dialect) => dialect.strike },
  { bit: style.underline, mark: (dialect) => dialect.underline },
  { bit: style.bold, mark: () => '**' },
  { bit: style.italic, mark: () => '*' },
];

/** Styles taken off the white space at both ends of their stretches: `** x**` would show its stars. */
function edgeFree(runs: readonly StyledText[]): StyledText[] {
  let current: StyledText[] = runs.map((run) => ({
    ...run,
    styles: run.text.trim() === '' ? 0 : run.styles,
  }));
  for (const { bit } of spans) {
    const next: StyledText[] = [];
    current.forEach((run, index) => {
      if ((run.styles & bit) === 0) {
        pushStyledText(next, run);
        return;
      }
      const opens = ((current[index - 1]?.styles ?? 0) & bit) === 0;
      const closes = ((current[index + 1]?.styles ?? 0) & bit) === 0;
      const code = (run.styles & style.code) !== 0;
      const lead = opens && !code ? (/^\s+/.exec(run.text)?.[0].length ?? 0) : 0;
      const tail = closes && !code ? run.text.length - run.text.trimEnd().length : 0;
      const end = run.text.length - tail;
      const off = run.styles & ~bit;
      pushStyledText(next, { ...run, text: run.text.slice(0, lead), styles: off });
      pushStyledText(next, { ...run, text: run.text.slice(lead, end) });
      pushStyledText(next, { ...run, text: run.text.slice(end), styles: off });
    });
    current = next;
  }
  return current;
}

interface Around {
  before: string;
  after: string;
  dialect: Dialect;
}

/** The runs from the span at `level` on (0 is links), with what surrounds them. */
function writeSpan(runs: readonly StyledText[], level: number, around: Around): string {
  const kind = spans[level - 1];
  if (level > spans.length) return writeLeaf(runs, around);
  let out = '';
  // not the end of `out`: to look at it copies all that was written so far
  let before = around.before;
  const groups = groupsOf(runs, level);
  groups.forEach((group, index) => {
    const next = groups[index + 1];
    const after = next === undefined ? around.after : beginning(next, level, around.dialect);
    const inside: Around = { ...around, before, after };
    const written =
      level === 0
        ? writeLink(group, inside)
        : writeStyle(group, level, kind?.mark(around.dialect) ?? '', inside);
    out += written;
    before = written.at(-1) ?? before;
  });
  return out;
}

/** The runs by what they have in common at `level`: a link, or that they are in the style or not. */
function groupsOf(runs: readonly StyledText[], level: number): StyledText[][] {
  const groups: StyledText[][] = [];
  for (const run of runs) {
    const group = groups.at(-1);
    if (group !== undefined && sameSpan(group[0], run, level)) group.push(run);
    else groups.push([run]);
  }
  return groups;
}

/** What a group will begin with, marks of style aside: the sign of its link or of its code, otherwise its first character. */
function beginning(group: readonly StyledText[], level: number, dialect: Dialect): string {
  const kind = level === 0 ? linkKind(group) : undefined;
  if (kind === 'link') return '[';
  if (kind === 'address') return '<';
  const { text = '', styles = 0 } = group[0] ?? {};
  return (styles & style.code) !== 0 && ticksFor(text, dialect) > 0 ? '`' : text.charAt(0);
}

function sameSpan(a: StyledText | undefined, b: StyledText | undefined, level: number): boolean {
  if (level === 0) return a?.url === b?.url && a?.bare === b?.bare;
  const bit = spans[level - 1]?.bit ?? 0;
  return ((a?.styles ?? 0) & bit) === ((b?.styles ?? 0) & bit);
}

function writeLink(runs: readonly StyledText[], around: Around): string {
  const url = runs[0]?.url ?? '';
  const previews = around.dialect.previews === true && /^https?:/i.test(url);
  switch (linkKind(runs)) {
    case 'none':
      return writeSpan(runs, 1, around);
    case 'address':
      return previews && isReadBare(url, around) ? url : `<${url}>`;
    case 'words':
      return escapeWords(textOfStyled(runs), around);
    case 'link': {
      const label = writeSpan(runs, 1, { ...around, before: '[', after: ']' }).replaceAll('\n', ' ');
      return previews && !/[()\s]/.test(url) ? `[${label}](${url})` : `[${label}](<${url}>)`;
    }
  }
}

/** Whether an address without brackets ends where it ends: readers leave punctuation out and take in what touches it. */
function isReadBare(url: string, { before, after }: Around): boolean {
  const isApart = /^[\s(]?$/.test(before) && /^(?:[\s),;!?]|\.|:)?$/.test(after.charAt(0));
  return isApart && /[\w/#=&%-]$/.test(url) && !/[()<>*~|\\]/.test(url);
}

/** How a group of one address is written: an address on its own, a link under its label, only words, or no link at all. */
function linkKind(runs: readonly StyledText[]): 'none' | 'address' | 'link' | 'words' {
  const { url, bare } = runs[0] ?? {};
  if (url === undefined) return 'none';
  const words = textOfStyled(runs);
  // a piece of a bare address that was cut: Discord refuses links whose label looks like another address
  if (bare === true) return words === url ? 'address' : 'words';
  return words.trim() === '' ? 'words' : 'link';
}

function writeStyle(runs: readonly StyledText[], level: number, mark: string, around: Around): string {
  const bit = spans[level - 1]?.bit ?? 0;
  if (mark === '' || ((runs[0]?.styles ?? 0) & bit) === 0) return writeSpan(runs, level + 1, around);
  const inner = writeSpan(runs, level + 1, { ...around, before: mark, after: mark });
  if (understood(inner, mark, around)) return mark + inner + mark;
  return tighter(runs, level, mark, around) ?? writeSpan(runs, level + 1, around);
}

/** CommonMark's rule of flanking delimiters, for both ends; what is not understood would be shown as stars. */
function understood(inner: string, mark: string, { before, after }: Around): boolean {
  if (inner === '' || before.endsWith('\\') || inner.includes('\n\n')) return false;
  const words = mark.startsWith('*') ? inner.replace(asterisks, '') : inner;
  const outerBefore = before === '' || space.test(before) || (punctuation.test(before) && before !== '*');
  const outerAfter = after === '' || space.test(after) || (punctuation.test(after) && !after.startsWith('*'));
  const first = [...words.slice(0, 2)][0] ?? '';
  const last = [...words.slice(-2)].at(-1) ?? '';
  if (first === '' || space.test(first) || space.test(last)) return false;
  // next to the same character a delimiter merges into another one
  const sign = mark.charAt(0);
  if (before === sign || after.startsWith(sign)) return false;
  if (sign !== '*' && (first === sign || last === sign)) return false;
  return (!punctuation.test(first) || outerBefore) && (!punctuation.test(last) || outerAfter);
}

/** The same stretch without the punctuation at its ends: `「**重要**」です` where `**「重要」**です` would not be understood. */
function tighter(
  runs: readonly StyledText[],
  level: number,
  mark: string,
  around: Around,
): string | undefined {
  const only = runs.length === 1 ? runs[0] : undefined;
  if (only === undefined || (only.styles & style.code) !== 0) return undefined;
  const match = /^([\p{P}\p{S}\s]*)(.*?)([\p{P}\p{S}\s]*)$/su.exec(only.text);
  const [, lead = '', words = '', tail = ''] = match ?? [];
  if (words === '' || lead.length + tail.length === 0) return undefined;
  const rest = only.styles & ~(spans[level - 1]?.bit ?? 0);
  const outer = (text: string, side: Around): string => writeSpan([{ text, styles: rest }], level + 1, side);
  const inner = writeSpan([{ ...only, text: words }], level + 1, { ...around, before: mark, after: mark });
  const left = lead === '' ? '' : outer(lead, { ...around, after: words });
  const right = tail === '' ? '' : outer(tail, { ...around, before: words.slice(-1) });
  const side = { ...around, before: left.at(-1) ?? around.before, after: right.charAt(0) || around.after };
  return understood(inner, mark, side) ? left + mark + inner + mark + right : undefined;
}

function writeLeaf(runs: readonly StyledText[], { before, after, dialect }: Around): string {
  let out = '';
  let prior = before;
  runs.forEach((run, index) => {
    const follower = runs[index + 1];
    const next = follower === undefined ? after.charAt(0) : beginning([follower], spans.length, dialect);
    const code = (run.styles & style.code) !== 0 ? writeCode(run.text, prior, dialect) : undefined;
    const written = code ?? escapeWords(run.text, { before: prior, after: next, dialect });
    out += written;
    prior = written.at(-1) ?? prior;
  });
  return out;
}

/** Code in a line, or undefined where it cannot be delimited. */
function writeCode(text: string, before: string, dialect: Dialect): string | undefined {
  const words = text.replace(/\s*\n\s*/g, ' ');
  const ticks = ticksFor(words, dialect);
  if (words.trim() === '' || before === '`' || ticks === 0) return undefined;
  const padded = /^`|`$/.test(words) || (words.startsWith(' ') && words.endsWith(' ')) ? ` ${words} ` : words;
  const fence = '`'.repeat(ticks);
  return fence + dialect.code(padded) + fence;
}

/** How many backticks delimit code in a line; 0 where the platform knows no run that long. */
function ticksFor(words: string, dialect: Dialect): number {
  const used = new Set(words.match(/`+/g)?.map((ticks) => ticks.length));
  let ticks = 1;
  while (used.has(ticks)) ticks++;
  return ticks > dialect.longestTicks ? 0 : ticks;
}

function escapeWords(text: string, { before, after, dialect }: Around): string {
  return text.replace(dialect.special, (found: string, at: number) => {
    const end = at + found.length;
    return dialect.escape(
      found,
      at > 0 ? text.charAt(at - 1) : before,
      end < text.length ? text.charAt(end) : after,
    );
  });
}
