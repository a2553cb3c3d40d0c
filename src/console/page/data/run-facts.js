// Who asked what, where, for the runs that a page names: read together for all of them, once for each.
// @ts-check
import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { api } from './api.js';

/** @import { Run } from '#engine/wire/runs/run.ts' @import { Signal } from '@preact/signals' */

/** By run id; undefined until it is read, null for a run that may not be seen or no longer exists. @type {Map<string, Signal<Run | null | undefined>>} */
const facts = new Map();
/** @type {Set<string>} */
let wanted = new Set();

/** Runs that are named within so many milliseconds are read by one request. */
const gatherMs = 50;
/** So many are asked for at once, and so many stay known. */
const [atOnce, most] = [100, 2_000];

async function read() {
  const ids = [...wanted];
  wanted = new Set();
  for (let at = 0; at < ids.length; at += atOnce) {
    const some = ids.slice(at, at + atOnce);
    /** @type {Run[] | undefined} */
    const found = await api('/runs', { query: { ids: some.join(','), page_size: atOnce } }).catch(
      () => undefined,
    );
    for (const id of some) {
      const fact = facts.get(id);
      if (found === undefined) facts.delete(id);
      else if (fact !== undefined) fact.value = found.find(({ runID }) => runID === id) ?? null;
    }
  }
}

/** What is known of a run; it is asked for when nothing is. @param {string} runID Empty where there is none. */
export function useRunFacts(runID) {
  let fact = facts.get(runID);
  if (fact === undefined) {
    fact = signal(undefined);
    facts.set(runID, fact);
    const [oldest = ''] = facts.keys();
    if (facts.size > most) facts.delete(oldest);
  }
  const known = fact;
  useEffect(() => {
    if (known.value !== undefined || runID === '') return;
    if (wanted.size === 0) setTimeout(() => void read(), gatherMs);
    wanted.add(runID);
  }, [runID]);
  return known.value;
}
