// A Markdown file as passages with their lines, each under its headings. Small, so that one edited line changes one passage.

import { createHeadingPath } from './heading-path.ts';

interface FilePassage {
  headings: readonly string[];
  /** The first and the last line, from 1. */
  from: number;
  until: number;
  text: string;
}

/** Characters of a passage: a few list items or a paragraph. */
const passageChars = 600;
/** A single line is cut here. */
const longestLine = 1_600;

const heading = /^ {0,3}(#{1,6})[ \t]+(.*?)(?:[ \t]+#+)?[ \t]*$/;
const item = /^(?:[-*+]|\d{1,9}[.)])[ \t]/;
const fence = /^ {0,3}(?:`{3,}|~{3,})/;
/** What is around front matter, and headings without a text. */
const rule = /^ {0,3}(?:-{3,}|#{1,6})$/;
const comment = /^\s*<!--.*-->\s*$/;

/**
 * The passages in order, one after the other; comments of one line, front matter and headings without a text are none, unless the file has
 * nothing else: then their lines are the text.
 */
export function* passagesOf(text: string): Generator<FilePassage> {
  const lines = text.replace(/^\ufeff/, '').split('\n');
  let isBare = true;
  for (const passage of passagesIn(lines, 'below headings')) {
    isBare = false;
    yield passage;
  }
  if (isBare) yield* passagesIn(lines, 'as text');
}

function* passagesIn(lines: readonly string[], read: 'below headings' | 'as text'): Generator<FilePassage> {
  const path = createHeadingPath();
  const isText = read === 'as text';
  let current: FilePassage | undefined;
  let isCode = false;
  const flush = (): FilePassage[] => {
    const done = current;
    current = undefined;
    return done === undefined || done.text.trim() === '' ? [] : [done];
  };
  for (let index = isText ? 0 : frontMatterOf(lines); index < lines.length; index += 1) {
    const line = (lines[index] ?? '').trimEnd();
    const marks = isCode || isText ? null : heading.exec(line);
    if (marks !== null) {
      yield* flush();
      path.enter((marks[1] ?? '').length, marks[2] ?? '');
      continue;
    }
    const begins = !isCode && (item.test(line) || (lines[index - 1] ?? '').trim() === '');
    if (fence.test(line)) isCode = !isCode;
    if (line.trim() === '' || (isText && rule.test(line)) || (!isCode && comment.test(line))) continue;
    const at = index + 1;
    if (current !== undefined && isFull(current, line, begins)) yield* flush();
    for (const piece of piecesOf(line)) {
      if (current === undefined) current = { headings: path.texts(), from: at, until: at, text: piece };
      else if (piece === line) current = { ...current, until: at, text: `${current.text}\n${piece}` };
      else {
        yield* flush();
        current = { headings: path.texts(), from: at, until: at, text: piece };
      }
    }
  }
  yield* flush();
}

/** A new block begins a passage when the last one would grow too long; within a block only a very long one is cut. */
function isFull(current: FilePassage, line: string, begins: boolean): boolean {
  const length = current.text.length + line.length + 1;
  return begins ? length > passageChars : length > longestLine;
}

function piecesOf(line: string): string[] {
  if (line.length <= longestLine) return [line];
  return Array.from({ length: Math.ceil(line.length / longestLine) }, (_, index) =>
    line.slice(index * longestLine, (index + 1) * longestLine),
  );
}

/** The line after the front matter; 0 without one. */
function frontMatterOf(lines: readonly string[]): number {
  if (lines[0] !== '---') return 0;
  const end = lines.indexOf('---', 1);
  return end < 0 ? 0 : end + 1;
}
