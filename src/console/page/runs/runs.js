// Runs: the list with its filters; one of them has a page.
// @ts-check

import { usePaged } from '#console/page/data/paged.js';
import { cut, dollars, duration, plural, short } from '#console/page/parts/format.js';
import { html } from '#console/page/parts/html.js';
import { addressOf, Link, route, setQuery } from '#console/page/parts/router.js';
import { Empty, Field, Head, Loaded, Time } from '#console/page/parts/ui.js';
import { VirtualList } from '#console/page/parts/virtual-list.js';
import { RunPage } from './run.js';
import { RunStatus } from './run-status.js';

/** @import { Run } from '#engine/wire/runs/run.ts' */

const statuses = /** @type {const} */ ([
  ['', 'Any status'],
  ['running', 'Running'],
  ['completed', 'Completed'],
  ['error', 'Error'],
  ['timeout', 'Timeout'],
  ['cancelled', 'Cancelled'],
  ['interrupted', 'Interrupted'],
]);
export function RunsPage() {
  const { pieces, query } = route.value;
  if (pieces[1] !== undefined) return html`<${RunPage} id=${pieces[1]} />`;
  return html`<${List} query=${query} />`;
}

/** @param {{ query: URLSearchParams }} props */
function List({ query }) {
  const status = query.get('status') ?? '';
  const sessionID = query.get('session') ?? '';
  const runs = usePaged(
    '/runs',
    { status, sessionID },
    { keyOf, on: ({ type }) => type === 'session.run.started' || type === 'session.run.finished' },
  );
  return html`<div class="full"><${Head} title="Runs" note=${runs.data && plural(runs.total, 'run')} />
    <div class="filters"><${Field} hidden label="Status" value=${status} options=${statuses} onInput=${(/** @type {string} */ text) => setQuery({ status: text })} />
      ${sessionID && html`<span class="badge">of one conversation <button type="button" class="text-button" onClick=${() => setQuery({ session: undefined })}>show all</button></span>`}</div>
    <${Loaded} of=${runs} rows=${8}>${(/** @type {Run[]} */ data) =>
      data.length === 0
        ? html`<${Empty} title=${status || sessionID ? 'No run fits' : 'There are no runs yet'} icon="runs">${status || sessionID ? 'Choose another status.' : 'Each answer is a run. Write to the bot, and it appears here.'}</${Empty}>`
        : html`<div class="rows fill"><${VirtualList} items=${data} keyOf=${keyOf} label="Runs" estimate=${58} onEnd=${runs.more}>${row}</${VirtualList}></div>`}</${Loaded}></div>`;
}

const keyOf = (/** @type {Run} */ { runID }) => runID;

const row = (
  /** @type {Run} */ { runID, status, text, failure, model, agent, usage, startedAtMs, finishedAtMs },
) =>
  html`<${Link} to=${addressOf(['runs', runID])} class="row run-row">
    <span class="run-status"><${RunStatus} status=${status} /></span>
    <span class="run-text"><span class="cut" dir="auto">${failure?.message ?? (cut(text.replaceAll(/\s+/g, ' '), 300) || '…')}</span><span class="muted small cut">${[model?.modelID, agent].filter(Boolean).join(' · ')}</span></span>
    <span class="figures"><span>${finishedAtMs === undefined ? '' : duration(finishedAtMs - startedAtMs)}</span><span>${usage === undefined ? '' : `${short(usage.inputTokens + usage.outputTokens)} tokens`}</span><span>${usage?.costUSD === undefined ? '' : dollars(usage.costUSD)}</span></span>
    <${Time} ms=${startedAtMs} /></${Link}>`;
