// Runs: the list with its filters; one of them has a page.
// @ts-check

import { me } from '#console/page/data/api.js';
import { usePaged, useSettled } from '#console/page/data/paged.js';
import { cut, dollars, duration, plural, short } from '#console/page/parts/format.js';
import { html } from '#console/page/parts/html.js';
import { wordsOf } from '#console/page/parts/markdown.js';
import { addressOf, Link, route, setQuery } from '#console/page/parts/router.js';
import { Empty, Field, Head, Loaded, Tabs, Time } from '#console/page/parts/ui.js';
import { VirtualList } from '#console/page/parts/virtual-list.js';
import { AskedLines } from './asked.js';
import { Cost } from './cost.js';
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
  if (pieces[1] === 'cost') return html`<${Head} title="Runs" /><${Views} open="cost" /><${Cost} />`;
  if (pieces[1] !== undefined) return html`<${RunPage} id=${pieces[1]} />`;
  return html`<${List} query=${query} />`;
}

const times = /** @type {const} */ ([
  ['', 'Any time'],
  ['1', 'Last hour'],
  ['24', 'Last day'],
  ['168', 'Last 7 days'],
  ['720', 'Last 30 days'],
]);
const lengths = /** @type {const} */ ([
  ['', 'Any duration'],
  ['5', '5 s or longer'],
  ['15', '15 s or longer'],
  ['60', '1 min or longer'],
  ['300', '5 min or longer'],
]);
const orders = /** @type {const} */ ([
  ['', 'Newest first'],
  ['duration', 'Longest first'],
  ['cost', 'Dearest first'],
]);
/** What a person types; the others are chosen. */
const typed = /** @type {const} */ ([
  ['person', 'Person'],
  ['room', 'Room'],
  ['agent', 'Agent'],
  ['model', 'Model'],
]);
const [minuteMs, hourMs] = [60_000, 3_600_000];

/** @param {{ open: string }} props */
function Views({ open }) {
  if (me.value?.role === 'viewer') return null;
  return html`<${Tabs} label="Views of runs"><${Link} to=${addressOf(['runs'])} current=${open === ''}>Runs</${Link}><${Link} to=${addressOf(['runs', 'cost'])} current=${open === 'cost'}>Cost</${Link}></${Tabs}>`;
}

/** @param {{ query: URLSearchParams }} props */
function List({ query }) {
  const value = (/** @type {string} */ name) => query.get(name) ?? '';
  const put = (/** @type {string} */ name) => (/** @type {string} */ text) => setQuery({ [name]: text });
  const words = useSettled(JSON.stringify(typed.map(([name]) => [name, value(name)])));
  const hours = Number(value('hours'));
  const runs = usePaged(
    '/runs',
    {
      ...Object.fromEntries(JSON.parse(words)),
      status: value('status'),
      sessionID: value('session'),
      // in whole minutes: the same list is not asked for as another one each time
      from_ms: hours === 0 ? undefined : Math.floor((Date.now() - hours * hourMs) / minuteMs) * minuteMs,
      least_ms: value('least') === '' ? undefined : Number(value('least')) * 1_000,
      order: value('order'),
    },
    {
      keyOf,
      // sorted by what only the end of a run tells, the list is not mixed with what is new
      on: ({ type }) =>
        value('order') === '' && (type === 'session.run.started' || type === 'session.run.finished'),
    },
  );
  const filtered = [...query.values()].some(Boolean);
  const choice = (/** @type {string} */ name, /** @type {string} */ label, /** @type {any} */ options) =>
    html`<${Field} hidden label=${label} value=${value(name)} options=${options} onInput=${put(name)} />`;
  return html`<div class="full"><${Head} title="Runs" note=${runs.data && plural(runs.total, 'run')} /><${Views} open="" />
    <div class="filters even">${typed.map(([name, label]) => html`<${Field} key=${name} hidden label=${label} type="search" placeholder=${label} value=${value(name)} onInput=${put(name)} />`)}
      ${choice('status', 'Status', statuses)}${choice('hours', 'Time', times)}${choice('least', 'Duration', lengths)}${choice('order', 'Order', orders)}
      ${value('session') && html`<span class="badge">of one conversation <button type="button" class="text-button" onClick=${() => setQuery({ session: undefined })}>show all</button></span>`}</div>
    <${Loaded} of=${runs} rows=${8}>${(/** @type {Run[]} */ data) =>
      data.length === 0
        ? html`<${Empty} title=${filtered ? 'No run fits' : 'There are no runs yet'} icon="runs">${filtered ? 'Change the filters.' : 'Each answer is a run. Write to the bot, and it appears here.'}</${Empty}>`
        : html`<div class="rows fill"><${VirtualList} items=${data} keyOf=${keyOf} label="Runs" estimate=${76} onEnd=${runs.more}>${row}</${VirtualList}></div>`}</${Loaded}></div>`;
}

const keyOf = (/** @type {Run} */ { runID }) => runID;

const previewChars = 300;
/** The beginning of an answer; of one that has no text yet, nothing. @param {string} text */
const previewOf = (text) => cut(wordsOf(text.slice(0, 2 * previewChars)), previewChars);

const row = (/** @type {Run} */ run) => {
  const { runID, status, text, failure, model, agent, usage, startedAtMs, finishedAtMs, waitedMs = 0 } = run;
  const said = failure?.message ?? previewOf(text);
  return html`<${Link} to=${addressOf(['runs', runID])} class="row run-row">
    <span class="run-status"><${RunStatus} status=${status} /></span>
    <span class="run-text"><${AskedLines} asked=${run} />${said && html`<span class="small muted cut" dir="auto">${said}</span>`}</span>
    <span class="figures"><span class="cut run-model">${[model?.modelID, agent].filter(Boolean).join(' · ')}</span><span>${finishedAtMs === undefined ? '' : duration(finishedAtMs - startedAtMs - waitedMs)}</span><span>${usage === undefined || usage.calls === 0 ? '' : `${short(usage.inputTokens + usage.outputTokens)} tokens`}</span><span>${usage?.costUSD === undefined ? '' : dollars(usage.costUSD)}</span></span>
    <${Time} ms=${startedAtMs} /></${Link}>`;
};
