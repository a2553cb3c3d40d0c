// Schedules: what is sent or begun at which times, with the next ones; made, confirmed, changed and removed here.
// @ts-check
import { useState } from 'preact/hooks';
import { api } from '#console/page/data/api.js';
import { useData } from '#console/page/data/data.js';
import { Dialog } from '#console/page/parts/dialog.js';
import { cut, fullDate } from '#console/page/parts/format.js';
import { html } from '#console/page/parts/html.js';
import { placeText } from '#console/page/parts/place.js';
import { route, setQuery } from '#console/page/parts/router.js';
import { Badge, Button, Empty, Field, Loaded, Section, Time } from '#console/page/parts/ui.js';
import { isNamed } from '#engine/wire/channels/place-title.ts';
import { ScheduleForm } from './schedule-form.js';

/** @import { PeopleList } from '#engine/wire/channels/channel-service.ts' @import { Schedule } from '#engine/wire/schedules/schedule.ts' */

const tones = /** @type {const} */ ({
  active: 'good',
  proposed: 'warn',
  stopped: 'bad',
  done: undefined,
});

export function Schedules() {
  const list = useData(() => /** @type {Promise<Schedule[]>} */ (api('/schedule')), [], { everyMs: 20_000 });
  const people = useData(accountNames, []);
  const [opened, setOpened] = useState(/** @type {{ schedule?: Schedule } | undefined} */ (undefined));
  const [notice, setNotice] = useState('');
  const room = route.value.query.get('room') ?? '';
  const shown = list.data?.filter(({ names }) => room === '' || isNamed(names, room)) ?? [];
  const done = async (/** @type {Schedule} */ { words, state }) => {
    setOpened(undefined);
    setNotice(`${state === 'proposed' ? 'Proposed' : 'Set'}: ${words}.`);
    await list.reload();
  };
  return html`<${Section} title="Schedules" count=${list.data && shown.length} actions=${html`<${Button} writes kind="primary" onPress=${() => setOpened({})}>New schedule</${Button}>`}>
    ${notice && html`<p class="notice" role="status">${notice}</p>`}
    ${(list.data ?? []).length > 0 && html`<div class="filters"><${Field} hidden label="Room" type="search" placeholder="Room" value=${room} onInput=${(/** @type {string} */ text) => setQuery({ room: text })} /></div>`}
    <${Loaded} of=${list}>${(/** @type {Schedule[]} */ schedules) =>
      shown.length === 0 && schedules.length > 0
        ? html`<${Empty} title="Nothing is scheduled there" icon="now">Change the room.</${Empty}>`
        : schedules.length === 0
          ? html`<${Empty} title="Nothing is scheduled" icon="now">Make one here, or in a chat: “/remind tomorrow at 9 water the plants”, “/schedule every Monday at 9 …”.</${Empty}>`
          : html`<ul class="cards">${shown.map((each) => html`<${ScheduleCard} key=${each.id} schedule=${each} who=${people.data?.get(each.person)} reload=${list.reload} change=${() => setOpened({ schedule: each })} />`)}</ul>`}</${Loaded}>
    ${opened && html`<${ScheduleForm} schedule=${opened.schedule} done=${done} close=${() => setOpened(undefined)} />`}</${Section}>`;
}

/** The names of accounts, by their keys; none where the channels run in another process. @returns {Promise<Map<string, string>>} */
async function accountNames() {
  /** @type {PeopleList} */
  const { people, others } = await api('/people').catch(() => ({ people: [], others: [] }));
  const named = people.flatMap(({ name, accounts }) =>
    accounts.map(({ person }) => ({ person, shownAs: name })),
  );
  return new Map([...others, ...named].map(({ person, shownAs }) => [person, shownAs]));
}

/** @param {{ schedule: Schedule, who: string | undefined, reload: () => Promise<void>, change: () => void }} props */
function ScheduleCard({ schedule, who, reload, change }) {
  const { id, state, kind, text, words, zone, next_release_at_ms, fired_at_ms, reason } = schedule;
  const [open, setOpen] = useState(false);
  const [asks, setAsks] = useState(false);
  const path = `/schedule/${encodeURIComponent(id)}`;
  const confirm = async () => {
    await api(`${path}/confirm`, { method: 'POST', body: {} });
    await reload();
  };
  const remove = async () => {
    await api(path, { method: 'DELETE' });
    setAsks(false);
    await reload();
  };
  return html`<li class="card">
    <div class="card-title"><${Badge} tone=${tones[state]}>${state}</${Badge}> <b class="grow">${words}</b><span class="actions">
      ${state === 'proposed' && html`<${Button} writes kind="primary" onPress=${confirm}>Confirm</${Button}>`}
      <${Button} writes onPress=${change} label=${`Change “${cut(text, 60)}”`}>Change</${Button}>
      <${Button} writes kind="quiet" icon="trash" label="Remove this schedule" onPress=${() => setAsks(true)} /></span></div>
    <p dir="auto">${kind === 'prompt' && html`<${Badge} tone="info">prompt</${Badge}> `}${cut(text, 400)}</p>
    ${reason && html`<p class="bad-text">${reason}</p>`}
    <p class="muted small">next <${Time} ms=${next_release_at_ms} /> · last <${Time} ms=${fired_at_ms} />${zone && ` · ${zone}`} · <span class="cut" dir="auto" title=${schedule.chat}>${placeText({ ...schedule, person: who })}</span></p>
    ${next_release_at_ms !== null && html`<details class="unfold" onToggle=${(/** @type {Event} */ event) => setOpen(/** @type {HTMLDetailsElement} */ (event.currentTarget).open)}><summary>Next times</summary>${open && html`<${NextTimes} path=${path} />`}</details>`}
    ${asks && html`<${Dialog} title="Remove this schedule?" action="Remove" danger onDo=${remove} onClose=${() => setAsks(false)}><p>“${cut(text, 200)}” is not sent any more: ${words}.</p></${Dialog}>`}</li>`;
}

/** @param {{ path: string }} props */
function NextTimes({ path }) {
  const next = useData(
    () => /** @type {Promise<{ times: number[] }>} */ (api(`${path}/times`, { query: { count: 5 } })),
    [path],
  );
  return html`<${Loaded} of=${next} rows=${2}>${(/** @type {{ times: number[] }} */ { times }) => html`<ol class="times">${times.map((ms) => html`<li key=${ms}><time datetime=${new Date(ms).toISOString()}>${fullDate(ms)}</time></li>`)}</ol>`}</${Loaded}>`;
}
