// What the models used: by person, room, agent, model or day, as a table, over the days, and as CSV.
// @ts-check
import { ApiFailure, api } from '#console/page/data/api.js';
import { useData } from '#console/page/data/data.js';
import { count, dollars, short } from '#console/page/parts/format.js';
import { html } from '#console/page/parts/html.js';
import { Plot } from '#console/page/parts/plot.js';
import { route, setQuery } from '#console/page/parts/router.js';
import { Button, Empty, Field, Loaded, Section } from '#console/page/parts/ui.js';

/** @import { UsageSum } from '#engine/wire/runs/usage.ts' */

const keys = /** @type {const} */ ([
  ['person', 'Person'],
  ['room', 'Room'],
  ['agent', 'Agent'],
  ['model', 'Model'],
  ['day', 'Day'],
]);
const spans = /** @type {const} */ ([
  ['7', 'Last 7 days'],
  ['', 'Last 30 days'],
  ['90', 'Last 90 days'],
  ['365', 'Last year'],
]);
const dayMs = 86_400_000;
const columns = /** @type {const} */ ([
  'runs',
  'input tokens',
  'of them cached',
  'output tokens',
  'US dollars',
]);

/** The day in UTC, as sums have it. @param {number} ms */
const dayText = (ms) => new Date(ms).toISOString().slice(0, 10);

export function Cost() {
  const { query } = route.value;
  const by = keys.find(([key]) => key === query.get('by'))?.[0] ?? 'person';
  const days = Number(query.get('days') ?? 30);
  const today = Math.floor(Date.now() / dayMs) * dayMs;
  const from = today - (days - 1) * dayMs;
  const used = useData(async () => {
    const get = (/** @type {string} */ key) =>
      /** @type {Promise<UsageSum[]>} */ (
        api('/usage', { query: { by: key, from: dayText(from), until: dayText(today), limit: 1_000 } })
      );
    const [sums, daily] = await Promise.all([get(by), get('day')]);
    return { sums, daily };
  }, [by, from, today]);
  if (used.error instanceof ApiFailure && used.error.status === 403)
    return html`<${Empty} title="Viewers do not see what others used" icon="runs">An owner does.</${Empty}>`;
  return html`<div class="filters"><${Field} label="By" value=${by} options=${keys} onInput=${(/** @type {string} */ text) => setQuery({ by: text })} />
      <${Field} label="Time" value=${query.get('days') ?? ''} options=${spans} onInput=${(/** @type {string} */ text) => setQuery({ days: text })} /></div>
    <${Loaded} of=${used} rows=${6}>${(
      /** @type {{ sums: UsageSum[], daily: UsageSum[] }} */ { sums, daily },
    ) =>
      sums.length === 0
        ? html`<${Empty} title="Nothing was used in this time" icon="runs">Each answer of a model is counted here. Choose a longer time.</${Empty}>`
        : html`<${Sums} by=${by} sums=${sums} /><${Daily} daily=${daily} from=${from} days=${days} />`}</${Loaded}>`;
}

/** @param {{ by: string, sums: UsageSum[] }} props */
function Sums({ by, sums }) {
  const unpriced = sums.reduce((all, { unpricedRuns }) => all + unpricedRuns, 0);
  const most = Math.max(...sums.map(({ costUSD = 0 }) => costUSD)) || 1;
  const title = keys.find(([key]) => key === by)?.[1];
  const save = html`<${Button} onPress=${() => download(by, sums)}>Save as CSV</${Button}>`;
  return html`<${Section} title=${`Used by ${by}`} count=${sums.length} actions=${save} note=${unpriced > 0 && `${count(unpriced)} runs have no price: set “model.prices” in the configuration`}>
    <div class="rows table-place" tabindex="0" role="group" aria-label="What was used"><table class="whole sums"><thead><tr><th scope="col">${title}</th><th scope="col">Cost</th><th scope="col">Runs</th><th scope="col">Tokens in</th><th scope="col">Tokens out</th></tr></thead>
      <tbody>${sums.map((sum) => html`<tr key=${sum.of ?? nameOf(sum)}><td dir="auto">${nameOf(sum)}</td><td><span>${sum.costUSD === undefined ? html`<span class="muted">no price</span>` : dollars(sum.costUSD)}</span>${sum.costUSD !== undefined && html`<progress max=${most} value=${sum.costUSD} aria-label=${`Cost of ${nameOf(sum)}`}></progress>`}</td><td>${count(sum.runs)}</td><td title=${`${count(sum.cachedInputTokens)} of them from the provider's cache`}>${short(sum.inputTokens)}</td><td>${short(sum.outputTokens)}</td></tr>`)}</tbody></table></div></${Section}>`;
}

/** @param {UsageSum} sum */
const nameOf = ({ day, of, title }) => day ?? (of === undefined ? 'Deleted conversations' : title || 'API');

/** @param {{ daily: UsageSum[], from: number, days: number }} props */
function Daily({ daily, from, days }) {
  const known = new Map(daily.map((sum) => [sum.day, sum]));
  const times = Array.from({ length: days }, (_, index) => from + index * dayMs);
  const ofDay = times.map((ms) => known.get(dayText(ms)));
  const shared = { times, from, until: from + days * dayMs, bars: true };
  const sum = (/** @type {(each: UsageSum) => number} */ of) =>
    daily.reduce((all, each) => all + of(each), 0);
  return html`<${Section} title="By day" note="Days in UTC"><div class="plots">
    <${Plot} ...${shared} title="Cost" unit="US dollars" format=${dollars} total=${dollars(sum(({ costUSD = 0 }) => costUSD))} series=${[{ label: 'cost', values: ofDay.map((each) => each?.costUSD ?? 0) }]} />
    <${Plot} ...${shared} title="Tokens" unit="tokens" format=${short} total=${`${short(sum(({ inputTokens }) => inputTokens))} in, ${short(sum(({ outputTokens }) => outputTokens))} out`} series=${[{ label: 'tokens', values: ofDay.map((each) => (each === undefined ? 0 : each.inputTokens + each.outputTokens)) }]} />
  </div></${Section}>`;
}

/** Saves a table with every figure whole. @param {string} by @param {readonly UsageSum[]} sums */
function download(by, sums) {
  const lines = sums.map((sum) => [
    nameOf(sum),
    sum.runs,
    sum.inputTokens,
    sum.cachedInputTokens,
    sum.outputTokens,
    sum.costUSD ?? '',
  ]);
  const text = [[by, ...columns], ...lines].map((line) => line.map(cell).join(',')).join('\r\n');
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([`${text}\r\n`], { type: 'text/csv' }));
  link.download = `parley-cost-by-${by}.csv`;
  link.click();
  URL.revokeObjectURL(link.href);
}

/** A field of RFC 4180; a name that a table would take for a formula begins with an apostrophe. @param {string | number} value */
function cell(value) {
  const text = typeof value === 'string' && /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
