// HTML of strangers as text. It may take long: only a thread of documents calls this.
import { convert, type DomNode, type FormatCallback } from 'html-to-text';
import { ParleyError } from '#base/errors.ts';
import { rowText } from './table-writer.ts';

/** More elements, or more of them in one another, are nothing that people write; they would take the thread for seconds. */
const most = { elements: 250_000, depth: 20_000 };
/** Elements that have no end, or whose end HTML lets people leave out. */
const unclosed =
  /^(?:area|base|br|col|embed|hr|img|input|link|meta|param|source|track|wbr|p|li|d[td]|t[dhr]|thead|tbody|tfoot|option|optgroup|colgroup)$/i;

/** A ParleyError `page_too_large` for a page with more than that, found by a look at its tags. */
function refuseBeyond(html: string): void {
  let [elements, depth] = [0, 0];
  for (const [, end, name = ''] of html.matchAll(/<(\/?)([a-z][a-z0-9-]{0,40})/gi)) {
    if (end !== '') depth -= unclosed.test(name) ? 0 : 1;
    else {
      elements += 1;
      depth += unclosed.test(name) ? 0 : 1;
    }
    if (elements > most.elements || depth > most.depth)
      throw new ParleyError(
        'page_too_large',
        `it has more than ${most.elements} elements, or more than ${most.depth} in one another`,
      );
  }
}

/** What is nested deeper is left out: browsers draw 512 levels. */
const maxDepth = 1_000;

const tags = (node: DomNode): DomNode[] => node.children?.filter(({ type }) => type === 'tag') ?? [];

/** A cell, or a caption: an element without the parts of the table that stand in it because its end was left out. */
type Piece = DomNode & { children: DomNode[] };

interface Table {
  rows: Piece[][];
  captions: Piece[];
}

/**
 * The rows of a table in the order of the page, wherever the parser put them: where the end of a cell, a caption or a paragraph is left out, it
 * has what follows inside of it. Tables in cells stay whole.
 */
function readTable(table: DomNode): Table {
  const found: Table = { rows: [], captions: [] };
  /** Puts what is in the element into the piece; nothing takes what stands between the parts of the table. */
  const take = (from: DomNode, into: Piece | undefined, depth: number): void => {
    for (const node of from.children ?? []) {
      const inner: Piece = { ...node, children: [] };
      if (depth > maxDepth || node.type !== 'tag' || node.name === 'table') into?.children.push(node);
      else if (/^(?:thead|tbody|tfoot|colgroup)$/.test(node.name ?? '')) take(node, undefined, depth + 1);
      else {
        if (node.name === 'tr') found.rows.push([]);
        else if (node.name === 'caption') found.captions.push(inner);
        else if (node.name === 'td' || node.name === 'th') {
          if (found.rows.length === 0) found.rows.push([]);
          found.rows.at(-1)?.push(inner);
        } else into?.children.push(inner);
        take(node, node.name === 'tr' ? undefined : inner, depth + 1);
      }
    }
  };
  take(table, undefined, 0);
  return found;
}

/** A table as people mean one has a row with several cells, and no table in a cell: pages are laid out in the others. */
const isData = ({ rows }: Table): boolean =>
  rows.some((cells) => cells.length > 1) &&
  !rows.some((cells) => cells.some((cell) => within(cell, 'table')));

function within(node: DomNode, name: string): boolean {
  const left = tags(node);
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    if (next.name === name) return true;
    left.push(...tags(next));
  }
  return false;
}

/** Most columns that a cell is believed to span. */
const maxSpan = 50;

const writeTable: FormatCallback = (node, walk, builder) => {
  const table = readTable(node);
  if (!isData(table)) {
    builder.openBlock({ leadingLineBreaks: 2 });
    walk(node.children, builder);
    builder.closeBlock({ trailingLineBreaks: 2 });
    return;
  }
  for (const caption of table.captions) {
    builder.openBlock({ leadingLineBreaks: 2 });
    walk(caption.children, builder);
    builder.closeBlock({ trailingLineBreaks: 2 });
  }
  builder.openTable();
  for (const row of table.rows) {
    builder.openTableRow();
    for (const cell of row) {
      builder.openTableCell();
      walk(cell.children, builder);
      builder.closeTableCell({ colspan: Math.min(maxSpan, Number(cell.attribs?.colspan) || 1) });
    }
    builder.closeTableRow();
  }
  builder.closeTable({
    tableToString: (rows) =>
      rows
        .map((row) =>
          rowText(row.flatMap(({ text, colspan = 1 }) => [text, ...Array<string>(colspan - 1).fill('')])),
        )
        .join('')
        .trimEnd(),
  });
};

/** The text of a page, without pictures, with its tables by rows. Throws a ParleyError `page_too_large`. */
export function htmlText(html: string): string {
  refuseBeyond(html);
  return convert(html, {
    wordwrap: false,
    limits: { maxDepth: maxDepth, ellipsis: '…' },
    formatters: { rows: writeTable },
    selectors: [
      { selector: 'img', format: 'skip' },
      { selector: 'table', format: 'rows' },
      // cells of a table that only lays a page out
      ...['td', 'th', 'caption'].map((selector) => ({
        selector,
        format: 'block',
        options: { leadingLineBreaks: 1, trailingLineBreaks: 1 },
      })),
      ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({
        selector,
        options: { uppercase: false },
      })),
      { selector: 'a', options: { hideLinkHrefIfSameAsText: true } },
    ],
  });
}
