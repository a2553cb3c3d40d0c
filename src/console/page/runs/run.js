// One run: what it came to, its steps as a time line with durations, what its prompt was made of, and its replay.
// @ts-check
import { useState } from 'preact/hooks';
import { ApiFailure, api } from '#console/page/data/api.js';
import { useData } from '#console/page/data/data.js';
import { Json } from '#console/page/parts/code.js';
import { count, dollars, duration, fullDate, timeWithSeconds } from '#console/page/parts/format.js';
import { html } from '#console/page/parts/html.js';
import { Markdown } from '#console/page/parts/markdown.js';
import { addressOf, Link } from '#console/page/parts/router.js';
import {
  Badge,
  Button,
  Elapsed,
  Empty,
  Facts,
  Failure,
  Head,
  Loaded,
  Loading,
  Section,
  Time,
} from '#console/page/parts/ui.js';
import { whoText } from './asked.js';
import { StopRun } from './live-list.js';
import { Prompt, promptOf } from './run-prompt.js';
import { RunStatus } from './run-status.js';
import { Spent } from './spent.js';
import { isOnItsWay, stopsOf, TimeLine, wayOf } from './way.js';

/** @import { Run } from '#engine/wire/runs/run.ts' @import { EngineEvent } from '#engine/wire/events/event.ts' @import { Known } from './spent.js' */

/** No event says that an answer came into its chat: it is asked for so often until it has, in milliseconds. */
const onItsWayMs = 1_000;

/** @param {{ id: string }} props */
export function RunPage({ id }) {
  const path = `/runs/${encodeURIComponent(id)}`;
  const run = useData(
    async () => {
      const found = /** @type {Run} */ (await api(path));
      const [events, chat, prompt] = await Promise.all([
        /** @type {Promise<EngineEvent[]>} */ (api(`${path}/events`, { query: { limit: 1000 } })),
        wayOf(id),
        // what it was made of is known at its end
        found.finishedAtMs === undefined ? null : promptOf(id),
      ]);
      return { run: found, events, chat, prompt };
    },
    [id],
    {
      on: ({ envelope }) => envelope.run_id === id && envelope.seq !== null,
      everyMs: (known) =>
        known?.run.finishedAtMs !== undefined && isOnItsWay(known.chat) ? onItsWayMs : undefined,
    },
  );
  if (run.error instanceof ApiFailure && run.error.status === 404)
    return html`<${Head} title="Run" /><${Empty} title="There is no such run" icon="runs">It was deleted with its conversation, or the address is wrong. <${Link} to=${addressOf(['runs'])}>All runs</${Link}></${Empty}>`;
  if (run.data === undefined)
    return html`<${Head} title="Run" />${run.error === undefined ? html`<${Loading} />` : html`<${Failure} error=${run.error} retry=${run.reload} />`}`;
  return html`<${Found} known=${run.data} />`;
}

/** @param {{ known: Known }} props */
function Found({ known }) {
  const { run, events, chat, prompt } = known;
  const {
    runID,
    sessionID,
    status,
    startedAtMs,
    finishedAtMs,
    model,
    agent,
    usage,
    failure,
    text,
    artifacts = [],
    feedback = [],
    question,
    waitedMs = 0,
  } = run;
  const [stopped, setStopped] = useState('');
  return html`<${Head} title="Run" note=${html`<code>${runID}</code>`}><${RunStatus} status=${status} />
      <span class="muted small" role="status">${stopped && 'Stopped.'}</span>
      ${status === 'running' && html`<${StopRun} runID=${runID} sessionID=${sessionID} stopped=${setStopped} words="Stop" />`}
      <${Link} class="button" to=${addressOf(['conversations', sessionID])}>Conversation</${Link}></${Head}>
    <div class="run-head card"><${Facts} rows=${[
      ['Asked by', whoText(run)],
      ['Began', html`<${Time} ms=${startedAtMs} />`],
      [
        'Took',
        finishedAtMs === undefined
          ? html`<${Elapsed} since=${startedAtMs} />`
          : `${duration(finishedAtMs - startedAtMs - waitedMs)}${waitedMs > 0 ? `, and waited ${duration(waitedMs)} for a person` : ''}`,
      ],
      ['Model', model === undefined ? '' : `${model.providerID}/${model.modelID}`],
      agent !== undefined && ['Agent', agent],
      usage !== undefined &&
        usage.calls > 0 && [
          'Tokens',
          `${count(usage.inputTokens)} in (${count(usage.cachedInputTokens)} cached), ${count(usage.outputTokens)} out, ${count(usage.calls)} ${usage.calls === 1 ? 'call' : 'calls'}`,
        ],
      usage?.costUSD !== undefined && ['Cost', dollars(usage.costUSD)],
      feedback.length > 0 && ['Feedback', feedback.map(({ emoji, name }) => `${emoji} ${name}`).join(', ')],
    ]} />
    ${question && html`<p class="asked gap" dir="auto">${question}</p>`}
    ${failure && html`<p class="bad-text">${failure.message} <span class="muted">${failure.category}, reference ${failure.ref}</span></p>`}</div>
    <${Spent} known=${known} />
    <${Section} title="Steps"><${Steps} events=${events} startedAtMs=${startedAtMs} /></${Section}>
    ${text !== '' && html`<${Section} title="Answer"><div class="card"><${Markdown} text=${text} /></div></${Section}>`}
    ${artifacts.length > 0 && html`<${Section} title="Files" count=${artifacts.length}><ul class="cards">${artifacts.map(({ id, name }) => html`<li key=${id}><a href=${`/artifact/${encodeURIComponent(id)}`} download=${name}>${name}</a></li>`)}</ul></${Section}>`}
    <${Section} title="Way"><${TimeLine} stops=${stopsOf(run, chat)} /></${Section}>
    <${Prompt} prompt=${prompt} />
    <${Replay} runID=${runID} />`;
}

/** Every durable event, with the time since the one before as a bar. @param {{ events: readonly EngineEvent[], startedAtMs: number }} props */
function Steps({ events, startedAtMs }) {
  if (events.length === 0)
    return html`<${Empty} low title="The events of this run were pruned">Its answer and its files stay. “retention.eventDays” in the configuration says how long events are stored.</${Empty}>`;
  const end = Math.max(1, (events.at(-1)?.envelope.occurred_at_ms ?? startedAtMs) - startedAtMs);
  return html`<ol class="rows steps">${events.map((event, index) => {
    const at = event.envelope.occurred_at_ms;
    const before = events[index - 1]?.envelope.occurred_at_ms ?? startedAtMs;
    const { title, detail } = stepOf(event);
    return html`<li key=${event.envelope.event_id} class="step"><span class="step-at" title=${fullDate(at)}>${timeWithSeconds(at)}</span>
      <span class="step-what"><span>${title}</span>${detail}</span>
      <span class="step-bar" aria-hidden="true"><i style=${{ left: `${(100 * Math.max(0, before - startedAtMs)) / end}%`, width: `${Math.max(0.6, (100 * Math.max(0, at - before)) / end)}%` }}></i></span>
      <span class="step-took">${duration(Math.max(0, at - before))}</span></li>`;
  })}</ol>`;
}

/** @param {EngineEvent} event @returns {{ title: unknown, detail?: unknown }} */
function stepOf(event) {
  switch (event.type) {
    case 'session.run.started':
      return { title: 'Run began' };
    case 'session.run.finished':
      return { title: html`Run ended <${Badge}>${event.properties.status}</${Badge}>` };
    case 'session.run.feedback': {
      const { emoji, name, withdrawn } = event.properties;
      return { title: `${name} ${withdrawn ? 'took back' : 'reacted with'} ${emoji}` };
    }
    case 'permission.asked':
      return { title: `Approval requested for ${event.properties.tool}` };
    case 'permission.replied':
      return { title: `Approval: ${event.properties.reply ?? event.properties.status}` };
    case 'question.asked':
      return { title: 'Question to a person' };
    case 'question.replied':
      return { title: `Question: ${event.properties.status}` };
    case 'session.error':
      return { title: html`<span class="bad-text">${event.properties.error.message}</span>` };
    case 'message.part.updated': {
      const { part } = event.properties;
      if (part.type !== 'tool')
        return {
          title: part.type === 'text' ? `Text, ${count(part.text?.length ?? 0)} characters` : part.type,
        };
      return {
        title: html`Tool <b>${part.tool}</b> <${Badge} tone=${part.state === 'completed' ? 'good' : part.state === 'failed' || part.state === 'denied' ? 'bad' : undefined}>${part.state}</${Badge}>`,
        detail: html`<details class="unfold"><summary>${part.state === 'completed' ? 'Input and output' : 'Input'}</summary><${Json} value=${part.args} label="Input" />${part.result !== undefined && html`<${Json} value=${part.result} label="Output" />`}${part.error && html`<p class="bad-text">${part.error}</p>`}</details>`,
      };
    }
    default:
      return { title: event.type };
  }
}

/** @param {{ runID: string }} props */
function Replay({ runID }) {
  const [open, setOpen] = useState(false);
  return html`<${Section} title="Replay" note="The run told again from its files, compared with what the database holds">
    ${open ? html`<${Replayed} runID=${runID} />` : html`<${Button} icon="retry" onPress=${() => setOpen(true)}>Replay</${Button}>`}</${Section}>`;
}

/** @param {{ runID: string }} props */
function Replayed({ runID }) {
  const replay = useData(
    () =>
      /** @type {Promise<{ drift?: { drift?: boolean, mismatches?: unknown[] } }>} */ (
        api(`/context/runs/${encodeURIComponent(runID)}/replay`)
      ),
    [runID],
  );
  return html`<${Loaded} of=${replay} rows=${2}>${(/** @type {any} */ data) => html`
    <p class="card-title"><${Badge} tone=${data.drift?.mismatch || data.drift?.drifted ? 'bad' : 'good'}>${data.drift?.mismatch || data.drift?.drifted ? 'drifted' : 'no drift'}</${Badge}></p><${Json} value=${data} label="Replay" />`}</${Loaded}>`;
}
