// A search as one audience would see it, with the reason for each hit.
// @ts-check
import { useState } from 'preact/hooks';
import { api } from '#console/page/data/api.js';
import { useData } from '#console/page/data/data.js';
import { useSettled } from '#console/page/data/paged.js';
import { html } from '#console/page/parts/html.js';
import { Empty, Field, Loaded } from '#console/page/parts/ui.js';
import { MemoryEntry } from './entry.js';

/** @import { Abilities } from '#engine/wire/runs/abilities.ts' @import { MemoryFindings } from '#engine/wire/memory/memory.ts' */

/** @param {{ audience: string }} props */
export function Search({ audience }) {
  const [text, setText] = useState('');
  const [agent, setAgent] = useState('');
  const agents = useData(() => /** @type {Promise<Abilities>} */ (api('/agent')), []);
  const names = (agents.data?.agents ?? []).map(({ name }) => name);
  const query = useSettled(text.trim(), 350);
  const found = useData(
    async () =>
      query === ''
        ? undefined
        : /** @type {MemoryFindings} */ (
            await api('/memory/search', {
              method: 'POST',
              body: { query, audience, limit: 20, ...(agent !== '' && { agent }) },
            })
          ),
    [query, audience, agent],
  );
  return html`<div class="filters"><${Field} hidden label="Search memory" type="search" placeholder="Ask as a person would: what is remembered about …" value=${text} onInput=${setText} />
      ${names.length > 1 && html`<${Field} hidden label="Assistant" value=${agent} options=${[['', 'Of every assistant'], ...names.map((name) => [name, `As under ${name}`])]} onInput=${setAgent} />`}</div>
    ${
      query === ''
        ? html`<${Empty} title="Search what is remembered" icon="search">You see what this audience would be reminded of, the best first, and why. What you see is noted in the audit.</${Empty}>`
        : html`<${Loaded} of=${found}>${(/** @type {MemoryFindings} */ { results, degraded }) => html`
        ${degraded.map((note) => html`<p key=${note} class="notice">${note}</p>`)}
        ${results.length === 0 && html`<${Empty} title="Nothing is found" icon="search">This audience remembers nothing about it. Try other words, or another audience.</${Empty}>`}
        <ol class="cards">${results.map((hit) => html`<${MemoryEntry} key=${hit.id} entry=${hit}><${Reason} score=${hit.score} influence=${hit.influence} /></${MemoryEntry}>`)}</ol>`}</${Loaded}>`
    }`;
}

/** Of what a score is made, the strongest first. @param {{ score: number, influence: Record<string, number> }} props */
export function Reason({ score, influence }) {
  const parts = Object.entries(influence)
    .filter(([, value]) => Math.abs(value) >= 0.005)
    .toSorted(([, a], [, b]) => Math.abs(b) - Math.abs(a))
    .slice(0, 8);
  return html`<details class="unfold reason"><summary>Score ${score.toFixed(2)}${parts[0] && html`<span>mostly by ${parts[0][0].replaceAll('_', ' ')}</span>`}</summary>
    <dl class="bars">${parts.map(([name, value]) => html`<div key=${name}><dt>${name.replaceAll('_', ' ')}</dt><dd><i style=${{ width: `${Math.min(100, Math.abs(value) * 100)}%` }}></i><span>${value.toFixed(3)}</span></dd></div>`)}</dl></details>`;
}
