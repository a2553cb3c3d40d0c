// Short-term memory of one audience: what the next sweep will write into MEMORY.md, what waits or was refused, and why.
// @ts-check
import { api } from '#console/page/data/api.js';
import { useData } from '#console/page/data/data.js';
import { count, plural } from '#console/page/parts/format.js';
import { html } from '#console/page/parts/html.js';
import { Badge, Empty, Facts, Loaded, Section, Time } from '#console/page/parts/ui.js';
import { Reason } from './search.js';

/** @import { MemoryDreams } from '#engine/wire/memory/memory-files.ts' @typedef {MemoryDreams['candidates'][number]} Candidate */

const groups = /** @type {const} */ ([
  ['promote', 'The next sweep promotes', 'good'],
  ['waits', 'Waits', 'warn'],
  ['refused', 'Not promoted', undefined],
  ['promoted', 'Promoted before', 'info'],
]);

/** @param {{ audience: string }} props */
export function Dreams({ audience }) {
  const dreams = useData(
    () => /** @type {Promise<MemoryDreams>} */ (api('/memory/dreams', { query: { audience } })),
    [audience],
  );
  return html`<${Loaded} of=${dreams}>${(/** @type {MemoryDreams} */ { status, candidates, problem }) => html`
    ${[problem, ...status.problems].filter(Boolean).map((words) => html`<p key=${words} class="failure">${sentence(words ?? '')}</p>`)}
    <${Section} title="Sweeps"><div class="card"><${Facts} rows=${[
      [
        'Next sweep',
        status.next === undefined
          ? html`off: set <code>memory.dreaming.enabled</code> in the configuration`
          : html`<${Time} ms=${status.next} />`,
      ],
      ['Last sweep', html`<${Time} ms=${status.lastSweep} />`],
      [
        'Of all audiences',
        `${plural(status.recalls, 'recall')} of ${plural(status.candidates, 'statement')}, ${count(status.promoted)} promoted`,
      ],
    ]} /></div></${Section}>
    ${candidates.length === 0 && html`<${Empty} title="Nothing of this audience was recalled yet" icon="memory">${status.next === undefined ? 'Recalls are counted once dreaming is on.' : 'What an answer uses again and again appears here.'}</${Empty}>`}
    ${groups.map(([verdict, title, tone]) => {
      const found = candidates.filter((each) => each.verdict === verdict);
      return (
        found.length > 0 &&
        html`<${Section} key=${verdict} title=${title} count=${found.length}><ul class="cards">${found.map((each) => html`<${Statement} key=${each.id} candidate=${each} tone=${tone} />`)}</ul></${Section}>`
      );
    })}`}</${Loaded}>`;
}

/** What the program writes after a colon, as a sentence. @param {string} words */
const sentence = (words) => `${words.slice(0, 1).toUpperCase()}${words.slice(1)}.`;

/** @param {{ candidate: Candidate, tone: 'good' | 'warn' | 'info' | undefined }} props */
function Statement({
  candidate: { text, source, score, parts, boost, recalls, queries, verdict, reason },
  tone,
}) {
  return html`<li class="card memory"><div class="memory-text" dir="auto">${text ?? html`<span class="muted">Its source no longer has it.</span>`}</div>
    <p><${Badge} tone=${tone}>${verdict === 'promote' ? 'will be promoted' : verdict}</${Badge}> ${reason === null ? `It has ${plural(recalls, 'recall')} and passes every gate.` : sentence(reason)}</p>
    <p class="muted small">${plural(recalls, 'recall')} by ${plural(queries, 'question')}${source && ` · ${source}`}</p>
    <${Reason} score=${score} influence=${{ ...parts, boost }} /></li>`;
}
