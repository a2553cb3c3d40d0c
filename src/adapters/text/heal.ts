// Markdown that is still being written, closed so that a preview shows no raw markup. Not for finished answers.

const fence = /^ {0,3}(`{3,}|~{3,})(.*)$/;
// Only the end of a text can be unfinished: a longer paragraph is not looked through.
const longestTail = 4000;

/**
 * The same Markdown with its unfinished end closed or left out: emphasis and code are closed, half a link shows its label, a
 * table's first row gets its rule, a lone marker waits for its text. An open fence stays (it is read as code to the end).
 * Linear; finished Markdown comes back unchanged, unless its last line could still become a marker (`42` may become `42.`).
 */
export function healUnfinished(markdown: string): string {
  const lines = markdown.split('\n');
  let open: string | undefined;
  let start = 0;
  lines.forEach((line, index) => {
    const mark = fence.exec(line);
    if (mark?.[1] !== undefined) {
      const [, run, info = ''] = mark;
      if (open === undefined) {
        if (run[0] === '~' || !info.includes('`')) open = run;
      } else if (run[0] === open[0] && run.length >= open.length && info.trim() === '') {
        open = undefined;
        start = index + 1;
      }
    } else if (open === undefined && line.trim() === '') start = index + 1;
  });
  const last = lines.length - 1;
  if (open !== undefined) {
    // the beginning of the closing fence is not code
    if (/^ {0,3}[`~]{1,2}$/.test(lines[last] ?? '') && lines[last]?.trim()[0] === open[0]) lines.pop();
    return lines.join('\n');
  }
  if (start > last) return markdown;
  const block = lines.slice(start);
  const head = lines.slice(0, start);
  return [...head, ...healBlock(block)].join('\n');
}

function healBlock(block: string[]): string[] {
  const lines = [...block];
  const last = lines.at(-1) ?? '';
  // a lone marker: the item, heading, rule or fence behind it has not arrived
  if (
    /^\s*(?:[-+*=_]+|#{1,6}|>|\d{1,9}[.)]?|`{1,2}|~{1,2}|(?:[-+*]|\d{1,9}[.)]) \[[ x]?\]?)\s*$/i.test(last) &&
    !/^\s*(?:---+|\*\*\*+|___+)\s*$/.test(last)
  ) {
    if (lines.length > 1 || !/\d/.test(last)) lines.pop();
    return lines;
  }
  const table = healTable(lines);
  if (table !== undefined) return table;
  const text = lines.join('\n');
  const cut = Math.max(0, text.length - longestTail);
  return [text.slice(0, cut) + healInline(text.slice(cut))];
}

/** A table whose rule has not arrived gets one; undefined when this is no table's beginning. */
function healTable(lines: readonly string[]): string[] | undefined {
  const header = lines[0]?.trim() ?? '';
  if (lines.length > 2 || !/^\|.*\|/.test(header) || !/^[|:\-\s]*$/.test(lines[1] ?? '')) return undefined;
  const whole = header.endsWith('|') ? header : `${header} |`;
  const columns = whole.replace(/\\\|/g, '').split('|').length - 2;
  return [whole, `|${' - |'.repeat(columns)}`];
}

interface Mark {
  token: string;
  /** Where its content begins in what was written. */
  at: number;
}

function healInline(text: string): string {
  let out = text;
  const tag = /<\/?[a-z!][^<>\n]*$/i.exec(text);
  if (tag !== null && !/\s{2}/.test(tag[0]) && tag[0].length < 200) out = text.slice(0, tag.index);
  out = closeLink(out);
  const open: Mark[] = [];
  for (const match of out.matchAll(/\\[^\n]|`+|\*+|~~|(?<![\p{L}\p{N}_])_+|_+(?![\p{L}\p{N}_])/gu)) {
    const [token] = match;
    const at = match.index + token.length;
    const code = open.at(-1)?.token.startsWith('`') === true;
    if (code) {
      if (open.at(-1)?.token === token) open.pop();
      continue;
    }
    if (token.startsWith('\\')) continue;
    const known = open.findLastIndex((mark) => mark.token === token);
    const before = out.charAt(match.index - 1);
    const opens = !/^\s/.test(out.charAt(at)) || token.startsWith('`');
    if (known >= 0 && before.trim() !== '') open.splice(known);
    else if (opens) open.push({ token, at });
  }
  return closeMarks(out, open);
}

/** Closes what is open, innermost first; a mark with nothing behind it is left out. */
function closeMarks(text: string, open: readonly Mark[]): string {
  let out = text;
  for (const { token, at } of [...open].reverse()) {
    // a single star or underscore far back is more likely a sign than emphasis
    if (out.slice(at).trim() === '') out = out.slice(0, at - token.length);
    else out = out.trimEnd() + token;
  }
  return out;
}

/** `[label](addr` becomes its label; a lone `[` or `![` waits for its words. */
function closeLink(text: string): string {
  const link = /!?\[([^[\]\n]*)\]\([^()\s]*(?:\([^()\s]*\)[^()\s]*)*$/.exec(text);
  if (link !== null) return text.slice(0, link.index) + (link[1] ?? '');
  const label = /!?\[([^[\]\n]{0,200})$/.exec(text);
  return label === null ? text : text.slice(0, label.index) + (label[1] ?? '');
}
