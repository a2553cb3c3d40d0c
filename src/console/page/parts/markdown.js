// Markdown as elements. Markup in it is text; links lead only to the web; nothing is loaded from another host.
// @ts-check
import { lexer } from 'marked';
import { useMemo, useState } from 'preact/hooks';
import { Code } from './code.js';
import { count } from './format.js';
import { html } from './html.js';

/** @import { Token, Tokens } from 'marked' */

/** A longer text is shown as plain text: a tree of it would take seconds. */
const limit = 50_000;
/** So much of a long text is drawn at first, in characters. */
const shownLimit = 8_000;

/** @param {{ text: string }} props */
export function Markdown({ text }) {
  const tokens = useMemo(
    () => (text.length > limit ? undefined : lexer(text, { gfm: true, breaks: true })),
    [text],
  );
  if (tokens === undefined) return html`<${LongText} text=${text} />`;
  return html`<div class="markdown" dir="auto">${blocks(tokens)}</div>`;
}

/** What a Markdown text says, in one line without its marks: for a preview. @param {string} text */
export function wordsOf(text) {
  const words = (/** @type {readonly Token[]} */ tokens) => tokens.map(wordsIn).join('');
  /** @param {Token} given @returns {string} */
  const wordsIn = (given) => {
    const token = /** @type {any} */ (given); // as in `block`
    if (given.type === 'table')
      return [token.header, ...token.rows]
        .flat()
        .map((/** @type {Tokens.TableCell} */ cell) => `${words(cell.tokens)} `)
        .join('');
    if (given.type === 'list')
      return token.items.map((/** @type {Tokens.ListItem} */ item) => `${words(item.tokens)} `).join('');
    if (given.type === 'hr' || given.type === 'br' || given.type === 'space') return ' ';
    const ends = ['paragraph', 'heading', 'blockquote', 'code'].includes(given.type) ? ' ' : '';
    return (token.tokens ? words(token.tokens) : unescaped(token.text ?? token.raw)) + ends;
  };
  return words(lexer(text, { gfm: true, breaks: true }))
    .replaceAll(/\s+/g, ' ')
    .trim();
}

/** A text of any length; only its beginning is drawn until a person wants all of it. @param {{ text: string }} props */
export function LongText({ text }) {
  const [whole, setWhole] = useState(text.length <= shownLimit);
  return html`<pre class="plain" dir="auto" tabindex="0">${whole ? text : text.slice(0, shownLimit)}</pre>
    ${!whole && html`<p><button type="button" class="button" onClick=${() => setWhole(true)}>Show all ${count(text.length)} characters</button></p>`}`;
}

/** @param {readonly Token[]} tokens @returns {unknown[]} */
function blocks(tokens) {
  return tokens.map((token) => block(token));
}

/** @param {Token} given @returns {unknown} */
function block(given) {
  const token = /** @type {any} */ (given); // marked's union has a member for anything
  switch (given.type) {
    case 'space':
    case 'def':
      return null;
    case 'heading':
      // the page has its own headings: those of a message are not among them
      return html`<p class=${`heading h${token.depth}`}>${inline(token.tokens)}</p>`;
    case 'paragraph':
      return html`<p>${inline(token.tokens)}</p>`;
    case 'text':
      return token.tokens ? inline(token.tokens) : token.text;
    case 'code':
      return html`<${Code} text=${token.text} language=${token.lang} />`;
    case 'blockquote':
      return html`<blockquote>${blocks(token.tokens)}</blockquote>`;
    case 'hr':
      return html`<hr />`;
    case 'list': {
      const items = token.items.map(
        (/** @type {Tokens.ListItem} */ item) => html`<li>${blocks(item.tokens)}</li>`,
      );
      return token.ordered ? html`<ol start=${token.start}>${items}</ol>` : html`<ul>${items}</ul>`;
    }
    case 'checkbox':
      return token.checked ? '☑ ' : '☐ ';
    case 'table':
      return html`<div class="table-place" tabindex="0" role="group" aria-label="Table"><table>
        <thead><tr>${token.header.map((/** @type {Tokens.TableCell} */ cell) => html`<th scope="col">${inline(cell.tokens)}</th>`)}</tr></thead>
        <tbody>${token.rows.map((/** @type {Tokens.TableCell[]} */ row) => html`<tr>${row.map((cell) => html`<td>${inline(cell.tokens)}</td>`)}</tr>`)}</tbody>
      </table></div>`;
    default:
      return html`<p>${token.raw}</p>`;
  }
}

/** @param {readonly Token[] | undefined} tokens @returns {unknown[]} */
function inline(tokens) {
  return (tokens ?? []).map((given) => {
    const token = /** @type {any} */ (given); // as above
    switch (given.type) {
      case 'strong':
        return html`<strong>${inline(token.tokens)}</strong>`;
      case 'em':
        return html`<em>${inline(token.tokens)}</em>`;
      case 'del':
        return html`<del>${inline(token.tokens)}</del>`;
      case 'codespan':
        return html`<code>${unescaped(token.text)}</code>`;
      case 'br':
        return html`<br />`;
      case 'link':
        return webLink(token.href, inline(token.tokens));
      case 'image':
        return webLink(token.href, token.text || token.href);
      case 'text':
        return token.tokens ? inline(token.tokens) : unescaped(token.text);
      case 'escape':
        return unescaped(token.text);
      default:
        return token.raw;
    }
  });
}

/** @param {string} address @param {unknown} shown */
function webLink(address, shown) {
  if (!/^(https?:|mailto:)/i.test(address)) return html`<span title=${address}>${shown}</span>`;
  return html`<a href=${address} rel="noopener noreferrer" target="_blank">${shown}</a>`;
}

/** The lexer writes some characters as entities; an element takes text. @param {string} text */
function unescaped(text) {
  const names = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" };
  return text.replaceAll(
    /&(?:amp|lt|gt|quot|#39);/g,
    (entity) => names[/** @type {keyof typeof names} */ (entity)],
  );
}
