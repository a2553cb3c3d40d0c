// What is used of a bound, as a number and a bar.
// @ts-check
import { html } from './html.js';

/**
 * A row for each thing that is counted; without a limit its number only.
 * @param {{ rows: readonly (readonly [name: string, used: number | undefined, limit: number | undefined, format: (value: number) => string])[] }} props
 */
export function Uses({ rows }) {
  return html`<dl class="budget small">${rows.map(([name, used, limit, format]) => used !== undefined && html`<div key=${name}><dt>${name}</dt><dd>${format(used)}${limit !== undefined && html` of ${format(limit)} <progress class=${used >= limit ? 'used-up' : undefined} max=${limit} value=${Math.min(used, limit)} aria-label=${`${name} used`}></progress>`}</dd></div>`)}</dl>`;
}
