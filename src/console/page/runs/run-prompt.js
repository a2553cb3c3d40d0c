// What the prompt of a run was made of: its sections with their sizes, and the passages of memory in it.
// @ts-check
import { ApiFailure, api } from '#console/page/data/api.js';
import { useData } from '#console/page/data/data.js';
import { count } from '#console/page/parts/format.js';
import { html } from '#console/page/parts/html.js';
import { Empty, Loaded, Section } from '#console/page/parts/ui.js';

/** @import { RunPrompt } from '#engine/wire/runs/run-prompt.ts' */

/** @param {{ runID: string }} props */
export function Prompt({ runID }) {
  const prompt = useData(
    () =>
      /** @type {Promise<RunPrompt | null>} */ (
        api(`/runs/${encodeURIComponent(runID)}/prompt`).catch((error) => {
          if (error instanceof ApiFailure && [403, 404].includes(error.status)) return null;
          throw error;
        })
      ),
    [runID],
  );
  return html`<${Section} title="Prompt"><${Loaded} of=${prompt} rows=${2}>${(
    /** @type {RunPrompt | null} */ data,
  ) =>
    data === null
      ? html`<${Empty} low title="What this prompt was made of is not known">It was sent before this was noted, or you may not see it.</${Empty}>`
      : html`<${Sections} prompt=${data} />`}</${Loaded}></${Section}>`;
}

/** @param {{ prompt: RunPrompt }} props */
function Sections({ prompt: { sections, passages } }) {
  const most = Math.max(1, ...sections.map(({ characters }) => characters));
  return html`<dl class="bars card">${sections.map(({ name, characters }) => html`<div key=${name}><dt>${name}</dt><dd><i style=${{ width: `${(100 * characters) / most}%` }}></i><span>${count(characters)}</span></dd></div>`)}</dl>
    ${passages.length > 0 && html`<h3 class="sub">Passages of memory in it</h3><ol class="cards">${passages.map(({ id, source, text }) => html`<li key=${id} class="card"><p dir="auto">${text ?? html`<span class="muted">forgotten since</span>`}</p><p class="muted small">${source} · ${id}</p></li>`)}</ol>`}`;
}
