// The messages of one conversation: the newest first read, older ones as a person scrolls up, new ones as they come, each once.
// @ts-check
import { useSignalEffect } from '@preact/signals';
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { apiWithTotal } from '#console/page/data/api.js';
import { onEvent, returns } from '#console/page/data/live.js';
import { completeRun, liveRuns } from '#console/page/data/live-runs.js';

/** @import { WireSessionMessage } from '#engine/wire/sessions/message.ts' @import { LiveRun } from '#console/page/data/live-runs.js' */

const size = 100;
/** On the way to an older message. */
const most = 500;

/**
 * @typedef {{ key: string, message: WireSessionMessage, run?: undefined } | { key: string, run: LiveRun, message?: undefined }} Shown
 * @param {string} sessionID
 * @param {string | undefined} wanted The id of a message up to which older ones are read. `complete`: it is there, or all were read in vain.
 */
export function useMessages(sessionID, wanted) {
  const [state, setState] = useState(
    /** @type {{ messages?: WireSessionMessage[], total: number, error?: unknown }} */ ({ total: 0 }),
  );
  const messages = useRef(/** @type {WireSessionMessage[]} */ ([]));
  const busy = useRef(false);
  const here = useRef(true);
  const path = `/session/${encodeURIComponent(sessionID)}/message`;
  const read = useCallback(
    async (/** @type {string | undefined} */ before, limit = size) => {
      try {
        /** @type {{ data: WireSessionMessage[], total: number }} */
        const { data, total } = await apiWithTotal(path, { query: { limit, before } });
        if (!here.current) return;
        const fresh = new Set(data.map(({ info }) => info.id));
        const others = messages.current.filter(({ info }) => !fresh.has(info.id));
        const oldest = data[0]?.info.id ?? '';
        // ids sort by the time at which they were made
        messages.current =
          before === undefined
            ? [...others.filter(({ info }) => info.id < oldest), ...data]
            : [...data, ...others];
        setState({ messages: messages.current, total });
      } catch (error) {
        if (here.current) setState((old) => ({ ...old, error }));
      }
    },
    [path],
  );
  /** Live runs that are shown until what they wrote was read as a message. */
  const held = useRef(/** @type {Map<string, LiveRun>} */ (new Map()));
  /** Runs whose messages were read; they may be drawn as live for a moment longer. */
  const over = useRef(/** @type {Set<string>} */ (new Set()));
  for (const run of liveRuns.value.values())
    if (run.sessionID === sessionID && !over.current.has(run.runID)) held.current.set(run.runID, run);
  useEffect(() => {
    here.current = true;
    void read(undefined);
    const stop = onEvent(({ type, properties }) => {
      if (!('sessionID' in properties) || properties.sessionID !== sessionID) return;
      if (type === 'session.run.started' || type === 'session.updated') void read(undefined);
      if (type !== 'session.run.finished') return;
      const { runID } = properties;
      void read(undefined).then(() => {
        over.current.add(runID);
        held.current.delete(runID);
        setState((old) => ({ ...old }));
      });
    });
    return () => {
      here.current = false;
      stop();
    };
  }, [read]);
  const seen = useRef(returns.value);
  useSignalEffect(() => {
    if (returns.value === seen.current) return;
    seen.current = returns.value;
    void read(undefined).then(() => {
      for (const runID of held.current.keys()) if (!liveRuns.value.has(runID)) held.current.delete(runID);
      setState((old) => ({ ...old }));
    });
  });
  useEffect(() => {
    for (const runID of held.current.keys()) void completeRun(runID).catch(() => undefined); // what it writes now is shown
  }, [held.current.size]);
  const isRead = wanted === undefined || (state.messages?.some(({ info }) => info.id === wanted) ?? false);
  const oldest = state.messages?.[0]?.info.id;
  const complete = isRead || (state.messages !== undefined && state.messages.length >= state.total);
  useEffect(() => {
    if (!complete && oldest !== undefined) void read(oldest, most);
  }, [complete, oldest]);
  const older = async () => {
    const first = messages.current[0]?.info.id;
    if (busy.current || first === undefined || messages.current.length >= state.total) return;
    busy.current = true;
    await read(first);
    busy.current = false;
  };
  const runs = [...held.current.values()];
  const shown = state.messages?.filter(
    ({ info }) => info.role === 'user' || !runs.some(({ runID }) => runID === info.runID),
  );
  /** @type {Shown[] | undefined} */
  const items = shown && [
    ...shown.map((message) => ({ key: message.info.id, message })),
    ...runs.map((run) => ({ key: `live-${run.runID}`, run })),
  ];
  return { ...state, items, runs, older, complete, reload: () => read(undefined) };
}
