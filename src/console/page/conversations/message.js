// One message: who, when, its text as Markdown, files, tool calls that unfold, and the way that it took.
// @ts-check
import { useState } from 'preact/hooks';
import { api } from '#console/page/data/api.js';
import { Json } from '#console/page/parts/code.js';
import { cut } from '#console/page/parts/format.js';
import { classes, html } from '#console/page/parts/html.js';
import { Icon } from '#console/page/parts/icons.js';
import { Markdown } from '#console/page/parts/markdown.js';
import { addressOf, go, Link } from '#console/page/parts/router.js';
import { Badge, Button, Elapsed, Time } from '#console/page/parts/ui.js';
import { doingOf } from '#console/page/runs/live-list.js';
import { Way } from '#console/page/runs/way.js';

/**
 * @import { WirePart, WireSession, WireSessionMessage } from '#engine/wire/sessions/message.ts'
 * @import { WireMessagePart } from '#engine/wire/events/event.ts'
 * @import { LiveRun } from '#console/page/data/live-runs.js'
 */

/** @param {{ message: WireSessionMessage, session: WireSession, found?: boolean }} props `found`: a search led to it. */
export function Message({ message: { info, parts }, session, found }) {
  const [way, setWay] = useState(false);
  const { role, speaker, time, error, runID, id } = info;
  const name =
    role === 'assistant'
      ? (session.place?.agent ?? 'Parley')
      : (speaker?.name ?? session.place?.person ?? 'You');
  const branch = async () => {
    /** @type {WireSession} */
    const made = await api(`/session/${encodeURIComponent(session.id)}/fork`, {
      method: 'POST',
      body: { messageID: id },
    });
    go(addressOf(['conversations', made.id]));
  };
  return html`<article class=${classes('message', role, found && 'found')} aria-current=${found ? 'true' : undefined} aria-label=${`${cut(name, 80)}`}>
    <header><b class="cut" dir="auto">${cut(name, 200)}</b><${Time} ms=${time.created * 1000} />
      <span class="message-actions">${runID && html`<button type="button" class="text-button" aria-expanded=${way} onClick=${() => setWay(!way)}>Way</button> <${Link} to=${addressOf(['runs', runID])}>Run</${Link}>`}
        <${Button} writes kind="quiet" icon="branch" label="Branch from here" onPress=${branch} />
        ${role === 'assistant' && session.sourceKind !== 'channel' && html`<${Retry} session=${session} runID=${runID} />`}</span></header>
    ${parts.filter((part) => !isErrorText(part, error)).map((part, index) => html`<${Part} key=${index} part=${part} />`)}
    ${error && html`<p class="message-error"><${Icon} name="warning" /> ${error.message} <span class="muted">Reference ${error.ref}</span></p>`}
    ${way && runID && html`<${Way} runID=${runID} />`}
  </article>`;
}

/** The text of a failed answer says what stands below it as its error. @param {WirePart} part @param {{ code: string } | undefined} error */
function isErrorText(part, error) {
  return error !== undefined && part.type === 'text' && part.text.startsWith(`ENGINE_ERROR: ${error.code}: `);
}

/** Answers the same message again, in the same conversation. @param {{ session: WireSession, runID: string | undefined }} props */
function Retry({ session, runID }) {
  const retry = async () => {
    /** @type {WireSessionMessage[]} */
    const messages = await api(`/session/${encodeURIComponent(session.id)}/message`, {
      query: { limit: 100 },
    });
    const prompt = messages.findLast(
      ({ info }) => info.role === 'user' && (info.runID === runID || runID === undefined),
    );
    if (prompt === undefined) throw new Error('The message that it answered is not among the newest 100.');
    const parts = prompt.parts.flatMap((part) =>
      part.type === 'text' ? [{ type: 'text', text: part.text }] : [],
    );
    const path = `/session/${encodeURIComponent(session.id)}`;
    await api(`${path}/revert`, { method: 'POST', body: { messageID: prompt.info.id } });
    await api(`${path}/prompt_async`, { method: 'POST', query: { return: 'run' }, body: { parts } });
  };
  return html`<${Button} writes kind="quiet" icon="retry" label="Retry: answer again" onPress=${retry} />`;
}

/** A run in progress, as it writes. @param {{ run: LiveRun }} props */
export function LiveMessage({ run: { runID, startedAtMs, parts } }) {
  const shown = parts.value.filter(({ type, text }) => type !== 'text' || text !== '');
  return html`<article class="message assistant live" aria-label="Parley, writing">
    <header><b>Parley</b><${Elapsed} since=${startedAtMs} /></header>
    ${(shown.length === 0 || shown.at(-1)?.type === 'tool') && html`<p class="muted">${doingOf(runID, shown)}…</p>`}
    ${shown.map((part) => html`<${Part} key=${part.id} part=${part} />`)}
  </article>`;
}

/** @param {{ part: WirePart | WireMessagePart }} props */
function Part({ part }) {
  switch (part.type) {
    case 'text':
      return html`<${Markdown} text=${part.text ?? ''} />`;
    case 'reasoning':
      return html`<details class="unfold"><summary>Reasoning</summary><${Markdown} text=${part.text ?? ''} /></details>`;
    case 'file':
      return html`<p class="file-part"><${Icon} name="file" /> ${part.filename ?? 'file'} <span class="muted">${part.mime}</span></p>`;
    case 'tool':
      return html`<${Tool} part=${part} />`;
    default:
      return null;
  }
}

/** @param {{ part: any }} props A tool call, stored or live. */
function Tool({ part: { tool, args, result, error, state } }) {
  const failed = error !== undefined;
  const running =
    state === 'pending' || state === 'running' || (result === undefined && !failed && state === undefined);
  return html`<details class="unfold tool"><summary><${Icon} name="tool" /> ${tool} <${Badge} tone=${failed ? 'bad' : running ? 'live' : 'good'}>${failed ? 'failed' : running ? 'running' : 'done'}</${Badge}></summary>
    <p class="small muted">Input</p><${Json} value=${args} label="Input of the tool" />
    ${result !== undefined && html`<p class="small muted">Output</p><${Json} value=${result} label="Output of the tool" />`}
    ${failed && html`<p class="bad-text">${error}</p>`}
  </details>`;
}
