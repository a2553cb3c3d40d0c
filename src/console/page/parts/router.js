// Which page is open: the address below `/console`, with its query.
// @ts-check
import { computed, signal } from '@preact/signals';
import { html } from './html.js';

const base = '/console';

/** The address as it is now. */
const address = signal(location.pathname + location.search);

/** The path below `/console` in pieces, and the query. */
export const route = computed(() => {
  const url = new URL(address.value, location.origin);
  const pieces = url.pathname.slice(base.length).split('/').filter(Boolean).map(decoded);
  return { pieces, query: url.searchParams };
});

/** @param {string} piece */
function decoded(piece) {
  try {
    return decodeURIComponent(piece);
  } catch {
    return piece; // an address that a person typed
  }
}

/** The address of a page. @param {readonly string[]} pieces @param {Record<string, string | undefined>} [query] */
export function addressOf(pieces, query = {}) {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value) search.set(name, value);
  const text = search.toString();
  return `${base}/${pieces.map(encodeURIComponent).join('/')}${text === '' ? '' : `?${text}`}`;
}

/** Opens an address of the console. @param {string} to @param {{ replace?: boolean }} [how] */
export function go(to, { replace = false } = {}) {
  if (to === address.value) return;
  if (replace) history.replaceState(null, '', to);
  else history.pushState(null, '', to);
  address.value = to;
}

/** Changes the query of the open page, without a step in the history. @param {Record<string, string | undefined>} change */
export function setQuery(change) {
  const { pieces, query } = route.value;
  go(addressOf(pieces, { ...Object.fromEntries(query), ...change }), { replace: true });
}

addEventListener('popstate', () => {
  address.value = location.pathname + location.search;
});

/** A link inside the console. @param {{ to: string, class?: string, current?: boolean, children?: unknown, label?: string, title?: string }} props */
export function Link({ to, current, children, label, ...rest }) {
  const open = (/** @type {MouseEvent} */ event) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    go(to);
  };
  return html`<a href=${to} onClick=${open} aria-current=${current ? 'page' : undefined} aria-label=${label} ...${rest}>${children}</a>`;
}
