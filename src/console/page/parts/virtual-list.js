// A list of which only the rows on the screen are in the document. Rows may have any height; what is being read does not move.
// @ts-check
import { useEffect, useLayoutEffect, useMemo, useReducer, useRef } from 'preact/hooks';
import { html } from './html.js';

/** Rows beyond both edges of the screen, so that scrolling shows no gap. */
const beyond = 6;
/** Closer to an edge than this, in pixels, counts as at it. */
const near = 40;

/**
 * @template T
 * @param {{
 *   items: readonly T[],
 *   keyOf: (item: T) => string,
 *   children: (item: T, index: number) => unknown,
 *   label: string,
 *   estimate?: number,
 *   stick?: boolean,
 *   onStart?: () => unknown,
 *   onEnd?: () => unknown,
 *   focus?: number,
 * }} props `stick`: the end stays in sight while it was. `onStart` and `onEnd` are called near an edge. `focus`: the row to have in sight.
 */
export function VirtualList({
  items,
  keyOf,
  children,
  label,
  estimate = 48,
  stick = false,
  onStart,
  onEnd,
  focus,
}) {
  const box = useRef(/** @type {HTMLDivElement | null} */ (null));
  const heights = useRef(/** @type {Map<string, number>} */ (new Map())).current;
  const state = useRef({ atEnd: stick, top: 0, height: 600, anchor: '', delta: 0 }).current;
  const [version, redraw] = useReducer((/** @type {number} */ value) => value + 1, 0);
  const tops = useMemo(() => {
    const sums = new Float64Array(items.length + 1);
    for (const [index, item] of items.entries())
      sums[index + 1] = (sums[index] ?? 0) + (heights.get(keyOf(item)) ?? estimate);
    return sums;
  }, [items, version]);
  const total = tops[items.length] ?? 0;
  const topOf = (/** @type {number} */ index) => tops[index] ?? total;
  const indexAt = (/** @type {number} */ y) => {
    let [low, high] = [0, items.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (topOf(middle + 1) <= y) low = middle + 1;
      else high = middle;
    }
    return Math.min(low, Math.max(0, items.length - 1));
  };
  const from = stick && state.atEnd ? Math.max(0, total - state.height) : state.top;
  const first = Math.max(0, indexAt(from) - beyond);
  const last = Math.min(items.length, indexAt(from + state.height) + 1 + beyond);

  const sizes = useMemo(
    () =>
      new ResizeObserver((entries) => {
        let changed = false;
        for (const { target, borderBoxSize } of entries) {
          const row = /** @type {HTMLElement} */ (target);
          const height = borderBoxSize[0]?.blockSize ?? row.offsetHeight;
          if (!row.isConnected || height === 0) continue;
          if (row === box.current) {
            changed ||= Math.abs(state.height - row.clientHeight) > 1;
            state.height = row.clientHeight;
          } else if (Math.abs((heights.get(row.dataset.key ?? '') ?? 0) - height) > 0.5) {
            heights.set(row.dataset.key ?? '', height);
            changed = true;
          }
        }
        if (changed) redraw(undefined);
      }),
    [],
  );
  useEffect(() => () => sizes.disconnect(), []);

  // the list was drawn: the anchor is where it was, or the end is still in sight
  useLayoutEffect(() => {
    const shown = box.current;
    if (shown === null) return;
    if (stick && state.atEnd) shown.scrollTop = shown.scrollHeight;
    else if (state.anchor !== '') {
      const index = items.findIndex((item) => keyOf(item) === state.anchor);
      const wanted = topOf(index) + state.delta;
      if (index >= 0 && Math.abs(wanted - shown.scrollTop) > 1) shown.scrollTop = wanted;
    }
    state.top = shown.scrollTop;
  }, [tops]);

  // the same row at another place, since rows came before it, stays where it is
  const focusItem = items[focus ?? -1];
  const focusKey = focusItem && keyOf(focusItem);
  useLayoutEffect(() => {
    const shown = box.current;
    if (shown === null || focus === undefined || focus < 0) return;
    const [top, bottom] = [topOf(focus), topOf(focus + 1)];
    if (stick && focusKey !== undefined) {
      // it stays there while the heights of the rows around become known
      Object.assign(state, { atEnd: false, anchor: focusKey, delta: -near, top: Math.max(0, top - near) });
      shown.scrollTop = state.top;
      redraw(undefined);
      return;
    }
    if (top < shown.scrollTop) shown.scrollTop = top;
    else if (bottom > shown.scrollTop + shown.clientHeight) shown.scrollTop = bottom - shown.clientHeight;
  }, [focusKey]);

  const scrolled = () => {
    const shown = box.current;
    if (shown === null) return;
    const { scrollTop, clientHeight, scrollHeight } = shown;
    state.top = scrollTop;
    state.atEnd = scrollHeight - scrollTop - clientHeight < near;
    const anchor = indexAt(scrollTop);
    state.anchor = items[anchor] === undefined ? '' : keyOf(items[anchor]);
    state.delta = scrollTop - topOf(anchor);
    if (scrollTop < near * 10) onStart?.();
    if (scrollHeight - scrollTop - clientHeight < near * 10) onEnd?.();
    redraw(undefined);
  };
  useEffect(() => {
    const shown = box.current;
    if (shown !== null) sizes.observe(shown);
    if (total < state.height) onEnd?.();
  }, [items.length]);

  return html`<div class="virtual" ref=${box} tabindex="0" role="group" aria-label=${label} onScroll=${scrolled}>
    <div class="virtual-rows" role="list" style=${{ height: `${total}px` }}>
      ${items.slice(first, last).map((item, offset) => {
        const index = first + offset;
        const key = keyOf(item);
        return html`<${Row} key=${key} name=${key} top=${topOf(index)} sizes=${sizes} at=${index + 1} of=${items.length}>${children(item, index)}</${Row}>`;
      })}
    </div>
  </div>`;
}

/** @param {{ name: string, top: number, sizes: ResizeObserver, at: number, of: number, children?: unknown }} props */
function Row({ name, top, sizes, at, of, children }) {
  const row = useRef(/** @type {HTMLDivElement | null} */ (null));
  useLayoutEffect(() => {
    const shown = row.current;
    if (shown === null) return undefined;
    sizes.observe(shown);
    return () => sizes.unobserve(shown);
  }, []);
  return html`<div class="virtual-row" role="listitem" aria-posinset=${at} aria-setsize=${of} ref=${row} data-key=${name} style=${{ transform: `translateY(${top}px)` }}>${children}</div>`;
}
