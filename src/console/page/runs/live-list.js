// Runs in progress with the end of what they have written; two hundred of them do not slow the page.
// @ts-check
import { useMemo } from 'preact/hooks';
import { api } from '#console/page/data/api.js';
import { liveRuns } from '#console/page/data/live-runs.js';
import { duration } from '#console/page/parts/format.js';
import { html } from '#console/page/parts/html.js';
import { addressOf, Link } from '#console/page/parts/router.js';
import { Badge, Button, Empty, now, Section } from '#console/page/parts/ui.js';
import { VirtualList } from '#console/page/parts/virtual-list.js';

/** @import { LiveRun } from '#console/page/data/live-runs.js' */

/** So many fit on the page; more have a list that scrolls. */
const few = 6;
const endChars = 220;

export function LiveList() {
  const runs = useMemo(() => [...liveRuns.value.values()], [liveRuns.value]);
  return html`<${Section} title="In progress" count=${runs.length}>
    ${runs.length === 0 && html`<${Empty} low title="Nothing is being answered" icon="runs">A run appears here as soon as a message arrives, with its text as it is written.</${Empty}>`}
    ${runs.length > 0 && runs.length <= few && html`<div class="rows">${runs.map((run) => html`<${LiveRow} key=${run.runID} run=${run} />`)}</div>`}
    ${runs.length > few && html`<div class="rows live-many"><${VirtualList} items=${runs} keyOf=${keyOf} label="Runs in progress" estimate=${57}>${row}</${VirtualList}></div>`}
  </${Section}>`;
}

const keyOf = (/** @type {LiveRun} */ { runID }) => runID;
const row = (/** @type {LiveRun} */ run) => html`<${LiveRow} run=${run} />`;

/** @param {{ run: LiveRun }} props */
function LiveRow({ run: { runID, sessionID, startedAtMs, parts } }) {
  const shown = parts.value;
  const last = shown.at(-1);
  const tool = last?.type === 'tool' ? `Uses ${last.tool ?? 'a tool'}` : undefined;
  const text = shown.findLast(({ type }) => type === 'text')?.text ?? '';
  return html`<div class="row live-row">
    <${Badge} tone="live">${duration(Math.max(0, now.value - startedAtMs))}</${Badge}>
    <${Link} to=${addressOf(['conversations', sessionID])} class="live-text" title="Open the conversation">
      <span dir="auto">${text === '' ? html`<span class="muted">${tool ?? 'Thinking…'}</span>` : text.slice(-endChars)}</span>${text !== '' && tool && html`<span class="muted"> · ${tool}</span>`}</${Link}>
    <${Button} writes kind="quiet" icon="stop" label="Stop this run" onPress=${() => stopRun(sessionID, runID)} />
  </div>`;
}

/** @param {string} sessionID @param {string} runID */
export function stopRun(sessionID, runID) {
  return api(`/session/${encodeURIComponent(sessionID)}/run/${encodeURIComponent(runID)}/cancel`, {
    method: 'POST',
    body: {},
  });
}
