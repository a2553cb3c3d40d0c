// One conversation as its chat shows it, and what may be done with it.
// @ts-check
import { useState } from 'preact/hooks';
import { api } from '#console/page/data/api.js';
import { useData } from '#console/page/data/data.js';
import { Dialog } from '#console/page/parts/dialog.js';
import { plural } from '#console/page/parts/format.js';
import { html } from '#console/page/parts/html.js';
import { agentOf, placeText } from '#console/page/parts/place.js';
import { addressOf, go, Link } from '#console/page/parts/router.js';
import { Badge, Button, Empty, Failure, Field, Loading } from '#console/page/parts/ui.js';
import { VirtualList } from '#console/page/parts/virtual-list.js';
import { StopRun } from '#console/page/runs/live-list.js';
import { LiveMessage, Message } from './message.js';
import { useMessages } from './messages.js';

/** @import { ContentForgotten } from '#engine/wire/sessions/content.ts' @import { WireSession } from '#engine/wire/sessions/message.ts' @import { Shown } from './messages.js' */

/** @param {{ id: string, message?: string | undefined }} props `message`: the one to have in sight. */
export function Conversation({ id, message }) {
  const session = useData(
    async () => {
      /** @type {WireSession[]} */
      const [found] = await api('/session', { query: { ids: id, archived: 'all' } });
      return found ?? null;
    },
    [id],
    {
      on: ({ type, properties }) =>
        type === 'session.updated' && 'sessionID' in properties && properties.sessionID === id,
    },
  );
  if (session.data === null)
    return html`<${Empty} title="This conversation does not exist" icon="conversations">It was deleted, or the address is wrong. <${Link} to=${addressOf(['conversations'])}>All conversations</${Link}></${Empty}>`;
  if (session.data === undefined)
    return session.error === undefined
      ? html`<${Loading} />`
      : html`<${Failure} error=${session.error} retry=${session.reload} />`;
  return html`<${Opened} session=${session.data} reload=${session.reload} wanted=${message} />`;
}

/** @param {{ session: WireSession, reload: () => Promise<void>, wanted: string | undefined }} props */
function Opened({ session, reload, wanted }) {
  const { id, title, place, archived } = session;
  const { items, total, error, runs, older, complete, reload: again } = useMessages(id, wanted);
  const at = wanted === undefined ? -1 : (items?.findIndex(({ key }) => key === wanted) ?? -1);
  const isThere = at >= 0 || wanted === undefined || !complete;
  return html`<header class="conversation-head">
      <${Link} to=${addressOf(['conversations'])} class="button quiet only-icon back" label="All conversations"><svg class="icon" viewBox="0 0 16 16" aria-hidden="true"><path d="M10 3L5 8l5 5" /></svg></${Link}>
      <div class="conversation-title"><h2 dir="auto">${title}</h2><p class="note">${place === undefined ? placeText(place) : html`<${Link} to=${addressOf(['conversations', id], { chat: place.chat })} title="Only conversations of this chat">${placeText(place)}</${Link}>`} · ${plural(total, 'message')} ${place?.agent && html`<${Badge}>answered by ${place.agent}</${Badge}> `}${agentOf(session) && html`<${Badge}>agent ${agentOf(session)}</${Badge}> `}${archived && html`<${Badge}>archived</${Badge}>`}</p></div>
      <${Actions} session=${session} reload=${reload} runs=${runs} />
    </header>
    ${error !== undefined && html`<${Failure} error=${error} retry=${again} />`}
    ${!isThere && html`<p class="notice" role="status">The message that was found is not in this conversation any more.</p>`}
    <div class="messages">
      ${items === undefined && error === undefined && html`<${Loading} rows=${6} />`}
      ${items?.length === 0 && html`<${Empty} title="Nothing was written here yet" icon="conversations">${session.sourceKind === 'channel' ? 'Write to the bot in this chat; it appears here.' : 'Write the first message below.'}</${Empty}>`}
      ${items !== undefined && items.length > 0 && html`<${VirtualList} items=${items} keyOf=${keyOf} label="Messages" estimate=${96} stick onStart=${older} focus=${at < 0 ? undefined : at}>${(/** @type {Shown} */ { message, run }) => (run === undefined ? html`<${Message} message=${message} session=${session} found=${message.info.id === wanted} />` : html`<${LiveMessage} run=${run} />`)}</${VirtualList}>`}
    </div>
    ${session.sourceKind !== 'channel' && html`<${Composer} id=${id} />`}`;
}

const keyOf = (/** @type {Shown} */ { key }) => key;

/** @param {{ session: WireSession, reload: () => Promise<void>, runs: readonly { runID: string }[] }} props */
function Actions({ session: { id, title, archived }, reload, runs }) {
  const [open, setOpen] = useState('');
  const path = `/session/${encodeURIComponent(id)}`;
  const change = async (/** @type {object} */ body) => {
    await api(path, { method: 'PATCH', body });
    await reload();
  };
  const branch = async () => {
    /** @type {WireSession} */
    const made = await api(`${path}/fork`, { method: 'POST', body: {} });
    go(addressOf(['conversations', made.id]));
  };
  const [run] = runs;
  const [stopped, setStopped] = useState('');
  return html`<div class="actions">
    <span class="muted small" role="status">${stopped && !run && 'Stopped.'}</span>
    ${run && html`<${StopRun} runID=${run.runID} sessionID=${id} stopped=${setStopped} words="Stop" />`}
    <${Button} writes icon="edit" label="Rename" onPress=${() => setOpen('rename')} />
    <${Button} writes icon="branch" label="Branch: a copy to go on from" onPress=${branch} />
    <${Button} writes icon="archive" label=${archived ? 'Back from the archive' : 'Archive'} onPress=${() => change({ archived: !archived })} />
    <a class="button only-icon" href=${path} download=${`${id}.json`} aria-label="Export as JSON" title="Export as JSON"><svg class="icon" viewBox="0 0 16 16" aria-hidden="true"><path d="M8 2.5V10m-3-3l3 3 3-3M3 13.5h10" /></svg></a>
    <${Button} writes icon="trash" label="Delete" onPress=${() => setOpen('delete')} />
    ${open === 'rename' && html`<${Rename} title=${title} change=${change} close=${() => setOpen('')} />`}
    ${open === 'delete' && html`<${Delete} id=${id} path=${path} close=${() => setOpen('')} />`}
  </div>`;
}

/** @param {{ title: string, change: (body: object) => Promise<void>, close: () => void }} props */
function Rename({ title, change, close }) {
  const [text, setText] = useState(title);
  const save = async () => {
    await change({ title: text.trim() });
    close();
  };
  return html`<${Dialog} title="Rename the conversation" action="Rename" onDo=${save} onClose=${close}><${Field} label="Title" value=${text} onInput=${setText} /></${Dialog}>`;
}

const goes = /** @type {const} */ ([
  ['conversation', 'The conversation'],
  ['all', 'The conversation and what was remembered from it'],
]);

/** Says how much goes before anything does. @param {{ id: string, path: string, close: () => void }} props */
function Delete({ id, path, close }) {
  const [what, setWhat] = useState('conversation');
  const forget = (/** @type {boolean} */ apply) =>
    /** @type {Promise<ContentForgotten>} */ (
      api('/content/forget', { method: 'POST', body: { of: { sessions: [id] }, apply }, timeoutMs: 120_000 })
    );
  const counted = useData(() => forget(false), [id]);
  const remove = async () => {
    const done = what === 'all' ? await forget(true) : undefined;
    if (done !== undefined && done.remains.length > 0)
      throw new Error(`Forgotten, but not everywhere: ${done.remains.join(' ')}`);
    // a conversation in which nothing else was said is gone by then
    if (done === undefined || !done.session_ids.includes(id)) await api(path, { method: 'DELETE' });
    close();
    go(addressOf(['conversations']));
  };
  const { data, error } = counted;
  const memories = data && plural(data.memories, 'memory', 'memories');
  return html`<${Dialog} title="Delete this conversation?" action=${what === 'all' ? 'Delete and forget' : 'Delete'} danger onDo=${remove} onClose=${close}>
    ${error !== undefined && html`<${Failure} error=${error} retry=${counted.reload} />`}
    ${data === undefined && error === undefined && html`<${Loading} rows=${1} />`}
    ${
      data &&
      html`<${Field} label="What goes" value=${what} options=${goes} onInput=${setWhat} />
      <p>${plural(data.messages, 'message')} and ${plural(data.runs, 'run')} are deleted permanently. ${
        what === 'all'
          ? `${memories} made from it ${data.memories === 1 ? 'is' : 'are'} forgotten, and no import brings ${data.memories === 1 ? 'it' : 'them'} back.`
          : `${memories} made from it stay${data.memories === 1 ? 's' : ''}.`
      }</p>`
    }
  </${Dialog}>`;
}

/** @param {{ id: string }} props */
function Composer({ id }) {
  const [text, setText] = useState('');
  const send = async () => {
    await api(`/session/${encodeURIComponent(id)}/prompt_async`, {
      method: 'POST',
      query: { return: 'run' },
      body: { parts: [{ type: 'text', text }] },
    });
    setText('');
  };
  return html`<form class="composer" onSubmit=${(/** @type {Event} */ event) => event.preventDefault()}>
    <label class="field grow"><span class="unseen">Write a message</span><textarea rows="2" dir="auto" placeholder="Write a message" value=${text} onInput=${(/** @type {Event} */ event) => setText(/** @type {HTMLTextAreaElement} */ (event.currentTarget).value)}></textarea></label>
    <${Button} writes kind="primary" disabled=${text.trim() === ''} onPress=${send}>Send</${Button}></form>`;
}
