// A plot of values over time: true axes with units, bars from zero or a line with gaps where nothing was measured.
// @ts-check

import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { clockTime, dayOf } from './format.js';
import { html } from './html.js';

/** Of the drawing, in pixels; a label of the time axis needs `labelWidth`. */
const [height, left, right, top, bottom, labelWidth] = [132, 52, 20, 8, 24, 64];
const [minute, day] = [60_000, 86_400_000];
/** Distances between the labels of the time axis. */
const timeSteps = [
  ...[1, 2, 5, 10, 15, 30, 60, 120, 180, 360, 720].map((minutes) => minutes * minute),
  ...[1, 2, 5, 7, 14].map((days) => days * day),
];
/** Of the numbers from 1 to 10, those at which an axis may end, and by which its labels may rise. */
const ends = [1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10];
const rises = [1, 2, 2.5, 5, 10];
const mostLabels = 4;

/**
 * @param {{
 *   title: string, unit: string, times: readonly number[], from: number, until: number,
 *   series: readonly { label: string, values: readonly (number | null)[], tone?: string }[],
 *   format: (value: number) => string, bars?: boolean, total: string,
 * }} props Times and values in the same order; null is a gap, over which no line leads. Times in milliseconds.
 */
export function Plot({ title, unit, times, from, until, series, format, bars = false, total }) {
  const place = useRef(/** @type {HTMLDivElement | null} */ (null));
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const shown = place.current;
    if (shown === null) return undefined;
    const measure = () => setWidth(shown.clientWidth);
    measure();
    const sizes = new ResizeObserver(measure);
    sizes.observe(shown);
    return () => sizes.disconnect();
  }, []);
  const most = Math.max(0, ...series.flatMap(({ values }) => values.map((value) => value ?? 0)));
  const highest = most === 0 ? 1 : rounded(most * 1.04, ends);
  const [across, down] = [Math.max(0, width - left - right), height - top - bottom];
  const x = (/** @type {number} */ ms) => left + ((ms - from) / (until - from)) * across;
  const y = (/** @type {number} */ value) => top + (1 - value / highest) * down;
  const step = (times[1] ?? until) - (times[0] ?? from);
  const barWidth = Math.min(24, (step / (until - from)) * across * 0.72);
  const drawn = (/** @type {readonly (number | null)[]} */ values) =>
    bars
      ? values
          .map((value, at) => (value ? `M${x(times[at] ?? 0)} ${y(0)}V${y(value)}h${barWidth}V${y(0)}z` : ''))
          .join('')
      : lineOf(values.map((value, at) => (value === null ? undefined : [x(times[at] ?? 0), y(value)])));
  const none = most === 0;
  return html`<figure class="plot" aria-label=${`${title}: ${none ? 'nothing in this time' : total}`}>
    <figcaption><span class="plot-title">${title}</span> <span class="plot-total">${total}</span>
      ${series.length > 1 && html`<span class="plot-keys">${series.map(({ label, tone = 'plot-1' }) => html`<span key=${label}><i class=${tone}></i>${label}</span>`)}</span>`}
      <span class="plot-unit">${unit}</span></figcaption>
    <div class="plot-area" ref=${place} aria-hidden="true">${
      width > 0 &&
      html`<svg width=${width} height=${height}>
      ${valueLabels(highest, format).map(([value, text]) => html`<path key=${text} class="plot-grid" d=${`M${left} ${y(value)}h${across}`} /><text x=${left - 6} y=${y(value) + 4} text-anchor="end">${text}</text>`)}
      ${timeLabels(from, until, across / labelWidth).map(([at, text]) => html`<path key=${at} class="plot-grid" d=${`M${x(at)} ${top}v${down}`} /><text x=${x(at)} y=${height - 6} text-anchor="middle">${text}</text>`)}
      ${series.map(({ label, values, tone = 'plot-1' }) => html`<path key=${label} class=${`${bars ? 'plot-bars' : 'plot-line'} ${tone}`} d=${drawn(values)} />`)}
    </svg>`
    }</div>
    ${none && html`<p class="plot-none">Nothing in this time</p>`}
  </figure>`;
}

/** A line through points that follow each other; one that stands alone is a dot. @param {readonly (number[] | undefined)[]} points */
function lineOf(points) {
  return points
    .map((point, at) => {
      if (point === undefined) return '';
      if (points[at - 1] !== undefined) return `L${point.join(' ')}`;
      const dot = points[at + 1] === undefined ? 'm-2 0a2 2 0 1 0 4 0a2 2 0 1 0-4 0' : '';
      return `M${point.join(' ')}${dot}`;
    })
    .join('');
}

/** The first of these numbers, times a power of ten, that is as large. @param {number} least @param {readonly number[]} of */
function rounded(least, of) {
  const power = 10 ** Math.floor(Math.log10(least));
  return (of.find((each) => each * power >= least) ?? 10) * power;
}

/** The labels of the axis of values, at most `mostLabels` above zero, no two alike. @param {number} highest @param {(value: number) => string} format @returns {[number, string][]} */
function valueLabels(highest, format) {
  for (let step = rounded(highest / mostLabels, rises); ; step = rounded(step * 1.01, rises)) {
    const labels = Array.from(
      { length: Math.floor(highest / step + 1e-9) + 1 },
      (_, at) => /** @type {[number, string]} */ ([at * step, format(at * step)]),
    ).filter(([, text]) => text !== '');
    if (labels.length < 2 || new Set(labels.map(([, text]) => text)).size === labels.length) return labels;
  }
}

/** The labels of the axis of times: whole steps in the reader's zone; midnight is the day that begins. `until` has none: no value begins there, and after a whole day its time would stand twice. @param {number} from @param {number} until @param {number} most @returns {[number, string][]} */
function timeLabels(from, until, most) {
  const step = timeSteps.find((each) => (until - from) / each <= most) ?? 30 * day;
  const at = new Date(from);
  at.setHours(0, 0, 0, 0);
  /** @type {[number, string][]} */
  const labels = [];
  while (at.getTime() < until) {
    const ms = at.getTime();
    const isDay = at.getHours() === 0 && at.getMinutes() === 0;
    if (ms >= from) labels.push([ms, isDay ? dayOf(ms) : clockTime(ms)]);
    if (step < day) at.setTime(ms + step);
    else at.setDate(at.getDate() + step / day);
  }
  return labels;
}
