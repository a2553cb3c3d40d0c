// HTML of strangers as text. It may take long: only a thread of documents calls this.
import { convert } from 'html-to-text';
import { ParleyError } from '#base/errors.ts';

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

/** The text of a page, without pictures. Throws a ParleyError `page_too_large`. */
export function htmlText(html: string): string {
  refuseBeyond(html);
  return convert(html, {
    wordwrap: false,
    limits: { maxDepth: maxDepth, ellipsis: '…' },
    selectors: [
      { selector: 'img', format: 'skip' },
      ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({
        selector,
        options: { uppercase: false },
      })),
      { selector: 'a', options: { hideLinkHrefIfSameAsText: true } },
    ],
  });
}
