// A plot of values over time: true axes with units, bars from zero or a line with gaps where nothing was measured.
// @ts-check

import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import { html } from './html.js';
import { dark } from './theme.js';

const height = 132;

/**
 * @param {{
 *   title: string, unit: string, times: readonly number[], from: number, until: number,
 *   series: readonly { label: string, values: readonly (number | null)[], tone?: string }[],
 *   format: (value: number) => string, bars?: boolean, total: string,
 * }} props Times and values in the same order; null is a gap, over which no line leads. Times in milliseconds.
 */
export function Plot({ title, unit, times, from, until, series, format, bars = false, total }) {
  const place = useRef(/** @type {HTMLDivElement | null} */ (null));
  const isDark = dark.value;
  const plot = useRef(/** @type {uPlot | undefined} */ (undefined));
  const key = JSON.stringify([times, from, until, series, bars]);
  useLayoutEffect(() => {
    const shown = place.current;
    if (shown === null) return undefined;
    // the browser resolves what the canvas cannot read: one colour for dark and one for light
    const colour = (/** @type {string} */ name) => {
      shown.style.color = `var(${name})`;
      return getComputedStyle(shown).color;
    };
    const axis = {
      stroke: colour('--plot-text'),
      font: '11px system-ui, sans-serif',
      grid: { stroke: colour('--plot-grid'), width: 1 },
      ticks: { show: false },
    };
    const values = series.flatMap(({ values: all }) => all.filter((each) => each !== null));
    const made = new uPlot(
      {
        width: shown.clientWidth,
        height,
        ms: 1,
        legend: { show: false },
        cursor: { show: false },
        padding: [8, 20, 0, 0],
        scales: {
          x: { time: true, range: () => [from, until] },
          y: { range: () => [0, values.length === 0 ? 1 : niceTop(Math.max(...values))] },
        },
        axes: [
          {
            ...axis,
            size: 24,
            space: 64,
            values: (_, ticks) => ticks.map((tick) => timeText(tick, until - from)),
          },
          {
            ...axis,
            size: 52,
            space: 32,
            values: (_, ticks) => ticks.map((tick) => (Number.isFinite(tick) ? format(tick) : '')),
          },
        ],
        series: [
          {},
          ...series.map(({ tone = '--plot-1' }) => ({
            stroke: colour(tone),
            width: 1.5,
            spanGaps: false,
            points: { show: !bars, size: 4, filter: pointsWithoutLine },
            ...(bars
              ? {
                  fill: colour(tone),
                  paths: /** @type {uPlot.Series.PathBuilder} */ (
                    uPlot.paths.bars?.({ size: [0.72, 24], align: 1 })
                  ),
                  points: { show: false },
                }
              : {}),
          })),
        ],
      },
      [[...times], ...series.map(({ values: all }) => (bars ? all.map((value) => value || null) : [...all]))],
      shown,
    );
    plot.current = made;
    return () => made.destroy();
  }, [key, isDark]);
  useEffect(() => {
    const shown = place.current;
    if (shown === null) return undefined;
    const sizes = new ResizeObserver(() => plot.current?.setSize({ width: shown.clientWidth, height }));
    sizes.observe(shown);
    return () => sizes.disconnect();
  }, []);
  const none = series.every(({ values }) => values.every((value) => value === null || value === 0));
  return html`<figure class="plot" aria-label=${`${title}: ${none ? 'nothing in this time' : total}`}>
    <figcaption><span class="plot-title">${title}</span> <span class="plot-total">${total}</span>
      ${series.length > 1 && html`<span class="plot-keys">${series.map(({ label, tone = '--plot-1' }) => html`<span key=${label}><i class=${tone.slice(2)}></i>${label}</span>`)}</span>`}
      <span class="plot-unit">${unit}</span></figcaption>
    <div class="plot-area" ref=${place} aria-hidden="true"></div>
    ${none && html`<p class="plot-none">Nothing in this time</p>`}
  </figure>`;
}

/** A point whose neighbours are both missing has no line through it: it is drawn as a dot. @param {any} plot @param {number} series @returns {number[]} */
function pointsWithoutLine(plot, series) {
  /** @type {(number | null)[]} */
  const values = plot.data[series];
  return values.flatMap((value, index) =>
    value !== null && (values[index - 1] ?? null) === null && (values[index + 1] ?? null) === null
      ? [index]
      : [],
  );
}

/** The end of the axis: a round number with some room. @param {number} most */
function niceTop(most) {
  if (most <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(most));
  const steps = [1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10];
  return (steps.find((step) => step * power >= most * 1.04) ?? 10) * power;
}

/** The time of a tick; midnight is the day that begins. @param {number} ms @param {number} span */
function timeText(ms, span) {
  const date = new Date(ms);
  const isDay = date.getHours() === 0 && date.getMinutes() === 0;
  if (span > 2 * 86_400_000 || isDay)
    return date.toLocaleDateString(undefined, { day: 'numeric', month: 'short' });
  return date.toLocaleTimeString(undefined, { hour: '2-digit', minute: '2-digit' });
}
