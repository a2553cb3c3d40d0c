// Webhooks: programs that put something into a chat; made, tested and deleted here.
// @ts-check
import { useState } from 'preact/hooks';
import { api } from '#console/page/data/api.js';
import { useData } from '#console/page/data/data.js';
import { Dialog } from '#console/page/parts/dialog.js';
import { html } from '#console/page/parts/html.js';
import { distinct, placeText } from '#console/page/parts/place.js';
import { route, setQuery } from '#console/page/parts/router.js';
import { Badge, Button, Empty, Field, Loaded, Section, Time } from '#console/page/parts/ui.js';
import { isNamed } from '#engine/wire/channels/place-title.ts';

/** @import { NamedChat } from '#engine/wire/channels/place-names.ts' @import { Hook, HookMade, HookTested } from '#engine/wire/schedules/hook.ts' */

export function Hooks() {
  const list = useData(() => /** @type {Promise<Hook[]>} */ (api('/hooks')), [], { everyMs: 20_000 });
  const rooms = useData(() => /** @type {Promise<NamedChat[]>} */ (api('/place')), []);
  const roomOf = (/** @type {string} */ chat) => rooms.data?.find((each) => each.chat === chat);
  const room = route.value.query.get('room') ?? '';
  const shown = list.data?.filter(({ chat }) => room === '' || isNamed(roomOf(chat)?.names, room)) ?? [];
  return html`<${Section} title="Webhooks" count=${list.data && shown.length}>
    ${(list.data ?? []).length > 0 && html`<div class="filters"><${Field} hidden label="Room" type="search" placeholder="Room" value=${room} onInput=${(/** @type {string} */ text) => setQuery({ room: text })} /></div>`}
    <${Loaded} of=${list} rows=${2}>${(/** @type {Hook[]} */ hooks) =>
      shown.length === 0 && hooks.length > 0
        ? html`<${Empty} low title="No webhook writes there" icon="inbox">Change the room.</${Empty}>`
        : hooks.length === 0
          ? html`<${Empty} low title="No program sends anything" icon="inbox">A webhook puts what a program sends into a chat, as a message or as a prompt. Make one below.</${Empty}>`
          : html`<ul class="cards">${shown.map((each) => html`<${HookCard} key=${each.name} title=${roomOf(each.chat)?.title ?? placeText({ chat: each.chat })} hook=${each} reload=${list.reload} />`)}</ul>`}</${Loaded}></${Section}>
    <${NewHook} reload=${list.reload} rooms=${rooms.data ?? []} />`;
}

/** How long the outcome of a test is waited for, in milliseconds: a task takes as long as its model. */
const testMs = 60_000;

/** @param {HookTested['status']} status @param {string | undefined} reason */
function outcomeOf(status, reason) {
  if (status === 'sent') return 'The test message was sent.';
  return status === 'waiting' || status === 'accepted'
    ? `The test message was not sent within ${testMs / 1000} seconds, and still waits. The page Now shows how its channel is.`
    : `The test message was not sent: ${reason ?? status}.`;
}

/** @param {{ hook: Hook, title: string, reload: () => Promise<void> }} props */
function HookCard({
  title,
  hook: { name, chat, kind, template, per_minute, state, reason, received_at_ms },
  reload,
}) {
  const [asks, setAsks] = useState(false);
  const [tested, setTested] = useState('');
  const path = `/hooks/${encodeURIComponent(name)}`;
  const test = async () => {
    setTested('A test message is on its way to the chat.');
    /** @type {HookTested} */
    const { status, reason } = await api(`${path}/test`, { method: 'POST', body: { wait_ms: testMs } });
    setTested(outcomeOf(status, reason));
  };
  const remove = async () => {
    await api(path, { method: 'DELETE' });
    setAsks(false);
    await reload();
  };
  return html`<li class="card"><div class="card-title"><${Badge} tone=${state === 'active' ? 'good' : 'bad'}>${state}</${Badge}> <b class="grow cut">${name}</b><span class="actions"><${Button} writes onPress=${test}>Send a test</${Button}><${Button} writes kind="quiet" icon="trash" label=${`Delete ${name}`} onPress=${() => setAsks(true)} /></span></div>
    ${reason && html`<p class="bad-text">${reason}</p>`}${tested && html`<p class="notice" role="status">${tested}</p>`}
    <p><code>POST ${location.origin}/hook/${name}</code></p>
    <p class="muted small">as a ${kind === 'text' ? 'message' : 'prompt'} to <span class="cut" dir="auto" title=${chat}>${title}</span> · template <code>${template}</code> · at most ${per_minute} a minute · last <${Time} ms=${received_at_ms} /></p>
    ${asks && html`<${Dialog} title=${`Delete ${name}?`} action="Delete" danger onDo=${remove} onClose=${() => setAsks(false)}><p>Its secret stops working at once, and what it brought and is not sent yet is dropped.</p></${Dialog}>`}</li>`;
}

/** @param {{ reload: () => Promise<void>, rooms: NamedChat[] }} props */
function NewHook({ reload, rooms }) {
  const options = [
    ['', 'Another chat, by its address'],
    ...distinct(rooms.map((each) => [each.chat, each.title])),
  ];
  const [room, setRoom] = useState('');
  const [name, setName] = useState('');
  const [chat, setChat] = useState('');
  const [kind, setKind] = useState('text');
  const [made, setMade] = useState(/** @type {HookMade | undefined} */ (undefined));
  const make = async () => {
    setMade(
      await api('/hooks', { method: 'POST', body: { name: name.trim(), chat: room || chat.trim(), kind } }),
    );
    await reload();
  };
  return html`<${Section} title="A new webhook" note="“/status” in a chat shows its address">
    <div class="filters flat"><${Field} label="Name" placeholder="alarm" value=${name} onInput=${setName} /><${Field} label="Chat" value=${room} options=${options} onInput=${setRoom} />${room === '' && html`<${Field} label="Address of the chat" value=${chat} onInput=${setChat} />`}
    <${Field} label="What it sends" value=${kind} options=${[['text', 'A message'], ['prompt', 'A prompt']]} onInput=${setKind} /><${Button} writes disabled=${name.trim() === '' || (room || chat.trim()) === ''} onPress=${make}>Make it</${Button}></div>
    ${made && html`<p class="notice link-text" role="status">The secret of ${made.name}, shown only now: <code>${made.secret}</code></p>`}</${Section}>`;
}
