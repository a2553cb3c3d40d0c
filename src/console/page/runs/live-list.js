// Runs in progress: who is being answered and what is going on, with the end of what was written; two hundred of them do not slow the page.
// @ts-check
import { useMemo, useState } from 'preact/hooks';
import { api } from '#console/page/data/api.js';
import { liveRuns } from '#console/page/data/live-runs.js';
import { useRunFacts } from '#console/page/data/run-facts.js';
import { waiting } from '#console/page/data/waiting.js';
import { Dialog } from '#console/page/parts/dialog.js';
import { cut } from '#console/page/parts/format.js';
import { html } from '#console/page/parts/html.js';
import { wordsOf } from '#console/page/parts/markdown.js';
import { addressOf, Link } from '#console/page/parts/router.js';
import { Button, Elapsed, Empty, Section } from '#console/page/parts/ui.js';
import { VirtualList } from '#console/page/parts/virtual-list.js';
import { AskedLines, whoText } from './asked.js';

/** @import { LiveRun } from '#console/page/data/live-runs.js' @import { WireMessagePart } from '#engine/wire/events/event.ts' */

/** So many fit on the page; more have a list that scrolls. */
const few = 6;
const endChars = 160;

export function LiveList() {
  const runs = useMemo(() => [...liveRuns.value.values()], [liveRuns.value]);
  const [stopped, setStopped] = useState('');
  const row = (/** @type {LiveRun} */ run) =>
    html`<${LiveRow} key=${run.runID} run=${run} stopped=${setStopped} />`;
  return html`<${Section} title="In progress" count=${runs.length}>
    <p class=${stopped ? 'notice' : 'unseen'} role="status">${stopped}</p>
    ${runs.length === 0 && html`<${Empty} low title="Nothing is being answered" icon="runs">A run appears here as soon as a message arrives, with its text as it is written.</${Empty}>`}
    ${runs.length > 0 && runs.length <= few && html`<div class="rows">${runs.map(row)}</div>`}
    ${runs.length > few && html`<div class="rows live-many"><${VirtualList} items=${runs} keyOf=${keyOf} label="Runs in progress" estimate=${92}>${row}</${VirtualList}></div>`}
  </${Section}>`;
}

const keyOf = (/** @type {LiveRun} */ { runID }) => runID;

/** @param {{ run: LiveRun, stopped: (sentence: string) => void }} props */
function LiveRow({ run: { runID, sessionID, startedAtMs, parts }, stopped }) {
  const shown = parts.value;
  const facts = useRunFacts(runID);
  const text = shown.findLast(({ type }) => type === 'text')?.text ?? '';
  return html`<div class="row live-row">
    <${Elapsed} since=${startedAtMs} />
    <${Link} to=${addressOf(['conversations', sessionID])} class="live-text" title="Open the conversation">
      <${AskedLines} asked=${facts} />
      <span class="live-end" dir="auto"><span class="doing">${doingOf(runID, shown)}</span>${text !== '' && ` · ${endOf(text)}`}</span></${Link}>
    <${StopRun} runID=${runID} sessionID=${sessionID} stopped=${stopped} />
  </div>`;
}

/** The last words of what was written, from the beginning of one. @param {string} text */
function endOf(text) {
  const end = text.slice(-endChars);
  return wordsOf(end.length < text.length ? end.replace(/^\S*\s+/, '… ') : end);
}

/** What is going on in a run, in words: what it waits for, the tool that works, or how far the answer is. @param {string} runID @param {readonly WireMessagePart[]} parts */
export function doingOf(runID, parts) {
  const { permissions = [], questions = [] } = waiting.value.data ?? {};
  const asked = permissions.find((each) => each.runID === runID);
  if (asked !== undefined) return `Waiting for approval of ${asked.tool}`;
  if (questions.some((each) => each.runID === runID)) return 'Waiting for an answer to its question';
  const last = parts.at(-1);
  if (last?.type === 'tool' && (last.state === 'pending' || last.state === 'running'))
    return `Running ${last.tool}`;
  return last?.type === 'text' && last.text !== '' ? 'Writing' : 'Thinking';
}

/**
 * Stops a run after one question, and says how that ended.
 * @param {{ runID: string, sessionID: string, stopped: (sentence: string) => void, words?: string }} props `words`: on a button with text.
 */
export function StopRun({ runID, sessionID, stopped, words }) {
  const [asks, setAsks] = useState(false);
  const facts = useRunFacts(runID);
  const what = [whoText(facts), facts?.question && `“${cut(facts.question, 80)}”`].filter(Boolean).join(': ');
  const stop = async () => {
    const path = `/session/${encodeURIComponent(sessionID)}/run/${encodeURIComponent(runID)}/cancel`;
    const { cancelled } = /** @type {{ cancelled: boolean }} */ (
      await api(path, { method: 'POST', body: {} })
    );
    setAsks(false);
    stopped(cancelled ? `Stopped: ${what}` : `It had ended before it was stopped: ${what}`);
  };
  return html`<${Button} writes kind=${words ? 'danger' : 'quiet'} icon="stop" label=${words ? undefined : `Stop the answer to ${what}`} onPress=${() => setAsks(true)}>${words}</${Button}>
    ${asks && html`<${Dialog} title="Stop this answer?" action="Stop it" danger onDo=${stop} onClose=${() => setAsks(false)}><p dir="auto">${what}</p><p>What it has written so far stays.</p></${Dialog}>`}`;
}
