// Where a leaf that is too long may be cut: lines, sentences, words, graphemes, in this order. Not packing into parts.
import {
  type BlockPosition,
  type CodeLeaf,
  type Leaf,
  pushStyledText,
  type StyledText,
  type TextLeaf,
  textOfStyled,
} from './leaf.ts';

/** A leaf cut in two: what still fits, and the rest. */
interface Cut {
  head: Leaf;
  rest: Leaf;
}

// A better kind of place is preferred as long as it uses this much of the room.
const preferLines = 0.5;
const preferSentences = 0.6;
const preferWords = 0.3;
// Graphemes longer than this (stacked marks) are cut like any text: a part has a limit, a grapheme has none.
const longestGrapheme = 256;

/**
 * The longest well-cut beginning of a leaf for which `fits` holds; undefined when not even its first grapheme does.
 * `units` bounds the search: no text of more UTF-16 units can fit.
 */
export function cutLeaf(leaf: Leaf, units: number, fits: (head: Leaf) => boolean): Cut | undefined {
  return leaf.type === 'text' ? cutText(leaf, units, fits) : cutCode(leaf, units, fits);
}

function cutText(leaf: TextLeaf, units: number, fits: (head: Leaf) => boolean): Cut | undefined {
  const window = firstRuns(leaf.runs, 0, units + longestGrapheme);
  const text = textOfStyled(window);
  const headOf = (end: number): TextLeaf => ({ ...leaf, runs: firstRuns(window, 0, end) });
  let end = longest(Math.min(units, text.length), (size) => size > 0 && fits(headOf(size)));
  while (end > 0) {
    const at = breakBefore(text, end);
    const head = headOf(at);
    head.runs = trimEnd(head.runs);
    // a shorter head fits as well, except for rare markup at the cut; then look for an earlier place
    if (at > 0 && (head.runs.length === 0 || fits(head)))
      return { head, rest: { ...leaf, runs: trimStart(restRuns(leaf.runs, at)), place: after(leaf.place) } };
    end = Math.min(at, end) - 1;
  }
  return undefined;
}

function cutCode(leaf: CodeLeaf, units: number, fits: (head: Leaf) => boolean): Cut | undefined {
  let most = 0;
  for (let size = 0; most < leaf.lines.length && size <= units; most++)
    size += (leaf.lines[most]?.length ?? 0) + 1;
  const headOf = (lines: string[]): CodeLeaf => ({ ...leaf, lines });
  const count = longest(most, (lines) => lines > 0 && fits(headOf(leaf.lines.slice(0, lines))));
  // a part of blank lines alone would be empty
  if (leaf.lines.slice(0, count).some((line) => line.trim() !== ''))
    return {
      head: headOf(leaf.lines.slice(0, count)),
      rest: { ...leaf, lines: leaf.lines.slice(count), place: after(leaf.place) },
    };
  const blank = leaf.lines.findIndex((line) => line.trim() !== '');
  const lines = blank > 0 ? leaf.lines.slice(blank) : leaf.lines;
  const line = lines[0] ?? '';
  const window = line.slice(0, units + longestGrapheme);
  const end = longest(
    Math.min(units, line.length),
    (size) => size > 0 && fits(headOf([line.slice(0, size)])),
  );
  const at = end === 0 ? 0 : graphemeBefore(window, end);
  if (at === 0) return undefined;
  const rest = at < line.length ? [line.slice(at), ...lines.slice(1)] : lines.slice(1);
  return { head: headOf([line.slice(0, at)]), rest: { ...leaf, lines: rest, place: after(leaf.place) } };
}

/**
 * About the largest number up to `most` that holds (less than a fiftieth of `most` away), assuming that smaller ones hold too;
 * 0 when none does. Looked for from the top: words take little more room with markup than without.
 */
function longest(most: number, holds: (size: number) => boolean): number {
  let high = most;
  let low = high;
  for (let step = 1; low > 0 && !holds(low); step *= 4) {
    high = low - 1;
    low = Math.max(0, low - step);
  }
  // each try shapes the whole head: the last units of room are not worth another
  const slack = most >> 6;
  while (low < high && (low === 0 || high - low > slack)) {
    const middle = Math.ceil((low + high) / 2);
    if (holds(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The place of what continues after a cut: under the words, without the marker. */
function after(place: BlockPosition): BlockPosition {
  return { ...place, indent: place.indent + place.marker.length, marker: '', tight: true };
}

/** The best place to break at or before `end`. */
function breakBefore(text: string, end: number): number {
  if (end >= text.length) return text.length;
  const line = text.lastIndexOf('\n', end);
  if (line >= end * preferLines) return line;
  const head = text.slice(0, end + 1);
  const sentence = lastMatch(head, /[.!?…][)\]"'’”»]*\s|[。！？]/g, Math.floor(end * preferSentences));
  if (sentence > 0 && sentence <= end) return sentence;
  const word = lastMatch(head, /\s/g, Math.floor(end * preferWords));
  if (word > 0 && word <= end + 1) return Math.min(word, end);
  return graphemeBefore(text, end);
}

/** The end of the last match that begins at or after `from`; 0 when there is none. */
function lastMatch(text: string, pattern: RegExp, from: number): number {
  let end = 0;
  pattern.lastIndex = from;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text))
    end = match.index + match[0].length;
  return end;
}

/** The last boundary between graphemes at or before `end`; 0 when the first one is longer. Never inside a surrogate pair. */
function graphemeBefore(text: string, end: number): number {
  const whole = text.slice(0, end + longestGrapheme);
  if (whole.length <= end) return whole.length;
  const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(whole);
  const { index: at, segment } = graphemes.containing(end) ?? { index: end, segment: '' };
  if (segment.length < longestGrapheme) return at;
  const low = text.charCodeAt(end);
  return low >= 0xdc00 && low <= 0xdfff ? end - 1 : end;
}

function firstRuns(runs: readonly StyledText[], from: number, to: number): StyledText[] {
  const saved: StyledText[] = [];
  let at = 0;
  for (const run of runs) {
    if (at >= to) break;
    pushStyledText(saved, { ...run, text: run.text.slice(Math.max(0, from - at), to - at) });
    at += run.text.length;
  }
  return saved;
}

function restRuns(runs: readonly StyledText[], from: number): StyledText[] {
  let at = 0;
  let index = 0;
  while (index < runs.length && at + (runs[index]?.text.length ?? 0) <= from)
    at += runs[index++]?.text.length ?? 0;
  const first = runs[index];
  return first === undefined
    ? []
    : [{ ...first, text: first.text.slice(from - at) }, ...runs.slice(index + 1)];
}

function trimStart(runs: StyledText[]): StyledText[] {
  let index = 0;
  while (index < runs.length && runs[index]?.text.trim() === '') index++;
  const first = runs[index];
  return first === undefined ? [] : [{ ...first, text: first.text.trimStart() }, ...runs.slice(index + 1)];
}

function trimEnd(runs: StyledText[]): StyledText[] {
  const saved = [...runs];
  while (saved.length > 0 && saved.at(-1)?.text.trim() === '') saved.pop();
  const last = saved.pop();
  return last === undefined ? [] : [...saved, { ...last, text: last.text.trimEnd() }];
}
