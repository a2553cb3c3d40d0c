// What the prompt of a run was made of: its sections with their sizes, and the passages of memory in it.
// @ts-check
import { ApiFailure, api } from '#console/page/data/api.js';
import { count, plural } from '#console/page/parts/format.js';
import { html } from '#console/page/parts/html.js';
import { Empty, Section } from '#console/page/parts/ui.js';

/** @import { RunPrompt } from '#engine/wire/runs/run-prompt.ts' */

/** Null where it is not known, or may not be seen. @param {string} runID */
export const promptOf = (runID) =>
  /** @type {Promise<RunPrompt | null>} */ (
    api(`/runs/${encodeURIComponent(runID)}/prompt`).catch((error) => {
      if (error instanceof ApiFailure && [403, 404].includes(error.status)) return null;
      throw error;
    })
  );

/** @param {{ prompt: RunPrompt | null }} props */
export function Prompt({ prompt }) {
  const counted = prompt?.inputTokens;
  const note = counted
    ? `${count(counted)} tokens in the first call, as the provider counted; shared out by characters`
    : prompt && 'In characters: the provider counted no tokens';
  return html`<${Section} title="Prompt" note=${note}>${
    prompt === null
      ? html`<${Empty} low title="What this prompt was made of is not known">It was sent before this was noted, has not ended, or you may not see it.</${Empty}>`
      : html`<${Sections} prompt=${prompt} />`
  }</${Section}>`;
}

/** @param {{ prompt: RunPrompt }} props */
function Sections({ prompt: { sections, passages } }) {
  const most = Math.max(1, ...sections.map(({ characters }) => characters));
  return html`<dl class="bars card">${sections.map(({ name, characters, tokens }) => html`<div key=${name}><dt>${name === 'Tools' ? 'Tool definitions' : name}</dt><dd><i style=${{ width: `${(100 * characters) / most}%` }}></i><span>${tokens === null ? plural(characters, 'character') : plural(tokens, 'token')}</span></dd></div>`)}</dl>
    ${passages.length > 0 && html`<h3 class="sub">Passages of memory in it</h3><ol class="cards">${passages.map(({ id, source, text }) => html`<li key=${id} class="card"><p dir="auto">${text ?? html`<span class="muted">forgotten since</span>`}</p><p class="muted small">${source} · ${id}</p></li>`)}</ol>`}`;
}
