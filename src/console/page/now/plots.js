// Messages, tokens, cost, latency and errors over the last hour, day or month.
// @ts-check
import { useState } from 'preact/hooks';
import { api } from '#console/page/data/api.js';
import { useData } from '#console/page/data/data.js';
import { count, dollars, duration, plural, short } from '#console/page/parts/format.js';
import { html } from '#console/page/parts/html.js';
import { Plot } from '#console/page/parts/plot.js';
import { Field, Loaded, Section } from '#console/page/parts/ui.js';

/** @import { UsageBucket } from '#engine/wire/runs/usage.ts' */

const minute = 60_000;
const day = 24 * 60 * minute;
/** The length of each range, and of its buckets. */
const ranges = /** @type {const} */ ({
  hour: { span: 60 * minute, step: 2 * minute, title: 'Last hour' },
  day: { span: day, step: 30 * minute, title: 'Last day' },
  month: { span: 30 * day, step: day, title: 'Last 30 days' },
});

export function Plots() {
  const [name, setName] = useState(/** @type {keyof typeof ranges} */ ('day'));
  const { span, step } = ranges[name];
  const series = useData(
    async () => {
      // buckets begin at whole steps in the reader's zone, so that a bar is a day, or half an hour
      const zone = new Date().getTimezoneOffset() * minute;
      const until = Math.ceil((Date.now() - zone) / step) * step + zone;
      /** @type {UsageBucket[]} */
      const buckets = await api('/usage/series', {
        query: { from_ms: until - span, until_ms: until, step_ms: step },
      });
      return { buckets, from: until - span, until };
    },
    [name],
    { everyMs: 30_000, againMs: 10_000, on: ({ type }) => type === 'session.run.finished' },
  );
  const options = Object.entries(ranges).map(([each, { title }]) => [each, title]);
  return html`<${Section} title="Over time" actions=${html`<${Field} hidden label="Range" value=${name} options=${options} onInput=${setName} />`}>
    <${Loaded} of=${series} rows=${4}>${(/** @type {any} */ data) => html`<${Drawn} ...${data} step=${step} />`}</${Loaded}></${Section}>`;
}

/** @param {{ buckets: UsageBucket[], from: number, until: number, step: number }} props */
function Drawn({ buckets, from, until, step }) {
  const times = buckets.map(({ atMs }) => atMs);
  const middles = times.map((at) => at + step / 2);
  const sum = (/** @type {(bucket: UsageBucket) => number} */ of) =>
    buckets.reduce((all, bucket) => all + of(bucket), 0);
  const priced = buckets.some(({ costUSD }) => costUSD !== null);
  const errors = sum((bucket) => bucket.errors);
  const shared = { times, from, until };
  const inTokens = sum((bucket) => bucket.inputTokens);
  const outTokens = sum((bucket) => bucket.outputTokens);
  const medians = buckets.flatMap(({ latencyMs }) => (latencyMs === null ? [] : [latencyMs.p50]));
  return html`<div class="plots">
    <${Plot} ...${shared} title="Messages" unit="messages" bars format=${whole} total=${plural(
      sum(({ messages }) => messages),
      'message',
    )}
      series=${[{ label: 'messages', values: buckets.map(({ messages }) => messages) }]} />
    <${Plot} ...${shared} times=${middles} title="Time to answer" unit="seconds" format=${seconds} total=${medians.length === 0 ? 'no run ended' : `median ${duration(medians.toSorted((a, b) => a - b)[Math.floor(medians.length / 2)] ?? 0)}`}
      series=${[
        { label: 'median', values: buckets.map(({ latencyMs }) => latencyMs?.p50 ?? null) },
        {
          label: '95 of 100',
          values: buckets.map(({ latencyMs }) => latencyMs?.p95 ?? null),
          tone: 'plot-2',
        },
      ]} />
    <${Plot} ...${shared} title="Tokens" unit="tokens" bars format=${short} total=${`${short(inTokens)} in, ${short(outTokens)} out`}
      series=${[{ label: 'tokens', values: buckets.map(({ inputTokens, outputTokens }) => inputTokens + outputTokens) }]} />
    <${Plot} ...${shared} title="Cost" unit="US dollars" bars format=${dollars} total=${priced ? dollars(sum(({ costUSD }) => costUSD ?? 0)) : 'no model has a price'}
      series=${[{ label: 'cost', values: buckets.map(({ costUSD }) => costUSD ?? 0) }]} />
    <${Plot} ...${shared} title="Errors" unit="runs" bars format=${whole} total=${plural(errors, 'run')}
      series=${[{ label: 'errors', values: buckets.map((bucket) => bucket.errors), tone: 'plot-bad' }]} />
  </div>`;
}

/** Whole things have no ticks between them. @param {number} value */
const whole = (value) => (Number.isInteger(value) ? count(value) : '');
/** @param {number} ms */
const seconds = (ms) => `${ms < 10_000 ? (ms / 1000).toFixed(1) : Math.round(ms / 1000)} s`;
