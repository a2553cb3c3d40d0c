// A list that is read page by page as a person scrolls, with what is new put in its place.
// @ts-check

import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { apiWithTotal } from './api.js';
import { useReadAgain } from './data.js';

/** @import { EngineEvent } from '#engine/wire/events/event.ts' */

const size = 50;
const againMs = 400;

/**
 * Pages of `path`, the newest first. `items` is undefined until the first page is there. Events that `on` names read the first page again;
 * entries that are known stay, under their key.
 * @template T
 * @param {string} path
 * @param {Record<string, string | number | undefined>} query
 * @param {{ keyOf: (item: T) => string, on?: (event: EngineEvent) => boolean }} how
 */
export function usePaged(path, query, { keyOf, on }) {
  const [state, setState] = useState(
    /** @type {{ items?: T[], total: number, error?: unknown }} */ ({ total: 0 }),
  );
  const asked = JSON.stringify([path, query]);
  const turn = useRef(0);
  const busy = useRef(false);
  const items = useRef(/** @type {T[]} */ ([]));
  const read = useCallback(
    async (/** @type {number} */ page) => {
      if (page > 1 && busy.current) return;
      busy.current = true;
      if (page === 1) turn.current += 1;
      const mine = turn.current;
      try {
        /** @type {{ data: T[], total: number }} */
        const { data, total } = await apiWithTotal(path, { query: { ...query, page, page_size: size } });
        if (mine !== turn.current) return;
        const fresh = new Set(data.map(keyOf));
        const others = items.current.filter((item) => !fresh.has(keyOf(item)));
        items.current =
          page === 1
            ? [...data, ...others]
            : [...items.current.filter((item) => !fresh.has(keyOf(item))), ...data];
        setState({ items: items.current, total });
      } catch (error) {
        if (mine === turn.current) setState((old) => ({ ...old, error }));
      } finally {
        busy.current = false;
      }
    },
    [asked],
  );
  useEffect(() => {
    items.current = [];
    void read(1);
    return () => {
      turn.current += 1;
    };
  }, [read]);
  const readFirst = useCallback(() => read(1), [read]);
  /** The pages that are shown, again: what is not in them any more goes. */
  const readAll = useCallback(async () => {
    turn.current += 1;
    const mine = turn.current;
    const last = Math.max(1, Math.ceil(items.current.length / size));
    try {
      /** @type {Map<string, T>} */
      const all = new Map();
      let total = 0;
      for (let page = 1; page <= last; page += 1) {
        /** @type {{ data: T[], total: number }} */
        const read = await apiWithTotal(path, { query: { ...query, page, page_size: size } });
        if (mine !== turn.current) return;
        for (const item of read.data) all.set(keyOf(item), item);
        total = read.total;
      }
      items.current = [...all.values()];
      setState({ items: items.current, total });
    } catch (error) {
      if (mine === turn.current) setState((old) => ({ ...old, error }));
    }
  }, [asked]);
  useReadAgain(readFirst, { on, againMs, readAll });
  const more = () => {
    if (items.current.length < state.total) void read(Math.floor(items.current.length / size) + 1);
  };
  return { ...state, data: state.items, more, reload: readAll };
}

/**
 * A list of which each page says where the next one begins. `data` is undefined until the first page is there; `drop` takes entries out
 * that no longer exist, without reading the list again.
 * @template T
 * @param {(from: string | undefined) => Promise<{ items: T[], next: string | undefined }>} load
 * @param {readonly unknown[]} inputs What `load` depends on.
 */
export function useCursor(load, inputs) {
  const [state, setState] = useState(/** @type {{ data?: T[], error?: unknown }} */ ({}));
  const at = useRef(
    /** @type {{ items: T[], next: string | undefined, busy: object | undefined }} */ ({
      ...{ items: [], next: undefined, busy: undefined },
    }),
  ).current;
  const read = useCallback(async (/** @type {string | undefined} */ from) => {
    const mine = {};
    at.busy = mine;
    try {
      const { items, next } = await load(from);
      if (at.busy !== mine) return;
      at.items = from === undefined ? items : [...at.items, ...items];
      at.next = next;
      setState({ data: at.items });
    } catch (error) {
      if (at.busy === mine) setState(({ data }) => (data === undefined ? { error } : { data, error }));
    } finally {
      if (at.busy === mine) at.busy = undefined;
    }
  }, inputs);
  useEffect(() => {
    setState({});
    void read(undefined);
    return () => {
      at.busy = undefined;
    };
  }, [read]);
  return {
    ...state,
    more: () => {
      if (at.next !== undefined && at.busy === undefined) void read(at.next);
    },
    drop: (/** @type {(item: T) => boolean} */ isGone) => {
      at.items = at.items.filter((item) => !isGone(item));
      setState({ data: at.items });
    },
    reload: () => read(undefined),
  };
}

/** A value that follows another once that was still for a moment: for what a person types. @template T @param {T} value @param {number} [ms] */
export function useSettled(value, ms = 250) {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return settled;
}
