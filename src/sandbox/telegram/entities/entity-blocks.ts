// Text with entities as the blocks that a person sees. Only a view: what is allowed is decided somewhere else.
import type { ShownBlock, ShownRun, ShownStyle } from '#sandbox/contract.ts';
import type { TgEntity } from '#sandbox/telegram/world/wire.ts';
import { endOf } from './entity-kinds.ts';

const styleOf: Readonly<Record<string, ShownStyle>> = {
  bold: 'bold',
  italic: 'italic',
  underline: 'underline',
  strikethrough: 'strike',
  spoiler: 'spoiler',
  code: 'code',
  mention: 'mention',
  text_mention: 'mention',
};

interface Range {
  from: number;
  to: number;
}

/** Paragraphs (cut at empty lines), quotes and code blocks in reading order. */
export function entityBlocks(text: string, entities: readonly TgEntity[]): ShownBlock[] {
  const code = entities.filter((entity) => entity.type === 'pre');
  const quotes = entities.filter((entity) => entity.type.endsWith('blockquote'));
  const borders = [...code, ...quotes].flatMap((entity) => [entity.offset, endOf(entity)]);
  return ranges(text.length, borders).flatMap((range): ShownBlock[] => {
    const block = code.find((entity) => covers(entity, range));
    if (block !== undefined)
      return [{ kind: 'code', language: block.language ?? '', text: text.slice(range.from, range.to) }];
    const quoted = quotes.some((entity) => covers(entity, range));
    return paragraphs(text, range).map((paragraph) => ({
      kind: quoted ? 'quote' : 'paragraph',
      runs: runsOf(text, paragraph, entities),
    }));
  });
}

/** The whole length cut at the borders, without empty pieces. */
function ranges(length: number, borders: readonly number[]): Range[] {
  const points = [...new Set([0, ...borders, length])].sort((a, b) => a - b);
  return points.slice(1).map((to, index) => ({ from: points[index] ?? 0, to }));
}

function covers(entity: TgEntity, range: Range): boolean {
  return entity.offset <= range.from && range.to <= endOf(entity);
}

function paragraphs(text: string, range: Range): Range[] {
  const piece = text.slice(range.from, range.to);
  return [...piece.matchAll(/[^\n]+(?:\n[^\n]+)*/g)].map((match) => ({
    from: range.from + match.index,
    to: range.from + match.index + match[0].length,
  }));
}

function runsOf(text: string, range: Range, entities: readonly TgEntity[]): ShownRun[] {
  const inside = entities.filter((entity) => entity.offset < range.to && range.from < endOf(entity));
  const borders = inside
    .flatMap((entity) => [entity.offset, endOf(entity)])
    .filter((at) => range.from < at && at < range.to);
  const points = [...new Set([range.from, ...borders, range.to])].sort((a, b) => a - b);
  return points.slice(1).map((to, index) => {
    const from = points[index] ?? range.from;
    const over = inside.filter((entity) => covers(entity, { from, to }));
    const styles = over.flatMap((entity) => styleOf[entity.type] ?? []);
    const link = over.find((entity) => entity.type === 'text_link' || entity.type === 'url');
    const url = link?.url ?? (link === undefined ? undefined : text.slice(link.offset, endOf(link)));
    return { text: text.slice(from, to), styles, ...(url === undefined ? {} : { url }) };
  });
}
