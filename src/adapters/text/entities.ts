// A leaf as Telegram takes it: text, and entities by UTF-16 offset. Not Markdown, not the message as a whole.
import type { Leaf, StyledText } from './layout/leaf.ts';
import { drawnQuote, style, textOfStyled } from './layout/leaf.ts';

export interface Entity {
  type:
    | 'bold'
    | 'italic'
    | 'underline'
    | 'strikethrough'
    | 'code'
    | 'pre'
    | 'text_link'
    | 'blockquote'
    | 'expandable_blockquote';
  offset: number;
  length: number;
  url?: string;
  language?: string;
}

export interface Marked {
  text: string;
  entities: Entity[];
}

const kinds: { bit: number; type: Entity['type'] }[] = [
  { bit: style.bold, type: 'bold' },
  { bit: style.italic, type: 'italic' },
  { bit: style.underline, type: 'underline' },
  { bit: style.strike, type: 'strikethrough' },
];

/** Text and Telegram entities of a leaf, `indent` columns left of its marker. Quotes are not marked here: the whole message marks them. */
export function markLeaf(leaf: Leaf, indent: number): Marked {
  if (leaf.type === 'code') {
    const text = [...leaf.header, ...leaf.lines].join('\n').trimEnd();
    const language = leaf.language === '' ? {} : { language: leaf.language };
    return {
      text,
      entities: text === '' ? [] : [{ type: 'pre', offset: 0, length: text.length, ...language }],
    };
  }
  const quote = drawnQuote.repeat(Math.max(0, leaf.place.quoteDepth - 1));
  const lead = quote + ' '.repeat(indent) + leaf.place.marker;
  const hang = quote + ' '.repeat(indent + leaf.place.marker.length);
  // a heading is a bold line, since Telegram has none
  const runs =
    leaf.heading === 0 ? leaf.runs : leaf.runs.map((run) => ({ ...run, styles: run.styles | style.bold }));
  return markRuns(tidy(runs, hang), runs.length === 0 ? lead.trimEnd() : lead);
}

/** Lines trimmed at their start and hung under the first, white space at the end gone. */
function tidy(runs: readonly StyledText[], hang: string): StyledText[] {
  let fresh = true;
  const hung = runs.map((run) => {
    let text = fresh ? run.text.trimStart() : run.text;
    if (text !== '') fresh = false;
    if (text.includes('\n')) {
      fresh = /\n\s*$/.test(text);
      text = text.replace(/\s*\n\s*/g, `\n${hang}`);
    }
    return { ...run, text };
  });
  while (hung.at(-1)?.text.trim() === '' && hung.length > 0) hung.pop();
  const last = hung.at(-1);
  if (last !== undefined) last.text = last.text.trimEnd();
  return hung;
}

function markRuns(runs: readonly StyledText[], lead: string): Marked {
  const entities: Entity[] = [];
  const text = lead + textOfStyled(runs);
  const stretch = (
    holds: (run: StyledText) => string | undefined,
    make: (value: string) => Omit<Entity, 'offset' | 'length'>,
  ): void => {
    let at = lead.length;
    let from = at;
    let value: string | undefined;
    const close = (end: number): void => {
      if (value === undefined) return;
      const words = text.slice(from, end);
      const length = words.trim().length;
      if (length > 0)
        entities.push({ ...make(value), offset: from + words.length - words.trimStart().length, length });
    };
    for (const run of runs) {
      const next = holds(run);
      if (next !== value) {
        close(at);
        value = next;
        from = at;
      }
      at += run.text.length;
    }
    close(at);
  };
  // code holds no other entity, and no other may hold it
  const isCode = (run: StyledText): boolean => (run.styles & style.code) !== 0 && run.url === undefined;
  stretch(
    (run) => (isCode(run) ? 'code' : undefined),
    () => ({ type: 'code' }),
  );
  // a bare address becomes a link on its own
  stretch(
    (run) => (run.bare !== true ? run.url : undefined),
    (url) => ({ type: 'text_link', url }),
  );
  for (const { bit, type } of kinds)
    stretch(
      (run) => ((run.styles & bit) !== 0 && !isCode(run) ? type : undefined),
      () => ({ type }),
    );
  return { text, entities: nested(entities, text) };
}

/** Sorted, and cut where one would cross the end of another, so that they nest as Telegram wants them; pieces hold no blank edges. */
export function nested(entities: readonly Entity[], text: string): Entity[] {
  const sorted = [...entities].sort(order);
  const result: Entity[] = [];
  const open: Entity[] = [];
  for (let i = 0; i < sorted.length; i++) {
    const entity = sorted[i] as Entity; // i is below the length
    while (open.length > 0 && endOf(open.at(-1)) <= entity.offset) open.pop();
    const outer = open.at(-1);
    if (outer !== undefined && endOf(entity) > endOf(outer)) {
      const head = trimmed({ ...entity, length: endOf(outer) - entity.offset }, text);
      const tail = trimmed({ ...entity, offset: endOf(outer), length: endOf(entity) - endOf(outer) }, text);
      if (tail.length > 0) {
        const at = sorted.findIndex((other, index) => index > i && order(tail, other) < 0);
        sorted.splice(at === -1 ? sorted.length : at, 0, tail);
      }
      if (head.length > 0) {
        result.push(head);
        open.push(head);
      }
    } else {
      result.push(entity);
      open.push(entity);
    }
  }
  return result;
}

function trimmed(entity: Entity, text: string): Entity {
  const words = text.slice(entity.offset, endOf(entity));
  const lead = words.length - words.trimStart().length;
  return { ...entity, offset: entity.offset + lead, length: words.trim().length };
}

const ranks: Entity['type'][] = [
  'blockquote',
  'expandable_blockquote',
  'pre',
  'text_link',
  'code',
  'bold',
  'italic',
  'underline',
  'strikethrough',
];

/** Telegram's own order: by start, then the longer first, then by kind. */
function order(a: Entity, b: Entity): number {
  return a.offset - b.offset || b.length - a.length || ranks.indexOf(a.type) - ranks.indexOf(b.type);
}

function endOf(entity: Entity | undefined): number {
  return entity === undefined ? 0 : entity.offset + entity.length;
}
