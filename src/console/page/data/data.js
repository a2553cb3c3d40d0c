// Data of a page: read when it is shown, read again when something about it happened, and shown as it was while that takes.
// @ts-check

import { useSignalEffect } from '@preact/signals';
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { onEvent, returns } from './live.js';

/** @import { EngineEvent } from '#engine/wire/events/event.ts' */

/** Many events in a row are one reading, at most so often, in milliseconds. */
const usualMs = 300;
/** The next reading comes after this many times what the last one took, at most after `latestMs`: a Parley that has much to do is asked less often. */
const [pauseShare, latestMs] = [20, 2_000];

/**
 * What `load` resolves with. `data` is undefined until the first reading has succeeded and stays while another runs or fails; `error` is
 * what the last reading threw. It is read again after a lost connection, and after the events that `on` names.
 * @template T
 * @param {() => Promise<T>} load
 * @param {readonly unknown[]} inputs What `load` depends on.
 * @param {{ on?: (event: EngineEvent) => boolean, everyMs?: number | ((data: T | undefined) => number | undefined), againMs?: number }} [how]
 * `everyMs`: also so often, which may depend on what was read. `againMs`: events in a row are one reading, at most so often
 */
export function useData(load, inputs, { on, everyMs, againMs = usualMs } = {}) {
  const [state, setState] = useState(
    /** @type {{ data?: T, error?: unknown, busy: boolean }} */ ({ busy: true }),
  );
  const turn = useRef(0);
  const read = useCallback(async () => {
    turn.current += 1;
    const mine = turn.current;
    setState((old) => ({ ...old, busy: true }));
    try {
      const data = await load();
      if (mine === turn.current) setState({ data, busy: false });
    } catch (error) {
      if (mine === turn.current) setState((old) => ({ ...old, error, busy: false }));
    }
  }, inputs);
  useEffect(() => {
    void read();
    return () => {
      turn.current += 1;
    };
  }, [read]);
  useReadAgain(read, { on, againMs });
  const pauseMs = typeof everyMs === 'function' ? everyMs(state.data) : everyMs;
  useEffect(() => {
    if (pauseMs === undefined) return undefined;
    const timer = setInterval(() => {
      if (!document.hidden) void read();
    }, pauseMs);
    return () => clearInterval(timer);
  }, [read, pauseMs]);
  return { ...state, reload: read };
}

/**
 * Calls `read` after the events that `on` names: once for many in a row, `againMs` milliseconds after the first or later, where a reading
 * takes long; and `readAll` when `returns` rises.
 * @param {() => unknown} read A new function is a new reading.
 * @param {{ on: ((event: EngineEvent) => boolean) | undefined, againMs: number, readAll?: () => unknown }} how
 */
export function useReadAgain(read, { on, againMs, readAll = read }) {
  const seen = useRef(returns.value);
  useSignalEffect(() => {
    if (returns.value === seen.current) return;
    seen.current = returns.value;
    readAll();
  });
  useEffect(() => {
    if (on === undefined) return undefined;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let timer;
    let tookMs = 0;
    const readNow = async () => {
      timer = undefined;
      const began = performance.now();
      await read();
      tookMs = performance.now() - began;
    };
    const stop = onEvent((event) => {
      if (on(event))
        timer ??= setTimeout(readNow, Math.max(againMs, Math.min(latestMs, tookMs * pauseShare)));
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [read]);
}
